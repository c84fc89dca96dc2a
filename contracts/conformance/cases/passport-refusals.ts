/** PASS: writes that the provider must refuse, and that store nothing. */
import { passportPath, valuesOf } from '../api.ts';
import { type Ask, type Case, type Context, checkEqual, type Expected, family } from '../case.ts';
import { subject } from './passports.ts';
import { refuses } from './refusals.ts';

const put = '/paths/~1api~1v1~1products~1{slug}~1passport/put/responses/400';
const needs = ['field key'] as const;

const shapes = family('PASS-2', { claim: 'reference', clause: put, needs });
const atomic = family('PASS-3', { claim: 'reference', clause: put, needs });

const noArrays = { object: {}, string: 'text', number: 7, null: null, true: true };

/** Elements without a key. The description names only the absent one. */
const keyless = {
  null: { field_key: null, value: 1 },
  empty: { field_key: '', value: 1 },
  blank: { field_key: ' \t', value: 1 },
  'element-string': 'text',
  'element-null': null,
  'element-number': 7,
  'element-array': [],
};

/** Elements with another fault. */
const wrong = {
  'no-value': { field_key: 'verify_bad' },
  'long-key': { field_key: 'k'.repeat(101), value: 1 },
  'number-as-key': { field_key: 7, value: 1 },
  'number-as-unit': { field_key: 'verify_bad', value: 1, unit: 7 },
  'long-unit': { field_key: 'verify_bad', value: 1, unit: 'u'.repeat(51) },
  source: { field_key: 'verify_bad', value: 1, source: 'rumour' },
  'null-source': { field_key: 'verify_bad', value: 1, source: null },
  'access-level': { field_key: 'verify_bad', value: 1, access_level: 'secret' },
  'null-access-level': { field_key: 'verify_bad', value: 1, access_level: null },
  'text-as-is-unknown': { field_key: 'verify_bad', value: 1, is_unknown: 'yes' },
  'null-needs-review': { field_key: 'verify_bad', value: 1, needs_review: null },
};

/** Elements as raw JSON, with a part that the service refuses at any depth. */
const forbidden = {
  nul: String.raw`{"field_key":"verify_bad","value":"\u0000"}`,
  'nul-in-key': String.raw`{"field_key":"verify\u0000","value":1}`,
  'nul-in-member': String.raw`{"field_key":"verify_bad","value":{"a\u0000":1}}`,
  surrogate: String.raw`{"field_key":"verify_bad","value":["\ud83e"]}`,
  proto: '{"field_key":"verify_bad","value":{"deep":{"__proto__":1}}}',
  'large-integer': '{"field_key":"verify_bad","value":9007199254740993}',
  'large-exponent': '{"field_key":"verify_bad","value":[1e400]}',
  'small-exponent': '{"field_key":"verify_bad","value":1e-400}',
  'long-fraction': '{"field_key":"verify_bad","value":0.1000000000000000055511151231257827}',
};

/** A write of two elements succeeds. With a body made of them it gets 400. */
const refusesBody = (bodyOf: (elements: readonly object[]) => Body, code = 'invalid_request'): Case['run'] =>
  refuses(goodWrite, (_, { json }) => bodyOf(json as object[]), { status: 400, code });

export const passportRefusals: readonly Case[] = [
  ...Object.entries(noArrays).map(([which, json]) =>
    shapes.core(
      `body-${which}`,
      `A body that is not an array (${which}) gets 400 values_must_be_array.`,
      refusesBody(() => ({ json }), 'values_must_be_array'),
    ),
  ),
  shapes.core(
    'body-wrapped',
    'An object that has the array in a member gets 400 values_must_be_array.',
    refusesBody((values) => ({ json: { values } }), 'values_must_be_array'),
  ),
  ...Object.entries({ first: 0, middle: 1, last: 2 }).map(([where, index]) =>
    shapes.core(
      `no-key-${where}`,
      `An element without field_key (the ${where} one) gets 400 field_key_required.`,
      refusesBody((elements) => ({ json: elements.toSpliced(index, 0, { value: 'no key' }) }), 'field_key_required'),
    ),
  ),
  ...Object.entries(keyless).map(([which, element]) =>
    shapes(
      `key-${which}`,
      `The element ${JSON.stringify(element)} gets 400 field_key_required.`,
      refusesBody((elements) => ({ json: [...elements, element] }), 'field_key_required'),
    ),
  ),
  ...Object.entries(wrong).map(([which, element]) =>
    shapes(
      which,
      `The element ${JSON.stringify(element).slice(0, 80)} gets 400.`,
      refusesBody((elements) => ({ json: [...elements, element] })),
    ),
  ),
  ...Object.entries(forbidden).map(([which, element]) =>
    shapes(
      `forbidden-${which}`,
      `The element ${element} gets 400 invalid_request.`,
      refusesBody((elements) => ({ raw: `${JSON.stringify(elements).slice(0, -1)},${element}]` })),
    ),
  ),
  shapes(
    'order',
    'field_key_required of any element comes before other faults.',
    refusesBody(() => ({ json: [{ field_key: 'verify_bad', value: 1, unit: 7 }, { value: 1 }] }), 'field_key_required'),
  ),
  ...Object.entries({ 'no-key': { value: 1 }, unit: wrong['long-unit'], null: null }).flatMap(([which, element]) =>
    Object.entries({ first: 0, last: 2 }).map(([where, index]) =>
      atomic(`${which}-${where}`, `One wrong element (${which}, ${where}) stores nothing.`, async (context) => {
        const { slug, keys } = await subject(context, 'refused-writes');
        const bad: unknown[] = valuesOf(keys, `changed ${context.world.runId}`);
        const json = bad.toSpliced(index, 0, element);
        await storesNothing(context, slug, { json: valuesOf(keys, 'good') }, { json }, { status: 400 });
      }),
    ),
  ),
];

/** A write that succeeds, and changes nothing from the second time on. */
async function goodWrite(context: Context): Promise<Ask> {
  const { slug, keys } = await subject(context, 'refused-writes');
  return { method: 'PUT', path: passportPath(slug), json: valuesOf(keys, 'good') };
}

export type Body = Pick<Ask, 'json' | 'raw'>;

/** The provider accepts the first body, refuses the second, and stores nothing of it. */
export async function storesNothing(context: Context, slug: string, good: Body, bad: Body, expected: Expected) {
  const write: Ask = { method: 'PUT', path: passportPath(slug), ...good };
  await context.once(JSON.stringify(write), ({ send }) => send(write));
  const before = await context.api.passport(slug);
  await context.refused(write, bad, expected);
  checkEqual(await context.api.passport(slug), before, 'the passport after the refused write');
}
