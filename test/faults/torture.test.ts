/** A small run of `npm run torture`, so that it works and finds nothing. */
import { expect, jest, test } from '@jest/globals';
import { run } from '../support/program.ts';

jest.setTimeout(240_000);

test('100 hostile requests, and ten times the load', async () => {
  const size = '--requests 100 --seconds 1 --connections 100 --accepted 20 --database sqlite';
  const { code, stdout, stderr } = await run(`node tools/torture/torture.ts --seed 5 ${size} --only load,hostile`);
  expect([stdout.split('\n').filter((line) => line.startsWith('failed')), stderr]).toEqual([[], '']);
  expect(code).toBe(0);
  for (const part of ['idle connections', '10 times the load', 'stop under load', 'hostile']) {
    expect(stdout).toMatch(new RegExp(`^ok ${part} on sqlite, round 1: `, 'm'));
  }
});

test('a round of kills on PostgreSQL', async () => {
  const { code, stdout } = await run(
    'node tools/torture/torture.ts --seed 6 --rounds 1 --database postgres --only killed',
  );
  expect(stdout).toMatch(/^ok killed on postgres, round 1: /m);
  expect(code).toBe(0);
});

test('two tenants over two servers: no byte of the other', async () => {
  const { code, stdout } = await run('node tools/torture/torture.ts --seed 7 --seconds 3 --only tenants');
  for (const kind of ['sqlite', 'postgres'])
    expect(stdout).toMatch(
      new RegExp(
        `^ok two tenants, two servers on ${kind}, round 1: \\d+ responses, none with a byte of the other`,
        'm',
      ),
    );
  expect(code).toBe(0);
});

test('an unknown part is an error', async () => {
  const { code, stderr } = await run('node tools/torture/torture.ts --only kiled');
  expect(stderr).toContain('--only takes killed, faults, load, tenants, floods and hostile');
  expect(code).toBe(2);
});
