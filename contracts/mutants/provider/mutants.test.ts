/** Each wrong provider fails in its case, each case fails for one of them, and docs/reference/mutants.md says so. */
import { describe, expect, test } from '@jest/globals';
import { defaultClaims } from '../../conformance/verify.ts';
import { checkMatrix, type Row, readWitnesses } from '../matrix.ts';
import { mutants, unusual } from './mutants.ts';
import { deathOf, rowOf, verifyWrapped } from './run.ts';

describe('a provider with one mistake', () => {
  const rows: Row[] = [];
  const { cases, whole } = readWitnesses();
  let ids: string[] = [];

  test('each mistake has an id of its own', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });

  test('without a mistake it is conformant', async () => {
    const { verdict, because, results } = await verifyWrapped((service) => service.fetch);
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect({ verdict, because }).toEqual({ verdict: 'conformant', because: undefined });
    ids = results.map(({ id }) => id);
  });

  test.each(mutants)('$id: $mistake', async (mutant) => {
    const witnesses = cases[mutant.id] ?? [];
    const death = await deathOf(mutant, whole.includes(mutant.id) ? undefined : witnesses);
    rows.push(rowOf(mutant, death));
    expect(death.survived).toBeUndefined();
    expect(death.failed).toEqual(expect.arrayContaining([...witnesses]));
  });

  test('each case notices a mistake', () => {
    expect(ids.length).toBeGreaterThan(100);
    const noticing = new Set(Object.values(cases).flat());
    expect(ids.filter((id) => !noticing.has(id))).toEqual([]);
  });

  test('docs/reference/mutants.md has the matrix', () => checkMatrix(rows, mutants.length));
});

describe('an unusual provider is conformant', () => {
  test.each(unusual)('$id: $freedom', async ({ wrap, behaviour }) => {
    const { verdict, results } = await verifyWrapped(wrap, defaultClaims, behaviour === undefined ? {} : { behaviour });
    const wrong = results.filter(({ status }) => status !== 'passed');
    expect(wrong.map(({ id, status, reasons }) => ({ id, status, reasons }))).toEqual([]);
    expect(verdict).toBe('conformant');
  });
});
