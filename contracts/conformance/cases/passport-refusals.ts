/** PASS-2, 3 and 9: writes that the provider must refuse, and that store nothing. It accepts writes up to each limit. */

import canonicalize from 'canonicalize';
import { passportPath, valuesOf } from '../api.ts';
import { type Ask, type Case, type Context, checkEqual, type Expected, family, invalid, refuses } from '../case.ts';
import { subject } from './passports.ts';

const put = '/paths/~1api~1v1~1products~1{slug}~1passport/put';
const badRequest = `${put}/responses/400`;
const needs = ['field key'] as const;

const shapes = family('PASS-2', { claim: 'reference', clause: badRequest, needs });
const atomic = family('PASS-3', { claim: 'reference', clause: badRequest, needs });

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

type Body = Pick<Ask, 'json' | 'raw'>;

/** The provider accepts the first body, refuses the second, and stores nothing of it. */
async function storesNothing(context: Context, slug: string, good: Body, bad: Body, expected: Expected) {
  const write: Ask = { method: 'PUT', path: passportPath(slug), ...good };
  await context.once(JSON.stringify(write), ({ send }) => send(write));
  const before = await context.api.passport(slug);
  await context.refused(write, bad, expected);
  checkEqual(await context.api.passport(slug), before, 'the passport after the refused write');
}

// PASS-9: the limits of a passport.

const schema = '/components/schemas/PassportValueInput/properties/value';
const limits = family('PASS-9', { claim: 'reference', clause: put });
const ofValue = limits.with({ clause: schema });
const ofBody = limits.with({ clause: '/components/schemas/PassportValueInputs' });

const mebibyte = 1024 * 1024;

export const passportLimits: readonly Case[] = [
  limits('elements', '1,000 elements are accepted, 1,001 get 400.', async (context) => {
    await bounded(context, 'limit-elements', { json: elements(1000) }, { json: elements(1001) });
  }),
  limits.with({ clause: '/components/responses/PayloadTooLarge' })(
    'body',
    'A body of 1 MiB is accepted. One byte more gets 413.',
    async (context) => {
      const { runId } = context.world;
      const padded = (value: string, bytes: number) =>
        JSON.stringify([{ field_key: 'verify_body', value }]).padEnd(bytes, ' ');
      const expected = { status: 413, code: 'payload_too_large' };
      const [good, bad] = [{ raw: padded('same', mebibyte) }, { raw: padded(runId, mebibyte + 1) }];
      await bounded(context, 'limit-body', good, bad, expected);
    },
  ),
  ...Object.entries({ arrays: (inner: unknown) => [inner], objects: (inner: unknown) => ({ in: inner }) }).map(
    ([which, wrap]) =>
      ofValue(
        `levels-of-${which}`,
        `A value of 32 levels of ${which} is accepted, one of 33 gets 400.`,
        async (context) => {
          const value = (levels: number) => one(nested(levels, wrap));
          await bounded(context, `limit-levels-${which}`, value(32), value(33));
        },
      ),
  ),
  limits('very-deep', 'A value of 100,000 levels gets 400.', async (context) => {
    const raw = `[{"field_key":"verify_limit","value":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`;
    await bounded(context, 'limit-levels-arrays', one(nested(32, (inner) => [inner])), { raw });
  }),
  ...Object.entries({
    items: (nodes: number) => Array.from({ length: nodes - 1 }, () => 1),
    members: (nodes: number) => Object.fromEntries(Array.from({ length: nodes - 1 }, (_, nth) => [`m${nth}`, 1])),
  }).map(([which, value]) =>
    ofValue(
      `nodes-${which}`,
      `A value of 10,000 nodes is accepted, one of 10,001 gets 400 (${which}).`,
      async (context) => {
        await bounded(context, `limit-nodes-${which}`, one(value(10_000)), one(value(10_001)));
      },
    ),
  ),
  ofBody(
    'nodes-of-body',
    'A body of 20,000 nodes is accepted, one of 20,001 gets 400, also if they are in an unknown field.',
    async (context) => {
      await bounded(context, 'limit-body-nodes', { json: bodyOfNodes(20_000) }, { json: bodyOfNodes(20_001) });
    },
  ),
  ofBody(
    'nodes-of-another-type',
    'A body of 20,001 nodes that is not an array gets values_must_be_array.',
    async (context) => {
      const bad = { json: { values: bodyOfNodes(20_000) } };
      const expected = { status: 400, code: 'values_must_be_array' };
      await bounded(context, 'limit-body-type', { json: elements(1) }, bad, expected);
    },
  ),
  limits('values', 'A passport of 5,000 values is accepted. One more value gets 400.', async (context) => {
    const { slug } = await context.world.product('limit-values');
    for (let first = 0; first < 4000; first += 1000) await context.api.put(slug, elements(1000, first));
    const bad = { json: [{ field_key: 'verify_one_more', value: 1 }] };
    await bounded(context, 'limit-values', { json: elements(1000, 4000) }, bad);
  }),
  limits('bytes', 'A passport of 2 MiB is accepted. One byte more gets 400.', async (context) => {
    const { slug } = await context.world.product('limit-bytes');
    const write = (field_key: string, length: number) => [{ field_key, value: 'v'.repeat(length) }];
    await context.api.put(slug, write('verify_1', 1_000_000));
    await context.api.put(slug, write('verify_2', 1_000_000));
    await context.api.put(slug, write('verify_3', 0));
    // openapi.yaml counts the bytes of the values without their times.
    const { values } = await context.api.passport(slug);
    const counted = canonicalize(values.map(({ updated_at: _, ...members }) => members));
    const free = 2 * mebibyte - Buffer.byteLength(`${counted}`);
    const [good, bad] = [free, free + 1].map((length) => write('verify_3', length));
    await bounded(context, 'limit-bytes', { json: good }, { json: bad });
  }),
  ...Object.entries({ field_key: 100, unit: 50 }).map(([member, length]) =>
    limits.with({ clause: `/components/schemas/PassportValueInput/properties/${member}` })(
      `length-of-${member.replace('_', '-')}`,
      `A ${member} of ${length} characters is accepted, one more gets 400.`,
      async (context) => {
        const [good, bad] = [length, length + 1].map((count) => one(1, { [member]: '🧦'.repeat(count) }));
        await bounded(context, `limit-${member.replace('_', '-')}`, good as Body, bad as Body);
      },
    ),
  ),
];

/** The product of this purpose accepts the first body, and refuses the second. */
async function bounded(context: Context, purpose: string, good: Body, bad: Body, expected: Expected = invalid) {
  const { slug } = await context.world.product(purpose);
  await storesNothing(context, slug, good, bad, expected);
}

function elements(count: number, first = 0): object[] {
  return Array.from({ length: count }, (_, nth) => ({ field_key: `verify_${first + nth}`, value: 1 }));
}

/** The array, its element, the three members of the element, and the items of the last one. */
function bodyOfNodes(nodes: number): object[] {
  return [{ field_key: 'verify_limit', value: 1, unknown: Array.from({ length: nodes - 5 }, () => 1) }];
}

const one = (value: unknown, more = {}): Body => ({ json: [{ field_key: 'verify_limit', value, ...more }] });

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  return levels === 0 ? 1 : wrap(nested(levels - 1, wrap));
}
