/**
 * The small examples against a running demo: with the SDK as npm installs it, and in the checkout as in examples/README.md.
 * `test:runtimes` runs the page.
 */
import { readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { createClient } from '../../sdk/src/index.ts';
import { createFakeService } from '../../sdk/src/testing.ts';
import { newFolder } from '../support/files.ts';
import { announcement, type Running, root, run, start } from '../support/program.ts';
import { serveFetch } from '../support/serve-fetch.ts';
import { installPacked } from '../support/shared.ts';

jest.setTimeout(120_000);

interface Workflow {
  on: object;
  jobs: Record<string, { 'runs-on': string; steps: { uses?: string; run?: string; env?: Record<string, string> }[] }>;
}

const folder = newFolder();
let project = '';
let tarball = '';
let server: Running;
let access: Record<string, string> = {};

beforeAll(async () => {
  const installed = await installPacked(folder, ['sdk']);
  project = installed.project;
  [tarball = ''] = installed.tarballs;
  for (const example of ['node-script', 'commonjs-script', 'jest-tests']) {
    const isCode = (name: string) => !/node_modules|package\.json$|jest\.config/.test(name.slice(root.length));
    await cp(join(root, 'examples', example), project, { recursive: true, filter: isCode });
  }
  server = await start('product-passport serve --demo --json --port 0 --database :memory:', /\}\n/);
  const { base_url, tenants } = announcement(server.said());
  access = { PRODUCT_PASSPORT_URL: base_url, PRODUCT_PASSPORT_KEY: tenants[0].api_key };
});
afterAll(async () => {
  await server.stop();
});

/** The environment of a new shell: without the entries that `npm test` adds to the PATH, its own Node included. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((each) => !/node_modules/.test(each))
  .join(delimiter);

/** Runs a command of the page of examples in the checkout. */
async function inCheckout(command: string) {
  expect(await readFile(join(root, 'examples/README.md'), 'utf8')).toContain(`\`${command}\``);
  return run(command, { ...access, PATH: path, NODE_OPTIONS: '' });
}

const inProject = (command: string, environment = access) => run(`cd ${project} && ${command}`, environment);

test('the Node script lists the incomplete passports', async () => {
  const { code, stdout } = await inProject('node incomplete.mjs');
  const lines = stdout.trim().split('\n');
  expect(lines).toContainEqual(expect.stringMatching(/^notebook-werkbank-14 80 %: [A-Z][^,]+$/));
  expect(lines.at(-1)).toBe(`${lines.length - 1} incomplete`);
  expect(code).toBe(1);
});

test('the CommonJS script creates a product', async () => {
  const created = await inProject("node create-product.cjs 'USB-C-Kabel 3 m'");
  expect(created).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^usb-c-kabel-3-m \d+ %\n$/) });
  expect(await inProject('node create-product.cjs')).toMatchObject({
    code: 2,
    stderr: 'Give the name of the product as the first argument.\n',
  });
});

test('the tests with the fake pass without a Jest configuration, and fail for a wrong program', async () => {
  const jestOfCheckout = `node ${join(root, 'node_modules/jest/bin/jest.js')} --rootDir . --testRegex 'test.js$'`;
  const plain = { ...access, NODE_OPTIONS: '' };
  expect(await inProject(jestOfCheckout, plain)).toMatchObject({ code: 0, stderr: expect.stringMatching(/5 passed/) });
  const program = join(project, 'relabel.js');
  const source = await readFile(program, 'utf8');
  await writeFile(program, source.replace('failed.push', 'String'));
  expect(await inProject(jestOfCheckout, plain)).toMatchObject({ code: 1, stderr: expect.stringMatching(/1 failed/) });
});

/** The commands of the examples and of the tutorial that make a client, with two articles for those that take a file. */
async function commandsWithClient(): Promise<Record<string, string>> {
  const articles = ['Artikelnummer;Bezeichnung;Warengruppe', 'A-1;Kabel;Kabel', 'A-2;Kabel;Kabel'];
  const file = join(folder, 'articles.csv');
  await writeFile(file, articles.join('\n'));
  const tutorial = await readFile(join(root, 'docs/tutorials/first-sync.md'), 'utf8');
  const [articlesOf, program] = [...tutorial.matchAll(/<<'END_OF_FILE'\n(.*?)^END_OF_FILE$/gms)].map(
    ([, text]) => text,
  );
  const own = join(project, 'my-sync');
  await mkdir(own, { recursive: true });
  await writeFile(join(own, 'articles.json'), articlesOf ?? '');
  await writeFile(join(own, 'sync.mjs'), program ?? '');
  return {
    'node-script': 'npm start -w examples/node-script',
    'commonjs-script': 'npm start -w examples/commonjs-script -- Kabel',
    proxy: 'npm start -w examples/proxy',
    opentelemetry: 'npm start -w examples/opentelemetry',
    'inventory-sync': `npm start -w examples/inventory-sync -- ${file}`,
    tutorial: `cd ${project} && node my-sync/sync.mjs`,
  };
}

test('every program prints a wait of more than two seconds', async () => {
  const commands = await commandsWithClient();
  const page = await readFile(join(root, 'examples/README.md'), 'utf8');
  for (const command of Object.values(commands)) expect(page).toContain(command.replace(/ -- .*|^cd .*/, ''));
  const folders = (await readdir(join(root, 'examples'), { recursive: true }))
    .filter((name) => /\.[cm]?[jt]s$/.test(name) && !/node_modules|\.test\./.test(name))
    .filter((name) => /\bcreateClient\(/.test(readFileSync(join(root, 'examples', name), 'utf8')));
  expect(Object.keys(commands).sort()).toEqual([...folders.map((name) => name.split('/')[0]), 'tutorial'].sort());

  await Promise.all(
    Object.entries(commands).map(async ([name, command]) => {
      const service = createFakeService();
      const [tenant] = service.provider.tenants;
      service.fault(tenant?.slug ?? '', { code: 'rate_limited', retryAfter: 3 });
      const served = await serveFetch((request) => service.fetch(request));
      const { stdout, stderr } = await run(command, {
        PRODUCT_PASSPORT_URL: `${served.url}/api/v1`,
        PRODUCT_PASSPORT_KEY: tenant?.api_key ?? '',
      });
      await served.close();
      const line =
        /^(?:GET|POST) 127\.0\.0\.1:\d+\/api\/v1\/\S+ → 429 rate_limited, \d+ ms \(attempt 1, .*again in 3\.\d s\)$/m;
      expect([name, stdout + stderr]).toEqual([name, expect.stringMatching(line)]);
    }),
  );
});

test('the tests with the fake pass in the checkout, and write into a service only if its own variables name it', async () => {
  const { PRODUCT_PASSPORT_URL: baseUrl = '', PRODUCT_PASSPORT_KEY: apiKey = '' } = access;
  const total = async () => (await createClient({ baseUrl, apiKey }).me.get()).products_total;
  const before = await total();
  const command = 'npm test -w examples/jest-tests';
  const passed = { code: 0, stderr: expect.stringMatching(/5 passed/) };
  expect(await inCheckout(command)).toMatchObject(passed);
  expect(await total()).toBe(before);
  const own = { PRODUCT_PASSPORT_TEST_URL: baseUrl, PRODUCT_PASSPORT_TEST_KEY: apiKey };
  expect(await run(command, { ...own, PATH: path, NODE_OPTIONS: '' })).toMatchObject(passed);
  expect(await total()).toBe(before + 63);
});

test('the GitHub Actions job is valid, and its commands run', async () => {
  const text = await readFile(join(root, 'examples/github-actions/passports.yml'), 'utf8');
  const { on, jobs }: Workflow = parse(text);
  expect(Object.keys(on)).toEqual(['schedule', 'workflow_dispatch']);
  for (const { 'runs-on': runner, steps } of Object.values(jobs)) {
    expect(runner).toBe('ubuntu-latest');
    for (const step of steps) expect([step.uses, step.run].filter(Boolean)).toHaveLength(1);
  }
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  expect(steps.flatMap(({ uses }) => uses ?? [])).toEqual(['actions/checkout@v4', 'actions/setup-node@v4']);
  expect(Object.keys(steps.at(-1)?.env ?? {})).toEqual(Object.keys(access));

  const commands = steps.flatMap((step) => step.run ?? []);
  await copyFile(tarball, join(project, basename(tarball)));
  await rm(join(project, 'node_modules/@product-passport'), { recursive: true });
  const offline = { npm_config_prefer_offline: 'true' };
  // No registry has the package yet: the test installs the packed one.
  const install = commands[0]?.replace('@product-passport/sdk@0.1.0', `./${basename(tarball)}`);
  expect(install).toBe(`npm install --no-save ./${basename(tarball)}`);
  expect(await inProject(`${install}`, offline)).toMatchObject({ code: 0 });
  expect(await inProject(commands[1] ?? '')).toMatchObject({ code: 1, stdout: expect.stringContaining('incomplete') });
  expect(commands).toHaveLength(2);
});
