/** Arbitraries of requests of an operation. Each request carries its outcome. */
import type { Operation, Parameter } from '@product-passport/openapi';
import fc, { type Arbitrary } from 'fast-check';
import type { WireRequest } from '../http/exchange.ts';
import { jsonIn } from '../request-faults.ts';
import { isRefusal, type Outcome, refusedWith, together } from './outcome.ts';
import { jsonOf, oddTexts, type Part, parts, seldom, shortTexts } from './values.ts';

export interface GeneratedRequest {
  /** Without the headers that every request of the suite has. */
  readonly request: WireRequest;
  readonly outcome: Outcome;
  /** The JSON of the body. `undefined` if there is none, or if its bytes were changed. */
  readonly json: unknown;
}

/** What exists at the provider. */
export interface Existing {
  /** The value of each path parameter. */
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly fieldKeys: readonly string[];
}

/** Requests that create a product must be refused, so that a run does not fill the provider. */
export function requestsOf(operation: Operation, existing: Existing): Arbitrary<GeneratedRequest> {
  const { method, parameters, secured } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const all = fc
    .record({
      path: fc.record(Object.fromEntries(inPath.map(({ name }) => [name, pathValues(existing.path[name])]))),
      query: queries(parameters.filter((parameter) => parameter.in === 'query')),
      headers: headersFor(operation),
      body: bodies(operation, existing.fieldKeys),
    })
    .map(({ path, query, headers, body }): GeneratedRequest => {
      const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name]?.value ?? '');
      const request = {
        method,
        path: query.value.length === 0 ? filled : `${filled}?${query.value.join('&')}`,
        headers: headers.value,
        ...(body.value && { body: body.value.bytes }),
      };
      // The description has no errors of the public side.
      const outcomes = secured ? [...Object.values(path), query, headers, body].map(({ outcome }) => outcome) : [];
      return { request, outcome: secured ? together(outcomes) : 'open', json: body.value?.json };
    });
  return method === 'POST' ? all.filter(({ outcome }) => isRefusal(outcome)) : all;
}

/** Percent-encoded. A URL parser could join the texts that are left out with their neighbours. */
function encoded(texts: Arbitrary<string>): Arbitrary<string> {
  return texts.map((text) => encodeURIComponent(text.toWellFormed())).filter((text) => !/^\.{0,2}$/.test(text));
}

const oddPathValues = fc.oneof(
  fc.constantFrom('%00', '%FF', '%zz', '%', 'a%2Fb', '..%2Fme', 'a;b=c', '0', '00000000000000'),
  encoded(fc.oneof(shortTexts, oddTexts)),
);

function pathValues(existing: string | undefined): Arbitrary<Part<string>> {
  const unknown = parts(refusedWith('not_found'), fc.constant('verify-unknown'));
  const known = existing === undefined ? unknown : parts('success', fc.constant(encodeURIComponent(existing)));
  return seldom(5, fc.oneof(unknown, parts('open', oddPathValues)), known);
}

const oddIntegers = fc.constantFrom(
  ...['-1', '0', '201', '366', '2147483647', '2147483648', '9007199254740993', '99999999999999999999'],
  ...['1.5', '1e3', '0x10', '', '%2B1', '%201', '%D9%A3', 'NaN', 'null', '1,2', '01'],
);

const malformed = fc.constantFrom('%', '%zz', '%FF', '%00', '%C3%28', '%ED%A0%80', '%u0041', '=', '[]', '%26');

function queries(parameters: readonly Parameter[]): Arbitrary<Part<readonly string[]>> {
  const known = parameters.map(({ name, schema }) => {
    const values = seldom(6, parts('open', fc.oneof(oddQueryValues(schema), malformed)), queryValues(schema));
    const pairs = seldom(
      10,
      fc.tuple(values, values),
      fc.oneof({ withCrossShrink: true }, fc.constant([]), fc.tuple(values)),
    );
    return pairs.map((all) => ({
      value: all.map(({ value }) => `${name}=${value}`),
      outcome: together([all.length > 1 ? 'open' : 'success', ...all.map(({ outcome }) => outcome)]),
    }));
  });
  const unknown = fc.constantFrom('verify_unknown=1', '__proto__=1', 'limit[]=1', '%00=1', '&&', 'x'.repeat(2000));
  const more = seldom(10, parts('open', fc.tuple(unknown)), parts('success', fc.constant([])));
  return fc.tuple(...known, more).map((all) => ({
    value: all.flatMap(({ value }) => value),
    outcome: together(all.map(({ outcome }) => outcome)),
  }));
}

function queryValues({ type, enum: listed, 'x-clamp': bounds }: Parameter['schema']): Arbitrary<Part<string>> {
  if (listed !== undefined) return parts('success', fc.constantFrom(...listed.map(String)));
  if (type !== 'integer') return parts('success', encoded(shortTexts));
  const { minimum = 0, maximum = 999_999_999 } = bounds ?? {};
  return parts('success', fc.integer({ min: minimum, max: Math.min(maximum, 999_999_999) }).map(String));
}

function oddQueryValues({ type, enum: listed }: Parameter['schema']): Arbitrary<string> {
  if (listed !== undefined) return fc.constantFrom(...listed.map((value) => String(value).toUpperCase()));
  return type === 'integer' ? oddIntegers : encoded(oddTexts);
}

/** No conditional headers, ranges or overrides of the method: they change what the request means. */
function headersFor({ body }: Operation): Arbitrary<Part<Readonly<Record<string, string>>>> {
  const some = (plain: readonly string[], odd: readonly string[]) =>
    fc.oneof(
      { withCrossShrink: true },
      { weight: 12, arbitrary: parts<string | undefined>('success', fc.constant(undefined)) },
      { weight: 1, arbitrary: parts('success', fc.constantFrom(...plain)) },
      { weight: 1, arbitrary: parts('open', fc.constantFrom(...odd)) },
    );
  const oddTypes = ['application/json;charset=utf-16', 'text/plain', 'multipart/form-data; boundary=x', '', ';'];
  const headers = {
    accept: some(['application/json', '*/*'], ['text/html', 'application/xml', '*/*;q=0', '', ';;,q=']),
    'accept-language': some(['de', '*'], ['-;q=a', 'x'.repeat(2000)]),
    'x-request-id': some(['verify'], ['x'.repeat(2000), '<script>', '%00', '"']),
    cookie: some(['a=b'], ['=;;', '__proto__=1']),
    ...(body && { 'content-type': some(['application/json; charset=utf-8'], oddTypes) }),
  };
  return fc.record(headers).map((all) => ({
    value: Object.fromEntries(
      Object.entries(all).flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])),
    ),
    outcome: together(Object.values(all).map(({ outcome }) => outcome)),
  }));
}

interface Body {
  readonly bytes: Uint8Array;
  readonly json?: unknown;
}

function bodies({ body }: Operation, fieldKeys: readonly string[]): Arbitrary<Part<Body | undefined>> {
  if (body === undefined) return parts('success', fc.constant(undefined));
  return fc.tuple(jsonOf(body.schema, fieldKeys), edits).map(([{ value: json, outcome }, edit]): Part<Body> => {
    const bytes = Buffer.from(JSON.stringify(json));
    return edit === undefined ? { value: { bytes, json }, outcome } : withEdit(bytes, edit);
  });
}

interface Edit {
  /** Where the bytes are inserted: an index into the body, modulo its length plus one. */
  readonly at: number;
  readonly insert: readonly number[];
  /** Whether the body ends there. */
  readonly cuts: boolean;
}

/** Bytes that break UTF-8 or JSON, or that only some parsers accept. */
const insertions = [
  ...[[], [0x00], [0xff], [0xc3], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf], [0x7b], [0x5d], [0x2c], [0x27], [0x2f, 0x2f]],
  [0x65, 0x39, 0x39, 0x39],
];

const edits: Arbitrary<Edit | undefined> = seldom(
  5,
  fc.record({ at: fc.nat({ max: 300 }), insert: fc.constantFrom(...insertions), cuts: fc.boolean() }),
  fc.constant(undefined),
);

/** Parsers disagree about bytes that are not UTF-8, a byte order mark, U+0000 and an empty body. */
function withEdit(original: Buffer, { at, insert, cuts }: Edit): Part<Body> {
  const index = at % (original.length + 1);
  const bytes = Buffer.concat([
    original.subarray(0, index),
    Buffer.from(insert),
    original.subarray(cuts ? original.length : index),
  ]);
  const text = bytes.toString();
  if (jsonIn(text) !== undefined || text.startsWith('\ufeff')) return { value: { bytes }, outcome: 'open' };
  const isPlain = text !== '' && !text.includes('\0') && Buffer.from(text).equals(bytes);
  return { value: { bytes }, outcome: isPlain ? refusedWith('invalid_json') : 'refusal' };
}
