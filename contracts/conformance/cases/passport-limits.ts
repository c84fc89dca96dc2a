/** PASS-9: the limits of a passport. A write beyond one is refused and stores nothing. */
import canonicalize from 'canonicalize';
import { type Case, type Context, type Expected, family } from '../case.ts';
import { type Body, storesNothing } from './passport-refusals.ts';
import { invalid } from './refusals.ts';

const schema = '/components/schemas/PassportValueInput/properties/value';
const put = '/paths/~1api~1v1~1products~1{slug}~1passport/put';
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
    const free = 2 * mebibyte - canonicalSize((await context.api.passport(slug)).values);
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

/** The bytes of the values as openapi.yaml counts them for the limit of a passport. */
function canonicalSize(values: readonly { readonly updated_at: string }[]): number {
  return Buffer.byteLength(`${canonicalize(values.map(({ updated_at: _, ...members }) => members))}`);
}
