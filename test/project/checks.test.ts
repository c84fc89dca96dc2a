/** The programs of the gate, and what the tests themselves rely on. */

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
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

describe('in the environment of the tests', () => {
  const files = {
    mismatch: `
      beforeAll(() => { throw Object.assign(new Error('a field is missing'), { name: 'ContractMismatch' }); });
      test.each([1, 2, 3])('mismatch %i', () => {});`,
    failing: `
      test('expects 500', () => noteFailedRequest('an expected failure'));
      test('expects 200', () => { noteFailedRequest('Error: the disk is full'); throw new Error('not 200'); });
      test('runs too', () => { throw new Error('no log'); });`,
  };
  let outcome: Outcome;

  beforeAll(async () => {
    const tests = newFolder();
    for (const [name, text] of Object.entries(files)) await writeFile(join(tests, `${name}.test.js`), text);
    const config = {
      rootDir: tests,
      transform: {},
      testEnvironment: join(root, 'test/support/environment.js'),
    };
    const jest = `node --experimental-vm-modules ${join(root, 'node_modules/jest/bin/jest.js')}`;
    outcome = await run(`${jest} --config '${JSON.stringify(config)}'`);
  });

  test('the first response that breaks the contract ends a file, and is reported once', () => {
    expect(outcome.stderr).toContain('● mismatch 1\n');
    expect(outcome.stderr).not.toMatch(/● mismatch [23]/);
    expect(outcome.stderr).toMatch(/^Tests: .* 2 skipped, /m);
  });

  test('a failed test shows why its server responded with 500', () => {
    expect(outcome.stderr).toMatch(/● expects 200\n\n +the disk is full\n/);
    expect(outcome.stderr).not.toMatch(/^ +an expected failure$/m);
    expect(outcome.stderr.match(/● runs too\n/g)).toHaveLength(1);
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
  ['a noun that imports a higher one', 'server/src/products/store.ts', 'server/src/lifecycle/create.ts', /^upward: /],
  ['a part that another may not import', 'sdk/src/client.ts', 'server/src/app.ts', /^sdk-imports-another-part: /],
  ['rules that import a library', 'server/src/scans/rules.ts', 'node_modules/knex/', /^rules-import-no-store: /],
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

/** The constructor of all functions in the realm of a package. */
const OuterFunction: FunctionConstructor = Object.getPrototypeOf(Ajv2020.prototype.compile).constructor;
const OuterError: ErrorConstructor = OuterFunction('return Error')();

test('a CommonJS package is loaded outside the realm of the test file, once for each worker', () => {
  expect(OuterFunction).not.toBe(Function);
});

test('an error is an instance of Error in both realms, and only of its own subclasses', async () => {
  const ofNode = await readFile('/does/not/exist').catch((error: unknown) => error);
  for (const error of [ofNode, new Error('inner'), new OuterError('outer')]) {
    expect(error instanceof Error).toBe(true);
    expect(error instanceof OuterError).toBe(true);
    expect(error instanceof TypeError).toBe(false);
  }
  expect({ message: 'not an error' } instanceof Error).toBe(false);
});

test('a workflow looks for known vulnerabilities every day and when the lockfile changes', async () => {
  const { on, jobs } = parse(await readFile(join(root, '.github/workflows/audit.yml'), 'utf8'));
  expect(on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }]);
  for (const event of ['push', 'pull_request']) expect(on[event].paths).toContain('package-lock.json');
  expect(jobs.audit.steps).toContainEqual({ run: 'npm audit --package-lock-only' });
});
