/** PASS-6: the versions of a passport and their content hashes. PASS-8: writes at the same time lose nothing. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isRecord } from '@product-passport/openapi';
import type { Passport } from '@product-passport/sdk';
import canonicalize from 'canonicalize';
import { valuesOf } from '../api.ts';
import { type Case, type Context, check, checkEqual, checkMembers, family, timeOf } from '../case.ts';
import { stored, subject } from './passports.ts';
import { controlProduct, grow } from './products.ts';

const clause = '/components/schemas/PassportVersion/properties/content_hash';
const versions = family('PASS-6', { claim: 'core', clause, needs: ['field key'] });
const hashes = family('PASS-6', { claim: 'reference', clause });

/** Each changes one member of a value that has the defaults. */
const changes = {
  value: { value: 'other' },
  'value-type': { value: null },
  unit: { unit: 'kg' },
  source: { source: 'supplier' },
  'access-level': { access_level: 'restricted' },
  unknown: { is_unknown: true },
  review: { needs_review: true },
};

/** Values whose canonical form is easily missed: key order, numbers, escapes, characters beyond the BMP. */
const canonicalValues = [
  { field_key: 'verify_a', value: { b: 1, a: 2, '\u{1f9e6}': 3, '\uffe6': 4, 10: 5, 9: 6 }, unit: 'kg' },
  { field_key: 'verify_b', value: [1e21, 1e-7, 0.1, 100, -0.5, 5e-324, 333333333.3333333] },
  { field_key: 'verify_c', value: '"\\/\u0001\u0008\n\u2028 é e\u0301 🧦 <>&', access_level: 'authority' },
  { field_key: 'verify_d', value: null, is_unknown: true, needs_review: true, source: 'supplier' },
  { field_key: 'verify_B', value: { nested: [{ z: [], a: {} }, '', true] }, access_level: 'restricted' },
  { field_key: 'vérify_\u{1f9e6}', value: 'key beyond ASCII' },
];

export const passportVersions: readonly Case[] = [
  versions('change', 'A change of a value makes a version with another content_hash.', async (context) => {
    const hashes = (await versionsAfter(context, 'versions', 3)).map(({ content_hash }) => content_hash);
    const areTexts = hashes.every((hash) => typeof hash === 'string' && hash !== '');
    check(areTexts, 'content_hash must be text');
    checkEqual(new Set(hashes).size, 3, 'the number of different hashes after three changes');
  }),
  versions('each-field', 'A change of any field makes a version with another content_hash.', async (context) => {
    const { slug, keys } = await subject(context, 'version-fields');
    await context.api.put(slug, valuesOf(keys, 'same'));
    let before = versionOf(await context.api.passport(slug)).content_hash;
    for (const field_key of keys) {
      await context.api.put(slug, [{ field_key, value: context.world.runId }]);
      const after = versionOf(await context.api.passport(slug)).content_hash;
      check(after !== before, `content_hash must change with ${field_key}`);
      before = after;
    }
  }),
  versions('time', 'A version has a time, and a later version has no earlier one.', async (context) => {
    const times = (await versionsAfter(context, 'version-time', 2)).map(({ created_at }) => created_at);
    const [first = 0, second = 0] = times.map((time) => timeOf(time, 'latest_version.created_at'));
    check(first <= second, `latest_version.created_at must be times in order, are ${times.join(' and ')}`);
  }),
  versions('template-version', 'template_version is a whole number.', async (context) => {
    const { slug } = await subject(context, 'versions');
    const { template_version } = await context.api.passport(slug);
    check(Number.isInteger(template_version), `template_version must be a whole number, is ${template_version}`);
  }),
  hashes('first', 'A product without values has a first version.', async (context) => {
    const { slug, created_at } = await controlProduct(context);
    const passport = await context.api.passport(slug);
    checkEqual(passport.values, [], 'values');
    checkEqual(passport.latest_version.created_at, created_at, 'latest_version.created_at');
    checkHash(passport);
  }),
  hashes('recomputed', 'content_hash is the hash of salt, template version and values.', async ({ api, world }) => {
    const { slug } = await world.product('hash');
    await api.put(slug, canonicalValues);
    checkHash(await api.passport(slug));
    await api.put(slug, [{ field_key: 'verify_e', value: world.runId }]);
    checkHash(await api.passport(slug));
  }),
  ...Object.entries(changes).map(([which, change]) =>
    hashes(`change-of-${which}`, `A change of the ${which} alone makes a version.`, async ({ api, world }) => {
      const { slug } = await world.product(`hash-${which}`);
      const element = { field_key: 'verify_change', value: 'same', unit: null, access_level: 'public' };
      await api.put(slug, [element]);
      const before = (await api.passport(slug)).latest_version;
      await api.put(slug, [{ ...element, ...change }]);
      const passport = await api.passport(slug);
      check(passport.latest_version.content_hash !== before.content_hash, 'content_hash must change');
      checkHash(passport);
    }),
  ),
  ...Object.entries({
    'no-change': ['A write that repeats the stored values', canonicalValues],
    'other-order': ['The same content in another order', canonicalValues.map(reversed).reverse()],
  } as const).map(([name, [what, values]]) =>
    hashes(name, `${what} makes no version.`, async ({ api, world }) => {
      const { slug } = await world.product(name);
      await api.put(slug, canonicalValues);
      const before = await api.passport(slug);
      await delay(5);
      await api.put(slug, values as object[]);
      checkEqual(await api.passport(slug), before, 'the passport');
    }),
  ),
  hashes('only-changed', 'updated_at moves only for the values that a write changes.', async ({ api, world }) => {
    const { slug } = await world.product('only-changed');
    const values = valuesOf(['verify_a', 'verify_b'], 'same');
    await api.put(slug, values);
    const [, before] = (await api.passport(slug)).values;
    await delay(5);
    await api.put(slug, [{ field_key: 'verify_a', value: world.runId }, ...values.slice(1)]);
    const [changed, after] = (await api.passport(slug)).values;
    checkEqual(after, before, 'the value that the write repeats');
    check(changed?.value === world.runId && changed.updated_at > `${before?.updated_at}`, 'the other value must move');
  }),
  hashes('salt', 'Every version has its own salt, and the same values another hash.', async ({ api, world }) => {
    const { slug } = await world.product('salt');
    const found: Passport['latest_version'][] = [];
    for (const value of ['one', 'two', 'one']) {
      await api.put(slug, [{ field_key: 'verify_salt', value }]);
      found.push((await api.passport(slug)).latest_version);
    }
    const [first, , third] = found;
    const differs = first?.content_hash !== third?.content_hash;
    check(differs, 'content_hash must differ between versions with the same values');
    const salts = found.map(({ salt }) => salt);
    checkEqual(new Set(salts).size, 3, 'the number of different salts');
    const areHexadecimal = salts.every((salt) => /^[0-9a-f]{32}$/.test(`${salt}`));
    check(areHexadecimal, 'a salt must be 32 hexadecimal digits');
  }),
];

/** The versions after changes of one value. */
async function versionsAfter(
  context: Context,
  purpose: string,
  changes: number,
): Promise<Passport['latest_version'][]> {
  const { slug, keys } = await subject(context, purpose);
  const versions: Passport['latest_version'][] = [];
  for (let change = 1; change <= changes; change += 1) {
    await context.api.put(slug, [{ field_key: keys[0], value: `${change} ${context.world.runId}` }]);
    versions.push(versionOf(await context.api.passport(slug)));
  }
  return versions;
}

/** The version of a passport with values. Without values a passport need not have one. */
export function versionOf({ latest_version }: Passport): Passport['latest_version'] {
  check(
    isRecord(latest_version),
    `latest_version must be an object, is ${JSON.stringify(latest_version) ?? 'missing'}`,
  );
  return latest_version;
}

/** The same value with its members, and those inside it, in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, part]) => [name, reversed(part)]),
  );
}

/** Computes the hash as openapi.yaml describes it. */
function checkHash({ template_version, values, latest_version: { salt, content_hash } }: Passport): void {
  const covered = values.map(({ updated_at: _, ...members }) => members);
  const text = canonicalize({ salt, template_version, values: covered });
  checkEqual(content_hash, createHash('sha256').update(`${text}`).digest('hex'), 'content_hash');
}

// PASS-8: simultaneous writes.

const put = '/paths/~1api~1v1~1products~1{slug}~1passport/put';
const races = family('PASS-8', { claim: 'core', clause: put, needs: ['field key'] });
const ofOwnKeys = family('PASS-8', { claim: 'reference', clause: put });

const rounds = 4;
const writers = 8;

export const passportRaces: readonly Case[] = [
  races('different-fields', 'Of two writes of different fields at the same time, none is lost.', async (context) => {
    const { slug, keys } = await subject(context, 'race-fields');
    await losesNone(context, slug, keys);
  }),
  ofOwnKeys(
    'many-fields',
    `Of ${writers} writes of different fields at the same time, none is lost.`,
    async (context) => {
      const { slug } = await context.world.product('race-many-fields');
      const keys = Array.from({ length: writers }, (_, writer) => `verify_race_${writer}`);
      await losesNone(context, slug, keys);
    },
  ),
  races('same-field', `Of ${writers} writes of one field at the same time, one remains whole.`, async (context) => {
    const { slug, keys } = await subject(context, 'race-field');
    await contend(context, slug, keys.slice(0, 1));
  }),
  ofOwnKeys(
    'same-fields',
    `Of ${writers} writes of the same fields at the same time, one remains whole.`,
    async (context) => {
      const { slug } = await context.world.product('race-same-fields');
      await contend(context, slug, ['verify_a', 'verify_b', 'verify_c']);
    },
  ),
  races('new-field', 'Writes that create one field at the same time create it once.', async (context) => {
    const { slug } = (await grow(context)).products[2];
    const field_key = await context.world.fieldKey();
    await Promise.all(
      Array.from({ length: writers }, (_, writer) =>
        context.api.put(slug, [{ field_key, value: `${context.world.runId} ${writer}` }]),
      ),
    );
    stored(await context.api.passport(slug), field_key);
  }),
];

/** Each writer writes another field. */
async function losesNone({ api, world }: Context, slug: string, keys: readonly string[]): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const value = `${world.runId} ${round}`;
    await Promise.all(keys.map((field_key) => api.put(slug, [{ field_key, value }])));
    const passport = await api.passport(slug);
    const lost = keys.filter((key) => stored(passport, key).value !== value);
    checkEqual(lost, [], 'the fields whose write was lost');
  }
}

/** Each writer writes all keys with its own number. Afterwards they hold the number of one writer. */
async function contend({ api, world }: Context, slug: string, keys: readonly string[]): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const prefix = `${world.runId} ${round}`;
    await Promise.all(
      Array.from({ length: writers }, (_, writer) =>
        api.put(
          slug,
          keys.map((field_key) => ({
            field_key,
            value: { text: `${prefix} ${writer}`, again: [`${prefix} ${writer}`] },
            unit: `${writer}`,
          })),
        ),
      ),
    );
    const passport = await api.passport(slug);
    const { unit } = stored(passport, `${keys[0]}`);
    check(/^[0-7]$/.test(`${unit}`), `unit must be that of a writer, is ${unit}`);
    const text = `${prefix} ${unit}`;
    for (const key of keys) {
      checkMembers(stored(passport, key), { value: { text, again: [text] }, unit }, `the field ${key}`);
    }
  }
}
