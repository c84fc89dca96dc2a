/** Generated requests of an operation: values of the path and the query, headers, and the body. */
import type { Operation, Parameter } from '@product-passport/openapi';
import fc, { type Arbitrary } from 'fast-check';
import type { WireRequest } from '../http/exchange.ts';
import { bodies, bytesOf, type GeneratedBody, seldom, texts } from './values.ts';

/**
 * A request before it is sent to a particular provider. It names no product or key of the provider, so a seed gives the
 * same requests everywhere.
 */
export interface GeneratedRequest {
  /** The percent-encoded value of each path parameter. `undefined` stands for one that exists. */
  readonly path: Readonly<Record<string, string | undefined>>;
  /** Percent-encoded pairs. */
  readonly query: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: GeneratedBody | undefined;
}

/** What exists at the provider. */
export interface Existing {
  /** The value of each path parameter. */
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly fieldKeys: readonly string[];
}

export const unknownSlug = 'verify-unknown';

export function requestsOf(operation: Operation): Arbitrary<GeneratedRequest> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  return fc.record({
    path: fc.record(Object.fromEntries(inPath.map(({ name }) => [name, pathValues]))),
    query: queries(operation.parameters.filter((parameter) => parameter.in === 'query')),
    headers: headersFor(operation),
    body: bodies(operation) ?? fc.constant(undefined),
  });
}

/** The request without the headers that every request of the suite has. */
export function requestOf({ method, path }: Operation, request: GeneratedRequest, existing: Existing): WireRequest {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = existing.path[name];
    return request.path[name] ?? (value === undefined ? unknownSlug : encodeURIComponent(value));
  });
  return {
    method,
    path: [filled, ...(request.query.length === 0 ? [] : [request.query.join('&')])].join('?'),
    headers: request.headers,
    ...(request.body === undefined ? {} : { body: bytesOf(request.body, existing.fieldKeys) }),
  };
}

/** Values that a URL parser could join with their neighbours are left out. */
const encodedTexts = texts()
  .map((text) => encodeURIComponent(text.toWellFormed()))
  .filter((text) => !/^\.{0,2}$/.test(text));

const pathValues = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constant(unknownSlug) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('%00', '%FF', '%zz', '%', 'a%2Fb', '..%2Fme', 'a;b=c', '0', '00000000000000'),
  },
  { weight: 1, arbitrary: encodedTexts },
);

const integerTexts = fc.oneof(
  fc.integer({ min: -2, max: 400 }).map(String),
  fc.constantFrom('-1', '0', '1', '200', '201', '365', '366', '2147483647', '2147483648', '9007199254740993'),
  fc.constantFrom('99999999999999999999', '1.5', '1e3', '0x10', '', '%2B1', '%201', '%D9%A3', 'NaN', 'null', '1,2'),
);

const malformed = fc.constantFrom('%', '%zz', '%FF', '%00', '%C3%28', '%ED%A0%80', '%u0041', '=', '[]', '%26');

function queries(parameters: readonly Parameter[]): Arbitrary<readonly string[]> {
  const known = parameters.map(({ name, schema }) => {
    const listed = (schema.enum ?? []).map(String);
    const values = [
      schema.type === 'integer' ? integerTexts : encodedTexts,
      ...(listed.length > 0 ? [fc.constantFrom(...listed, ...listed.map((value) => value.toUpperCase()))] : []),
    ];
    const value = fc.oneof({ weight: 8, arbitrary: fc.oneof(...values) }, { weight: 1, arbitrary: malformed });
    return fc.array(value, { maxLength: 2, size: 'xsmall' }).map((all) => all.map((text) => `${name}=${text}`));
  });
  const extra = seldom(
    fc.constantFrom('verify_unknown=1', '__proto__=1', 'limit[]=1', '%00=1', '&&', 'x'.repeat(2000)),
    undefined,
    10,
  );
  return fc
    .tuple(fc.tuple(...known), extra)
    .map(([pairs, more]) => [...pairs.flat(), ...(more === undefined ? [] : [more])]);
}

/** No conditional headers, ranges or overrides of the method: they change what the request means. */
function headersFor({ body }: Operation): Arbitrary<Record<string, string>> {
  const contentTypes = fc.constantFrom(
    'application/json; charset=utf-8',
    'application/json;charset=utf-16',
    'text/plain',
    'multipart/form-data; boundary=x',
    '',
    ';',
  );
  const odd = fc.record(
    {
      accept: fc.constantFrom('application/json', '*/*', 'text/html', 'application/xml', '*/*;q=0', '', ';;,q='),
      'accept-language': fc.constantFrom('de', '*', '-;q=a', 'x'.repeat(2000)),
      'x-request-id': fc.constantFrom('verify', 'x'.repeat(2000), '<script>', '%00', '"'),
      cookie: fc.constantFrom('a=b', '=;;', '__proto__=1'),
      ...(body === undefined ? {} : { 'content-type': contentTypes }),
    },
    { requiredKeys: [] },
  );
  return seldom(odd, {}, 6);
}
