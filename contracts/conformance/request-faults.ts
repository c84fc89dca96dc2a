import type { Judge, RequestFinding } from '../judge/judge.ts';
import { operationAt } from '../judge/operation-at.ts';
import type { WireRequest } from './http/exchange.ts';

/**
 * What is wrong with a request that was sent to an operation. Requests of other operations have no faults here.
 *
 * @param operationId default: the operation of the request
 */
export function requestFaults(judge: Judge, request: WireRequest, operationId?: string): string[] {
  return requestFindings(judge, request, operationId).map(({ where, what }) => `${where} ${what}`);
}

/** The faults of a request, with their error codes. */
export function requestFindings(judge: Judge, request: WireRequest, operationId?: string): RequestFinding[] {
  const { method, path } = request;
  const operation = operationAt(judge.operations, method, path);
  if (operation === undefined || operation.operationId !== (operationId ?? operation.operationId)) return [];
  const parameters = new URLSearchParams(path.split('?').slice(1).join('?'));
  const query = Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]));
  const { pathParameters } = operation;
  const { json } = bodyOf(request);
  return judge.request({ operationId: operation.operationId, pathParameters, query, body: json });
}

interface Body {
  readonly text: string;
  readonly isUtf8: boolean;
  /** `undefined` if the text is not JSON. It then counts as missing, which gets the same error code. */
  readonly json: unknown;
}

export function bodyOf({ body = new Uint8Array() }: Pick<WireRequest, 'body'>): Body {
  const bytes = Buffer.from(body);
  const text = bytes.toString('utf8');
  return { text, isUtf8: Buffer.from(text).equals(bytes), json: jsonIn(text) };
}

/** The parsed text, or `undefined` if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
