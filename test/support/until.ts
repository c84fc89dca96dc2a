import { setTimeout } from 'node:timers/promises';
import { expect } from '@jest/globals';

/** Repeats a reading until it has the expected value, for at most 15 seconds. */
export async function until(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  const isExpected = async (): Promise<boolean> => {
    try {
      expect(await read()).toEqual(expected);
      return true;
    } catch {
      return false;
    }
  };
  const end = Date.now() + 15_000;
  while (!(await isExpected()) && Date.now() < end) await setTimeout(20);
  expect(await read()).toEqual(expected);
}
