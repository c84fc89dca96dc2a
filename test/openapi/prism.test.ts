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

/** A request made from the contract's examples. */
function send({ path, parameters, body, method, secured }: Operation, headers: Record<string, string>) {
  const pathOf = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    return String(parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.example);
  });
  const [example] = Object.values(body?.examples ?? {});
  return fetch(mock.host + pathOf, {
    method,
    redirect: 'manual',
    headers: {
      ...(secured && { authorization: 'Bearer ppk_mock' }),
      ...(example && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(example && { body: JSON.stringify(example.value) }),
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
    const response = await send(operation, { prefer, ...(mediaType && { accept: mediaType }) });
    const body = await response.text();

    expect(response.status).toBe(Number(status));
    expect(response.headers.get('content-type')).toBe(mediaType === undefined ? null : `${mediaType}; charset=utf-8`);
    if (mediaType !== undefined) expect(mediaType.endsWith('json') ? JSON.parse(body) : body).toEqual(value);

    const { headers } = response;
    expect(judge.response({ operationId: operation.operationId, status: response.status, headers, body })).toEqual([]);
  });
});
