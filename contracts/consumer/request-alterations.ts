/** Changes to the request that the SDK built, for requests that the SDK's types do not allow. */
import type { RawBody } from './case.ts';

export function withoutKey(request: Request): Request {
  const headers = new Headers(request.headers);
  if (!headers.has('authorization')) throw new Error('The request of the SDK has no Authorization header to remove.');
  headers.delete('authorization');
  return new Request(request, { headers });
}

/** The Digital Link as printed on the product and opened by a phone: without a link type. */
export function asScanned(gtin: string): (request: Request) => Request {
  return (request) => {
    const url = new URL(request.url);
    url.pathname = `/01/${gtin}`;
    url.searchParams.delete('linkType');
    return new Request(url, request);
  };
}

/** Replaces the body with JSON of a shape that the SDK's types forbid. */
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

/** Text that cannot be parsed as JSON, sent as JSON. */
export const brokenJson: RawBody = {
  text: '{name: Kabel}',
  // Pact parses a body of type `application/json` and fails on this one. It does not recognize the type with a space before
  // the semicolon, which means the same (RFC 9110, 5.6.6).
  contentType: 'application/json ; charset=utf-8',
};

/** Valid JSON, sent as plain text. */
export const plainText: RawBody = { text: '{"name":"Kabel"}', contentType: 'text/plain' };
