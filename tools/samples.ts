/** The samples of `@product-passport/sdk/testing`, from the contract's examples. */
import { readFileSync } from 'node:fs';
import {
  type Contract,
  codesOf,
  errorMeanings,
  type MediaType,
  mapValues,
  member,
  type Operation,
  type Parameter,
  type Response,
  type Schema,
} from '../openapi/src/index.ts';

interface Origin {
  readonly operationId: string;
  readonly from: 'request' | 'response';
  readonly example: string;
  /** The way from the example to the object. */
  readonly steps?: readonly string[];
  readonly type: string;
}

const origins: Readonly<Record<string, Origin>> = {
  me: { operationId: 'getMe', from: 'response', example: 'tenant', type: 'Me' },
  tenant: { operationId: 'getMe', from: 'response', example: 'tenant', steps: ['tenant'], type: 'Tenant' },
  list: { operationId: 'listProducts', from: 'response', example: 'whole_list', type: 'ProductList' },
  listItem: {
    operationId: 'listProducts',
    from: 'response',
    example: 'whole_list',
    steps: ['items', '0'],
    type: 'ProductListItem',
  },
  product: { operationId: 'getProduct', from: 'response', example: 'registered', type: 'Product' },
  newProduct: { operationId: 'createProduct', from: 'request', example: 'full', type: 'CreateProduct' },
  passport: { operationId: 'getPassport', from: 'response', example: 'filled', type: 'Passport' },
  value: {
    operationId: 'getPassport',
    from: 'response',
    example: 'filled',
    steps: ['values', '0'],
    type: 'PassportValue',
  },
  version: {
    operationId: 'getPassport',
    from: 'response',
    example: 'filled',
    steps: ['latest_version'],
    type: 'PassportVersion',
  },
  newValue: {
    operationId: 'putPassport',
    from: 'request',
    example: 'values',
    steps: ['0'],
    type: 'PassportValueInput',
  },
  writeResult: { operationId: 'putPassport', from: 'response', example: 'stored', type: 'PassportWriteResult' },
  carriers: { operationId: 'listCarriers', from: 'response', example: 'carriers', type: 'CarrierList' },
  carrier: {
    operationId: 'listCarriers',
    from: 'response',
    example: 'carriers',
    steps: ['items', '0'],
    type: 'Carrier',
  },
  scans: { operationId: 'getScanStatistics', from: 'response', example: 'scans', type: 'ScanStatistics' },
  document: { operationId: 'getPassportJsonld', from: 'response', example: 'passport', type: 'PassportDocument' },
};

/** A module with the example of each sample, and with what the fake service needs of the contract. */
export function samplesOf(contract: Contract): string {
  const types = [...new Set(Object.values(origins).map(({ type }) => type))].toSorted();
  const samples = Object.entries(origins).map(([name, origin]) => ({ name, origin, ...sampleOf(contract, origin) }));
  const examples = samples.map(
    ({ name, origin: { type }, example }) => `  ${name}: ${indented(example)} satisfies ${type} as ${type},`,
  );
  const defaults = samples.flatMap(({ name, schema }) => {
    const own = defaultsOf(schema);
    return Object.keys(own).length > 0 ? [`  ${name}: ${indented(own)},`] : [];
  });
  const { operations } = contract;
  const fallbacks = contract.fallbacks.map(({ responses: _, ...fallback }) => fallback);
  const errors = [...errorMeanings(contract)].map(
    ([code, { status, message, ofOperations }]) =>
      [code, { status, message: (status === 404 && ofOperations.get('getProduct')) || message }] as const,
  );
  return `import type {\n${types.map((type) => `  ${type},`).join('\n')}\n} from '../contract.ts';
import type { DocumentProperties } from '../../../openapi/src/rules/document.ts';
import type { Fallback, ServedOperation } from '../../../openapi/src/rules/side.ts';\n
/** The examples of the contract. */
export const examples = {\n${examples.join('\n')}\n};\n
/** The values of fields that are not set: null if the contract allows it, and otherwise the default. */
export const defaults = {\n${defaults.join('\n')}\n};\n
/** The operations: what validates their requests, their error codes, and the media types of their 200. */
export const operations: readonly ServedOperation[] = [\n${lines(servedOperations(operations))}];\n
/** How paths that no operation has are refused: below each root, and last elsewhere. */
export const fallbacks: readonly Fallback[] = [\n${lines(fallbacks)}];\n
/** The status and the message of each error. */
export const errors: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {\n${members(errors)}};\n
/** The fields of each product group from which a document takes properties of schema.org. */
export const properties: Readonly<Record<string, DocumentProperties>> = {\n${members(documentProperties())}};\n`;
}

function lines(values: readonly object[]): string {
  return values.map((value) => `  ${JSON.stringify(value)},\n`).join('');
}

function members(entries: readonly (readonly [string, object])[]): string {
  return entries.map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`).join('');
}

function documentProperties(): [string, object][] {
  const templates: { key: string; properties: object }[] = JSON.parse(
    readFileSync(new URL('../server/data/templates.json', import.meta.url), 'utf8'),
  );
  return templates.map(({ key, properties }) => [key, properties]);
}

function servedOperations(operations: readonly Operation[]): object[] {
  const refusals = operations.flatMap(refusalsOf);
  // An HTML page names no code. It has the code that the other operations have for its status.
  const codesOfPage = (status: string): string[] =>
    refusals
      .filter(([other]) => other === status)
      .map(([, response]) => codesOf(response))
      .find(({ length }) => length === 1) ?? [];
  return operations.map((operation) => {
    const { operationId, variantOf = operationId, method, path, side, parameters, body, responses } = operation;
    const codes = refusalsOf(operation).flatMap(([status, response]) =>
      response.content?.['text/html'] ? codesOfPage(status) : codesOf(response),
    );
    return {
      operationId,
      variantOf,
      method,
      path,
      side,
      parameters: parameters.map(servedParameter),
      body: body && { schema: validated(body.schema) },
      codes,
      types: Object.keys(responses['200']?.content ?? {}),
      redirects: '307' in responses,
    };
  });
}

function refusalsOf({ responses }: Operation): [status: string, response: Response][] {
  return Object.entries(responses).filter(([status]) => Number(status) >= 400);
}

/** Messages about a path describe the expected form. */
function servedParameter({ name, in: where, required, schema, 'x-given-once': once }: Parameter): object {
  const { description } = where === 'path' ? schema : {};
  return {
    ...{ name, in: where, ...(where === 'query' && required && { required }), ...(once && { 'x-given-once': once }) },
    schema: { ...(validated(schema) as Schema), description },
  };
}

const describing = new Set(['description', 'example', 'examples', 'format', 'x-origin']);

/** A schema with only the keywords that validation reads. */
function validated(schema: Schema): unknown {
  const { properties, items, oneOf, allOf, ...own } = schema;
  const rules = Object.entries(own).filter(([keyword]) => !describing.has(keyword));
  return {
    ...Object.fromEntries(rules),
    ...(properties && { properties: mapValues(properties, (each) => validated(each as Schema)) }),
    ...(items && { items: validated(items) }),
    ...(oneOf && { oneOf: oneOf.map(validated) }),
    ...(allOf && { allOf: allOf.map(validated) }),
  };
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}

/** The example of a sample, and the schema of it. */
function sampleOf({ operations }: Contract, { operationId, from, example, steps = [] }: Origin) {
  const operation = operations.find((one) => one.operationId === operationId);
  const [response] = Object.values(operation?.responses['200']?.content ?? {});
  const media: MediaType | undefined = from === 'request' ? operation?.body : response;
  const found = steps.reduce(member, media?.examples?.[example]?.value);
  const schema = steps.reduce<Schema | undefined>((parent, step) => parent && childOf(parent, step), media?.schema);
  if (found === undefined || schema === undefined) {
    throw new Error(`openapi.yaml has no example ${example} with ${steps} in ${operationId}.`);
  }
  return { example: found, schema: flat(schema) };
}

function childOf(schema: Schema, step: string): Schema | undefined {
  const { items, properties } = flat(schema);
  return items ?? properties?.[step];
}

/** The schema with the keywords of its `allOf`. */
function flat({ allOf = [], ...own }: Schema): Schema {
  const parts = [...allOf.map(flat), own];
  return Object.assign({}, ...parts, {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  });
}

/** The JSON types that a schema allows. None if it allows every type. */
function typesOf(schema: Schema): readonly string[] {
  const { type, oneOf = [] } = flat(schema);
  return type === undefined ? oneOf.flatMap(typesOf) : [type].flat();
}

function defaultsOf({ properties = {} }: Schema): object {
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const value = typesOf(schema).includes('null') ? null : flat(schema).default;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(fields);
}
