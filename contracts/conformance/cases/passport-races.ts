/** PASS-8: writes of one passport at the same time. */
import { type Case, type Context, check, checkEqual, checkMembers, family } from '../case.ts';
import { stored, subject } from './passports.ts';
import { grow } from './products.ts';

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
