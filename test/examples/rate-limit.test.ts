/** The SDK and the real server under its rate limit, in a clock that runs 40 times as fast: `npm run bench:sync`. */
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { root, run } from '../support/program.ts';

jest.setTimeout(120_000);

const fast = { CLOCK_SPEED: '40', NODE_OPTIONS: `--import=${join(root, 'test/support/fast-clock.ts')}` };

/** Runs the bench, and returns the time that the limit requires and the measured one, in seconds of the fast clock. */
async function measured(options: string, products: number): Promise<{ ideal: number; took: number }> {
  const { code, stdout, stderr } = await run(`node tools/bench/sync.ts ${options}`, fast);
  expect(stdout + stderr).toContain(`${products} created, 0 failed, 0 lost, 0 repeated;`);
  expect(code).toBe(0);
  const [, took, ideal] = /^([\d.]+) s; the limit of \d+ a minute requires ([\d.]+) s/m.exec(stdout) ?? [];
  return { ideal: Number(ideal), took: Number(took) };
}

// On a busy machine, single requests run into their time limit in the fast clock and are repeated.
test('200 parallel ensure calls succeed under a limit of 60 requests a minute', async () => {
  const { ideal, took } = await measured('--products 200 --rate-limit 60 --concurrency 200', 200);
  expect(ideal).toBeGreaterThanOrEqual(360); // 400 requests
  expect(took).toBeGreaterThan(ideal); // the limit was in force
  expect(took).toBeLessThan(2 * ideal);
});

test('eachInOrder loses and repeats no product under a limit', async () => {
  const { ideal, took } = await measured('--products 900 --rate-limit 600', 900);
  expect(ideal).toBeGreaterThanOrEqual(120); // 1,800 requests
  expect(took).toBeGreaterThan(ideal);
});
