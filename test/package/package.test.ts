/** Tests what is published: packs the SDK, installs it in an empty project, and uses it as its users do. */
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import ts from 'typescript';
import { newFolder } from '../support/files.ts';
import { installWith } from '../support/packages.ts';
import { root, run } from '../support/program.ts';

jest.setTimeout(240_000);

const compilers = { '5.0': 'typescript@5.0.4', current: 'typescript@7.0.2' };
const jestWithJsdom = [
  'jest@30.5.2',
  'jest-environment-jsdom@30.5.2',
  'jest-fixed-jsdom@0.0.11',
  'whatwg-fetch@3.6.20',
];
const reactQuery = [
  'openapi-react-query@0.5.4',
  '@tanstack/react-query@5.108.4',
  'react@19.3.1',
  'react-dom@19.3.1',
  '@types/react@19.3.0',
];
const mockServiceWorkers = { '2.15': 'msw@2.15.0', '3.0': 'msw@3.0.5' };

const folder = newFolder();
let project = '';
let installed = '';

beforeAll(async () => {
  const aliases = [
    ...Object.entries(compilers).map(([name, compiler]) => `typescript-${name}@npm:${compiler}`),
    ...Object.entries(mockServiceWorkers).map(([name, worker]) => `msw-${name}@npm:${worker}`),
    ...jestWithJsdom,
    ...reactQuery,
  ];
  const packed = await installWith(folder, ['sdk'], ['@types/node@24.19.2', ...aliases]);
  project = packed.project;
  installed = join(project, 'node_modules/@product-passport/sdk');
  const consumers = join(root, 'test/package/consumers');
  const names = ['use.mjs', 'jsdom.test.cjs', 'use.ts', 'use-react-query.ts'];
  for (const name of names) await copyFile(join(consumers, name), join(project, name));
  for (const name of ['use.mts', 'use.cts']) await copyFile(join(consumers, 'use.ts'), join(project, name));
});

const text = (name: string) => readFile(join(installed, name), 'utf8');
const json = async (name: string) => JSON.parse(await text(name));

describe('the tarball', () => {
  test('has the contract and the documents, and one dependency', async () => {
    for (const name of ['openapi.yaml', 'CHANGELOG.md']) {
      expect(await text(name)).toBe(await readFile(join(root, name), 'utf8'));
    }
    for (const name of ['README.md', 'api.md']) {
      expect(await text(name)).toBe(await readFile(join(root, 'sdk', name), 'utf8'));
    }
    expect((await readdir(installed)).sort()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'api.md', 'cjs', 'esm', 'openapi.yaml', 'package.json'].sort(),
    );
    const manifest = await json('package.json');
    expect(manifest).toHaveProperty('sideEffects', false);
    expect(Object.keys(manifest.dependencies)).toEqual(['openapi-fetch']);
  });

  test.each(['esm', 'cjs'])('an editor shows the docstrings of a client: %s', async (format) => {
    const declaration = await text(`${format}/client.d.ts`);
    for (const name of ['export declare function createClient', 'ensure']) {
      expect(declaration).toMatch(new RegExp(`\\*/\\s+${name}\\(`));
    }
  });

  // TypeScript also finds a declaration by the name of its source; Deno and bundlers of declarations do not.
  test('imports declarations by their real file names', async () => {
    const files = await readdir(installed, { recursive: true });
    const declarations = files.filter((name) => name.endsWith('.d.ts'));
    expect(declarations.length).toBeGreaterThan(20);
    for (const name of declarations) {
      const imported = Array.from(
        (await text(name)).matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g),
        ([, path = '']) => join(dirname(name), path),
      );
      expect([name, imported.filter((path) => !files.includes(path))]).toEqual([name, []]);
    }
  });

  test('has a source map with the source for every module, under a path inside the package', async () => {
    const files = await readdir(installed, { recursive: true });
    const modules = files.filter((name) => name.endsWith('.js') && !/\/joi\.js$/.test(name));
    expect(modules.length).toBeGreaterThan(20);
    for (const name of modules) {
      const { sources, sourcesContent } = await json(`${name}.map`);
      expect([name, sources.length, sourcesContent[0].length > 0]).toEqual([name, 1, true]);
      const source = relative(installed, join(dirname(join(installed, name)), sources[0]));
      expect(source).toBe(name.replace(/^(?:esm|cjs)\/(.*)\.js$/, 'src/$1.ts'));
    }
  });
});

test('each copy of Joi has its licence and those of its libraries', async () => {
  for (const format of ['esm', 'cjs']) {
    const licences = await text(`${format}/joi.LICENSES.txt`);
    for (const name of ['joi', '@hapi/hoek', '@hapi/tlds']) expect(licences).toContain(`\n${name} `);
    expect(licences).toContain('Copyright (c) 2012-2022, Project contributors');
  }
});

/** Follows the lines of the README, which define `service` and `worker`. */
const usedThroughMsw = `
import { createClient } from '@product-passport/sdk';
worker.listen();
const { base_url: baseUrl, tenants } = service.provider;
const client = createClient({ baseUrl, apiKey: tenants[0].api_key });
const { slug } = await client.products.create({ name: 'Fahrradklingel' });
await client.passports.put(slug, [{ field_key: 'product_weight', value: 80, unit: 'g' }]);
const [{ value: weight }] = (await client.passports.get(slug)).values;
const { status: refused } = await fetch(baseUrl + '/me');
await worker.close();
const closed = await fetch(baseUrl + '/me').catch(({ message }) => message);
console.log(JSON.stringify({ weight, refused, closed }));
`;

describe('a program', () => {
  test('works as an ES module, next to the CommonJS copy, which needs no loader of ES modules', async () => {
    const { stdout, stderr } = await run(`cd ${project} && node --no-experimental-require-module use.mjs`);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      functions: ['function', 'function'],
      own: true,
      twoCopies: true,
      known: true,
      knownBack: true,
      closed: 'ERR_PACKAGE_PATH_NOT_EXPORTED',
      contracts: ['openapi: 3.1.0', 'openapi: 3.1.0'],
    });
  });

  test.each(Object.keys(mockServiceWorkers))(
    'uses the fake service through MSW %s, with the lines of the README',
    async (version) => {
      const [, lines = ''] = /```ts\n([^`]*from 'msw'.*?)```/s.exec(await text('README.md')) ?? [];
      await writeFile(join(project, `${version}.mjs`), lines.replaceAll("'msw", `'msw-${version}`) + usedThroughMsw);
      const { stdout, stderr } = await run(`node ${version}.mjs`, {}, project);
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toEqual({ weight: 80, refused: 401, closed: 'fetch failed' });
    },
  );

  test('uses openapi-react-query with client.http', async () => {
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
    const program = await readFile(join(project, 'use-react-query.ts'), 'utf8');
    await writeFile(join(project, 'use-react-query.mjs'), ts.transpileModule(program, { compilerOptions }).outputText);
    const { stdout, stderr } = await run(`cd ${project} && node use-react-query.mjs`);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      slugs: ['helm'],
      refused: ['ApiError', 'not_found'],
      html: '<b>business</b>',
      calls: ['listProducts', 'getProduct', 'getMe'],
    });
  });

  test.each([
    ['jest-environment-jsdom', '', 1],
    ['jest-environment-jsdom', 'whatwg-fetch', 2],
    ['jest-fixed-jsdom', '', 3],
  ])('is tested in the Jest environment %s with the polyfill "%s"', async (environment, polyfill, passed) => {
    const jest = `node node_modules/jest/bin/jest.js --env ${environment} --testMatch '**/jsdom.test.cjs' --json`;
    const { stdout } = await run(jest, { POLYFILL: polyfill }, project);
    const { testResults, ...counts } = JSON.parse(stdout);
    expect(testResults.map(({ message }: { message: string }) => message)).toEqual(['']);
    expect(counts).toMatchObject({ numPassedTests: passed, numFailedTests: 0, numPendingTests: 3 - passed });
  });

  const browser = { lib: ['es2022', 'dom'], types: [] };
  const node = { lib: ['es2022'], types: ['node'] };
  const react = { lib: ['es2022', 'dom'], types: ['node'], skipLibCheck: true };
  const node16 = { module: 'node16', moduleResolution: 'node16' };
  const bundler = { module: 'esnext', moduleResolution: 'bundler' };
  const node10 = { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true };
  const exact = { exactOptionalPropertyTypes: true };
  const all = ['use.ts', 'use.mts', 'use.cts'];
  test.each([
    ['5.0', 'node16', { ...node16, ...browser, ...exact }, all],
    ['5.0', 'node10', { ...node10, ...browser }, ['use.ts']],
    ['current', 'node16', { ...node16, ...node }, all],
    ['current', 'bundler, in a browser', { ...bundler, ...browser }, ['use.ts']],
    // The declarations of React and its types are not checked.
    ['current', 'bundler, React', { ...bundler, ...react }, ['use-react-query.ts']],
  ])('compiles with TypeScript %s, moduleResolution %s', async (compiler, name, options, files) => {
    const file = join(project, `${compiler}-${name.replaceAll(/\W/g, '')}.json`);
    // The package's declarations are checked. TypeScript's own libraries are not: they take most of the time.
    const checks = { strict: true, skipLibCheck: false, skipDefaultLibCheck: true };
    const compilerOptions = { ...checks, ...options, target: 'es2022', noEmit: true };
    await writeFile(file, JSON.stringify({ compilerOptions, files }));
    const tsc = `node node_modules/typescript-${compiler}/bin/tsc`;
    const { stdout } = await run(`cd ${project} && ${tsc} -p ${file}`);
    // openapi-fetch's own declarations have errors before TypeScript 5.4.
    const lines = stdout.split('\n').filter((line) => !/^(?: |node_modules\/openapi-|$)/.test(line));
    expect(lines).toEqual([]);
    if (compiler === 'current') expect(stdout).toBe('');
  });
});
