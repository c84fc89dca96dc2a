/**
 * Generators and a validator that other teams use, run on the contract. Together they have about 150 packages with 140 MB,
 * so they are installed into a folder of their own, on first use.
 */
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { root, run } from '../support/program.ts';
import { installed } from '../support/tools.ts';

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
let folder = '';

beforeAll(async () => {
  const tools = await installed([
    '@hey-api/openapi-ts@0.95.0',
    'swagger-typescript-api@13.13.0',
    'oazapfts@7.5.0',
    '@apidevtools/swagger-parser@13.0.0',
    'typescript@5.9.3', // the newest that @hey-api/openapi-ts runs with
  ]);
  folder = await mkdtemp(join(tmpdir(), 'generators-'));
  await symlink(join(tools, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The module that each generator writes, and how a program creates a product with it. */
const generators = [
  {
    name: '@hey-api/openapi-ts',
    command: `openapi-ts --input ${contract} --output hey-api --no-log-file`,
    use: "import { createProduct } from './hey-api/index.js';\nconst create = (body: { NAME: string }) => createProduct({ body });",
  },
  {
    name: 'swagger-typescript-api',
    command: `swagger-typescript-api generate --path ${contract} --output swagger-typescript-api`,
    use: "import { Api } from './swagger-typescript-api/Api.js';\nconst create = (body: { NAME: string }) => new Api().api.createProduct(body);",
  },
  {
    name: 'oazapfts',
    command: `oazapfts ${contract} oazapfts.ts`,
    use: "import { createProduct } from './oazapfts.js';\nconst create = (body: { NAME: string }) => createProduct(body);",
  },
];

test.each(generators)('$name makes a client', async ({ command }) => {
  const generated = await run(`node_modules/.bin/${command}`, {}, folder);
  expect([generated.code, generated.stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
});

test('the clients compile under strict TypeScript, and refuse a wrong body', async () => {
  const compile = async (member: string) => {
    const files = generators.map((_, index) => `use-${index}.ts`);
    await Promise.all(
      generators.map(({ use }, index) =>
        writeFile(join(folder, files[index] ?? ''), `${use.replace('NAME', member)}\nexport const made = create;\n`),
      ),
    );
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    return run('node_modules/.bin/tsc', {}, folder);
  };
  expect(await compile('name')).toMatchObject({ stdout: '', code: 0 });
  const { stdout } = await compile('label');
  for (const index of generators.keys()) expect(stdout).toMatch(new RegExp(`^use-${index}\\.ts.*error TS`, 'm'));
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
