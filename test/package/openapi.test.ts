/** Tests the published package of the contract: packs it, installs it in an empty project, and uses it. */
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { publint } from 'publint';
import { readContract, readDocument } from '../../openapi/src/index.ts';
import { installPacked } from '../support/packed.ts';
import { root, run } from '../support/program.ts';

jest.setTimeout(120_000);

const pact = 'contracts/pacts/product-passport-sdk-product-passport-service.json';

let folder = '';
let project = '';
let tarball = '';
let installed = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openapi-package-'));
  const packed = await installPacked(folder, ['openapi'], ['@types/node@24.19.2']);
  project = packed.project;
  [tarball = ''] = packed.tarballs;
  installed = join(project, 'node_modules/@product-passport/openapi');
  for (const name of ['read-contract.mjs', 'read-contract.ts']) {
    await copyFile(join(root, 'test/package/consumers', name), join(project, name));
  }
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const committed = (name: string) => readFile(join(root, name), 'utf8');
const text = (name: string) => readFile(join(installed, name), 'utf8');
const json = async (name: string) => JSON.parse(await text(name));

/** The JSON Schemas in the checkout, by file name. */
async function schemaFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const place of ['contracts/generated', 'contracts/schemas']) {
    const names = await readdir(join(root, place)).catch(() => []);
    for (const name of names.filter((each) => each.endsWith('.schema.json'))) files.set(name, join(place, name));
  }
  return files;
}

describe('the tarball', () => {
  test('has no findings of publint', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, level: 'suggestion' });
    expect(messages).toEqual([]);
  });

  test('has correct types for ES modules', async () => {
    const checked = await checkPackage(createPackageFromTarballData(await readFile(tarball)), {
      entrypoints: ['.'], // the other entries are data
    });
    if (!checked.types) throw new Error('The package has no types.');
    const { 'node16-esm': esm, bundler } = checked.entrypoints['.']?.resolutions ?? {};
    expect([esm, bundler].map((found) => found?.resolution?.fileName)).toEqual(
      Array(2).fill('/node_modules/@product-passport/openapi/esm/src/index.d.ts'),
    );
    // The package has only ES modules, which CommonJS programs load with `require` as of Node 22.12.
    const known = ['NoResolution', 'CJSResolvesToESM'];
    expect(checked.problems.filter(({ kind }) => !known.includes(kind))).toEqual([]);
  });

  test('has the contract, the pact, the JSON Schemas and the documents as they are in the checkout', async () => {
    expect(await text('openapi.yaml')).toBe(await committed('openapi.yaml'));
    expect(await text('LICENSE')).toBe(await committed('LICENSE'));
    expect(await text('README.md')).toBe(await committed('openapi/README.md'));
    expect(await json('openapi.json')).toEqual(readDocument());
    expect(await text('pact.json')).toBe(await committed(pact));
    const schemas = await schemaFiles();
    expect(schemas.size).toBeGreaterThan(0);
    expect((await readdir(join(installed, 'schemas'))).sort()).toEqual([...schemas.keys()].sort());
    for (const [name, path] of schemas) expect(await text(`schemas/${name}`)).toBe(await committed(path));
  });

  test('has a manifest for publishing', async () => {
    const manifest = await json('package.json');
    expect(manifest).not.toHaveProperty('private');
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      engines: { node: '>=22.12' },
      publishConfig: { access: 'public' },
      dependencies: { yaml: '2.9.1' },
    });
  });

  test('has no sources, and no import of a source', async () => {
    const files = await readdir(installed, { recursive: true });
    const modules = files.filter((name) => /\.[cm]?[jt]s$/.test(name));
    expect(modules.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([]);
    expect(modules.length).toBeGreaterThan(5);
    for (const name of modules) expect([name, /from '\.[^']*\.ts'/.test(await text(name))]).toEqual([name, false]);
  });
});

describe('a program', () => {
  test('reads the contract and every file of the package', async () => {
    const { stdout, stderr } = await run(`cd ${project} && node read-contract.mjs`);
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

  test('compiles against the types', async () => {
    const options = '--strict --noEmit --target es2024 --module nodenext --types node --skipDefaultLibCheck';
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    expect(await run(`cd ${project} && node ${tsc} ${options} read-contract.ts`)).toMatchObject({
      stdout: '',
      code: 0,
    });
  });
});
