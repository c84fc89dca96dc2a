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

/** A fault in a copy of the contract: the rule that must report it, what is wrong, the changed node, and its new value. */
type FaultCase = readonly [rule: string, fault: string, at: readonly string[], to: (node: unknown) => unknown];

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

const faults: readonly FaultCase[] = [
  [
    'contract/error-narrows-its-codes',
    'an error code is any text',
    [...notFound, 'schema', ...errorCode],
    () => ({ description: 'Any.', type: 'string' }),
  ],
  [
    'contract/error-narrows-its-codes',
    'an error beside the operations has any schema',
    json('x-responses-beside-operations', '408'),
    plus({ schema: {} }),
  ],
  ['contract/error-example-per-code', 'an error code has no example', createErrors, without('invalid_gtin')],
  [
    'contract/error-example-per-code',
    'an example has the name of another code',
    createErrors,
    (examples) => plus({ another: record(examples).invalid_gtin })(examples),
  ],
  [
    'rule/response-has-example',
    'a page has no example',
    ['components', 'responses', 'PageNotFound', 'content', 'text/html'],
    without('examples'),
  ],
  [
    'contract/example-fits-schema',
    'an example has a field that the open schema does not name',
    [...json(...me, 'responses', '200'), 'examples', 'tenant', 'value'],
    plus({ stack: 'at …' }),
  ],
  [
    'contract/example-fits-schema',
    'an example of a request breaks a rule for requests',
    fullRequest,
    plus({ product_group: 'spaceship' }),
  ],
  ['rule/secured-operation-documents-failures', 'a secured operation has no 401', [...me, 'responses'], without('401')],
  [
    'rule/public-path-documents-500',
    'a public operation has no 500',
    ['paths', '/01/{gtin}', 'get', 'responses'],
    without('500'),
  ],
  ['rule/public-operation-documents-no-401', 'an operation with a 401 needs no key', me, plus({ security: [] })],
  [
    'rule/errors-beside-operations',
    'an operation documents 405',
    [...me, 'responses'],
    plus({ 405: { $ref: '#/components/responses/NotFound' } }),
  ],
  ['rule/field-described', 'a field has no description', [...createProduct, 'model'], without('description')],
  [
    'parameter-description',
    'a parameter has no description',
    ['components', 'parameters', 'TenantSlug'],
    without('description'),
  ],
  [
    'rule/header-described',
    'a header has no description',
    ['components', 'headers', 'RetryAfter'],
    without('description'),
  ],
  ['rule/query-integer-clamped', 'a query parameter has a maximum', limit, plus({ maximum: 200 })],
  ['rule/query-integer-clamped', 'a whole number has no bounds', limit, () => ({ type: 'integer', default: 50 })],
  ['rule/object-requires', 'an item of a list has no required field', [...schemas, 'Carrier'], without('required')],
  ['contract/origin-form', 'x-origin has an unknown value', [...schemas, 'Passport', 'x-origin'], () => 'description'],
  [
    'contract/origin-form',
    'x-origin marks a missing keyword',
    [...createProduct, 'slug', 'x-origin'],
    plus({ format: 'reference' }),
  ],
  [
    'contract/origin-form',
    'x-origin marks a field that is not required',
    [...schemas, 'Carrier'],
    plus({ 'x-origin': { no_such_field: 'reference' } }),
  ],
];

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
    faults.map(async ([, , at, to], index) => {
      await writeFile(fileOf(index), JSON.stringify(changed(readDocument(), at, to)));
    }),
  );
  const [first] = await lint([contractFile], configFile);
  contractBreaks = first ?? ['nothing was linted'];
  // One process for all copies, with the contract's own rules alone: Redocly's take most of the time.
  const { extends: _strict, ...own } = config;
  const ownFile = path.join(folder, 'redocly.yaml');
  const plugins = config.plugins.map((plugin) => path.join(checkout, 'tools', plugin));
  await writeFile(ownFile, JSON.stringify({ ...own, plugins }));
  const copies = faults.map((_case, index) => fileOf(index));
  copyBreaks = await lint(copies, ownFile);
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the rules of the contract', () => {
  test('pass for the contract, including the strict rules of Redocly', () => {
    expect(contractBreaks).toEqual([]);
  });

  test('each have a fault here', () => {
    expect([...new Set(faults.map(([rule]) => rule))].toSorted()).toEqual(ownRules.toSorted());
  });

  test.each(faults.map(([rule, fault], index) => ({ rule, fault, index })))('$rule: $fault', ({ rule, index }) => {
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
