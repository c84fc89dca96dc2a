import { describe, expect, test } from '@jest/globals';
import { mutants } from './mutants.ts';
import { verifyWrapped } from './run.ts';

describe('a provider with one mistake', () => {
  test('each mistake has an id of its own', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });

  test('without a mistake it is conformant', async () => {
    const { verdict, because, results } = await verifyWrapped((service) => (request) => service.fetch(request));
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect({ verdict, because }).toEqual({ verdict: 'conformant', because: undefined });
  });

  test.each(mutants)('$id: $mistake', async ({ wrap, claims, killedBy, because }) => {
    const run = await verifyWrapped(wrap, claims);
    const result = run.results.find(({ id }) => id === killedBy);
    expect(run.verdict).toBe('not conformant');
    expect(result).toMatchObject({ status: 'failed' });
    expect(result?.reasons.join('\n')).toContain(because);
  });
});
