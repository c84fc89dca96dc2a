/** The contract as a mock: Prism, which runs in the mock, returns every operation × status × example as documented. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createJudge } from '../../contracts/judge/judge.ts';
import { type Operation, readContract } from '../../openapi/src/index.ts';
import { type Mock, startMock } from '../support/program.ts';

const { operations } = readContract();
const judge = createJudge();

let mock: Mock;

beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

interface Change {
  readonly keyless?: boolean;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request made from the contract's examples. It is valid except for the change. */
function send(operation: Operation, change: Change = {}): Promise<Response> {
  const pathOf = operation.path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    const parameter = operation.parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
    return change.path?.[name] ?? String(parameter?.example);
  });
  const [example] = Object.values(operation.body?.examples ?? {});
  const body = change.body ?? (example === undefined ? undefined : JSON.stringify(example.value));
  return fetch(`${mock.host}${pathOf}${change.query ?? ''}`, {
    method: operation.method,
    redirect: 'manual',
    headers: {
      ...(operation.secured && change.keyless !== true ? { Authorization: 'Bearer ppk_mock' } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...change.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

interface ExampleCase {
  readonly operation: Operation;
  readonly operationId: string;
  readonly status: string;
  /** The name of the example, if the response has content. */
  readonly name: string;
  readonly mediaType?: string;
  readonly example?: string;
  readonly value?: unknown;
}

const cases = operations.flatMap((operation) =>
  Object.entries(operation.responses).flatMap(([status, response]): ExampleCase[] => {
    const { operationId } = operation;
    if (response.content === undefined) return [{ operation, operationId, status, name: '(no content)' }];
    return Object.entries(response.content).flatMap(([mediaType, { examples = {} }]) =>
      Object.entries(examples).map(([example, { value }]) => ({
        ...{ operation, operationId, status, name: example, mediaType, example, value },
      })),
    );
  }),
);

describe('Prism responds as documented', () => {
  test('for every operation and status', () => {
    const walked = new Set(cases.map(({ operationId, status }) => `${operationId} ${status}`));
    const documented = judge.operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    );
    expect([...walked].toSorted()).toEqual(documented.toSorted());
  });

  test.each(cases)('$operationId $status $name', async ({ operation, status, mediaType, example, value }) => {
    const prefer = example === undefined ? `code=${status}` : `code=${status}, example=${example}`;
    const response = await send(operation, { headers: { Prefer: prefer, ...(mediaType && { Accept: mediaType }) } });
    const body = await response.text();

    expect(response.status).toBe(Number(status));
    expect(response.headers.get('content-type')).toBe(mediaType === undefined ? null : `${mediaType}; charset=utf-8`);
    if (mediaType !== undefined) expect(mediaType.endsWith('json') ? JSON.parse(body) : body).toEqual(value);

    const { headers } = response;
    expect(judge.response({ operationId: operation.operationId, status: response.status, headers, body })).toEqual([]);
  });
});

describe('the mock rejects', () => {
  const secured = operations.filter((operation) => operation.secured);

  test.each(secured)('$operationId without a key', async (operation) => {
    const response = await send(operation, { keyless: true });
    expect([response.status, await response.json()]).toEqual([401, firstExample(operation, '401')]);
  });

  const invalid: readonly (readonly [string, string, string, Change])[] = [
    ['listProducts', 'invalid_request', 'limit is not a number', { query: '?limit=abc' }],
    ['listProducts', 'invalid_request', 'status is unknown', { query: '?status=deleted' }],
    ['getScanStatistics', 'invalid_request', 'days is not a number', { query: '?days=1.5' }],
    ['createProduct', 'name_required', 'name is absent', { body: '{}' }],
    ['createProduct', 'unsupported_media_type', 'the body is text', { headers: { 'Content-Type': 'text/plain' } }],
    ['putPassport', 'values_must_be_array', 'the body is not an array', { body: '{}' }],
    ['putPassport', 'field_key_required', 'field_key is absent', { body: '[{"value":1}]' }],
    ['resolveGtin', 'invalid_gtin', 'gtin has one digit', { path: { gtin: '1' } }],
    ['resolveGtinSerial', 'invalid_request', 'the serial number has a space', { path: { serial: 'a%20b' } }],
  ];

  test.each(invalid)('%s with %s if %s', async (operationId, code, _fault, change) => {
    const operation = operations.find((candidate) => candidate.operationId === operationId);
    if (operation === undefined) throw new Error(`The contract has no operation ${operationId}.`);
    const response = await send(operation, change);
    const { status, headers } = response;
    const body = await response.text();
    expect(JSON.parse(body).error.code).toBe(code);
    expect(judge.response({ operationId, status, headers, body })).toEqual([]);
  });

  test.each([
    ['limit', '?limit=100000'],
    ['offset', '?offset=-5'],
  ])('no %s that the service clamps', async (_name, query) => {
    const list = operations.find(({ operationId }) => operationId === 'listProducts');
    if (list === undefined) throw new Error('The contract has no operation listProducts.');
    expect((await send(list, { query })).status).toBe(200);
  });
});

function firstExample(operation: Operation, status: string): unknown {
  const examples = operation.responses[status]?.content?.['application/json']?.examples ?? {};
  return Object.values(examples)[0]?.value;
}
