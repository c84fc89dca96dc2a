import { describe, expect, test } from '@jest/globals';
import { verifyWrapped } from './run.ts';
import { unusual } from './unusual.ts';

describe('an unusual provider is conformant', () => {
  test.each(unusual)('$id: $freedom', async ({ wrap, behaviour }) => {
    const { verdict, results } = await verifyWrapped(wrap, undefined, behaviour === undefined ? {} : { behaviour });
    const wrong = results.filter(({ status }) => status !== 'passed');
    expect(wrong.map(({ id, status, reasons }) => ({ id, status, reasons }))).toEqual([]);
    expect(verdict).toBe('conformant');
  });
});
