/** Generators, a converter and a validator that other teams use, run on the contract. They are installed on first use. */
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { readContract } from '../../openapi/src/index.ts';
import { newFolder } from '../support/files.ts';
import { installed } from '../support/packages.ts';
import { root, run } from '../support/program.ts';

jest.setTimeout(300_000);

const contract = join(root, 'openapi.yaml');
const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
};
const folder = newFolder();

beforeAll(async () => {
  const tools = await installed([
    '@hey-api/openapi-ts@0.95.0',
    '@apidevtools/swagger-parser@13.0.0',
    'openapi-to-postmanv2@6.3.3',
    'orval@8.38.0',
    'typescript@5.9.3', // the newest that @hey-api/openapi-ts runs with
  ]);
  await symlink(join(tools, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
});

test('@hey-api/openapi-ts makes a client', async () => {
  const generated = await run(
    `node_modules/.bin/openapi-ts --input ${contract} --output client --no-log-file`,
    {},
    folder,
  );
  expect([generated.code, generated.stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
});

test('the client compiles under strict TypeScript, and refuses a wrong body', async () => {
  const compile = async (member: string) => {
    const use = `export const create = (body: { ${member}: string }) => createProduct({ body });`;
    await writeFile(join(folder, 'use.ts'), `import { createProduct } from './client/index.js';\n${use}\n`);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    return run('node_modules/.bin/tsc', {}, folder);
  };
  expect(await compile('name')).toMatchObject({ stdout: '', code: 0 });
  expect((await compile('label')).stdout).toMatch(/^use\.ts.*error TS/m);
});

test('@apidevtools/swagger-parser accepts the contract', async () => {
  const program = `
    import SwaggerParser from '@apidevtools/swagger-parser';
    console.log((await SwaggerParser.validate(process.argv[2])).info.title);
  `;
  await writeFile(join(folder, 'validate.js'), program);
  expect(await run(`node validate.js ${contract}`, {}, folder)).toEqual({
    stdout: 'Product Passport Service API\n',
    stderr: '',
    code: 0,
  });
});

test('orval makes a client that compiles', async () => {
  const generated = await run(
    `node_modules/.bin/orval --client fetch --input ${contract} --output orval.ts`,
    {},
    folder,
  );
  expect(generated.code).toBe(0);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['orval.ts'] }));
  expect(await run('node_modules/.bin/tsc', {}, folder)).toMatchObject({ stdout: '', code: 0 });
  expect(await readFile(join(folder, 'orval.ts'), 'utf8')).toContain('createProduct');
});

test('openapi-to-postmanv2 makes a collection with a request for each operation', async () => {
  const converted = await run(`node_modules/.bin/openapi2postmanv2 -s ${contract} -o postman.json`, {}, folder);
  expect(converted.code).toBe(0);
  const requests = (items: { item?: []; request?: object }[]): number =>
    items.reduce((sum, { item, request }) => sum + (request ? 1 : requests(item ?? [])), 0);
  expect(requests(JSON.parse(await readFile(join(folder, 'postman.json'), 'utf8')).item)).toBe(
    readContract().operations.length,
  );
});
