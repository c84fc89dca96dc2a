/** Arbitraries of JSON values, made from the schemas of openapi.yaml. Each value carries its outcome. */
import { isRecord, type Schema } from '@product-passport/openapi';
import fc, { type Arbitrary } from 'fast-check';
import { withoutMarks } from '../../judge/schema.ts';
import { type Outcome, refusedWith, together } from './outcome.ts';

/** A part of a request, with what the API's own description says about a request that has only this part. */
export interface Part<Value = unknown> {
  readonly value: Value;
  readonly outcome: Outcome;
}

/** No provider has a template with such a key. */
const unknownGroup = 'verify-unknown-group';

export function parts<Value>(outcome: Outcome, values: Arbitrary<Value>): Arbitrary<Part<Value>> {
  return values.map((value) => ({ value, outcome }));
}

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

/** JSON for this schema, or of another type. */
export function jsonOf(schema: Schema, fieldKeys: readonly string[]): Arbitrary<Part> {
  const isList = schema.items !== undefined;
  const typed = schema.items === undefined ? objectsOf(schema, fieldKeys) : arraysOf(schema.items, fieldKeys);
  const ofOtherType = fc.oneof(scalars, fc.constant(null), isList ? records : lists);
  const named = refusedWith(withoutMarks(schema)['x-error-codes']?.type);
  // JSON of another type lacks what the schema requires.
  const outcome = named === 'open' ? 'refusal' : named;
  return seldom(10, fc.oneof(parts(outcome, ofOtherType), parts('refusal', oddTexts)), typed);
}

function arraysOf(items: Schema, fieldKeys: readonly string[]): Arbitrary<Part> {
  const elements = seldom(20, parts('open', anyJson), objectsOf(items, fieldKeys));
  return fc.array(elements, { maxLength: 3 }).map((all) => {
    const keys = all.flatMap(({ value }) => (isRecord(value) && 'field_key' in value ? [value.field_key] : []));
    const repeats: Outcome = new Set(keys).size < keys.length ? 'open' : 'success';
    return { value: all.map(({ value }) => value), outcome: together([repeats, ...all.map(({ outcome }) => outcome)]) };
  });
}

function objectsOf(schema: Schema, fieldKeys: readonly string[]): Arbitrary<Part> {
  const members = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const values = name === 'field_key' ? keysOf(fieldKeys) : valuesOf(field);
    const whenAbsent = refusedWith(withoutMarks(field)['x-error-codes']?.absent);
    const isRequired = schema.required?.includes(name);
    return [name, isRequired ? seldom(12, absent(whenAbsent), values) : fc.oneof(optional, absent('success'), values)];
  });
  const unknownMember = seldom(10, parts('open', anyJson), absent('success'));
  return fc
    .record<Record<string, Part>>({ ...Object.fromEntries(members), verify_unknown: unknownMember })
    .map((all) => {
      const present = Object.entries(all).filter(([, { value }]) => value !== undefined);
      return {
        value: Object.fromEntries(present.map(([name, { value }]) => [name, value])),
        outcome: together(Object.values(all).map(({ outcome }) => outcome)),
      };
    });
}

const optional = { withCrossShrink: true };

function absent(outcome: Outcome): Arbitrary<Part> {
  return fc.constant({ value: undefined, outcome });
}

/** Few other keys, so that the passport stays small if the provider stores them. */
function keysOf(fieldKeys: readonly string[]): Arbitrary<Part> {
  const others = fc.constantFrom('', ' ', 'verify\0', 'k'.repeat(101), 7, null, 'verify_generated');
  return seldom(12, parts('open', others), parts('success', fc.constantFrom(...fieldKeys)));
}

/** Values for a member of an object. */
function valuesOf(schema: Schema): Arbitrary<Part> {
  const part = [...(schema.allOf ?? []), ...(schema.oneOf ?? [])].find(({ type }) => type !== 'null');
  return seldom(8, parts('open', anyJson), typedValues({ ...part, ...schema }));
}

function typedValues(schema: Schema): Arbitrary<Part> {
  const known = schema.enum ?? schema['x-extensible-enum'];
  if (known !== undefined) return knownValues(known, schema);
  if (schema.type === undefined) return parts('success', scalars);
  if (schema.type === 'boolean') return parts('success', fc.boolean());
  return stringsOf(withoutMarks(schema), schema.maxLength ?? 1000);
}

/** Marked values bind only the reference server. Others differ only a little, because providers may be tolerant. */
function knownValues(known: readonly unknown[], schema: Schema): Arbitrary<Part> {
  const marks = isRecord(schema['x-origin']) ? schema['x-origin'] : {};
  const described = known.filter((value) => marks[String(value)] === undefined);
  const near = known.flatMap((value) => [value, String(value).toUpperCase(), `${value} `]);
  const unknown = refusedWith(withoutMarks(schema)['x-error-codes']?.['x-extensible-enum']);
  return fc.oneof(
    { weight: 4, arbitrary: parts('success', fc.constantFrom(...described)) },
    { weight: 1, arbitrary: parts('open', fc.constantFrom(...near, '')) },
    { weight: 1, arbitrary: parts(unknown, fc.constant(unknownGroup)) },
  );
}

/** @param schema without marked keywords */
function stringsOf({ pattern }: Schema, maxLength: number): Arbitrary<Part> {
  const odd = fc.oneof(texts, oddTexts, repeated(fc.integer({ min: 1, max: maxLength + 1 })));
  if (pattern === undefined) {
    const plain = parts('success', fc.stringMatching(/^[a-z]{1,20}$/));
    return fc.oneof({ weight: 2, arbitrary: plain }, { weight: 1, arbitrary: parts('open', odd) });
  }
  // Texts of other characters may have blanks or hyphens that a provider removes. Some providers compare check digits.
  const digits = fc.stringMatching(/^[0-9]{1,16}$/).map(
    (value): Part => ({
      value,
      outcome: new RegExp(pattern, 'u').test(value) ? 'open' : [{ status: 400 }],
    }),
  );
  return fc.oneof({ weight: 4, arbitrary: digits }, { weight: 1, arbitrary: parts('open', odd) });
}
