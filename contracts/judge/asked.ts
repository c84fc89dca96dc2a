/** What was asked for, and which of the contract's responses may answer it. */
import type { Contract, Operation, Response } from './contract.ts';

/**
 * What was asked for. `operationId` decides where it is given; otherwise method and path do. Neither is for bytes that
 * were no HTTP request.
 */
export interface Asked {
  readonly operationId?: string | undefined;
  readonly method?: string | undefined;
  /** As it was sent: with or without query and trailing slash. */
  readonly path?: string | undefined;
}

type ResponsesFor = (status: number) => Response | undefined;

/** Where in the contract the question stands, and so which answers may come. */
export interface Place {
  readonly name: string;
  readonly responses: ResponsesFor;
  /** The methods that the path has. */
  readonly methods: readonly string[];
}

/**
 * Which responses may come. An answer beside the operations fits only where it belongs: 400 to bytes that are no HTTP,
 * 404 to an unknown path, 405 to an unknown method, 408 and 431 anywhere.
 */
export function placeOf(contract: Contract, asked: Asked): Place {
  const beside = (...statuses: number[]): ResponsesFor => {
    return (status) => (statuses.includes(status) ? contract.besideOperations[String(status)] : undefined);
  };
  const { operationId, path } = asked;
  const method = asked.method?.toUpperCase();
  if (operationId === undefined && path === undefined) {
    return { name: 'bytes that are no HTTP request', responses: beside(400, 408, 431), methods: [] };
  }
  const atPath = path === undefined ? [] : contract.operations.filter((operation) => matches(operation.path, path));
  const operation =
    operationId === undefined
      ? atPath.find((candidate) => candidate.method === (method === 'HEAD' ? 'GET' : method))
      : operationOf(contract, operationId);
  const methods = (operation === undefined ? atPath : [operation]).map((candidate) => candidate.method);

  if (operation !== undefined) {
    const others = beside(408, 431);
    const responses: ResponsesFor = (status) => operation.responses[String(status)] ?? others(status);
    return { name: operation.operationId, responses, methods };
  }
  // The key is read before the path: who has none learns nothing, not even which paths there are.
  const ofKey = isUnderKey(contract, path ?? '') ? keyResponses(contract) : () => undefined;
  const preflight = method === 'OPTIONS' && atPath.some((candidate) => !candidate.secured);
  const others = preflight ? beside(204, 408, 431) : beside(atPath.length === 0 ? 404 : 405, 408, 431);
  const responses: ResponsesFor = (status) => ofKey(status) ?? inTypesOf(atPath, others(status));
  const name = atPath.length === 0 ? `the unknown path ${path}` : `${method} of ${path}`;
  return { name, responses, methods };
}

/** An error of a path is of the content type of its operations' errors: a page on the page for people. */
function inTypesOf(operations: readonly Operation[], response: Response | undefined): Response | undefined {
  const errors = operations.flatMap(({ responses }) => Object.entries(responses)).filter(([status]) => status >= '400');
  const types = new Set(errors.flatMap(([, error]) => Object.keys(error.content ?? {})));
  const content = Object.entries(response?.content ?? {}).filter(([type]) => types.has(type));
  return response === undefined || content.length === 0
    ? response
    : { ...response, content: Object.fromEntries(content) };
}

export function operationOf(contract: Contract, operationId: string): Operation {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(`The contract has no operation ${operationId}.`);
  return operation;
}

function matches(template: string, path: string): boolean {
  const [sent = ''] = path.split(/[?#]/, 1);
  const steps = template.split('/');
  const sentSteps = (sent.length > 1 && sent.endsWith('/') ? sent.slice(0, -1) : sent).split('/');
  return (
    steps.length === sentSteps.length &&
    steps.every((step, index) => (step.startsWith('{') ? sentSteps[index] !== '' : step === sentSteps[index]))
  );
}

/** Whether the path lies below the one root that all secured operations share (`/api/v1`). */
function isUnderKey(contract: Contract, path: string): boolean {
  const secured = contract.operations.filter((operation) => operation.secured).map(({ path }) => path.split('/'));
  const [first = [], ...rest] = secured;
  const end = first.findIndex((step, index) => rest.some((steps) => steps[index] !== step));
  const root = first.slice(0, end === -1 ? first.length : end);
  const [sent = ''] = path.split(/[?#]/, 1);
  return root.length > 1 && `${sent}/`.startsWith(`${root.join('/')}/`);
}

/** What the check of the key may answer, and what may fail in it: the same at every secured operation. */
function keyResponses(contract: Contract): ResponsesFor {
  const responses = contract.operations.find((operation) => operation.secured)?.responses;
  return (status) => ([401, 429, 500, 503].includes(status) ? responses?.[String(status)] : undefined);
}
