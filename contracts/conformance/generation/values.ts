/** Arbitraries of texts, and of JSON that is made from the schemas of openapi.yaml. */
import type { Schema } from '@product-passport/openapi';
import fc, { type Arbitrary } from 'fast-check';
import { withoutMarks } from '../../judge/schema.ts';

/** No provider has a template with such a key. */
export const unknownGroup = 'verify-unknown-group';

/** Mostly the ordinary value, to which shrinking leads. */
export function seldom<Rare, Ordinary>(oneIn: number, rare: Arbitrary<Rare>, ordinary: Arbitrary<Ordinary>) {
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
export const shortTexts = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom(...trickyTexts),
  repeated(fc.integer({ min: 1, max: 100 })),
);

const texts = fc.oneof(shortTexts, repeated(lengths), fc.constant(''));

export const oddTexts = fc.oneof(fc.constantFrom(...brokenTexts), fc.string({ unit: characters, maxLength: 8 }));

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
export function validBodies(schema: Schema, fieldKeys: readonly string[]): Arbitrary<unknown> {
  if (schema.items === undefined) return objectsOf(schema, fieldKeys, true);
  const selector = ({ field_key }: Readonly<Record<string, unknown>>) => field_key;
  return fc.uniqueArray(objectsOf(schema.items, fieldKeys, true), { selector, maxLength: 3 });
}

/** Bodies that nearly fit the schema, or not at all. */
export function oddBodies(schema: Schema, fieldKeys: readonly string[]): Arbitrary<unknown> {
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
  const { type, enum: known, maxLength = 1000 }: Schema = { ...part, ...field };
  if (known !== undefined) {
    const near = known.flatMap((value) => [String(value).toUpperCase(), `${value} `]);
    return [fc.constantFrom(...known), fc.oneof(fc.constantFrom(...near, ''), anyJson)];
  }
  if (type === undefined) return [fc.oneof(scalars, lists, records), anyJson];
  if (type === 'boolean') return [fc.boolean(), anyJson];
  const digits = fc.stringMatching(/^[0-9]{1,16}$/);
  const plain = withoutMarks(field).pattern === undefined ? fc.stringMatching(/^[a-z]{1,20}$/) : digits;
  return [plain, fc.oneof(texts, oddTexts, repeated(fc.integer({ min: 1, max: maxLength + 1 })), anyJson)];
}
