/** Each wrong provider fails in its case. \`npm run mutants -- --check\` runs all cases against each. */
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

  test.each(mutants.filter(isQuick))('$id: $mistake', async (mutant) => {
    const alone = await deathOf({ ...mutant, only: mutant.only ?? [mutant.killedBy] });
    // A few cases need what other cases created before them: many products, or a scan.
    const { survived } = alone.survived === undefined ? alone : await deathOf(mutant);
    expect(survived).toBeUndefined();
  });
});

/** A case over the whole run needs the requests of all other cases. */
function isQuick({ killedBy }: { readonly killedBy: string }): boolean {
  return !/^(HTTP-[5-7]|LEAK|AUTH-6)/.test(killedBy);
}
