/** A small run of `npm run torture`: killed processes. */
import { expect, jest, test } from '@jest/globals';
import { run } from '../support/program.ts';

jest.setTimeout(240_000);

const torture = (options: string) => run(`node tools/torture/torture.ts --seed 5 ${options}`);

test.each(['sqlite', 'postgres'])(
  'two servers on %s that are killed keep every acknowledged write, and stored none in part',
  async (kind) => {
    const { code, stdout, stderr } = await torture(`--only killed --rounds 2 --database ${kind}`);
    expect([stdout.split('\n').filter((line) => line.startsWith('FAILED')), stderr, code]).toEqual([[], '', 0]);
    expect(stdout).toMatch(
      new RegExp(`^ok round 1, ended by SIGKILL on ${kind}: .*\nok round 2, ended by SIGTERM on`, 'm'),
    );
  },
);
