/** The gate's check of package-lock.json, in a repository with a small lockfile. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Outcome, root, run } from '../support/program.ts';

const committed = {
  '': { version: '1.0.0' },
  'node_modules/knex': { version: '3.3.0', integrity: 'sha512-knex' },
  'node_modules/pg': { version: '8.23.1', integrity: 'sha512-pg' },
};

let folder = '';
const install = (packages: Record<string, unknown>) =>
  writeFile(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
const check = (): Promise<Outcome> => run(`node ${join(root, 'tools/lockfile.ts')}`, {}, folder);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockfile-'));
  await install(committed);
  const identity = '-c user.name=x -c user.email=x@example.com';
  const made = await run(`git init -q && git add . && git ${identity} commit -qm x`, {}, folder);
  expect(made).toMatchObject({ code: 0 });
});
beforeEach(() => install(committed));
afterAll(async () => {
  await rm(folder, { recursive: true });
});

test('passes if nothing changed', async () => {
  expect(await check()).toMatchObject({ code: 0, stdout: 'package-lock.json: 3 entries as committed\n' });
});

test('passes if the install added what the platform needs, and names it', async () => {
  await install({ ...committed, 'node_modules/@swc/core-darwin-arm64': { version: '1.0.0', integrity: 'sha512-swc' } });
  const { code, stdout } = await check();
  expect([code, stdout]).toEqual([0, expect.stringContaining('added for this platform: node_modules/@swc/core-dar')]);
});

test.each([
  ['another version', { version: '3.3.1', integrity: 'sha512-knex' }, 'another version: 3.3.0 became 3.3.1'],
  ['another integrity', { version: '3.3.0', integrity: 'sha512-x' }, 'another integrity: sha512-knex became sha512-x'],
  ['no integrity', { version: '3.3.0' }, 'another integrity: sha512-knex became none'],
  ['no entry', undefined, 'is gone'],
])('fails if a package has %s, and names the package', async (_, knex, message) => {
  await install({ ...committed, 'node_modules/knex': knex });
  const { code, stdout, stderr } = await check();
  expect([code, stdout]).toEqual([1, '']);
  const [first, advice] = stderr.split('\n');
  expect(first).toContain(`node_modules/knex`);
  expect(first).toContain(message);
  expect(advice).toContain('package-lock.json does not match the last commit.');
});

test('fails without a commit to compare with', async () => {
  await rm(join(folder, '.git'), { recursive: true });
  expect((await check()).code).toBe(1);
});

test('the gate runs it after the install and before any installed program', async () => {
  const gate = (await readFile(join(root, '.ci/run'), 'utf8')).split('\n').filter((line) => /^[^#]*npm /.test(line));
  expect(gate[0]).toMatch(/^npm install /);
  expect(gate[1]).toContain('npm run check:lockfile || failed=1');
});
