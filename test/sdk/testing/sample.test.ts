/** Samples of the contract's objects. */

import { beforeAll, expect, test } from '@jest/globals';
import { type Operation, readContract, type Schema } from '@product-passport/openapi';
import { build } from 'esbuild';
import { compile, errorsOf, readSchema } from '../../../contracts/judge/schema.ts';
import { contractOf, readDocument } from '../../../openapi/src/index.ts';
import { type FakeService, sample } from '../../../sdk/src/testing.ts';
import { samplesOf } from '../../../tools/samples.ts';
import { root } from '../../support/program.ts';

const operation = (id: string): Operation => {
  const found = readContract().operations.find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`The contract has no ${id}.`);
  return found;
};
const inResponse = (id: string, type = 'application/json'): Schema =>
  operation(id).responses['200']?.content?.[type]?.schema ?? {};
const part = (schema: Schema, ...names: string[]): Schema =>
  names.reduce((here, name) => (name === '[]' ? here.items : here.properties?.[name]) ?? {}, schema);

/** The schema of each sample. */
const schemas: Readonly<Record<keyof typeof sample, Schema>> = {
  me: inResponse('getMe'),
  tenant: part(inResponse('getMe'), 'tenant'),
  list: inResponse('listProducts'),
  listItem: part(inResponse('listProducts'), 'items', '[]'),
  product: inResponse('getProduct'),
  newProduct: operation('createProduct').body?.schema ?? {},
  passport: inResponse('getPassport'),
  value: part(inResponse('getPassport'), 'values', '[]'),
  version: part(inResponse('getPassport'), 'latest_version'),
  newValue: part(operation('putPassport').body?.schema ?? {}, '[]'),
  writeResult: inResponse('putPassport'),
  carriers: inResponse('listCarriers'),
  carrier: part(inResponse('listCarriers'), 'items', '[]'),
  scans: inResponse('getScanStatistics'),
  document: inResponse('getPassportJsonld', 'application/ld+json'),
};
const names = Object.keys(schemas) as (keyof typeof sample)[];

function propertiesOf({ properties = {}, allOf = [] }: Schema): string[] {
  return [...Object.keys(properties), ...allOf.flatMap(propertiesOf)];
}

test.each(names)('sample.%s keeps its closed schema and has every field', (name) => {
  const schema = schemas[name];
  expect(propertiesOf(schema)).not.toEqual([]);
  const check = compile(readSchema(schema, { profile: 'reference', objects: 'closed' }));
  expect(errorsOf(check, sample[name]())).toEqual([]);
  // A document has only the terms that its values fill, and a value to write only what differs from the defaults.
  if (name !== 'document' && name !== 'newValue')
    expect(Object.keys(sample[name]()).toSorted()).toEqual(propertiesOf(schema).toSorted());
});

test('a test names only what matters', () => {
  expect(Object.keys(sample).toSorted()).toEqual(names.toSorted());
  const product = sample.product({ slug: 'helmet', status: 'draft' });
  expect(product).toEqual({ ...sample.product(), slug: 'helmet', status: 'draft' });
  const passport = sample.passport({ values: [sample.value({ field_key: 'material', value: 'Merino wool' })] });
  expect(passport.values).toEqual([{ ...sample.value(), field_key: 'material', value: 'Merino wool' }]);
  // @ts-expect-error A field that the contract does not have.
  sample.product({ flavour: 'mint' });
  // @ts-expect-error A value that the field cannot have.
  sample.product({ completeness: 'full' });
});

test.each(names)('sample.%s shares nothing between calls', (name) => {
  const before = structuredClone(sample[name]());
  const empty = (node: object): void => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'object' && value !== null) empty(value);
      Reflect.deleteProperty(node, key);
    }
  };
  empty(sample[name]());
  expect(sample[name]()).toEqual(before);
});

interface WrittenSchema {
  readonly properties: Record<string, object>;
}

/** The contract with another field of products, and another one of values. */
function laterContract() {
  const document = structuredClone(readDocument()) as { components: { schemas: Record<string, WrittenSchema> } };
  const add = (schema: string, fields: Record<string, object>) =>
    Object.assign(document.components.schemas[schema]?.properties ?? {}, fields);
  add('CreateProduct', { colour: { type: ['string', 'null'] } });
  add('ProductListItem', { colour: { type: ['string', 'null'] } });
  for (const schema of ['PassportValueInput', 'PassportValue']) {
    add(schema, { checked_by: { type: 'string', enum: ['nobody', 'expert'], default: 'nobody' } });
  }
  return contractOf(document);
}

/** The fake service as `npm run generate` would make it for a contract. */
async function serviceFor(contract: ReturnType<typeof contractOf>): Promise<FakeService> {
  const { outputFiles } = await build({
    entryPoints: [`${root}/sdk/src/testing/service/index.ts`],
    bundle: true,
    format: 'esm',
    write: false,
    // Joi's bundle for browsers. The packed SDK has one for every runtime.
    define: { self: 'globalThis' },
    plugins: [
      {
        name: 'generated',
        setup({ onLoad }) {
          onLoad({ filter: /generated\/samples\.ts$/ }, () => ({ contents: samplesOf(contract), loader: 'ts' }));
        },
      },
    ],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? '').toString('base64');
  const { createFakeService } = await import(`data:text/javascript;base64,${code}`);
  return createFakeService();
}

let service: FakeService;
beforeAll(async () => {
  service = await serviceFor(laterContract());
});

async function send(method: string, path: string, body?: unknown) {
  const { base_url, tenants } = service.provider;
  const headers = { authorization: `Bearer ${tenants[0]?.api_key}`, 'content-type': 'application/json' };
  const response = await service.fetch(base_url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: await response.json() };
}

test('a new field of a product is stored and shown, and null if it is not set', async () => {
  expect(await send('POST', '/products', { name: 'Red', colour: 'red' })).toMatchObject({ json: { colour: 'red' } });
  expect(await send('POST', '/products', { name: 'Plain' })).toMatchObject({ json: { colour: null } });
  expect(await send('GET', '/products/red')).toMatchObject({ json: { colour: 'red', model: null } });
  const { json } = await send('GET', '/products?search=red');
  expect(json.items).toEqual([expect.objectContaining({ slug: 'red', colour: 'red' })]);
  expect(await send('POST', '/products', { name: 'Wrong', colour: 7 })).toMatchObject({ status: 400 });
});

test('a new field of a value is stored and shown, or has its default', async () => {
  const values = [
    { field_key: 'a', value: 1, checked_by: 'expert' },
    { field_key: 'b', value: 2 },
  ];
  await send('POST', '/products', { name: 'Checked' });
  expect(await send('PUT', '/products/checked/passport', values)).toMatchObject({ json: { updated: 2 } });
  const { json } = await send('GET', '/products/checked/passport');
  expect(json.values).toMatchObject([{ checked_by: 'expert' }, { checked_by: 'nobody' }]);
  const wrong = [{ field_key: 'a', value: 1, checked_by: 'anybody' }];
  expect(await send('PUT', '/products/checked/passport', wrong)).toMatchObject({ status: 400 });
});
