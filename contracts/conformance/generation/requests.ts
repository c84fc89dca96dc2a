/**
 * Arbitraries of requests of an operation, made from the schemas of openapi.yaml: valid ones, which must succeed, and odd
 * ones. Each provider decides about an odd request, unless it breaks a rule for which the API's own description names an
 * error code. Creations name a group that no provider has, and must be refused.
 */
import { member, type Operation, type Parameter, type Schema } from '@product-passport/openapi';
import fc, { type Arbitrary } from 'fast-check';
import type { Judge } from '../../judge/judge.ts';
import { isMarked, withoutMarks } from '../../judge/schema.ts';
import { jsonIn, type WireRequest, type WireResponse } from '../http/exchange.ts';
import { requestFindings } from '../judges.ts';

/** No provider has a template with such a key. */
const unknownGroup = 'verify-unknown-group';

/** One of `oneIn` values is rare. Shrinking leads to the ordinary ones. */
function seldom<Rare, Ordinary>(oneIn: number, rare: Arbitrary<Rare>, ordinary: Arbitrary<Ordinary>) {
  const weighted = [
    { weight: oneIn - 1, arbitrary: ordinary },
    { weight: 1, arbitrary: rare },
  ];
  return fc.oneof<fc.WeightedArbitrary<Rare | Ordinary>[]>({ withCrossShrink: true }, ...weighted);
}

/** Texts that programs escape, trim or compare in a wrong way. */
const trickyTexts = [
  ' ',
  '\u00a0',
  '__proto__',
  'constructor',
  "' OR '1'='1",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%00',
  '\u202e',
  '\ufeff',
  'e\u0301',
  'İ',
];

/** Control characters and lone surrogates. */
const brokenTexts = ['\0', 'a\0b', '\ud83e', '\udde6\ud83e', '\r\n'];

/** Programs and databases have limits at 256, 500 and 1000. Small and large lengths are the most frequent ones. */
const lengths = fc.oneof(...[257, 501, 1000].map((max) => fc.integer({ min: 1, max })));

function repeated(length: Arbitrary<number>): Arbitrary<string> {
  return fc.tuple(fc.constantFrom('a', 'ä', '🧦', '%'), length).map(([character, count]) => character.repeat(count));
}

/** Without surrogates. The unit `binary` of fast-check is the same, but takes 1.2 s and 125 MB to make. */
const characters = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800));

/** Not empty, at most 200 characters. */
const shortTexts = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom(...trickyTexts),
  repeated(fc.integer({ min: 1, max: 100 })),
);

const texts = fc.oneof(shortTexts, repeated(lengths), fc.constant(''));

const oddTexts = fc.oneof(fc.constantFrom(...brokenTexts), fc.string({ unit: characters, maxLength: 8 }));

const numbers = fc.oneof(
  fc.constantFrom(0, 1, -1, 1.5, 0.1, 2 ** 31, 2 ** 32, 2 ** 53, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, 16_777_217),
  fc.integer(),
  // JSON has no negative zero.
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
);

const scalars = fc.oneof(texts, numbers, fc.boolean());

const lists = fc.array(fc.oneof(scalars, fc.constant(null)), { maxLength: 3 });

const records = fc.dictionary(fc.string({ maxLength: 5 }), scalars, { maxKeys: 3 });

const anyJson = fc.oneof(scalars, fc.constant(null), lists, records, oddTexts);

/** Bodies that no provider has a reason to refuse, but for the group of a creation. */
function validBodies(schema: Schema, fieldKeys: readonly string[]): Arbitrary<unknown> {
  if (schema.items === undefined) return objectsOf(schema, fieldKeys, true);
  const selector = ({ field_key }: Readonly<Record<string, unknown>>) => field_key;
  return fc.uniqueArray(objectsOf(schema.items, fieldKeys, true), { selector, maxLength: 3 });
}

/** Bodies that nearly fit the schema, or not at all. */
function oddBodies(schema: Schema, fieldKeys: readonly string[]): Arbitrary<unknown> {
  const objects = objectsOf(schema.items ?? schema, fieldKeys, false);
  const near: Arbitrary<unknown> =
    schema.items === undefined ? objects : fc.array(seldom(20, anyJson, objects), { maxLength: 3 });
  return seldom(10, anyJson, near);
}

function objectsOf({ properties = {}, required = [] }: Schema, fieldKeys: readonly string[], isValid: boolean) {
  const members = Object.entries(properties).map(([name, field]): [string, Arbitrary<unknown>] => {
    if (name === 'product_group') return [name, fc.constant(unknownGroup)];
    const [valid, odd] = name === 'field_key' ? keysOf(fieldKeys) : valuesOf(field);
    return [name, isValid ? valid : seldom(6, odd, valid)];
  });
  const always = 'product_group' in properties ? ['product_group'] : [];
  const model = Object.fromEntries(isValid ? members : [...members, ['verify_unknown', anyJson]]);
  return fc.record<Record<string, unknown>>(model, { requiredKeys: [...(isValid ? required : []), ...always] });
}

/** Few other keys, so that the passport stays small if the provider stores them. */
function keysOf(fieldKeys: readonly string[]): [valid: Arbitrary<unknown>, odd: Arbitrary<unknown>] {
  return [
    fc.constantFrom(...fieldKeys),
    fc.constantFrom('', ' ', 'verify\0', 'k'.repeat(101), 7, null, 'verify_generated'),
  ];
}

/** Values for a member of an object. */
function valuesOf(field: Schema): [valid: Arbitrary<unknown>, odd: Arbitrary<unknown>] {
  const part = [...(field.allOf ?? []), ...(field.oneOf ?? [])].find(({ type }) => type !== 'null');
  const whole: Schema = { ...part, ...field };
  const { type, enum: known, maxLength = 1000, minimum: min = 0, maximum: max = 1000 } = whole;
  if (known !== undefined) {
    const near = known.flatMap((value) => [String(value).toUpperCase(), `${value} `]);
    return [fc.constantFrom(...known), fc.oneof(fc.constantFrom(...near, ''), anyJson)];
  }
  if (type === undefined) return [fc.oneof(scalars, lists, records), anyJson];
  if (type === 'boolean') return [fc.boolean(), anyJson];
  if (/integer|number/.test(String(type))) return [fc.integer({ min, max }), fc.oneof(numbers, anyJson)];
  const digits = fc.stringMatching(/^[0-9]{1,16}$/);
  const plain = withoutMarks(field).pattern === undefined ? fc.stringMatching(/^[a-z]{1,20}$/) : digits;
  return [plain, fc.oneof(texts, oddTexts, repeated(fc.integer({ min: 1, max: maxLength + 1 })), anyJson)];
}

export interface GeneratedRequest {
  /** Without the headers that every request of the suite has. */
  readonly request: WireRequest;
  readonly isValid: boolean;
}

/** What exists at the provider. */
export interface Existing {
  /** The value of each path parameter. */
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly fieldKeys: readonly string[];
}

export function requestsOf(operation: Operation, existing: Existing): Arbitrary<GeneratedRequest> {
  const { method, parameters, body, path: template } = operation;
  const ofKind = (isValid: boolean): Arbitrary<GeneratedRequest> => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    const paths = inPath.map(({ name }) => [name, pathValues(existing.path[name], isValid)]);
    const parts = {
      path: fc.record<Record<string, string>>(Object.fromEntries(paths)),
      query: queries(parameters, isValid),
      headers: headersFor(operation, isValid),
      body: body === undefined ? fc.constant(undefined) : bodies(body.schema, existing.fieldKeys, isValid),
    };
    return fc.record(parts).map(({ path, query, headers, body }) => {
      const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
      const whole = query.length === 0 ? filled : `${filled}?${query.join('&')}`;
      return { isValid, request: { method, path: whole, headers, ...(body && { body }) } };
    });
  };
  const all = seldom(2, ofKind(false), ofKind(true));
  return method === 'POST' ? all.filter(({ request }) => isRefusedCreation(request)) : all;
}

/** Percent-encoded, and without the path segments that a URL parser removes: an empty one, `.` and `..`. */
function encoded(texts: Arbitrary<string>): Arbitrary<string> {
  return texts.map((text) => encodeURIComponent(text.toWellFormed())).filter((text) => !/^\.{0,2}$/.test(text));
}

const oddPathValues = fc.oneof(
  fc.constantFrom('%00', '%FF', '%zz', '%', 'a%2Fb', '..%2Fme', 'a;b=c', '0', '00000000000000', 'verify-unknown'),
  encoded(fc.oneof(shortTexts, oddTexts)),
);

function pathValues(existing: string | undefined, isValid: boolean): Arbitrary<string> {
  const known = fc.constant(encodeURIComponent(existing ?? 'verify-unknown'));
  return isValid ? known : seldom(4, oddPathValues, known);
}

const oddIntegers = fc.constantFrom(
  ...['-1', '0', '201', '366', '2147483647', '2147483648', '9007199254740993', '99999999999999999999'],
  ...['1.5', '1e3', '0x10', '', '%2B1', '%201', '%D9%A3', 'NaN', 'null', '1,2', '01'],
);

const malformed = fc.constantFrom('%', '%zz', '%FF', '%00', '%C3%28', '%ED%A0%80', '%u0041', '=', '[]', '%26');

const unknownPairs = fc.constantFrom('verify_unknown=1', '__proto__=1', 'limit[]=1', '%00=1', '&&', 'x'.repeat(2000));

/** The pairs of a query. Odd ones may name a parameter twice. */
function queries(parameters: readonly Parameter[], isValid: boolean): Arbitrary<string[]> {
  const known = parameters
    // A provider that never heard of a marked parameter may refuse it.
    .filter((parameter) => parameter.in === 'query' && !(isValid && isMarked(parameter)))
    .map(({ name, schema }) => {
      const valid = validTexts(schema);
      const value = isValid ? valid : seldom(3, fc.oneof(oddQueryValues(schema), malformed), valid);
      return fc.array(
        value.map((text) => `${name}=${text}`),
        { maxLength: isValid ? 1 : 2 },
      );
    });
  const more = fc.array(unknownPairs, { maxLength: isValid ? 0 : 1 });
  return fc.tuple(...known, more).map((pairs) => pairs.flat());
}

function validTexts({ type, pattern, enum: listed, 'x-clamp': bounds }: Schema): Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (listed !== undefined) return fc.constantFrom(...listed.map(String));
  if (type !== 'integer') return encoded(shortTexts);
  const { minimum = 0, maximum = 999_999_999 } = bounds ?? {};
  return fc.integer({ min: minimum, max: Math.min(maximum, 999_999_999) }).map(String);
}

function oddQueryValues({ type, enum: listed }: Schema): Arbitrary<string> {
  if (listed !== undefined) return fc.constantFrom(...listed.map((value) => String(value).toUpperCase()));
  return type === 'integer' ? oddIntegers : encoded(oddTexts);
}

/** No conditional headers, ranges or overrides of the method: they change what the request means. */
const headers: Readonly<Record<string, { readonly valid: readonly string[]; readonly odd: readonly string[] }>> = {
  accept: {
    valid: ['application/json', '*/*'],
    odd: ['text/html', 'application/xml', '*/*;q=0', '', ';;,q='],
  },
  'accept-language': { valid: ['de', '*'], odd: ['-;q=a', 'x'.repeat(2000)] },
  'x-request-id': { valid: ['verify'], odd: ['x'.repeat(2000), '<script>', '%00', '"'] },
  cookie: { valid: ['a=b'], odd: ['=;;', '__proto__=1'] },
  'content-type': {
    valid: ['application/json; charset=utf-8'],
    odd: ['application/json;charset=utf-16', 'text/plain', 'multipart/form-data; boundary=x', '', ';'],
  },
};

function headersFor({ body }: Operation, isValid: boolean): Arbitrary<Record<string, string>> {
  const sent = Object.entries(headers).filter(([name]) => body !== undefined || name !== 'content-type');
  const model = sent.map(([name, { valid, odd }]) => {
    const values = fc.constantFrom(...valid, ...(isValid ? [] : odd));
    return [name, seldom(6, values, fc.constant(undefined))];
  });
  return fc
    .record<Record<string, string | undefined>>(Object.fromEntries(model))
    .map((all) =>
      Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)),
    );
}

/** Bytes that break UTF-8 or JSON, or that only some parsers accept. */
const insertions = [
  ...[[], [0x00], [0xff], [0xc3], [0xed, 0xa0, 0x80], [0x7b], [0x5d], [0x2c], [0x27], [0x2f, 0x2f]],
  [0x65, 0x39, 0x39, 0x39],
];

function bodies(schema: Schema, fieldKeys: readonly string[], isValid: boolean): Arbitrary<Uint8Array> {
  if (isValid) return validBodies(schema, fieldKeys).map(bytesOf);
  const odd = oddBodies(schema, fieldKeys).map(bytesOf);
  const cut = fc
    .record({ bytes: odd, at: fc.nat({ max: 300 }), insert: fc.constantFrom(...insertions), endsThere: fc.boolean() })
    .map(({ bytes, at, insert, endsThere }) => {
      const index = at % (bytes.length + 1);
      const rest = bytes.subarray(endsThere ? bytes.length : index);
      return Buffer.concat([bytes.subarray(0, index), Buffer.from(insert), rest]);
    });
  return seldom(4, cut, odd);
}

function bytesOf(json: unknown): Buffer {
  return Buffer.from(JSON.stringify(json));
}

/** Whether every provider must refuse the creation, so that a run does not fill the provider. */
function isRefusedCreation({ body }: WireRequest): boolean {
  const json = jsonIn(Buffer.from(body ?? []).toString());
  return member(json, 'name') === undefined || member(json, 'product_group') === unknownGroup;
}

/**
 * What the API's own description says about the response.
 *
 * - `success`: no provider has a reason to refuse the request.
 * - `open`: each provider decides.
 * - `refusal`: a 4xx status.
 */
export type Outcome = 'success' | 'open' | 'refusal';

export function outcomeOf({ method, side }: Operation, { request, isValid }: GeneratedRequest, core: Judge): Outcome {
  // The description has no errors of the public side.
  if (!side.secured) return 'open';
  const isRefused = method === 'POST' || requestFindings(core, request).some(({ code }) => code !== undefined);
  if (isRefused) return 'refusal';
  return isValid ? 'success' : 'open';
}

/** How the response differs from the outcome. The judge reports server errors, and 429 says nothing about the request. */
export function outcomeFaults(outcome: Outcome, { status, text }: WireResponse): string[] {
  if (status === 429 || status >= 500) return [];
  const isRefused = status >= 400;
  if (outcome === 'refusal' && !isRefused) return [`the request must get a 4xx status, gets ${status}`];
  if (outcome !== 'success' || !isRefused) return [];
  return [`a valid request must not get ${status} ${member(member(jsonIn(text), 'error'), 'code')}`];
}
