import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readDocument } from '@product-passport/openapi';
import { parse } from 'yaml';

const checkout = path.resolve(import.meta.dirname, '../..');
const contractFile = path.join(checkout, 'openapi.yaml');
const configFile = path.join(checkout, 'tools/redocly.yaml');

/** A fault in a copy of the contract: the rule that must report it, the changed node, and its new value. */
type FaultCase = readonly [rule: string, at: readonly string[], to: (node: unknown) => unknown];

const errorCode = ['properties', 'error', 'properties', 'code'];
const json = (...before: string[]) => [...before, 'content', 'application/json'];
const schemas = ['components', 'schemas'];
const me = ['paths', '/api/v1/me', 'get'];
const products = ['paths', '/api/v1/products'];
const limit = [...products, 'get', 'parameters', '2', 'schema'];
const createErrors = [...json(...products, 'post', 'responses', '400'), 'examples'];
const createProduct = [...schemas, 'CreateProduct', 'properties'];
const notFound = json('components', 'responses', 'NotFound');
const fullRequest = [...json(...products, 'post', 'requestBody'), 'examples', 'full', 'value'];

const faults: Readonly<Record<string, FaultCase>> = {
  'an error code is any text': [
    'contract/error-narrows-its-codes',
    [...notFound, 'schema', ...errorCode],
    () => ({ description: 'Any.', type: 'string' }),
  ],
  'an error beside the operations has any schema': [
    'contract/error-narrows-its-codes',
    json('x-responses-beside-operations', '408'),
    plus({ schema: {} }),
  ],
  'an error code has no example': ['contract/error-example-per-code', createErrors, without('invalid_gtin')],
  'an example has the name of another code': [
    'contract/error-example-per-code',
    createErrors,
    (examples) => plus({ another: record(examples).invalid_gtin })(examples),
  ],
  'a page has no example': [
    'rule/response-has-example',
    ['components', 'responses', 'PageNotFound', 'content', 'text/html'],
    without('examples'),
  ],
  'an example has a field that the open schema does not name': [
    'contract/example-fits-schema',
    [...json(...me, 'responses', '200'), 'examples', 'tenant', 'value'],
    plus({ stack: 'at …' }),
  ],
  'an example of a request breaks a rule for requests': [
    'contract/example-fits-schema',
    fullRequest,
    plus({ product_group: 'spaceship' }),
  ],
  'a secured operation has no 401': ['rule/secured-operation-documents-failures', [...me, 'responses'], without('401')],
  'a public operation has no 500': [
    'rule/public-path-documents-500',
    ['paths', '/01/{gtin}', 'get', 'responses'],
    without('500'),
  ],
  'an operation with a 401 needs no key': ['rule/public-operation-documents-no-401', me, plus({ security: [] })],
  'an operation documents 405': [
    'rule/errors-beside-operations',
    [...me, 'responses'],
    plus({ 405: { $ref: '#/components/responses/NotFound' } }),
  ],
  'a field has no description': ['rule/field-described', [...createProduct, 'model'], without('description')],
  'a parameter has no description': [
    'parameter-description',
    ['components', 'parameters', 'TenantSlug'],
    without('description'),
  ],
  'a header has no description': [
    'rule/header-described',
    ['components', 'headers', 'RetryAfter'],
    without('description'),
  ],
  'a query parameter has a maximum': ['rule/query-integer-clamped', limit, plus({ maximum: 200 })],
  'a whole number has no bounds': ['rule/query-integer-clamped', limit, () => ({ type: 'integer', default: 50 })],
  'an item of a list has no required field': ['rule/object-requires', [...schemas, 'Carrier'], without('required')],
  'x-origin has an unknown value': ['contract/origin-form', [...schemas, 'Passport', 'x-origin'], () => 'description'],
  'x-origin marks a missing keyword': [
    'contract/origin-form',
    [...createProduct, 'slug', 'x-origin'],
    plus({ format: 'reference' }),
  ],
  'x-origin marks a field that is not required': [
    'contract/origin-form',
    [...schemas, 'Carrier'],
    plus({ 'x-origin': { no_such_field: 'reference' } }),
  ],
};

const copies = Object.entries(faults).map(([fault, [rule, at, to]], index) => ({ fault, rule, at, to, index }));

const config: { readonly plugins: string[]; readonly rules: object; readonly extends: string[] } = parse(
  readFileSync(configFile, 'utf8'),
);
/** Rules of Redocly that the configuration only sets to strict have no fault here. */
const ownRules = Object.keys(config.rules).filter((name) => /^(contract|rule)[/]|^parameter-/.test(name));

let folder = '';
/** The rules that the contract breaks, then those that each faulty copy breaks, in the order of `faults`. */
let contractBreaks: readonly string[] = [];
let copyBreaks: readonly (readonly string[])[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'contract-lint-'));
  await Promise.all(
    copies.map(({ at, to, index }) => writeFile(fileOf(index), JSON.stringify(changed(readDocument(), at, to)))),
  );
  const [first] = await lint([contractFile], configFile);
  contractBreaks = first ?? ['nothing was linted'];
  // One process for all copies, with the contract's own rules alone: Redocly's take most of the time.
  const { extends: _strict, ...own } = config;
  const ownFile = path.join(folder, 'redocly.yaml');
  const plugins = config.plugins.map((plugin) => path.join(checkout, 'tools', plugin));
  await writeFile(ownFile, JSON.stringify({ ...own, plugins }));
  const files = copies.map(({ index }) => fileOf(index));
  copyBreaks = await lint(files, ownFile);
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the rules of the contract', () => {
  test('pass for the contract, including the strict rules of Redocly', () => {
    expect(contractBreaks).toEqual([]);
  });

  test('each have a fault here', () => {
    expect([...new Set(copies.map(({ rule }) => rule))].toSorted()).toEqual(ownRules.toSorted());
  });

  test.each(copies)('$rule: $fault', ({ rule, index }) => {
    const own = (copyBreaks[index] ?? []).filter((id) => ownRules.includes(id));
    expect([...new Set(own)]).toEqual([rule]);
  });
});

function fileOf(index: number): string {
  return path.join(folder, `${index}.json`);
}

/** The broken rules of each file, from Redocly as `npm run check:contract` runs it. */
async function lint(files: readonly string[], config: string): Promise<string[][]> {
  const redocly = path.join(checkout, 'node_modules/@redocly/cli/bin/cli.js');
  const output = await new Promise<string>((resolve) => {
    // Redocly exits with 1 if it finds problems; the problems are in the output.
    execFile(
      process.execPath,
      [redocly, 'lint', ...files, '--config', config, '--format', 'json'],
      { cwd: checkout, maxBuffer: 1 << 26, env: { ...process.env, NODE_OPTIONS: '' } },
      (_error, stdout, stderr) => resolve(stdout || stderr),
    );
  });
  const reports = output.split(/(?<=^\})(?=\{$)/m);
  return reports.map((text) => {
    const { problems }: { problems: { ruleId: string }[] } = JSON.parse(text);
    return problems.map(({ ruleId }) => ruleId);
  });
}

function changed(node: unknown, [step, ...rest]: readonly string[], to: (node: unknown) => unknown): unknown {
  if (step === undefined) return to(node);
  if (Array.isArray(node)) return node.with(Number(step), changed(node[Number(step)], rest, to));
  const object = record(node);
  if (!Object.hasOwn(object, step)) throw new Error(`The contract has no ${step} here: ${Object.keys(object)}`);
  return { ...object, [step]: changed(object[step], rest, to) };
}

function record(node: unknown): Record<string, unknown> {
  if (typeof node !== 'object' || node === null) throw new Error('The node is not an object.');
  return node as Record<string, unknown>;
}

function without(key: string): (node: unknown) => object {
  return (node) => Object.fromEntries(Object.entries(record(node)).filter(([name]) => name !== key));
}

function plus(members: object): (node: unknown) => object {
  return (node) => ({ ...record(node), ...members });
}
