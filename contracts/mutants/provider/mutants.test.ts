/** Each wrong provider fails in its case, and each unusual provider passes. */
import * as timers from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { readWitnesses } from '../matrix.ts';
import { exposingNothing, mayExpose } from './exposing-nothing.ts';
import { countsFirst } from './families/scans.ts';
import { unusualProviders, wrongProviders } from './mutants.ts';

/** How many times shorter the suite's waits for the count of a view are. Those of a few milliseconds let a clock move. */
const speed = 20;
jest.unstable_mockModule('node:timers/promises', () => ({
  ...timers,
  setTimeout: (milliseconds: number) => timers.setTimeout(Math.max(Math.min(milliseconds, 5), milliseconds / speed)),
}));
const { outcomeOf, refusalsOf, verifyChanged } = await import('./run.ts');

describe('a wrong provider', () => {
  const { cases, needs } = readWitnesses();

  test.each(wrongProviders)('$id: $mistake', async (provider) => {
    const witnesses = cases[provider.id];
    if (!witnesses) throw new Error(`generated/mutants.json has no cases of ${provider.id}. Run \`npm run mutants\`.`);
    const outcome = await outcomeOf(provider, [...witnesses, ...(needs[provider.id] ?? [])]);
    expect(outcome.unnoticed).toBeUndefined();
    expect(outcome.failed.map(({ id }) => id)).toEqual(expect.arrayContaining([...witnesses]));
    const isListed = exposingNothing.has(provider.id);
    if (mayExpose.test(provider.failsIn)) expect(outcome.exposes !== undefined).toBe(!isListed);
  });
});

test('the wrong providers that expose nothing are rows of these families', () => {
  const ids = wrongProviders.filter(({ failsIn }) => mayExpose.test(failsIn)).map(({ id }) => id);
  expect([...exposingNothing].filter((id) => !ids.includes(id))).toEqual([]);
});

describe('an unusual provider is conformant', () => {
  // Freedoms that do not touch each other share a run: one that the suite refuses runs alone, too, and is named.
  const maxShared = 14;
  const sharing = unusualProviders.filter(({ isAlone }) => isAlone !== true);
  const runs = Math.ceil(sharing.length / maxShared);
  const shared = Array.from({ length: runs }, (_, run) => sharing.filter((_each, at) => at % runs === run));

  test.each(shared.map((group) => ({ group, ids: group.map(({ id }) => id).join(', ') })))(
    '$ids',
    async ({ group }) => {
      const refused = await refusalsOf(group);
      const alone = new Map<string, unknown>();
      if (refused.length > 0) for (const each of group) alone.set(each.id, await refusalsOf([each]));
      expect({ refused, alone: Object.fromEntries(alone) }).toEqual({ refused: [], alone: {} });
    },
  );

  test.each(unusualProviders.filter((each) => !sharing.includes(each)))('$id: $freedom', async (each) => {
    const now = performance.now.bind(performance);
    // The provider that counts views in batches reads a clock.
    if (each.only) jest.spyOn(performance, 'now').mockImplementation(() => now() * speed);
    expect(await refusalsOf([each])).toEqual([]);
    jest.restoreAllMocks();
  });
});

test.each([
  ['a tenant', 0],
  ['a product', 1],
])('%s whose views do not count leaves cases open, and is no finding', async (_, counted) => {
  const only = ['SCAN-1.consumer', 'SCAN-1.not-a-view'];
  const { verdict, results } = await verifyChanged(countsFirst(counted), { claims: ['reference'], only });
  expect(verdict).toBe('incomplete');
  const skipped = { status: 'skipped', reasons: [expect.stringMatching(/whose scans are counted/)] };
  expect(results).toMatchObject([skipped, skipped]);
});
