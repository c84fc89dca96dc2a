/** The packed packages, the SDK too; those for Node are installed in an empty project, and used. */
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readContract, readDocument } from '../../openapi/src/index.ts';
import { packages } from '../../tools/packages.ts';
import { newFolder } from '../support/files.ts';
import { installed, installPacked, packedByRun } from '../support/packages.ts';
import { freePort, type Outcome, root, run, start } from '../support/program.ts';

jest.setTimeout(240_000);

const oldestNode = '22.12.0';
const inCheckout = process.env.PATH ?? '';
/** The environment in which `node` and `npx` are of the oldest version. */
let oldest = { PATH: '' };

/** The packages for Node, each with the project that has it, and the programs that use it. */
const programs: Record<string, { project: 'server' | 'contracts'; modules: string[] }> = {
  openapi: { project: 'contracts', modules: ['read-contract.mjs', 'read-contract.ts'] },
  contracts: { project: 'contracts', modules: ['run-suite.ts'] },
  server: { project: 'server', modules: ['use-server.mjs', 'use-server.mts'] },
};
const workspaces = packages.map(({ workspace }) => workspace);

const folder = newFolder();
let tarballs: Record<string, string> = {};

beforeAll(async () => {
  const node = await installed([`node@${oldestNode}`]);
  oldest = { PATH: `${join(node, 'node_modules/node/bin')}${delimiter}${inCheckout}` };
  await Promise.all((['server', 'contracts'] as const).map((name) => installPacked(join(folder, name), name)));
  ({ tarballs } = await packedByRun());
  const consumers = join(root, 'test/package/consumers');
  for (const [workspace, { modules }] of Object.entries(programs)) {
    for (const name of modules) await copyFile(join(consumers, name), join(projectOf(workspace), name));
  }
});

/** The project in which a package is installed, with its siblings and Node's types. */
const projectOf = (workspace: string) => join(folder, programs[workspace]?.project ?? 'contracts', 'project');

const folderOf = (workspace: string) => join(projectOf(workspace), 'node_modules/@product-passport', workspace);
const text = (workspace: string, name: string) => readFile(join(folderOf(workspace), name), 'utf8');
const json = async (workspace: string, name: string) => JSON.parse(await text(workspace, name));
const committed = (name: string) => readFile(join(root, name), 'utf8');

/** Runs publint or attw, which are installed on first use. */
async function tool(command: string): Promise<Outcome> {
  const tools = await installed(['publint@0.3.25', '@arethetypeswrong/cli@0.18.5']);
  return run(join(tools, 'node_modules/.bin', command));
}

describe.each(workspaces)('the tarball of %s', (workspace) => {
  test('has no findings of publint', async () => {
    const findings = await tool(`publint run ${folderOf(workspace)} --pack false --strict`);
    expect(findings).toMatchObject({ code: 0, stdout: expect.stringContaining('All good!') });
  });

  test('has correct types, the SDK in every module resolution mode of TypeScript', async () => {
    const { exports } = await json(workspace, 'package.json');
    const modules = Object.keys(exports).filter((entry) => Object.hasOwn(exports[entry], 'types'));
    // CommonJS programs load ES modules with `require` as of Node 22.12.
    const options =
      workspace === 'sdk'
        ? '--exclude-entrypoints ./openapi.yaml'
        : `--profile esm-only --entrypoints ${modules.join(' ')}`;
    const findings = await tool(`attw ${tarballs[workspace]} --no-emoji --no-color ${options}`);
    const fine = workspace === 'sdk' ? 'No problems found' : 'OK (ESM)';
    expect(findings).toMatchObject({ code: 0, stdout: expect.stringContaining(fine) });
  });

  test('has a manifest for publishing, and the documents', async () => {
    const manifest = await json(workspace, 'package.json');
    expect(manifest).not.toHaveProperty('private');
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      publishConfig: { access: 'public' },
    });
    expect(await text(workspace, 'LICENSE')).toBe(await committed('LICENSE'));
    expect(await text(workspace, 'README.md')).toMatch(new RegExp(`^# ${manifest.name}\n`));
  });

  test('has no sources and no tests', async () => {
    const files = await readdir(folderOf(workspace), { recursive: true });
    const own = files.filter((name) => !name.includes('node_modules'));
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter((name) => /\.test\.|(?<!\.d)\.[cm]?ts$/.test(name))).toEqual([]);
  });
});

describe('@product-passport/openapi', () => {
  test('has the contract, the pact and the JSON Schemas as they are in the checkout', async () => {
    expect(await text('openapi', 'openapi.yaml')).toBe(await committed('openapi.yaml'));
    expect(await json('openapi', 'openapi.json')).toEqual(readDocument());
    const pact = 'contracts/pacts/product-passport-sdk-product-passport-service.json';
    expect(await text('openapi', 'pact.json')).toBe(await committed(pact));
    const { stdout } = await run("git ls-files 'contracts/*.schema.json'");
    const schemas = stdout.trim().split('\n');
    expect(await readdir(join(folderOf('openapi'), 'schemas'))).toEqual(schemas.map((path) => basename(path)).sort());
    for (const path of schemas) {
      expect(await text('openapi', `schemas/${basename(path)}`)).toBe(await committed(path));
    }
  });

  test('lets a program read the contract and every file', async () => {
    const { stdout, stderr } = await run('node read-contract.mjs', {}, projectOf('openapi'));
    expect(stderr).toBe('');
    const { operations } = readContract();
    expect(JSON.parse(stdout)).toEqual({
      operations: operations.map(({ operationId }) => operationId),
      first: operations[0],
      files: {
        'openapi.yaml': 'openapi: 3.1.0',
        'openapi.json': '3.1.0',
        'pact.json': 'product-passport-sdk',
        'schemas/passport-document.schema.json': 'https://json-schema.org/draft/2020-12/schema',
        'package.json': '@product-passport/openapi',
      },
      closed: 'ERR_PACKAGE_PATH_NOT_EXPORTED',
      required: 'function',
    });
  });
});

test('@product-passport/contracts installs without Pact', async () => {
  const lockfile = await readFile(join(projectOf('contracts'), 'package-lock.json'), 'utf8');
  expect(lockfile).toContain('node_modules/ajv');
  expect(lockfile).not.toContain('pact-foundation');
});

test.each([
  ['server', 'bundle/main.js', 'product-passport'],
  ['server', 'src/cli/main.js', 'product-passport'],
  ['contracts', 'conformance/cli/main.js', 'product-passport-contracts'],
])('the command of %s, %s, says in one sentence that Node is too old', async (workspace, file, name) => {
  const old = join(await installed(['node@18.20.8']), 'node_modules/node/bin/node');
  expect(await run(`${old} ${join(folderOf(workspace), file)} --help`, { NODE_OPTIONS: '' })).toEqual({
    code: 2,
    stdout: '',
    stderr: `${name} needs Node 22.12 or later, and this is Node 18.20.8.\n`,
  });
});

test.each([
  ['server', 3],
  ['contracts', 1],
])('each function of %s says that Node is too old', async (workspace, functions) => {
  const old = join(await installed(['node@20.19.5']), 'node_modules/node/bin/node');
  await copyFile(join(root, 'test/package/consumers/old-node.mjs'), join(projectOf(workspace), 'old-node.mjs'));
  const { stdout, stderr } = await run(`${old} old-node.mjs ${workspace}`, { NODE_OPTIONS: '' }, projectOf(workspace));
  const message = `@product-passport/${workspace} needs Node 22.12 or later, and this is Node 20.19.5.`;
  expect(await committed('docs/how-to/mock.md')).toMatch(
    /\[sandbox\].* 22\.12 or later +\|\n.*\[Prism\].* 24\.18 or later +\|\n.*\[static mock\].* 24\.18 or later +\|/,
  );
  expect([stderr, JSON.parse(stdout)]).toEqual(['', Array(functions).fill(message)]);
});

describe('@product-passport/server', () => {
  test.each([
    ['24', () => ({ PATH: inCheckout }), process.versions.node],
    ['22.12', () => oldest, oldestNode],
  ])('starts in a program, with the demo and its pages: Node %s', async (_, environment, version) => {
    const { stdout, stderr } = await run('node use-server.mjs', environment(), projectOf('server'));
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      version,
      demo: [200, 9],
      page: [200, true, 200],
      embedded: [401, 'invalid_api_key'],
      closed: 'ERR_PACKAGE_PATH_NOT_EXPORTED',
    });
  });

  test('sends the same bytes from the bundle as from its modules with the installed libraries', async () => {
    const { bin, exports } = await json('server', 'package.json');
    expect([bin['product-passport'], exports['./testing'].default]).toEqual(['bundle/main.js', './bundle/testing.js']);
    expect(await text('server', 'bundle/main.js')).not.toContain('src/cli/program.js');
    const options = `serve --demo --database ${join(folder, 'entries.sqlite')} --port ${await freePort()} --json`;
    const sent: { status: number; etag: string | null; text: string }[][] = [];
    for (const entry of ['bundle/main.js', 'src/cli/main.js']) {
      const server = await start(`node ${join(folderOf('server'), entry)} ${options}`, /\}\n/, {}, projectOf('server'));
      const { site_url, tenants }: { site_url: string; tenants: { slug: string }[] } = JSON.parse(server.said());
      const list = await (await fetch(`${site_url}/p/${tenants[0]?.slug}`)).text();
      const [product = 'none'] = /\/p\/[\w-]+\/[\w-]+/.exec(list) ?? [];
      const responses = await Promise.all(
        [product, `${product}/jsonld`, '/docs/products', '/nope'].map((path) => fetch(`${site_url}${path}`)),
      );
      sent.push(
        await Promise.all(
          responses.map(async (response) => ({
            status: response.status,
            etag: response.headers.get('etag'),
            text: await response.text(),
          })),
        ),
      );
      await server.stop();
    }
    const [bundle, modules] = sent;
    expect(bundle?.map(({ status }) => status)).toEqual([200, 200, 200, 404]);
    expect(bundle?.[2]?.text).toContain('id="createProduct"');
    expect(modules).toEqual(bundle);
  });

  test('has the licence of each library in its bundle', async () => {
    const licences = (await text('server', 'bundle/LICENSES.txt')).split(/\n+-{80}\n+/);
    const titles = licences.map((each) => each.slice(0, each.indexOf('\n')));
    expect(titles).toEqual(expect.arrayContaining([expect.stringMatching(/^@hapi\/hapi [\d.]+, BSD-3-Clause$/)]));
    expect(licences.filter((each) => !/copyright|licen[cs]e/i.test(each.slice(each.indexOf('\n'))))).toEqual([]);
  });

  test('has a static mock, which needs a new Node and Prism, and says so', async () => {
    const command = 'npx product-passport mock --port 0 --json';
    const { peerDependencies } = await json('server', 'package.json');
    const prism = `@stoplight/prism-http@${peerDependencies['@stoplight/prism-http']}`;
    const install = `npm install ${prism}`;
    expect(await text('server', 'README.md')).toContain(install);

    const refused = async (environment: Record<string, string>) => {
      const { code, stdout, stderr } = await run(command, environment, projectOf('server'));
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      return JSON.parse(stderr.split('\n').find((line) => line.startsWith('{')) ?? '').error.message;
    };
    expect(await refused(oldest)).toBe(
      `the mock needs Node 24.18 or later, because Prism does. This is Node ${oldestNode}.`,
    );
    expect(await refused({})).toBe(`the mock needs Prism, which is not installed. Install it: ${install}`);
    const installation = await run(`${install} --no-audit --no-fund --prefer-offline`, {}, projectOf('server'));
    expect(installation).toMatchObject({ code: 0 });
    const mock = await start(command, /\}\n/, {}, projectOf('server'));
    const { base_url }: { base_url: string } = JSON.parse(mock.said());
    const response = await fetch(`${base_url}/me`, { headers: { authorization: 'Bearer any' } });
    expect(await response.json()).toMatchObject({ products_total: 9 });
    await mock.stop();
  });
});

test.each(Object.keys(programs))('programs compile against the types of %s', async (workspace) => {
  const options = '--strict --noEmit --target es2024 --module nodenext --types node --skipDefaultLibCheck';
  const tsc = join(await installed(['typescript@7.0.2']), 'node_modules/typescript/bin/tsc');
  const files = programs[workspace]?.modules.filter((name) => name.endsWith('ts')) ?? [];
  const compiled = await run(`node ${tsc} ${options} ${files.join(' ')}`, {}, projectOf(workspace));
  expect(compiled).toMatchObject({ stdout: '', code: 0 });
});
