/** Time that passes only in steps, for tests of pauses and limits, and waits for real time. */

import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest } from '@jest/globals';

/**
 * Replaces the clock and the timers in each test of this `describe`. A test fails if it leaves a timer.
 *
 * @param random what `Math.random` returns
 */
export function useFakeTime(random?: number): void {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    if (random !== undefined) jest.spyOn(Math, 'random').mockReturnValue(random);
  });
  afterEach(() => {
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
}

/** Runs a call through all its pauses. `step` is in milliseconds. */
export async function settled<T>(call: PromiseLike<T>, step = 10): Promise<T> {
  let isOpen = true;
  const end = () => {
    isOpen = false;
  };
  call.then(end, end);
  while (isOpen) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isOpen) await jest.advanceTimersByTimeAsync(step);
  }
  return call;
}

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
