/** The programs of the gate. */

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { findings } from '../../tools/layers.ts';
import { newFolder } from '../support/files.ts';
import { type Outcome, root, run } from '../support/program.ts';

test('the SQLite driver downloads nothing if it is to be built from source', async () => {
  const driver = join(root, 'node_modules/sqlite3');
  const { scripts } = JSON.parse(await readFile(join(driver, 'package.json'), 'utf8'));
  expect(scripts.install).toBe('prebuild-install -r napi || node-gyp rebuild');
  const download = join(root, 'node_modules/.bin/prebuild-install');
  const environment = { npm_config_build_from_source: 'sqlite3', npm_config_verbose: 'true' };
  const { code, stderr } = await run(`${download} -r napi`, environment, driver);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('--build-from-source specified, not attempting download'),
  ]);
});

test('the names of robots are those of the list', async () => {
  expect(await run('node tools/robots.ts --check')).toMatchObject({ code: 0, stderr: '' });
});

describe('after npm install, the SQLite driver', () => {
  let checkout = '';
  const driver = () => join(checkout, 'node_modules/sqlite3');
  const install = (): Promise<Outcome> => run('env -u CFLAGS node tools/sqlite-driver.js', {}, checkout);

  beforeEach(async () => {
    checkout = newFolder();
    await mkdir(join(checkout, 'tools'));
    await mkdir(driver(), { recursive: true });
    await copyFile(join(root, 'tools/sqlite-driver.js'), join(checkout, 'tools/sqlite-driver.js'));
    await writeFile(join(checkout, 'package.json'), JSON.stringify({ type: 'module' }));
  });
  const writeDriver = (script: string): Promise<void> =>
    writeFile(
      join(driver(), 'package.json'),
      JSON.stringify({ name: 'sqlite3', main: 'made.js', scripts: { install: script } }),
    );

  test('is compiled once, and optimised', async () => {
    await writeDriver(`node -e "fs.writeFileSync('made.js', '// ' + process.env.CFLAGS)"`);
    const first = await install();
    expect(first).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Installing the SQLite driver\./),
    });
    expect(await readFile(join(driver(), 'made.js'), 'utf8')).toBe('// -O2');
    expect(await install()).toMatchObject({ code: 0, stderr: '', stdout: '' });
  });

  test("fails with the compiler's output, and says what it needs", async () => {
    await writeDriver(`node -e "console.error('cc: not found'); process.exit(3)"`);
    const { code, stderr } = await install();
    expect(code).toBe(1);
    expect(stderr).toContain('cc: not found');
    expect(stderr).toMatch(/It needs a C\+\+ toolchain and Python 3\.\n$/);
  });
});

/** Each place that installs the checkout: the gate, the workflows and the image. */
test('the checkout is installed as it is locked, and the gate fails if the installation changed it', async () => {
  const places = ['.ci/run', '.ci/runtimes', '.github/workflows/publish.yml', 'deploy/Dockerfile'];
  for (const place of places) {
    const commands = (await readFile(join(root, place), 'utf8')).match(/npm (?:ci|install)\b.*/g) ?? [];
    expect([place, commands[0]]).toEqual([place, expect.stringMatching(/^npm ci\b/)]);
  }
  const gate = await readFile(join(root, '.ci/run'), 'utf8');
  expect(gate.indexOf('git status --porcelain')).toBeGreaterThan(gate.indexOf('npm run postinstall'));
  const workflow = parse(await readFile(join(root, '.github/workflows/gate.yml'), 'utf8'));
  expect(workflow).toMatchObject({ on: { push: null, pull_request: null } });
  expect(workflow.jobs.gate.steps).toContainEqual({ run: '.ci/run' });
});

test.each([
  ['an import that goes upward', 'server/src/log/log.ts', 'server/src/app.ts', /^upward: /],
  [
    'a noun that imports a higher one',
    'server/src/products/store.ts',
    'server/src/lifecycle/lifecycle.ts',
    /^upward: /,
  ],
  ['a part that another may not import', 'sdk/src/client.ts', 'server/src/app.ts', /^sdk-imports-another-part: /],
  ['rules that import a library', 'server/src/carriers/rules.ts', 'node_modules/knex/', /^rules-import-no-store: /],
  ['a file without a layer', 'server/src/new/file.ts', 'node:fs', /^server\/src\/new\/file.ts has no layer/],
])('the check of layers finds %s', (_, file, target, finding) => {
  expect(findings(new Map([[file, [target]]]))).toEqual([expect.stringMatching(finding)]);
});

test('the check of layers finds a circle of imports, and accepts two ways to one file', () => {
  const imports = new Map([
    ['sdk/src/a.ts', ['sdk/src/b.ts', 'sdk/src/c.ts']],
    ['sdk/src/b.ts', ['sdk/src/c.ts']],
  ]);
  expect(findings(imports)).toEqual([]);
  expect(findings(imports.set('sdk/src/c.ts', ['sdk/src/b.ts']))).toEqual([
    expect.stringContaining('circle: sdk/src/b.ts → sdk/src/c.ts → sdk/src/b.ts.'),
  ]);
});

test('a workflow looks for known vulnerabilities every day and when the lockfile changes', async () => {
  const { on, jobs } = parse(await readFile(join(root, '.github/workflows/audit.yml'), 'utf8'));
  expect(on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }]);
  for (const event of ['push', 'pull_request']) expect(on[event].paths).toContain('package-lock.json');
  expect(jobs.audit.steps).toContainEqual({ run: 'npm audit --package-lock-only' });
});
