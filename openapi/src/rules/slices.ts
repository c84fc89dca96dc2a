/** Work that yields wherever it may be interrupted. */
export type Work<Result> = Generator<void, Result, void>;

/** How long work goes on without a pause, in milliseconds. */
const longestSlice = 0.1;

/** Does work in slices, so that other requests do not wait for all of it. Short work has no pause. */
export async function inSlices<Result>(work: Work<Result>, pause: () => Promise<void>): Promise<Result> {
  let began = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - began < longestSlice) continue;
    await pause();
    began = performance.now();
  }
}

/** Does work without a pause. */
export function atOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
