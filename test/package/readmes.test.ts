/**
 * The READMEs of the packages, in empty folders with the packages from their tarballs: their programs, and the commands
 * that the checkout cannot run as they are written. Each runs on the oldest Node
 * that its package supports. The checkout runs on the newest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import ts from 'typescript';
import { newFolder } from '../support/files.ts';
import { type Installed, installed, installPacked, packedByRun } from '../support/packages.ts';
import { announcement, freePort, type Running, run, start } from '../support/program.ts';

jest.setTimeout(240_000);

const versions = { '20': '20.20.2', '22.12': '22.12.0' };
type Version = keyof typeof versions;

/** An empty folder with a package, and the README as the package has it. */
interface Project extends Installed {
  readonly readme: string;
}

const folder = newFolder();
let projects: Record<'sdk' | 'server' | 'contracts', Project>;
/** The commands of the server's README. The first one starts the demo, which all tests use. */
const serverForms = {
  demo: /serve --demo$/,
  memory: /:memory: --stop-with-stdin$/,
  sandbox: /--sandbox/,
  create: / tenant create /,
  serve: / --site-url /,
};
/** The server of the packed package. */
let demo: Running;
/** The environment in which `node` and `npx` have a version. */
const environments: Partial<Record<Version, Record<string, string>>> = {};

async function readmeIn(installed: Installed, workspace: string): Promise<Project> {
  const own = join(installed.project, 'node_modules/@product-passport', workspace);
  return { ...installed, readme: await readFile(join(own, 'README.md'), 'utf8') };
}

beforeAll(async () => {
  for (const [name, version] of Object.entries(versions)) {
    const bin = join(await installed([`node@${version}`]), 'node_modules/node/bin');
    environments[name as Version] = { PATH: `${bin}${delimiter}${process.env.PATH}`, NODE_OPTIONS: '' };
  }
  const [server, contracts] = await Promise.all([
    installPacked(join(folder, 'server'), 'server'),
    installPacked(join(folder, 'contracts'), 'contracts'),
  ]);
  projects = {
    sdk: await readmeIn(contracts, 'sdk'),
    server: await readmeIn(server, 'server'),
    contracts: await readmeIn(contracts, 'contracts'),
  };
  const commands = found(projects.server.readme, serverForms);
  demo = await start(`${commands.demo} --json --port 0`, /\}\n/, environments['22.12'], server.project);
});
afterAll(async () => {
  await demo.stop();
});

/** The blocks of a README in one language; with a `reason`, those that say so. */
function blocks(readme: string, language: string, reason?: string): string[] {
  const mark = reason === undefined ? '' : `<!-- not run here: ${reason} -->\\n\\n`;
  return Array.from(
    readme.matchAll(new RegExp(`^${mark}\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')),
    ([, code = '']) => code,
  );
}

/** The commands that need an empty folder. */
const commandsOf = (readme: string) =>
  blocks(readme, 'sh', 'test/package/readmes.test.ts runs it in an empty folder').flatMap((block) =>
    block.trim().split('\n'),
  );

/** Finds the command of each form. Each form must match one command, and each command must have a form. */
function found<Name extends string>(readme: string, forms: Record<Name, RegExp>): Record<Name, string> {
  const commands = commandsOf(readme);
  const named = Object.entries<RegExp>(forms).map(
    ([name, form]) => [name, commands.filter((command) => form.test(command))] as const,
  );
  expect(named.map(([name, matches]) => [name, matches.length])).toEqual(named.map(([name]) => [name, 1]));
  expect(named.flatMap(([, matches]) => matches).toSorted()).toEqual(commands.toSorted());
  return Object.fromEntries(named.map(([name, [match]]) => [name, match])) as Record<Name, string>;
}

describe('@product-passport/sdk on Node 20', () => {
  const environment = () => ({
    ...environments['20'],
    PRODUCT_PASSPORT_KEY: announcement(demo.said()).tenants[0].api_key,
  });

  test('runs the program of its README', async () => {
    const { readme, project } = projects.sdk;
    const { site_url } = announcement(demo.said());
    const program = blocks(readme, 'ts')
      // The block that plugs the fake service into MSW has a test of its own.
      .filter((block) => !block.includes("from 'msw'"))
      .join('\n')
      .replaceAll('https://passport.example.com', site_url)
      .replaceAll('https://id.example.org/01/09520001200045/21/SN-1', `${site_url}/01/09520001200045`);
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
    await writeFile(join(project, 'readme.mjs'), ts.transpileModule(program, { compilerOptions }).outputText);
    const { code, stdout, stderr } = await run('node readme.mjs', environment(), project);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trim().split('\n')).toEqual(
      expect.arrayContaining([
        'Skellig Goods Ltd has 9 products',
        expect.stringMatching(/^\d+ of \d+$/),
        'usb-c-cable-240-w-2-m 100',
        '09520001200045 SN-1',
        expect.stringMatching(/^\d+ percent complete$/),
        expect.stringMatching(
          /^GET .*\/no-such-product\/passport → 404 not_found: The tenant of this key has no product with this slug\./,
        ),
        'listProducts getProduct getProduct listProducts getProduct',
      ]),
    );
  });

  test('is installed by the command of its README, with the tarball in place of the name', async () => {
    const { readme } = projects.sdk;
    const { tarballs } = await packedByRun();
    const { command } = found(readme, { command: /^npm install @product-passport\/sdk$/ });
    const empty = newFolder();
    const options = ' --prefer-offline --no-audit --no-fund';
    const line = command.replace('@product-passport/sdk', tarballs.sdk ?? '') + options;
    expect(await run(line, { ...environment(), npm_config_engine_strict: 'true' }, empty)).toMatchObject({ code: 0 });
    const use = "import('@product-passport/sdk').then(({ createClient }) => console.log(typeof createClient))";
    expect(await run(`node -e "${use}"`, environment(), empty)).toMatchObject({ stdout: 'function\n', stderr: '' });
  });
});

describe('@product-passport/server on Node 22.12', () => {
  const environment = () => environments['22.12'] ?? {};

  test('creates a tenant, and serves it at its public address', async () => {
    const { readme, project } = projects.server;
    const { create, serve } = found(readme, serverForms);
    expect(await run(create, environment(), project)).toMatchObject({ code: 0 });
    const server = await start(serve, /Ready in/, { ...environment(), PORT: String(await freePort()) }, project);
    expect(server.said()).toContain('https://passport.example.com/api/v1');
    await server.stop();
  });

  test.each(['memory', 'sandbox'] as const)('%s: serves a test runner, and stops with its pipe', async (name) => {
    const { readme, project } = projects.server;
    const serve = found(readme, serverForms)[name];
    const env = { ...process.env, ...environment() };
    const child = spawn('bash', ['-c', serve], { cwd: project, env, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    const [line] = await once(createInterface(child.stdout), 'line');
    const { base_url, site_url, tenants, control_token } = announcement(line);
    const control = { method: 'POST', headers: { authorization: `Bearer ${control_token}` } };
    const tenant = tenants[0] ?? (await (await fetch(`${site_url}/_sandbox/tenants`, control)).json());
    const headers = { authorization: `Bearer ${tenant.api_key}` };
    expect(await fetch(`${base_url}/me`, { headers })).toMatchObject({ status: 200 });
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
    await expect(fetch(`${base_url}/me`, { headers })).rejects.toThrow();
  });

  test('runs the programs of its README', async () => {
    const { readme, project } = projects.server;
    const [inTests = '', sandbox = '', own = '', ...more] = blocks(readme, 'js');
    expect(more).toEqual([]);
    await writeFile(join(project, 'in-tests.mjs'), inTests);
    await writeFile(join(project, 'sandbox.mjs'), sandbox);
    const stop = 'console.log(app.info.started > 0); await app.stop(); await database.destroy();\n';
    await writeFile(join(project, 'own.mjs'), own.replace('port: 3000', 'port: 0') + stop);
    const line = 'node in-tests.mjs && node sandbox.mjs && node own.mjs';
    const { stdout, stderr } = await run(line, environment(), project);
    expect(stderr).not.toMatch(/error/i);
    expect(stdout).toMatch(/slug: 'test-shop'.*products_total: 0.*\n503\n\[ 'getProduct' \]\ntrue\n$/s);
  });
});

/** A program that waits as long as a 429 says. */
const patientClient = `
const { PRODUCT_PASSPORT_URL: url, PRODUCT_PASSPORT_KEY: key } = process.env;
for (;;) {
  const response = await fetch(url + '/me', { headers: { authorization: 'Bearer ' + key } });
  if (response.ok) break;
  if (response.status !== 429) throw new Error('The service responded with ' + response.status);
  await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after')) * 1000));
}
`;

/** A HAR of one request. */
async function recorded(url: string, init: { headers: Record<string, string> }): Promise<string> {
  const response = await fetch(url, init);
  const named = (all: Iterable<[string, string]>) => Array.from(all, ([name, value]) => ({ name, value }));
  const request = { method: 'GET', url, headers: named(Object.entries(init.headers)) };
  const content = { mimeType: 'application/json', text: await response.text() };
  const entries = [{ request, response: { status: response.status, headers: named(response.headers), content } }];
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } });
}

describe('@product-passport/contracts on Node 22.12', () => {
  test('runs the commands of its README', async () => {
    const { readme, project } = projects.contracts;
    const { init, plan, whole, short, client, score, link, links, dpp, har, proxy } = found(readme, {
      init: / init > provider\.json$/,
      plan: / plan$/,
      whole: / --provider /,
      short: / verify --base-url /,
      client: / verify client --command /,
      score: / verify client --mutants /,
      link: / verify link https/,
      links: / --file /,
      dpp: / verify dpp https/,
      har: / har /,
      proxy: / proxy /,
    });
    const { site_url, tenants } = announcement(demo.said());
    const environment = { ...environments['22.12'], PRODUCT_PASSPORT_KEY: tenants[0].api_key };
    const outcome = (command: string) =>
      run(command.replaceAll('https://passport.example.com', site_url), environment, project);

    expect(await outcome(init)).toMatchObject({ code: 0 });
    expect(await readFile(join(project, 'provider.json'), 'utf8')).toContain('base_url');
    await writeFile(join(project, 'provider.json'), demo.said());
    expect(await outcome(plan)).toMatchObject({ code: 0, stdout: expect.stringContaining('createProduct') });
    // In the checkout it runs with generated requests too.
    const verified = await outcome(`${whole} --generated 0`);
    expect(`${verified.stdout}${verified.stderr}`).toMatch(/^conformant\b/m);
    expect(verified.code).toBe(0);
    // With a single key, not every case can run.
    expect(await outcome(`${short} --generated 0`)).toMatchObject({ code: 3 });

    await writeFile(join(project, 'client.mjs'), patientClient);
    const judged = await outcome(client.replace('pytest tests/passports', 'node client.mjs'));
    expect(`${judged.stdout}${judged.stderr}`).toMatch(/^conformant\b/m);
    expect(judged.code).toBe(0);
    const scored = await outcome(
      `${score.replace('npm test', 'node client.mjs')} --only form.country-missing,unusual.extra-members`,
    );
    expect(scored.stdout).toMatch(/^Your tests notice \d of \d mistakes? that your program can meet\./m);
    expect(scored.code).toBe(0);

    expect(await outcome(link)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^conformant: The link leads/m),
    });
    await writeFile(join(project, 'links.txt'), `${site_url}/01/09520001200045\n${site_url}/01/123\n`);
    expect(await outcome(links)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^not conformant .*\/01\/123/m),
    });

    // With one passport, not every case can run.
    expect(await outcome(dpp)).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('\nincomplete: 3 cases could not'),
    });

    const me = { headers: { authorization: `Bearer ${tenants[0].api_key}` } };
    await writeFile(join(project, 'recorded.har'), await recorded(`${site_url}/api/v1/me`, me));
    // Most operations do not occur in the recording.
    expect(await outcome(har)).toMatchObject({ code: 0 });
    const port = String(await freePort());
    const line = proxy.replace('https://passport.example.com', site_url).replace('4100', port);
    const passing = await start(`${line} 2>&1`, new RegExp(port), environment, project);
    expect(await fetch(`http://127.0.0.1:${port}/api/v1/me`, me)).toMatchObject({ status: 200 });
    await passing.stop('SIGINT');
    expect(passing.said()).toMatch(/passed: Every response that was judged/);
  });
});
