/** The commands and links of every page: a command runs unchanged, or follows a mark that says why it does not. */
import { randomUUID } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connectSandbox } from '../../server/src/testing.ts';
import { builtManifest, manifestOf, packages } from '../../tools/packages.ts';
import { runHere } from '../support/command.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { newFolder } from '../support/files.ts';
import { announcement, freePort, type Outcome, type Running, root, run, start } from '../support/program.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const pages = globSync(
  ['*.md', '{docs,examples}/**/*.md', '{sdk,server,openapi,deploy,contracts}/{,conformance/}*.md'],
  {
    cwd: root,
    exclude: ['**/node_modules/**'],
  },
);
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The tests below follow the tutorials; `pact.test.ts` and `test/package/production.test.ts` run the others' commands. */
const ownTests = /^docs\/(?:tutorials\/|how-to\/production\.md$)|^contracts\/README\.md$/;

/** The lines of `sh` blocks without a mark, and the commands in tables of pages to start from. */
function commandsOf(page: string): string[] {
  const text = textOf(page);
  const blocks = Array.from(
    text.matchAll(/(<!-- not run[^\n]*-->\n\n)?^ *```sh\n(.*?)^ *```$/gms),
    ([, mark, lines = '']) => (mark === undefined ? lines.trim().split(/\n */) : []),
  );
  const cells = Array.from(text.matchAll(/^\|.*?\| `((?:npm|npx) [^`]+)` /gm), ([, command = '']) => command);
  return [...blocks.flat(), ...cells];
}

const commands = [...new Set(pages.filter((page) => !ownTests.test(page)).flatMap(commandsOf))];

/** The files that commands wrote in a folder of their own. */
const written = new Set<string>();

/** The commands that have a test. The set is complete before the first test runs, whichever tests are selected. */
const tried = new Set<string>();

/** A test of commands from the pages, unchanged. Each pattern must match exactly one command. */
function tries(title: string, forms: RegExp[], body: (...printed: string[]) => Promise<void>): void {
  const found = forms.map((form) => commands.filter((command) => form.test(command)));
  for (const command of found.flat()) tried.add(command);
  test(title, () => {
    expect(found).toEqual(forms.map(() => [expect.any(String)]));
    return body(...found.flat());
  });
}

const directory = newFolder();
/** A separate folder with links to the files of the checkout, because `npm start` creates the demo database in its folder. */
let checkout = '';
let running: Running[] = [];

beforeAll(async () => {
  checkout = join(directory, 'checkout');
  await mkdir(checkout);
  const names = (await readdir(root)).filter((name) => name !== '.git' && !name.includes('.sqlite'));
  await Promise.all(names.map((name) => symlink(join(root, name), join(checkout, name))));
});
afterEach(async () => {
  await Promise.all(running.map((program) => program.stop()));
  running = [];
});
afterAll(async () => {
  await (await demo)?.program.stop();
});

async function started(command: string, ready: RegExp, environment: Record<string, string>): Promise<Running> {
  const program = await start(command, ready, environment, checkout);
  running.push(program);
  return program;
}

function inCheckout(command: string, environment: Record<string, string> = {}): Promise<Outcome> {
  return run(command, environment, checkout);
}

interface Demo {
  program: Running;
  local: string;
  key: string;
}

let demo: Promise<Demo> | undefined;

async function startDemo(printed: string): Promise<Demo> {
  const [install, command = ''] = printed.split(' && ');
  expect(install).toBe('npm ci');
  const port = String(await freePort());
  const program = await start(command, /Ready in \d+ ms/, { PORT: port }, checkout);
  return { program, local: `http://127.0.0.1:${port}`, key: /ppk_[\w-]{43}/.exec(program.said())?.[0] ?? '' };
}

/** The demo of `npm start` as on the pages, but on a free port. Several tests share it. */
function npmStart(printed: string): Promise<Demo> {
  demo ??= startDemo(printed);
  return demo;
}

describe('the pages', () => {
  tries(
    'npm start prints an address, API keys, and curl commands that work as printed',
    [/npm start$/],
    async (npm) => {
      const { local, program } = await npmStart(npm);
      const said = program.said();
      expect(said).toContain(`${local}/api/v1`);
      expect(said).toContain(`Reference ${local}/docs\n`);
      const page = `${local}/p/skellig/e-bike-battery-sprint-625`;
      const addresses = ['Passport', 'Recycler', 'Inspector'].map(
        (name) =>
          said
            .split('\n')
            .find((line) => line.startsWith(`  ${name} `))
            ?.split(/ +/)[2] ?? '',
      );
      expect(addresses).toEqual([page, `${local}/demo/recycler`, `${local}/demo/inspector`]);
      const shown = await Promise.all(addresses.map(async (address) => (await fetch(address)).text()));
      expect(new Set(shown).size).toBe(3);
      const lines = said.split('\n').filter((line) => line.startsWith('  curl '));
      expect(lines).toHaveLength(3);
      const [me, search, resolver] = await Promise.all(lines.map((line) => run(line)));
      expect(JSON.parse(me?.stdout ?? '')).toMatchObject({ tenant: { slug: 'skellig' }, products_total: 9 });
      expect(JSON.parse(search?.stdout ?? '')).toMatchObject({ total: 1, items: [{ slug: 'usb-c-cable-240-w-2-m' }] });
      expect(resolver?.stdout).toMatch(/^HTTP\/1\.1 307 /);
      expect(resolver?.stdout).toContain(`location: ${local}/p/skellig/usb-c-cable-240-w-2-m`);
    },
  );

  const exports = [/^export PRODUCT_PASSPORT_URL=/, /^export PRODUCT_PASSPORT_KEY=/];
  const integrator = [/npm start$/, ...exports, /commonjs-script/, /inventory-sync$/, /--all-complete/];
  tries('the integrator’s programs run, and the imported products become public', integrator, async (npm, ...lines) => {
    const [exportUrl = '', exportKey = '', createProduct = '', syncInventory = '', activate = ''] = lines;
    const { local, key } = await npmStart(npm);
    // The addresses of `npm start` as it is printed, with another port and a key that is there.
    const exported = [
      exportUrl.replace('http://127.0.0.1:3000/', `${local}/`),
      exportKey.replace('ppk_the_key_that_npm_start_printed', key),
    ];
    const made = await inCheckout([...exported, createProduct].join('\n'));
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^usb-c-cable-3-m \d+ %$/m) });
    // The first rows of its inventory: the example's own tests import the whole.
    const inventory = await readFile(join(root, 'examples/inventory-sync/inventory.csv'), 'utf8');
    const rows = join(directory, 'first-rows.csv');
    await writeFile(rows, inventory.split('\r\n').slice(0, 69).join('\r\n'));
    const sync = await inCheckout([...exported, `${syncInventory} -- ${rows}`].join('\n'));
    // Some rows of the inventory are invalid on purpose.
    expect(sync).toMatchObject({ code: 1, stdout: expect.stringMatching(/ 3 rejected/) });
    const found = await fetch(`${local}/api/v1/products?limit=1`, { headers: { authorization: `Bearer ${key}` } });
    expect((await found.json()).total).toBeGreaterThan(35);

    const page = `${local}/p/skellig/tx-41001`;
    expect((await fetch(page)).status).toBe(404);
    const published = await inCheckout(activate);
    expect(published).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+ products were activated\.$/m) });
    expect((await fetch(page)).status).toBe(200);
  });

  /** Follows a tutorial step by step, and compares what each command prints with the page. `…` stands for any text. */
  async function follow(name: string, service: { local: string; key: string }): Promise<void> {
    const here = (text: string): string =>
      text
        .replaceAll('http://127.0.0.1:3000', service.local)
        .replaceAll('ppk_the_key_that_npm_start_printed', service.key)
        .trim();
    const environment: Record<string, string> = { PORT: new URL(service.local).port };
    const steps = Array.from(
      textOf(`docs/tutorials/${name}.md`).matchAll(/^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```)?/gms),
      ([, command = '', output = '…']) => [here(command), here(output)] as const,
    );
    expect(steps.length).toBeGreaterThan(6);
    for (const [command, output] of steps) {
      for (const [, variable = '', value = ''] of command.matchAll(/^export (\w+)=(.*)$/gm))
        environment[variable] = value;
      // The demo runs already.
      if (command === 'npm start' || command.startsWith('export ')) continue;
      if (/product-passport serve$/.test(command)) {
        await started(command, /Ready in/, environment);
        continue;
      }
      const { code, stdout } = await inCheckout(command, environment);
      expect([command, code]).toEqual([command, 0]);
      const parts = output.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      expect(stdout.trim()).toMatch(new RegExp(`^${parts.join('[^]*')}$`));
    }
  }

  test('the tutorial of the first passport prints what it shows', async () => {
    await follow('first-passport', { local: `http://127.0.0.1:${await freePort()}`, key: '' });
  });

  tries('the tutorial of the first sync prints what it shows', [/npm start$/], async (npm) => {
    const { local, key } = await npmStart(npm);
    await follow('first-sync', { local, key });
    expect((await fetch(`${local}/p/skellig/cable-1-m`)).status).toBe(200);
  });

  const mock = [/^npm run mock$/, /gs1resolver$/, /curl .*\/me$/, /curl .*code=404/, /curl .*example=last_page/];
  tries('Prism responds as its page says', mock, async (npm, ready, me, missing, page) => {
    const port = String(await freePort());
    const curl = async (line = '') => JSON.parse((await run(line.replaceAll(':4010', `:${port}`))).stdout);
    // It waits until Prism listens.
    const [resolver] = await Promise.all([curl(ready), started(`${npm} -- --port ${port}`, /Prism is listening/, {})]);
    expect(resolver).toMatchObject({ resolverRoot: expect.stringMatching(/^https:/) });
    expect(await curl(me)).toMatchObject({ tenant: { slug: 'skellig' } });
    expect(await curl(missing)).toMatchObject({ error: { code: 'not_found' } });
    expect(await curl(page)).toMatchObject({ total: 3, offset: 2 });
  });

  tries('the API reference is written as files', [/^npm run docs$/], async (docs) => {
    expect(await inCheckout(docs)).toMatchObject({ code: 0 });
    expect(await readFile(join(checkout, 'dist/docs/index.html'), 'utf8')).toContain('<h1');
  });

  tries('verify client finds an example conformant', [/product-passport-contracts verify client/], async (verify) => {
    const { code, stdout, stderr } = await inCheckout(verify);
    expect(`${stdout}${stderr}`).toMatch(/^conformant\b/m);
    expect(code).toBe(0);
  });

  const proofs = [
    /contracts verify --start '[^']*'$/,
    /contracts verify --start .*--claim/,
    /contracts init/,
    /contracts plan$/,
  ];
  // The packed suite runs every case of the same command: test/package/readmes.test.ts.
  tries('verify finds nothing wrong with the demo server', proofs, async (short, verify, init, plan) => {
    expect(verify).toContain(short);
    expect(await inCheckout(init)).toMatchObject({ code: 0 });
    expect(await readFile(join(checkout, 'provider.json'), 'utf8')).toContain('base_url');
    expect(await inCheckout(plan)).toMatchObject({ code: 0, stdout: expect.stringContaining('createProduct') });
    const { code, stdout, stderr } = await inCheckout(`${verify} --only PAGE,PUB --generated 0`);
    expect(`${stdout}${stderr}`).toMatch(/^passed: The cases that were asked for passed\. Others did not run\.$/m);
    expect(code).toBe(0);
    const report = JSON.parse(await readFile(join(checkout, 'report/report.json'), 'utf8'));
    expect(report).toMatchObject({
      claims: ['core', 'public', 'digital-link', 'reference'],
      counts: { failed: 0, skipped: 0, error: 0 },
    });
    expect(report.counts.passed).toBeGreaterThan(50);
  });

  const remembering = [/^npx product-passport serve --demo --json/];
  tries('the stateful mock prints its address in one line of JSON', remembering, async (serve) => {
    const program = await started(serve, /\}\n/, {});
    const listening = announcement(program.said());
    const secrets = /(?<=")(?:ey|ppk_)[\w.-]+|(?<=127\.0\.0\.1:)\d+/g;
    expect(JSON.parse(JSON.stringify(listening).replaceAll(secrets, 'RANDOM'))).toMatchSnapshot();
  });

  const controlled = [/^npx product-passport serve --sandbox/];
  tries('the sandbox creates a tenant, and stops with its standard input', controlled, async (serve) => {
    const [printed, done] = [join(directory, 'sandbox.json'), join(directory, 'done')];
    await writeFile(printed, '');
    const ended = inCheckout(`(until [ -e ${done} ]; do sleep 0.1; done) | ${serve} > ${printed}`);
    let line = '';
    while (!line.endsWith('}\n')) line = await readFile(printed, 'utf8');
    const { base_url: baseUrl, control_token: controlToken } = JSON.parse(line);
    const tenant = await connectSandbox({ baseUrl, controlToken }).createTenant();
    const me = await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${tenant.apiKey}` } });
    expect(me.status).toBe(200);
    await writeFile(done, '');
    expect(await ended).toMatchObject({ code: 0 });
    await expect(fetch(baseUrl)).rejects.toThrow('fetch failed');
  });

  /** The commands of an operator in their order, and what each prints. `npx` starts those that begin with it once more. */
  const operator: readonly (readonly [form: RegExp, printed?: RegExp])[] = [
    [/^npx product-passport migrate$/, /The database is up to date\./],
    [/tenant create my-shop/],
    [/^npx .*key create --tenant my-shop/, /^ppk_/],
    [/serve --site-url/],
    [/9090\/readyz$/, /^\{"status":"ready"\}$/],
    [/9090\/metrics$/, /product_passport_requests_total/],
    [/^KEY=/, /^ppk_/],
    [/key revoke ID/],
    [/--help$/, /Usage: product-passport/],
    [/config --rate-limit 600$/, /--rate-limit/],
    [/product list/, /usb-c-cable/],
    [/product activate usb-c-cable/],
    [/template readiness battery/, /Ready: 0 of 0/],
    [/token create/, /^ey[\w.-]+/m],
    [/carrier image/],
    [/carrier sheet/],
    [/product archive/],
    [/key list/, /inventory/],
    [/passport stats$/, /1 archived/],
    [/passport audit /, /product archive/],
    [/scan confirm-clock$/, /^It is 20/],
    [/tenant scans my-shop off$/, /^The scans of my-shop are off\./],
    [/tenant operator my-shop/, /^The economic operator of my-shop is 0088:9520001000003/],
    [/tenant show my-shop$/, /Operator +0088:9520001000003/],
    [/scan delete --tenant my-shop --yes$/, /^Deleted the counts of 2 scans /],
  ];
  const forms = [/^export PRODUCT_PASSPORT_DATABASE=/, ...operator.map(([form]) => form)];
  // test/server/cli/sessions.test.ts runs commands on SQLite, too.
  tries('the operator’s commands create a tenant that the server serves from PostgreSQL', forms, async (...all) => {
    const [chooses, ...lines] = all;
    expect(chooses).toMatch(/=postgres:\/\/passport:\w+@127\.0\.0\.1:5432\/passport$/);
    const environment = { PRODUCT_PASSPORT_DATABASE: await newPostgresDatabase(), PORT: String(await freePort()) };
    const adminPort = String(await freePort());
    const here = async (command: string) => (await runHere(`product-passport ${command}`, environment)).stdout;

    /** What has to be there before a command. */
    async function prepare(line: string): Promise<string> {
      if (line.includes('key revoke ID')) {
        const [first] = JSON.parse(await here('key list --json')).items;
        return line.replace('ID', first.id);
      }
      if (line.includes('product list'))
        await here("product create usb-c-cable --name 'USB-C cable' --gtin 9520001200045");
      if (line.includes('product archive')) {
        const page = `http://127.0.0.1:${environment.PORT}/p/my-shop/usb-c-cable`;
        const views = [await fetch(page), await fetch(page)];
        expect(views.map(({ status }) => status)).toEqual([200, 200]);
      }
      return line.startsWith('KEY=') ? `${line}; echo "$KEY"` : line.replace('9090', adminPort);
    }
    for (const [at, [, printed = /^/]] of operator.entries()) {
      const line = await prepare(lines[at] ?? '');
      if (line.includes(' serve ')) {
        await started(line, /Ready in/, environment);
        continue;
      }
      // The process of the test runs the command, without npx, unless it writes a file or needs a shell.
      const isPlain = /^npx product-passport [\w ./:'-]+$/.test(line) && !/tenant create|carrier/.test(line);
      const { code, stdout } = isPlain
        ? await runHere(line.replace('npx ', ''), environment)
        : await inCheckout(line, environment);
      expect([line, code, stdout]).toEqual([line, 0, expect.stringMatching(printed)]);
    }
    expect(await readFile(join(checkout, 'label.svg'), 'utf8')).toContain('<svg');
    expect(await readFile(join(checkout, 'labels.html'), 'utf8')).toContain('>(01) 09520001200045</text>');
  });

  const keeping = [
    /backup monday/,
    /backup --verify/,
    /restore monday/,
    /check-hashes --database/,
    /backup before-upgrade/,
    /migrate$/,
    /check-hashes$/,
    /^mkdir -m 700/,
    /^mv /,
    /restore before-upgrade\.backup$/,
  ];
  tries('a database is backed up, restored and upgraded', keeping, async (...lines) => {
    const folder = newFolder();
    await runHere("product-passport tenant create my-shop --name 'My Shop' --country DE", {
      PRODUCT_PASSPORT_DATABASE: join(folder, 'product-passport.sqlite'),
    });
    process.chdir(folder);
    try {
      for (const line of lines) {
        const { code, stderr } = await (line.startsWith('npx ')
          ? runHere(line.replace('npx ', ''))
          : run(`cd ${folder} && ${line}`));
        expect([line, code, stderr]).toEqual([line, 0, '']);
      }
    } finally {
      process.chdir(root);
    }
    expect(existsSync(join(folder, 'after-upgrade/product-passport.sqlite'))).toBe(true);
    for (const each of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (each.isFile()) written.add(each.name).add(`${each.name}.${randomUUID()}.tmp`);
    expect([...written].sort()).toEqual(
      expect.arrayContaining(['before-upgrade.backup', 'monday.backup', 'product-passport.sqlite', 'restored.sqlite']),
    );
  });

  test('has no command without a test', async () => {
    // These tests run the commands of the examples.
    const others = await Promise.all(
      ['programs', 'inventory-sync'].map((name) => readFile(join(root, `test/examples/${name}.test.ts`), 'utf8')),
    );
    const untried = commands.filter((command) => !tried.has(command) && !others.some((text) => text.includes(command)));
    expect(untried).toEqual([]);
    expect(tried.size).toBeGreaterThan(40);
  });

  test('leave nothing in the clone that git would add', async () => {
    const entries = await readdir(checkout, { withFileTypes: true });
    const made = entries
      .filter((entry) => !entry.isSymbolicLink())
      .map((entry) => entry.name + (entry.isDirectory() ? '/' : ''));
    expect(made).toContain('my-shop/');
    made.push(...written);
    const { stdout } = await run(`printf '%s\\n' ${made.join(' ')} | git check-ignore --stdin`);
    expect(made.filter((name) => !stdout.split('\n').includes(name))).toEqual([]);
  });
});

test('the page on releases names the only files that mention the SQLite driver', async () => {
  const { stdout } = await run('grep -rl sqlite3 server/src');
  const [, named = ''] = /Three files name the driver:\n(.*?)\n\n/s.exec(textOf('docs/how-to/release.md')) ?? [];
  const linked = Array.from(named.matchAll(/\]\(..\/..\/([^)]+)\)/g), ([, file]) => file);
  expect(linked.sort()).toEqual(stdout.trim().split('\n').sort());
});

test('CONTRIBUTING has a line for each of at most 24 scripts and at most 150 lines, and the gate runs all checks', async () => {
  const gate = await readFile(join(root, '.ci/run'), 'utf8');
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const contributing = textOf('CONTRIBUTING.md');
  const named = (script: string) => new RegExp(`\\bnpm (run )?${script}\\b`).test(contributing);
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(24);
  expect(Object.keys(scripts).filter((script) => !named(script) && script !== 'postinstall')).toEqual([]);
  expect(contributing.split('\n').length).toBeLessThanOrEqual(151);
  for (const part of ['npm run test:all -- --ci', ...scripts.check.split(' && ')]) expect(gate).toContain(part);
});

test('the README has at most 150 lines, and the Node versions of the packages', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(151);
  for (const built of packages) {
    const manifest = manifestOf(built.workspace);
    const published = JSON.parse(JSON.stringify(builtManifest(built, manifest, { files: [], repository: undefined })));
    const row = readme.split('\n').find((line) => line.startsWith('| [`') && line.includes(`\`${manifest.name}\``));
    expect(row).toContain(`| ${published.engines.node.replace('>=', '')} or later`);
  }
});

/** The fragment of a heading on GitHub. */
const fragmentOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

test('every link and picture of every page leads somewhere, and pages of packages stay within their package', () => {
  const dead: string[] = [];
  let links = 0;
  for (const page of pages) {
    const text = textOf(page).replaceAll(/^ *```.*?^ *```$/gms, '');
    for (const [, link = ''] of text.matchAll(/(?:\]\(|src=")(?!https?:)([^)"\s]+)/g)) {
      links += 1;
      const [path = '', fragment] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      const isOutside =
        /^CHANGELOG\.md$|^(sdk|server|openapi|contracts\/conformance)\/README\.md$/.test(page) &&
        target !== page &&
        path !== 'api.md';
      const headings = () => [...textOf(target).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => fragmentOf(heading));
      if (isOutside || !existsSync(join(root, target)) || (fragment && !headings().includes(fragment)))
        dead.push(`${page}: ${link}`);
    }
  }
  expect(dead).toEqual([]);
  expect(links).toBeGreaterThan(80);
});

test.each(['CONTRIBUTING.md', 'docs/how-to/change-pages.md', 'docs/how-to/release.md'])(
  '%s names files that exist',
  (page) => {
    const parts = '(?:openapi|sdk|server|contracts|test|tools|docs|examples|deploy)';
    const named = textOf(page).matchAll(new RegExp(`(?<=[\\s\`])${parts}/[a-z][\\w./-]*\\b`, 'g'));
    const files = Array.from(named, ([path]) => path);
    expect(files.filter((file) => !existsSync(join(root, file)) && !existsSync(join(root, `${file}.ts`)))).toEqual([]);
  },
);
