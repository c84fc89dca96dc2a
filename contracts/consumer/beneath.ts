/** What stands beneath the SDK where a request is wanted that its types do not let through. */
import type { RawBody } from './case.ts';

export function withoutKey(request: Request): Request {
  const headers = new Headers(request.headers);
  if (!headers.has('authorization')) throw new Error('The SDK sent no key: there is nothing to take away.');
  headers.delete('authorization');
  return new Request(request, { headers });
}

/** A Digital Link as a telephone follows it, which knows no link types, and as the data carrier holds it. */
export function asScanned(gtin: string): (request: Request) => Request {
  return (request) => {
    const url = new URL(request.url);
    url.pathname = `/01/${gtin}`;
    url.searchParams.delete('linkType');
    return new Request(url, request);
  };
}

/** JSON of a shape that the SDK's types forbid. */
export function withBody(body: unknown): (request: Request) => Request {
  return (request) => new Request(request, { body: JSON.stringify(body) });
}

export function withRaw({ text, contentType }: RawBody): (request: Request) => Request {
  return (request) => {
    const headers = new Headers(request.headers);
    headers.set('content-type', contentType);
    return new Request(request, { headers, body: text });
  };
}

/** No JSON, under JSON's type. */
export const brokenJson: RawBody = {
  text: '{name: Kabel}',
  // Under `application/json` Pact would parse what it shall send as it is, and fail. It does not know the type by this
  // spelling, which means the same (RFC 9110, 5.6.6: white space may stand before the semicolon).
  contentType: 'application/json ; charset=utf-8',
};

/** JSON, under another type. */
export const plainText: RawBody = { text: '{"name":"Kabel"}', contentType: 'text/plain' };
