import { describe, expect, test } from '@jest/globals';
import { mutants } from './mutants.ts';
import { deathOf, verifyWrapped } from './run.ts';

describe('a provider with one mistake', () => {
  test('each mistake has an id of its own', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });

  test('without a mistake it is conformant', async () => {
    const { verdict, because, results } = await verifyWrapped((service) => service.fetch);
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect({ verdict, because }).toEqual({ verdict: 'conformant', because: undefined });
  });

  test.each(mutants)('$id: $mistake', async (mutant) => {
    expect((await deathOf(mutant)).survived).toBeUndefined();
  });
});
