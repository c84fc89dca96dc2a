/** Searches for a generated value with faults, within a time limit, and makes it as small as possible. */
import fc, { type Arbitrary } from 'fast-check';

export interface SearchOptions {
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

/** Values that are tried between two looks at the clock and the signal. */
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
  const property = (isShrinking: boolean) =>
    fc.asyncProperty(values, async (value) => !(await hasFault(value, isShrinking)));
  const end = performance.now() + milliseconds;
  let tried = 0;
  for (let batch = 0; batch === 0 || (performance.now() < end && !signal?.aborted); batch += 1) {
    const own = { seed: (seed + batch) | 0 };
    const first = await fc.check(property(false), {
      ...own,
      endOnFailure: true,
      ...(batch === 0
        ? { numRuns: 1 }
        : { numRuns: batchSize, interruptAfterTimeLimit: Math.max(1, end - performance.now()) }),
    });
    tried += first.numRuns;
    if (!first.failed || first.counterexample === null) continue;
    const path = first.counterexamplePath ?? '';
    const shrunk = await fc.check(property(true), { ...own, path, interruptAfterTimeLimit: shrinkingLimit });
    const [value] = shrunk.counterexample ?? first.counterexample;
    return { value, tried, shrinks: shrunk.numShrinks };
  }
  return undefined;
}
