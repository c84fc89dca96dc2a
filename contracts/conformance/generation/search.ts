/** Searches generated values for one that shows a fault, and makes it smaller. */
import fc, { type Arbitrary } from 'fast-check';

interface SearchOptions {
  readonly seed: number;
  /** How long the search may take. At least one value is tried. */
  readonly milliseconds: number;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

export interface Found<Value> {
  readonly value: Value;
  /** The number of values that were tried before the shrinking. */
  readonly tried: number;
  /** The number of steps of the shrinking. */
  readonly shrinks: number;
}

/** How long the shrinking of one value may take, in milliseconds. */
const shrinkingLimit = 5000;

const batchSize = 50;

/**
 * The values follow from the seed alone. The time limit only decides how many are tried.
 *
 * @param hasFault whether the value shows a fault. `isShrinking`: it is a smaller form of a value that shows one.
 */
export async function search<Value>(
  values: Arbitrary<Value>,
  { seed, milliseconds, signal }: SearchOptions,
  hasFault: (value: Value, isShrinking: boolean) => Promise<boolean>,
): Promise<Found<Value> | undefined> {
  const end = performance.now() + milliseconds;
  for (let tried = 0; ; tried += batchSize) {
    const own = { seed: (seed + tried / batchSize) | 0 };
    for (const [index, value] of fc.sample(values, { ...own, numRuns: batchSize }).entries()) {
      const isFirst = tried + index === 0;
      if (!isFirst && (performance.now() > end || signal?.aborted)) return undefined;
      if (!(await hasFault(value, false))) continue;
      const smaller = fc.asyncProperty(values, async (each) => !(await hasFault(each, true)));
      const options = { ...own, path: String(index), interruptAfterTimeLimit: shrinkingLimit };
      const { counterexample, numShrinks } = await fc.check(smaller, options);
      return { value: counterexample?.[0] ?? value, tried: tried + index + 1, shrinks: numShrinks };
    }
  }
}
