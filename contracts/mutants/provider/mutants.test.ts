import { describe, expect, test } from '@jest/globals';
import { checkMatrix, type Row } from '../matrix.ts';
import { mutants } from './mutants.ts';
import { deathOf, rowOf, verifyWrapped } from './run.ts';

describe('a provider with one mistake', () => {
  test('each mistake has an id of its own', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });

  test('without a mistake it is conformant', async () => {
    const { verdict, because, results } = await verifyWrapped((service) => service.fetch);
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect({ verdict, because }).toEqual({ verdict: 'conformant', because: undefined });
  });

  const rows: Row[] = [];
  const failed = new Set<string>();

  test.each(mutants)('$id: $mistake', async (mutant) => {
    const death = await deathOf(mutant);
    rows.push(rowOf(mutant, death));
    for (const id of death.failed) failed.add(id);
    expect(death.survived).toBeUndefined();
  });

  test('fails every case of core, public and digital-link: add a mutant for a case that no mutant fails', async () => {
    const { results } = await verifyWrapped((service) => service.fetch);
    expect(results.map(({ id }) => id).filter((id) => !failed.has(id))).toEqual([]);
  });

  test('docs/mutants.md has the matrix', () => checkMatrix(rows, mutants.length));
});
