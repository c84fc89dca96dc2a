/**
 * The programs of `examples`, as examples/README.md starts them, against the fake service: each prints what its snapshot has, and
 * the wait of a 429. `test:runtimes` runs the page against the reference server.
 */
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, delimiter, extname, join } from 'node:path';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { createFakeService } from '../../sdk/src/testing.ts';
import { launchBrowser } from '../support/browser.ts';
import { ending, newFolder } from '../support/files.ts';
import { installPacked } from '../support/packages.ts';
import { type Outcome, root, run } from '../support/program.ts';
import { listen, serveFetch } from '../support/serve.ts';

jest.setTimeout(120_000);

interface Workflow {
  on: object;
  jobs: Record<string, { 'runs-on': string; steps: { uses?: string; run?: string; env?: Record<string, string> }[] }>;
}

const folder = newFolder();
const page = await readFile(join(root, 'examples/README.md'), 'utf8');
/** A project that has the packed SDK. */
let project = '';
let tarball = '';

beforeAll(async () => {
  const installed = await installPacked(folder, 'contracts');
  project = installed.project;
  [, , tarball = ''] = installed.tarballs;
});

/** The fake service on a port, and the variables with its address and key. */
async function served() {
  const service = createFakeService();
  const [tenant] = service.provider.tenants;
  const { url } = await serveFetch((request) => service.fetch(request));
  const access = { PRODUCT_PASSPORT_URL: `${url}/api/v1`, PRODUCT_PASSPORT_KEY: tenant?.api_key ?? '' };
  return { service, tenant: tenant?.slug ?? '', url, access };
}

/** The environment of a new shell: without the entries that `npm test` adds to the PATH, its own Node included. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((each) => !/node_modules/.test(each))
  .join(delimiter);
const inCheckout = (command: string, access: Record<string, string>) =>
  run(command, { ...access, PATH: path, NODE_OPTIONS: '' });

/** What a program printed, without what differs from run to run. */
function printed({ code, stdout, stderr }: Outcome) {
  const text = (given: string) =>
    given
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
      .replaceAll(/\d+ ms\b/g, 'N ms')
      .replaceAll(/request-\d+/g, 'ID')
      .replaceAll(/in \d+\.\d s\b/g, 'in N s')
      .split('\n')
      .filter((line) => !/^(?:> |npm )/.test(line))
      .join('\n')
      .trim();
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

const programs = [
  'npm start -w examples/node-script',
  "npm start -w examples/commonjs-script -- 'USB-C cable 3 m'",
  'npm start -w examples/proxy',
  'npm start -w examples/inventory-sync -- ARTICLES',
  'cd PROJECT && node my-sync/sync.mjs',
];

/** What each program printed. They wait at the same time. */
let outcomes: Record<string, ReturnType<typeof printed>> = {};

beforeAll(async () => {
  const tutorial = await readFile(join(root, 'docs/tutorials/first-sync.md'), 'utf8');
  const files = tutorial.matchAll(/cat > (\S+) <<'END_OF_FILE'\n(.*?)^END_OF_FILE$/gms);
  await mkdir(join(project, 'my-sync'));
  for (const [, name = '', text = ''] of files) await writeFile(join(project, name), text);
  const articles = join(folder, 'articles.csv');
  const rows = ['Artikelnummer;Bezeichnung;Warengruppe', 'A-1;Kabel;Kabel', 'A-2;Kabel;Kabel'];
  await writeFile(articles, rows.join('\n'));
  const printedBy = async (command: string) => {
    const { service, tenant, access } = await served();
    service.fault(tenant, { code: 'rate_limited', retryAfter: 3 });
    const line = command.replace('ARTICLES', articles).replace('PROJECT', project);
    return [command, printed(await inCheckout(line, access))];
  };
  outcomes = Object.fromEntries(await Promise.all(programs.map(printedBy)));
});

test.each(programs)('%s', (command) => {
  expect(outcomes[command]).toMatchSnapshot();
});

test('the CommonJS script names what it lacks', async () => {
  const { access } = await served();
  expect(await inCheckout('npm start -w examples/commonjs-script', access)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give the name of the product as the first argument.\n'),
  });
});

test('the Jest tests write into a service only if their own variables name it', async () => {
  const { service, access } = await served();
  const total = async () => {
    const headers = { authorization: `Bearer ${access.PRODUCT_PASSPORT_KEY}` };
    return (await (await service.fetch(`${service.provider.base_url}/me`, { headers })).json()).products_total;
  };
  const before = await total();
  const passed = { code: 0, stderr: expect.stringMatching(/5 passed/) };
  const command = 'npm test -w examples/jest-tests';
  expect(await inCheckout(command, access)).toMatchObject(passed);
  expect(await total()).toBe(before);
  const { PRODUCT_PASSPORT_URL: url, PRODUCT_PASSPORT_KEY: key } = access;
  const own = { PRODUCT_PASSPORT_TEST_URL: url, PRODUCT_PASSPORT_TEST_KEY: key };
  expect(await inCheckout(command, own)).toMatchObject(passed);
  expect(await total()).toBe(before + 63);
});

test('the page shows a passport in both languages, and says that it waits', async () => {
  const { service, tenant, url } = await served();
  await cp(join(root, 'examples/browser-page/index.html'), join(project, 'index.html'));
  const types: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html' };
  const files = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
    const bytes = await readFile(join(project, pathname)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, { 'content-type': types[extname(pathname)] ?? 'text/plain' }).end(bytes);
  });
  const site = await listen(files);
  const browser = ending.use(await launchBrowser());
  const shown: string[] = [];
  for (const lang of ['de', 'en']) {
    const opened = await browser.newPage();
    service.fault(tenant, { code: 'rate_limited', retryAfter: 3 });
    await opened.goto(`${site}/index.html?site=${url}&tenant=${tenant}&product=bicycle-helmet&lang=${lang}`);
    await opened.waitForFunction("document.querySelector('p').textContent !== ''");
    shown.push((await opened.locator('p').textContent()) ?? '');
    await opened.waitForFunction("/^[✓✗]/.test(document.querySelector('p').textContent)");
    shown.push((await opened.locator('main > *:not(dl), dt, dd').allTextContents()).join(' | '));
  }
  expect(shown).toMatchSnapshot();
});

test('each program has a test, and its command is on the page', async () => {
  const others = ['README.md', 'github-actions', 'gitlab-ci', 'opentelemetry', 'opentelemetry-server'];
  const folders = (await readdir(join(root, 'examples'))).filter((name) => !others.includes(name));
  const named = programs.flatMap((command) => /examples\/([\w-]+)/.exec(command)?.[1] ?? []);
  expect([...named, 'jest-tests', 'browser-page'].sort()).toEqual(folders.sort());
  for (const command of programs) expect(page).toContain(command.replace(/ -- ARTICLES|^cd .*/, ''));
});

test('the GitHub Actions job is valid, and its commands run', async () => {
  const { access } = await served();
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

  const [install = '', list = '', ...more] = steps.flatMap((step) => step.run ?? []);
  expect(more).toEqual([]);
  await copyFile(join(root, 'examples/node-script/incomplete.mjs'), join(project, 'incomplete.mjs'));
  await copyFile(tarball, join(project, basename(tarball)));
  await rm(join(project, 'node_modules/@product-passport'), { recursive: true });
  // No registry has the package yet: the test installs the packed one.
  const packed = install.replace('@product-passport/sdk@0.1.0', `./${basename(tarball)}`);
  expect(packed).toBe(`npm install --no-save ./${basename(tarball)}`);
  expect(await run(packed, { npm_config_prefer_offline: 'true' }, project)).toMatchObject({ code: 0 });
  expect(await run(list, access, project)).toMatchObject({ code: 1, stdout: expect.stringContaining('incomplete') });
});
