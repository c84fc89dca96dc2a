/** The responses that the contract allows for a request. */
import { type Contract, codesOf, type Operation, type Response, readContract } from '@product-passport/openapi';
import { operationAt, parametersOf } from './operation-at.ts';

const { operations, describedCodes } = readContract();

/** The status of each error code of the service's own description. Only `/api/v1` has these codes. */
export const describedStatus: Readonly<Record<string, number>> = Object.fromEntries(
  operations
    .filter(({ secured }) => secured)
    .flatMap(({ responses }) => Object.entries(responses))
    .flatMap(([status, response]) => codesOf(response).map((code): [string, number] => [code, Number(status)]))
    .filter(([code]) => describedCodes.includes(code)),
);

/**
 * The request that a response belongs to. `operationId` names the operation if it is given, otherwise method and path
 * do. A request without any of them stands for bytes that are not HTTP.
 */
export interface RequestLine {
  readonly operationId?: string | undefined;
  readonly method?: string | undefined;
  /** As it was sent, with or without a query and a trailing slash. */
  readonly path?: string | undefined;
}

type ResponseOf = (status: number) => Response | undefined;

export interface PossibleResponses {
  /** The operation, if the request belongs to one. */
  readonly operation: Operation | undefined;
  /** The operation, or a description of the request, for messages. */
  readonly request: string;
  /** The documented response with this status, if the request may get it. */
  readonly of: ResponseOf;
  /** The methods that the path has. */
  readonly methods: readonly string[];
}

/**
 * The responses that a request may get: those of its operation, and those of no operation that apply to it. These
 * are 400 for bytes that are not HTTP, 404 for an unknown path, 405 for an unknown method, and 408 and 431 always.
 */
export function possibleResponses(contract: Contract, { operationId, method, path }: RequestLine): PossibleResponses {
  if (operationId === undefined && path === undefined) {
    const of = ofNoOperation(contract, 400, 408, 431);
    return { operation: undefined, request: 'bytes that are not HTTP', of, methods: [] };
  }
  const operation =
    operationId === undefined
      ? operationAt(contract.operations, method?.toUpperCase() ?? '', path ?? '')
      : operationOf(contract, operationId);
  if (operation === undefined) return betweenOperations(contract, method?.toUpperCase(), path ?? '');

  const others = ofNoOperation(contract, 408, 431);
  return {
    operation,
    request: operation.operationId,
    of: (status) => operation.responses[String(status)] ?? others(status),
    methods: [operation.method],
  };
}

export function operationOf(contract: Contract, operationId: string): Operation {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(`The contract has no operation ${operationId}.`);
  return operation;
}

function ofNoOperation({ besideOperations }: Contract, ...statuses: readonly number[]): ResponseOf {
  return (status) => (statuses.includes(status) ? besideOperations[String(status)] : undefined);
}

/** The responses to an unknown path, or to an unknown method of a path. */
function betweenOperations(contract: Contract, method: string | undefined, path: string): PossibleResponses {
  const atPath = contract.operations.filter((operation) => parametersOf(operation.path, path));
  // The server checks the key before the path, so that a client without a key does not learn which paths exist.
  const ofKey = /^\/api\/v1(?:[/?#]|$)/.test(path) ? keyResponses(contract) : () => undefined;
  const isPreflight = method === 'OPTIONS' && atPath.some((operation) => !operation.secured);
  const others = isPreflight
    ? ofNoOperation(contract, 204, 408, 431)
    : ofNoOperation(contract, atPath.length === 0 ? 404 : 405, 408, 431);
  return {
    operation: undefined,
    request: atPath.length === 0 ? `the unknown path ${path}` : `${method} of ${path}`,
    of: (status) => ofKey(status) ?? inTypesOf(atPath, others(status)),
    methods: atPath.map((operation) => operation.method),
  };
}

/** An error of a path has the content types of its operations' errors: the passport page has HTML errors. */
function inTypesOf(operations: readonly Operation[], response: Response | undefined): Response | undefined {
  const errors = operations.flatMap(({ responses }) => Object.entries(responses)).filter(([status]) => status >= '400');
  const types = new Set(errors.flatMap(([, error]) => Object.keys(error.content ?? {})));
  const content = Object.entries(response?.content ?? {}).filter(([type]) => types.has(type));
  return response === undefined || content.length === 0
    ? response
    : { ...response, content: Object.fromEntries(content) };
}

/** The responses of the key check and its failures, which are the same for every secured operation. */
function keyResponses(contract: Contract): ResponseOf {
  const responses = contract.operations.find((operation) => operation.secured)?.responses;
  return (status) => ([401, 429, 500, 503].includes(status) ? responses?.[String(status)] : undefined);
}
