/** Samples of the contract's objects. */
import { expect, test } from '@jest/globals';
import { type Operation, readContract, type Schema } from '@product-passport/openapi';
import { compile, errorsOf, readSchema } from '../../../contracts/judge/schema.ts';
import { sample } from '../../../sdk/src/testing.ts';

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
