/** Each wrong provider fails in its case, each case fails for one of them, and docs/reference/mutants.md says so. */
import { describe, expect, test } from '@jest/globals';
import { checkMatrix, type Row } from '../matrix.ts';
import { mutants } from './mutants.ts';
import { deathOf, rowOf, verifyWrapped } from './run.ts';

describe('a provider with one mistake', () => {
  const rows: Row[] = [];
  const failedOnce = new Set<string>();
  let cases: string[] = [];

  test('each mistake has an id of its own', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });

  test('without a mistake it is conformant', async () => {
    const { verdict, because, results } = await verifyWrapped((service) => service.fetch);
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect({ verdict, because }).toEqual({ verdict: 'conformant', because: undefined });
    cases = results.map(({ id }) => id);
  });

  test.each(mutants)('$id: $mistake', async (mutant) => {
    const death = await deathOf(mutant);
    for (const id of death.failed) failedOnce.add(id);
    rows.push(rowOf(mutant, death));
    expect(death.survived).toBeUndefined();
  });

  test('each case notices a mistake', () => {
    expect(cases.length).toBeGreaterThan(100);
    expect(cases.filter((id) => !failedOnce.has(id))).toEqual([]);
  });

  test('docs/reference/mutants.md has the matrix', () => checkMatrix(rows, mutants.length));
});
