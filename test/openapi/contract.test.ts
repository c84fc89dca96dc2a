import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  allBelow,
  below,
  codesOf,
  contractOf,
  readContract,
  readDocument,
  resolved,
  rootOf,
  type Schema,
} from '../../openapi/src/index.ts';
import { type CreateProduct, createClient, type Passport, type PassportDocument } from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { createFakeService } from '../../sdk/src/testing.ts';
import { verifyContentHash } from '../../sdk/src/verify.ts';

const contract = readContract();
const { operations } = contract;

function examplesOf(operationId: string): Readonly<Record<string, unknown>> {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  const media = Object.values(operation?.responses['200']?.content ?? {});
  const examples = media.flatMap((type) => Object.entries(type.examples ?? {}));
  return Object.fromEntries(examples.map(([name, { value }]) => [name, value]));
}

describe('the contract', () => {
  test('has the twelve operations of the service, those of a resolver, and the reads of EN 18222', () => {
    const own = operations.filter(({ variantOf }) => variantOf === undefined);
    expect(own.map(({ operationId }) => operationId).toSorted()).toEqual([
      'createProduct',
      'getMe',
      'getPassport',
      'getPassportJsonld',
      'getPassportPage',
      'getProduct',
      'getResolverDescription',
      'getScanStatistics',
      'listCarriers',
      'listProducts',
      'putPassport',
      'readDataElement',
      'readDppById',
      'readDppByProductId',
      'readDppIdsByProductIds',
      'readDppVersionByIdAndDate',
      'resolveGtin',
      'setProductStatus',
    ]);
  });

  test('lists in the schema of errors the codes of all responses, and no other', () => {
    const { components } = readDocument() as { components: { schemas: { Error: Schema } } };
    const listed = components.schemas.Error.properties?.error?.properties?.code?.['x-extensible-enum'];
    const responses = [...contract.operations.map((operation) => operation.responses), contract.outsideOperations];
    const codes = new Set(responses.flatMap((byStatus) => Object.values(byStatus)).flatMap(codesOf));
    expect(listed?.toSorted()).toEqual([...codes].toSorted());
  });

  test('of a new member, CHANGELOG.md has a line, and a mark says that the API’s own description lacks it', () => {
    const { components } = readDocument() as { components: { schemas: Readonly<Record<string, Schema>> } };
    const members = Object.entries(components.schemas).flatMap(([name, schema]) =>
      [schema, ...(schema.allOf ?? [])].flatMap(({ properties = {} }) =>
        Object.entries(properties).map(([member, { 'x-origin': mark = schema['x-origin'] }]) =>
          mark === undefined ? `${name}.${member}` : `${name}.${member}, marked`,
        ),
      ),
    );
    expect(members).toMatchSnapshot();
  });

  test('has each field of a new product in the example that the suite sends', () => {
    const { schema, examples = {} } = operations.find((each) => each.operationId === 'createProduct')?.body ?? {};
    expect(Object.keys(examples?.full?.value ?? {})).toEqual(Object.keys(schema?.properties ?? {}));
  });

  test('lists the product groups that have a template', () => {
    const file = new URL('../../server/data/templates.json', import.meta.url);
    const templates: readonly { key: string }[] = JSON.parse(readFileSync(file, 'utf8'));
    const createProduct = contract.operations.find(({ operationId }) => operationId === 'createProduct');
    const group = createProduct?.body?.schema.properties?.product_group;
    const known = group?.oneOf?.[0]?.['x-extensible-enum'];
    expect(known).toEqual(templates.map(({ key }) => key));
  });
});

describe('the examples of a passport', () => {
  const passports = Object.entries(examplesOf('getPassport')) as [string, Passport][];

  test.each(passports)('%s has the content hash of its values', async (_name, passport) => {
    expect(await verifyContentHash(passport)).toMatchObject({ ok: true });
  });

  test('the public document repeats the content hash of its passport, and the salt for an inspector only', () => {
    const { item: _, ...ofCable } = examplesOf('getPassportJsonld');
    const documents = Object.values(ofCable) as {
      hasDigitalProductPassport: Record<string, unknown> & { identifier: { value: string } };
    }[];
    const shown = documents.map(({ hasDigitalProductPassport: passport }) => [
      passport['dpp:viewRole'],
      passport.identifier.value,
      passport['dpp:contentSalt'],
    ]);
    const { content_hash, salt } = passports.find(([name]) => name === 'filled')?.[1].latest_version ?? {};
    expect(shown).toEqual([
      ['consumer', content_hash, undefined],
      ['inspector', content_hash, salt],
    ]);
  });

  test('the document of an item is that of the fake service', async () => {
    const siteUrl = 'https://passport.example.com';
    const { fetch, provider } = createFakeService({ sample: false, siteUrl });
    const apiKey = provider.publishing_api_key;
    const client = createClient({ baseUrl: provider.base_url, apiKey, fetch });
    const { item } = examplesOf('getPassportJsonld') as Record<string, PassportDocument>;
    const slug = item?.url.split('/').at(-1) ?? '';
    const product = { name: item?.name ?? '', slug, product_group: 'battery', gtin: '9520001200090' };
    await client.products.create(product as CreateProduct);
    const values = (item?.additionalProperty ?? []).map(({ propertyID, value, unitText = null }) => {
      return { field_key: propertyID, value: value as string, unit: unitText };
    });
    await client.passports.put(slug, values);
    await client.products.setStatus(slug, { status: 'active', accept_findings: true });
    const made = await createPublicClient({ siteUrl, fetch }).passports.document('skellig', slug);
    const { dateModified, identifier } = item?.hasDigitalProductPassport ?? {};
    // The salt and the time are those of the example.
    const passport = { ...made.hasDigitalProductPassport, identifier, dateModified };
    expect({ ...made, hasDigitalProductPassport: passport }).toEqual(item);
  });
});

describe('contractOf', () => {
  const slug = { name: 'slug', in: 'path', required: true, schema: { type: 'string' } };
  const failed = {
    content: { 'application/json': { schema: { properties: { error: { $ref: '#/components/schemas/Error' } } } } },
  };
  const absent = {
    content: {
      'application/json': {
        schema: {},
        examples: { absent: { value: { message: [{ type: 'Error', code: 'not_found', text: 'Nothing is here.' }] } } },
      },
    },
  };
  const document = {
    security: [{ key: [] }],
    paths: {
      '/things/{slug}': {
        parameters: [{ $ref: '#/components/parameters/Slug' }],
        put: { operationId: 'putThing', requestBody: { $ref: '#/components/requestBodies/Thing' }, responses: {} },
        get: {
          operationId: 'getThing',
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
          responses: { 400: { $ref: '#/components/responses/Failed' } },
        },
      },
      '/open/{slug}': {
        parameters: [{ $ref: '#/components/parameters/Slug' }],
        get: {
          operationId: 'getOpen',
          'x-variant-of': 'getThing',
          security: [],
          responses: {},
        },
      },
    },
    'x-responses-beside-operations': { 408: { $ref: '#/components/responses/Failed' }, '/open': { 404: absent } },
    components: {
      parameters: { Slug: slug },
      requestBodies: { Thing: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
      responses: { Failed: failed },
      schemas: {
        Error: { properties: { code: { enum: ['second', 'first'] } } },
        Thing: {
          type: 'object',
          properties: { 'a/b': { type: 'string' }, alias: { $ref: '#/components/schemas/Alias' } },
        },
        Alias: { $ref: '#/components/schemas/Named' },
        Named: { description: 'The target.', type: 'string' },
      },
    },
  };

  test('reads operations, parameters, bodies, codes and what one repeats', () => {
    expect(contractOf(document)).toMatchSnapshot();
  });

  test('the codes of createProduct have the order of the checks', () => {
    const create = readContract().operations.find(({ operationId }) => operationId === 'createProduct');
    expect(codesOf(create?.responses['400']).slice(0, 2)).toEqual(['invalid_json', 'name_required']);
  });

  test("the project's own contract is read once", () => {
    expect(readContract()).toBe(readContract());
  });

  test('a referenced node has the steps to where it is written', () => {
    const response = below(rootOf(document), 'paths', '/things/{slug}', 'get', 'responses', '400');
    expect(response?.steps).toEqual(['components', 'responses', 'Failed']);
    expect(allBelow(response).map(([key, { steps }]) => [key, ...steps])).toEqual([
      ['content', 'components', 'responses', 'Failed', 'content'],
    ]);
    expect(below(rootOf(document), 'paths', '/none', 'get')).toBeUndefined();
  });

  test('a reference keeps its own description', () => {
    const properties = { one: { type: 'string' }, other: { $ref: '#/properties/one', description: 'Its own.' } };
    expect(resolved(rootOf({ properties }))).toMatchObject({
      properties: { other: { type: 'string', description: 'Its own.' } },
    });
  });

  test.each([
    ['a missing node', { $ref: '#/components/schemas/None' }, 'has no #/components/schemas/None'],
    ['another file', { $ref: 'other.yaml#/Thing' }, 'other.yaml#/Thing leads out of it'],
    ['a node around it', { items: { $ref: '#/components/schemas/Only' } }, 'in a circle: #/components/schemas/Only'],
    [
      'a node, with a rule of its own',
      { items: { $ref: '#/info', maxLength: 5 } },
      'has maxLength next to it: use allOf',
    ],
  ])('a reference to %s is an error', (_name, Only, message) => {
    expect(() => resolved(rootOf({ components: { schemas: { Only } } }))).toThrow(message);
  });
});
