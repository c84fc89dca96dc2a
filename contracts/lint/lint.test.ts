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

/** A fault in a copy of the contract, and the rule that must report it. */
interface FaultCase {
  readonly rule: string;
  readonly fault: string;
  /** The path to the changed node. */
  readonly at: readonly string[];
  /** Makes the new value of the node. */
  readonly to: (node: unknown) => unknown;
}

const errorCode = ['properties', 'error', 'properties', 'code'];
const json = (...before: string[]) => [...before, 'content', 'application/json'];
const me = ['paths', '/api/v1/me', 'get', 'responses'];
const limit = ['paths', '/api/v1/products', 'get', 'parameters', '2', 'schema'];
const createErrors = [...json('paths', '/api/v1/products', 'post', 'responses', '400'), 'examples'];
const createProduct = ['components', 'schemas', 'CreateProduct', 'properties'];

const faults: readonly FaultCase[] = [
  {
    rule: 'contract/error-narrows-its-codes',
    fault: 'an error code is any text',
    at: [...json('components', 'responses', 'NotFound'), 'schema', ...errorCode],
    to: () => ({ description: 'Any.', type: 'string' }),
  },
  {
    rule: 'contract/error-narrows-its-codes',
    fault: 'an error beside the operations has any schema',
    at: json('x-responses-beside-operations', '408'),
    to: (media) => ({ ...record(media), schema: {} }),
  },
  {
    rule: 'contract/error-example-per-code',
    fault: 'an error code has no example',
    at: createErrors,
    to: (examples) => without(examples, 'invalid_gtin'),
  },
  {
    rule: 'contract/error-example-per-code',
    fault: 'an example has the name of another code',
    at: createErrors,
    to: (examples) => ({ ...record(examples), another: record(examples).invalid_gtin }),
  },
  {
    rule: 'rule/response-has-example',
    fault: 'a page has no example',
    at: ['components', 'responses', 'PageNotFound', 'content', 'text/html'],
    to: (media) => without(media, 'examples'),
  },
  {
    rule: 'contract/example-fits-schema',
    fault: 'an example has a field that the open schema does not name',
    at: [...json(...me, '200'), 'examples', 'tenant', 'value'],
    to: (value) => ({ ...record(value), stack: 'at …' }),
  },
  {
    rule: 'contract/example-fits-schema',
    fault: 'an example of a request breaks a rule for requests',
    at: [...json('paths', '/api/v1/products', 'post', 'requestBody'), 'examples', 'full', 'value', 'product_group'],
    to: () => 'spaceship',
  },
  {
    rule: 'rule/secured-operation-documents-failures',
    fault: 'a secured operation has no 401',
    at: me,
    to: (responses) => without(responses, '401'),
  },
  {
    rule: 'rule/public-path-documents-500',
    fault: 'a public operation has no 500',
    at: ['paths', '/01/{gtin}', 'get', 'responses'],
    to: (responses) => without(responses, '500'),
  },
  {
    rule: 'rule/public-operation-documents-no-401',
    fault: 'an operation with a 401 needs no key',
    at: ['paths', '/api/v1/me', 'get'],
    to: (operation) => ({ ...record(operation), security: [] }),
  },
  {
    rule: 'contract/has-errors-beside-operations',
    fault: 'the status 431 is not documented',
    at: ['x-responses-beside-operations'],
    to: (responses) => without(responses, '431'),
  },
  {
    rule: 'rule/errors-beside-operations',
    fault: 'an operation documents 405',
    at: me,
    to: (responses) => ({ ...record(responses), 405: { $ref: '#/components/responses/NotFound' } }),
  },
  {
    rule: 'rule/field-described',
    fault: 'a field has no description',
    at: [...createProduct, 'model'],
    to: (schema) => without(schema, 'description'),
  },
  {
    rule: 'parameter-description',
    fault: 'a parameter has no description',
    at: ['components', 'parameters', 'TenantSlug'],
    to: (parameter) => without(parameter, 'description'),
  },
  {
    rule: 'rule/header-described',
    fault: 'a header has no description',
    at: ['components', 'headers', 'RetryAfter'],
    to: (header) => without(header, 'description'),
  },
  {
    rule: 'rule/query-integer-clamped',
    fault: 'a query parameter has a maximum',
    at: limit,
    to: (schema) => ({ ...record(schema), maximum: 200 }),
  },
  {
    rule: 'rule/query-integer-clamped',
    fault: 'a whole number has no bounds',
    at: limit,
    to: () => ({ type: 'integer', default: 50 }),
  },
  {
    rule: 'rule/object-requires',
    fault: 'an item of a list has no required field',
    at: ['components', 'schemas', 'Carrier'],
    to: (schema) => without(schema, 'required'),
  },
  {
    rule: 'contract/origin-form',
    fault: 'x-origin has an unknown value',
    at: ['components', 'schemas', 'Passport', 'x-origin'],
    to: () => 'description',
  },
  {
    rule: 'contract/origin-form',
    fault: 'x-origin marks a missing keyword',
    at: [...createProduct, 'slug', 'x-origin'],
    to: (origin) => ({ ...record(origin), format: 'reference' }),
  },
  {
    rule: 'contract/origin-form',
    fault: 'x-origin marks a field that is not required',
    at: ['components', 'schemas', 'Carrier'],
    to: (schema) => ({ ...record(schema), 'x-origin': { no_such_field: 'reference' } }),
  },
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
    faults.map(async ({ at, to }, index) => {
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
    expect([...new Set(faults.map(({ rule }) => rule))].toSorted()).toEqual(ownRules.toSorted());
  });

  test.each(faults.map((fault, index) => ({ ...fault, index })))('$rule: $fault', ({ rule, index }) => {
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

function without(node: unknown, key: string): unknown {
  const { [key]: _left, ...rest } = record(node);
  return rest;
}
