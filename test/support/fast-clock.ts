/**
 * A preload that makes the clocks and timers of a process run `CLOCK_SPEED` times as fast, so that a test of a limit per
 * minute takes seconds: `CLOCK_SPEED=40 node --import ./test/support/fast-clock.ts program.ts`.
 */
const speed = Number(process.env.CLOCK_SPEED ?? 1);

/** Replaces a clock. It starts at the real time. */
function quicken(clock: { now: () => number }): void {
  const now = clock.now.bind(clock);
  const began = now();
  clock.now = () => began + (now() - began) * speed;
}

quicken(Date);
quicken(performance);
const { setTimeout: wait } = globalThis;
globalThis.setTimeout = Object.assign(
  (work: () => void, ms = 0, ...rest: []) => wait(work, ms / speed, ...rest),
  wait,
) as typeof setTimeout;
