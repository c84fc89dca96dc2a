/** The reader of openapi.yaml. */
import { describe, expect, test } from '@jest/globals';
import {
  allBelow,
  below,
  codesOf,
  contractOf,
  readContract,
  resolved,
  rootOf,
  targetOf,
} from '../../openapi/src/index.ts';

const slug = { name: 'slug', in: 'path', required: true, schema: { type: 'string' } };
const failed = {
  content: { 'application/json': { schema: { properties: { error: { $ref: '#/components/schemas/Error' } } } } },
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
        parameters: [{ ...slug, schema: { type: 'integer' } }],
        responses: {},
      },
    },
  },
  'x-responses-beside-operations': { 408: { $ref: '#/components/responses/Failed' } },
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
const { operations, besideOperations } = contractOf(document);
const [put, get, open] = operations;

/** A document whose only schema is this one. */
const withSchema = (schema: object) => ({ components: { schemas: { Only: schema } } });

describe('operations', () => {
  test('have the order of the file', () => {
    expect(operations.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`)).toEqual([
      'putThing PUT /things/{slug}',
      'getThing GET /things/{slug}',
      'getOpen GET /open/{slug}',
    ]);
  });

  test('are secured by the document, unless they say otherwise', () => {
    expect(operations.map(({ secured }) => secured)).toEqual([true, true, false]);
  });

  test('have the parameters of their path first, and may replace them', () => {
    expect(get?.parameters.map(({ name }) => name)).toEqual(['slug', 'limit']);
    expect(open?.parameters.map(({ schema }) => schema.type)).toEqual(['integer']);
  });

  test('have the JSON body of the request', () => {
    expect(put?.body?.schema.properties?.alias).toEqual({ description: 'The target.', type: 'string' });
    expect(get?.body).toBeUndefined();
  });

  test('name the operation that they repeat', () => {
    expect(operations.map(({ variantOf }) => variantOf)).toEqual([undefined, undefined, 'getThing']);
  });
});

describe('error codes', () => {
  test('have the order of the contract, also beside the operations', () => {
    expect(codesOf(get?.responses['400'])).toEqual(['second', 'first']);
    expect(codesOf(besideOperations['408'])).toEqual(['second', 'first']);
  });

  test('are a const or an enum', () => {
    const schema = { properties: { error: { properties: { code: { const: 'only' } } } } };
    expect(codesOf({ content: { 'application/json': { schema } } })).toEqual(['only']);
  });

  test('are empty for a page, for an empty response and for a status that is not documented', () => {
    expect(codesOf({ content: { 'text/html': { schema: { type: 'string' } } } })).toEqual([]);
    expect(codesOf({})).toEqual([]);
    expect(codesOf(undefined)).toEqual([]);
  });

  test('of createProduct have the order of the checks', () => {
    const create = readContract().operations.find(({ operationId }) => operationId === 'createProduct');
    expect(codesOf(create?.responses['400']).slice(0, 2)).toEqual(['invalid_json', 'name_required']);
  });
});

test("the project's own contract is read once", () => {
  expect(readContract()).toBe(readContract());
});

describe('places', () => {
  test('lead to where a referenced node is written', () => {
    const response = below(rootOf(document), 'paths', '/things/{slug}', 'get', 'responses', '400');
    expect(response?.steps).toEqual(['components', 'responses', 'Failed']);
    expect(allBelow(response).map(([key, { steps }]) => [key, ...steps])).toEqual([
      ['content', 'components', 'responses', 'Failed', 'content'],
    ]);
  });

  test('follow a reference to a reference', () => {
    const alias = targetOf(document, '#/components/schemas/Thing/properties/alias');
    expect(alias).toMatchObject({ steps: ['components', 'schemas', 'Named'], value: { type: 'string' } });
  });

  test('decode the escapes of a reference', () => {
    expect(targetOf(document, '#/components/schemas/Thing/properties/a~1b').value).toEqual({ type: 'string' });
    expect(targetOf(document, '#/paths/~1things~1%7Bslug%7D/get').value).toBe(document.paths['/things/{slug}'].get);
  });

  test('are undefined where nothing is written', () => {
    expect(below(rootOf(document), 'paths', '/none', 'get')).toBeUndefined();
  });
});

describe('references', () => {
  test('keep the description beside them', () => {
    const properties = { one: { type: 'string' }, other: { $ref: '#/properties/one', description: 'Its own.' } };
    const root = rootOf({ properties });
    expect(resolved(root)).toMatchObject({ properties: { other: { type: 'string', description: 'Its own.' } } });
  });

  test.each([
    ['a missing node', { $ref: '#/components/schemas/None' }, 'has no #/components/schemas/None'],
    ['another file', { $ref: 'other.yaml#/Thing' }, 'other.yaml#/Thing leads out of it'],
    ['itself', { $ref: '#/components/schemas/Only' }, 'in a circle: #/components/schemas/Only'],
    ['a node around it', { items: { $ref: '#/components/schemas/Only' } }, 'in a circle: #/components/schemas/Only'],
    ['a node, with a rule beside it', { items: { $ref: '#/info', maxLength: 5 } }, 'stands maxLength: use allOf'],
  ])('to %s are an error', (_name, schema, message) => {
    expect(() => resolved(rootOf(withSchema(schema)))).toThrow(message);
  });
});
