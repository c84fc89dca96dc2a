/** Generated JSON values and texts: those that a schema allows, those next to its limits, and those of other types. */
import { isRecord, type Operation, type Schema } from '@product-passport/openapi';
import type { Arbitrary } from 'fast-check';
import fc from 'fast-check';

/** Stands for a field key that the provider accepts. Requests get the real key when they are sent. */
const fieldKeyMarks = ['$field_key_1', '$field_key_2'] as const;

/** No provider has a template with such a key. */
export const unknownGroup = 'verify-unknown-group';

const hostileTexts = [
  '',
  ' ',
  '\u00a0',
  '\0',
  'a\0b',
  '\ud83e',
  '\udde6\ud83e',
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
  '\r\n',
];

/** Lengths where programs and databases have their limits. */
const commonLimits = [255, 256, 257, 500, 501, 1000];

/** Whole numbers from 1. Half of them are the listed ones, and all of them shrink to the smallest number with the fault. */
class Integers extends fc.Arbitrary<number> {
  readonly #all: Arbitrary<number>;
  readonly #listed: Arbitrary<number>;

  constructor(max: number, listed: readonly number[]) {
    super();
    this.#all = fc.integer({ min: 1, max });
    this.#listed = fc.constantFrom(...listed);
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<number> {
    const from = random.nextInt(0, 1) === 0 ? this.#all : this.#listed;
    return new fc.Value(from.generate(random, bias).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is number {
    return this.#all.canShrinkWithoutContext(value);
  }

  shrink(value: number, context: unknown): fc.Stream<fc.Value<number>> {
    return this.#all.shrink(value, context);
  }
}

const lengths = new Integers(1000, commonLimits);

/** Without surrogates. The unit `binary` of fast-check is the same, but takes 1.2 s and 125 MB to make. */
const characters = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800));

export function texts(): Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
    { weight: 2, arbitrary: fc.constantFrom(...hostileTexts) },
    { weight: 1, arbitrary: fc.string({ unit: characters, maxLength: 8 }) },
    { weight: 4, arbitrary: repeated(lengths) },
  );
}

function repeated(length: Arbitrary<number>): Arbitrary<string> {
  return fc.tuple(fc.constantFrom('a', 'ä', '🧦', '%'), length).map(([character, count]) => character.repeat(count));
}

const numbers = fc.oneof(
  fc.constantFrom(0, 1, -1, 1.5, 0.1, 2 ** 31, 2 ** 32, 2 ** 53, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, 16_777_217),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
);

function anyJson(): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: texts() },
    { weight: 3, arbitrary: numbers },
    { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}) },
    { weight: 1, arbitrary: fc.array(fc.oneof(numbers, texts(), fc.constant(null)), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(numbers, texts()), { maxKeys: 3 }) },
  );
}

/** Values for a field of a body. Most have the type of the schema. */
function valuesOf(schema: Schema): Arbitrary<unknown> {
  const typed = typedValues(schema);
  return typed === undefined
    ? anyJson()
    : fc.oneof({ weight: 8, arbitrary: typed }, { weight: 1, arbitrary: anyJson() });
}

function typedValues(schema: Schema): Arbitrary<unknown> | undefined {
  const part = [...(schema.allOf ?? []), ...(schema.oneOf ?? [])].find(({ type }) => type !== 'null');
  if (part !== undefined) return typedValues(part);
  const known = schema.enum ?? schema['x-extensible-enum'];
  if (known !== undefined) return near(known);
  const types = [schema.type ?? []].flat();
  if (types.includes('boolean')) return fc.boolean();
  if (!types.includes('string')) return undefined;
  const limit = schema.maxLength;
  const bounded = limit === undefined ? [] : [repeated(new Integers(1000, [limit, limit + 1]))];
  const matching = schema.pattern?.includes('[0-9]') ? [fc.stringMatching(/^[0-9]{0,16}$/)] : [];
  return fc.oneof(texts(), ...bounded, ...matching);
}

/** The known values, and texts that differ from them only a little. */
function near(known: readonly unknown[]): Arbitrary<unknown> {
  const altered = known.flatMap((value) => (typeof value === 'string' ? [value.toUpperCase(), `${value} `] : []));
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.constantFrom(...altered, '', unknownGroup) },
  );
}

/** Mostly the ordinary value, which is also what shrinking leads to. */
export function seldom<Rare, Ordinary>(
  rare: Arbitrary<Rare>,
  ordinary: Ordinary,
  oneIn: number,
): Arbitrary<Rare | Ordinary> {
  return fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(ordinary) }, { weight: 1, arbitrary: rare });
}

export interface GeneratedBody {
  readonly json: unknown;
  /** Changes of the JSON text. They can make it invalid. */
  readonly edit: Edit | undefined;
}

interface Edit {
  /** Where the bytes are inserted: an index into the text, modulo its length plus one. */
  readonly at: number;
  /** Base64. */
  readonly insert: string;
  /** Whether the text ends there. */
  readonly cut: boolean;
}

/** Bytes that break UTF-8 or JSON, or that only some parsers accept. */
const insertions = [
  [0x00],
  [0xff],
  [0xc3],
  [0xed, 0xa0, 0x80],
  [0xef, 0xbb, 0xbf],
  [0x7b],
  [0x5d],
  [0x2c],
  [0x27],
  [0x2f, 0x2f],
  [0x65, 0x39, 0x39, 0x39],
].map((bytes) => Buffer.from(bytes).toString('base64'));

const edits: Arbitrary<Edit | undefined> = seldom(
  fc.record({ at: fc.nat({ max: 300 }), insert: fc.constantFrom('', ...insertions), cut: fc.boolean() }),
  undefined,
  5,
);

/** The bodies of an operation. Those of `createProduct` have a fault, so that no run fills a provider with products. */
export function bodies({ operationId, body }: Operation): Arbitrary<GeneratedBody> | undefined {
  if (body === undefined) return undefined;
  const json = operationId === 'createProduct' ? refusedCreations(body.schema) : jsonOf(body.schema);
  return fc.record({
    json: fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: anyJson() }),
    edit: edits,
  });
}

/** The bytes of a body, with the provider's own field keys. */
export function bytesOf({ json, edit }: GeneratedBody, fieldKeys: readonly string[]): Uint8Array {
  const text = fieldKeyMarks.reduce(
    (made, mark, index) =>
      made.replaceAll(JSON.stringify(mark), JSON.stringify(fieldKeys[index % fieldKeys.length] ?? mark)),
    JSON.stringify(json) ?? '',
  );
  const bytes = Buffer.from(text);
  if (edit === undefined) return bytes;
  const at = edit.at % (bytes.length + 1);
  const rest = edit.cut ? [] : [bytes.subarray(at)];
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(edit.insert, 'base64'), ...rest]);
}

function jsonOf(schema: Schema): Arbitrary<unknown> {
  if (schema.items !== undefined) return fc.array(jsonOf(schema.items), { maxLength: 3 });
  return fields(schema);
}

function fields(schema: Schema): Arbitrary<Record<string, unknown>> {
  const known = Object.entries(schema.properties ?? {}).map(([name, field]): [string, Arbitrary<unknown>] => [
    name,
    name === 'field_key' ? fieldKeys : valuesOf(field),
  ]);
  const names = known.map(([name]) => name);
  const required = names.filter((name) => schema.required?.includes(name));
  return fc
    .tuple(
      fc.record(Object.fromEntries(known)),
      fc.subarray(names.filter((name) => !required.includes(name))),
      seldom(fc.constantFrom(...required), undefined, 12),
      seldom(fc.record({ verify_unknown: anyJson() }), {}, 8),
    )
    .map(([record, present, dropped, more]) => ({
      ...Object.fromEntries(
        [...required, ...present].map((name) => [name, name === dropped ? undefined : record[name]]),
      ),
      ...more,
    }));
}

/** Few other keys, so that the passport stays small if the provider stores them. */
const fieldKeys = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<unknown>(...fieldKeyMarks) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('', ' ', 'verify\0', 'k'.repeat(101), 7, null, 'verify_generated') },
);

/** A body without a name, with a GTIN of a wrong length, or with an unknown product group. */
function refusedCreations(schema: Schema): Arbitrary<unknown> {
  const faults = fc.oneof(
    fc.constant({ name: undefined }),
    fc.stringMatching(/^(?:[0-9]{1,7}|[0-9]{9,11}|[0-9]{15,16})$/).map((gtin) => ({ gtin })),
    fc.constant({ product_group: unknownGroup }),
  );
  return fc.tuple(fields(schema), faults).map(([body, fault]) => ({ ...body, ...fault }));
}

/** Whether no provider can make a product of this JSON. */
export function hasNoName(json: unknown): boolean {
  return !isRecord(json) || !('name' in json);
}
