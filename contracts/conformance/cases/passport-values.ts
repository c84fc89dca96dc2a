/** PASS-5: every JSON value is read as it was written. */
import { passportPath } from '../api.ts';
import { type Case, checkEqual, family } from '../case.ts';
import { stored, subject } from './passports.ts';

const clause = '/components/schemas/PassportValueInput/properties/value';
const exact = family('PASS-5', { claim: 'core', clause, needs: ['field key'] });
const written = family('PASS-5', { claim: 'reference', clause });

const values: Readonly<Record<string, unknown>> = {
  text: 'Merino wool',
  'empty-text': '',
  'blank-text': '  two blanks  ',
  'text-of-digits': '007',
  'text-of-true': 'true',
  'text-of-null': 'null',
  'text-of-json': '{"a":[1,"2"]}',
  'text-of-a-time': '2026-02-30T25:00:00Z',
  unicode: 'Größe 護照 🧦 👩‍👩‍👧‍👦 שלום e\u0301',
  escapes: 'quote " backslash \\ slash / newline \n tab \t return \r \u2028 \u2029 \u0001 \u007f',
  markup: '<script>alert("x")</script> &amp; %41 +',
  'long-text': 'Lorem ipsum '.repeat(1000),
  zero: 0,
  negative: -42,
  fraction: 0.1,
  'fraction-sum': 0.30000000000000004,
  large: 1e21,
  largest: 1.7976931348623157e308,
  smallest: 5e-324,
  'safe-integer': 9_007_199_254_740_991,
  true: true,
  false: false,
  null: null,
  'empty-array': [],
  'empty-object': {},
  array: [1, 'two', null, true, [], {}, [[3]]],
  'sorted-array': [3, 1, 2, 3],
  object: { b: 1, a: { c: [null, { d: '' }] }, '': 'empty name', 'ä 🧦': 2, constructor: 3, 10: 1, 9: 2 },
  deep: nested(20),
};

/** Other ways to write a number that a double carries. */
const numbers: Readonly<Record<string, readonly [string, number]>> = {
  'trailing-zero': ['1.0', 1],
  'negative-trailing-zero': ['-0.10', -0.1],
  exponent: ['1e2', 100],
  'exponent-with-sign': ['1E+2', 100],
  'long-integer': ['100000000000000000000000', 1e23],
};

export const passportValues: readonly Case[] = [
  ...Object.entries(values).map(([which, value]) =>
    exact(which, `The value is read as it was written: ${which.replaceAll('-', ' ')}.`, async (context) => {
      const { slug, keys } = await subject(context, 'values');
      await context.api.put(slug, [{ field_key: keys[0], value: [context.world.runId, which] }]);
      await context.api.put(slug, [{ field_key: keys[0], value }]);
      checkEqual(stored(await context.api.passport(slug), keys[0]).value, value, 'the value');
    }),
  ),
  ...Object.entries(numbers).map(([which, [text, value]]) =>
    written(`number-${which}`, `The number ${text} is read as ${value}.`, async ({ world, send, api }) => {
      const { slug } = await world.product('numbers');
      await api.put(slug, [{ field_key: 'verify_number', value: [world.runId, text] }]);
      const raw = `[{"field_key":"verify_number","value":${text}}]`;
      checkEqual((await send({ method: 'PUT', path: passportPath(slug), raw })).status, 200, 'the status');
      checkEqual(stored(await api.passport(slug), 'verify_number').value, value, 'the value');
    }),
  ),
];

function nested(levels: number): unknown {
  return levels === 0 ? 'bottom' : levels % 2 === 0 ? [nested(levels - 1)] : { in: nested(levels - 1) };
}
