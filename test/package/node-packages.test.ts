/**
 * The packed packages, the SDK too: those for Node are installed in an empty project, and used. npm publishes them, and refuses the
 * folders of this repository, which are private.
 */
import { globSync } from 'node:fs';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { readContract, readDocument } from '../../openapi/src/index.ts';
import { packages } from '../../tools/packages.ts';
import { newFolder } from '../support/files.ts';
import { installed, installPacked, packedByRun } from '../support/packages.ts';
import { freePort, type Outcome, root, run, start } from '../support/program.ts';

jest.setTimeout(240_000);

const workspaces = packages.map(({ workspace }) => workspace);

const folder = newFolder();
let tarballs: Record<string, string> = {};

beforeAll(async () => {
  await Promise.all((['server', 'contracts'] as const).map((name) => installPacked(join(folder, name), name)));
  ({ tarballs } = await packedByRun());
  const consumers = join(root, 'test/package/consumers');
  for (const name of ['read-contract.mjs', 'use-contracts.ts', 'use-server.mts']) {
    await copyFile(join(consumers, name), join(projectOf(name.includes('server') ? 'server' : 'contracts'), name));
  }
});

/** The project in which a package is installed, with its siblings and Node's types. */
const projectOf = (workspace: string) => join(folder, workspace === 'server' ? 'server' : 'contracts', 'project');

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
  ['server', 'openDatabase'],
  ['server/testing', 'startServer'],
  ['server/testing', 'startSandbox'],
  ['contracts', 'verify'],
])('%s: %s says that Node is too old', async (entry, name) => {
  const old = join(await installed(['node@20.19.5']), 'node_modules/node/bin/node');
  const program = `import { ${name} } from '@product-passport/${entry}'; await ${name}({});`;
  const [workspace = ''] = entry.split('/');
  const line = `${old} --input-type=module --eval "${program}"`;
  const { code, stderr } = await run(line, { NODE_OPTIONS: '' }, projectOf(workspace));
  const message = `@product-passport/${workspace} needs Node 22.12 or later, and this is Node 20.19.5.`;
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
});

test('the page on mocks names the oldest Node of each', async () => {
  expect(await committed('docs/how-to/mock.md')).toMatch(
    /\[sandbox\].* 22\.12 or later +\|\n.*\[Prism\].* 24\.18 or later +\|/,
  );
});

describe('@product-passport/server', () => {
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
      const [, stylesheet = 'none'] = /href="([^"]+\.css)"/.exec(list) ?? [];
      const responses = await Promise.all(
        [product, `${product}/jsonld`, '/docs/products', stylesheet, '/nope'].map((path) =>
          fetch(new URL(path, site_url)),
        ),
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
    expect(bundle?.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404]);
    expect(bundle?.[2]?.text).toContain('id="createProduct"');
    expect(modules).toEqual(bundle);
  });

  test('has the licence of each library in its bundle', async () => {
    const licences = (await text('server', 'bundle/LICENSES.txt')).split(/\n+-{80}\n+/);
    const titles = licences.map((each) => each.slice(0, each.indexOf('\n')));
    expect(titles).toEqual(expect.arrayContaining([expect.stringMatching(/^@hapi\/hapi [\d.]+, BSD-3-Clause$/)]));
    expect(licences.filter((each) => !/copyright|licen[cs]e/i.test(each.slice(each.indexOf('\n'))))).toEqual([]);
  });
});

test.each([
  ['server', 'use-server.mts'],
  ['contracts', 'use-contracts.ts'],
])('a program compiles against the types of %s', async (workspace, file) => {
  const options = '--strict --noEmit --target es2024 --module nodenext --types node --skipDefaultLibCheck';
  const tsc = join(await installed(['typescript@7.0.2']), 'node_modules/typescript/bin/tsc');
  const compiled = await run(`node ${tsc} ${options} ${file}`, {}, projectOf(workspace));
  expect(compiled).toMatchObject({ stdout: '', code: 0 });
});

const manifestOf = async (directory: string) => JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));

test('the repository and its workspaces are private', async () => {
  const lockfile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const links = Object.values<{ link?: boolean; resolved?: string }>(lockfile.packages).filter(({ link }) => link);
  const workspaces = links.map(({ resolved }) => `./${resolved}`);
  expect(workspaces).toEqual(expect.arrayContaining(['./contracts', './openapi', './sdk', './server']));
  for (const workspace of ['.', ...workspaces]) {
    expect([workspace, (await manifestOf(join(root, workspace))).private]).toEqual([workspace, true]);
  }
});

test('the repository and all its workspaces have one version, also where they depend on each other, and no engines', async () => {
  const { workspaces } = await manifestOf(root);
  const manifests = globSync(
    workspaces.map((each: string) => `${each}/package.json`),
    { cwd: root },
  );
  const folders = ['.', ...manifests.map(dirname)];
  expect(folders).toEqual(expect.arrayContaining(['openapi', 'sdk', 'server', 'contracts', 'examples/node-script']));
  const { version } = await manifestOf(root);
  for (const each of folders) {
    const {
      name,
      engines,
      version: own = version,
      dependencies = {},
      devDependencies = {},
    } = await manifestOf(join(root, each));
    const siblings = Object.entries({ ...dependencies, ...devDependencies }).filter(([dependency]) =>
      dependency.startsWith('@product-passport/'),
    );
    expect([name, own, siblings]).toEqual([name, version, siblings.map(([dependency]) => [dependency, version])]);
    // npm warns of each that an older Node does not meet. The checkout brings its Node with it.
    expect([name, engines]).toEqual([name, undefined]);
  }
});

test('the built packages name their siblings in the same version and the Node that they need', async () => {
  const { build } = await packedByRun();
  const names = packages.map(({ workspace }) => `@product-passport/${workspace}`);
  expect(names).toEqual(expect.arrayContaining(['@product-passport/openapi', '@product-passport/sdk']));
  for (const { workspace } of packages) {
    const { version, dependencies, engines } = await manifestOf(join(build, workspace));
    expect([workspace, engines]).toEqual([workspace, { node: workspace === 'sdk' ? '>=20' : '>=22.12' }]);
    for (const name of names.filter((each) => each in dependencies)) expect(dependencies[name]).toBe(version);
  }
});

describe('the publishing workflow', () => {
  interface Step {
    run?: string;
  }
  let commands: string[] = [];
  beforeAll(async () => {
    const { jobs } = parse(await readFile(join(root, '.github/workflows/publish.yml'), 'utf8'));
    commands = jobs.publish.steps.flatMap(({ run: command }: Step) => command ?? []);
  });

  test('publishes every package with provenance, after the packages that it depends on', async () => {
    const published: string[] = [];
    for (const command of commands.filter((each) => each.startsWith('npm publish'))) {
      const [, workspace = ''] = /^npm publish --provenance --access public \.\/(\w+)\/dist$/.exec(command) ?? [];
      const { name, dependencies } = await manifestOf(join(root, workspace));
      const siblings = Object.keys(dependencies).filter((each) => each.startsWith('@product-passport/'));
      expect(published).toEqual(expect.arrayContaining(siblings));
      published.push(name);
    }
    expect(published.sort()).toEqual(packages.map(({ workspace }) => `@product-passport/${workspace}`).sort());
  });

  test('builds manifests with the repository, without which npm refuses provenance', async () => {
    const folder = newFolder();
    const build = commands.find((command) => command.startsWith('npm run build')) ?? '';
    const environment = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'someone/kit' };
    expect(await run(`${build} --to ${folder} openapi`, environment)).toMatchObject({ code: 0 });
    expect(await manifestOf(join(folder, 'openapi'))).toMatchObject({
      homepage: 'https://github.com/someone/kit#readme',
      bugs: 'https://github.com/someone/kit/issues',
      repository: { type: 'git', url: 'git+https://github.com/someone/kit.git', directory: 'openapi' },
    });
  });
});
