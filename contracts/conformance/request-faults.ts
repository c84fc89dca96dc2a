import type { Judge } from '../judge/judge.ts';
import type { WireRequest } from './http/exchange.ts';
import { operationAt } from './operation-at.ts';

/**
 * What is wrong with a request that was sent to an operation. Requests of other operations have no faults here.
 *
 * @param operationId default: the operation of the request
 */
export function requestFaults(judge: Judge, { method, path, body }: WireRequest, operationId?: string): string[] {
  const operation = operationAt(judge.operations, method, path);
  if (operation === undefined || operation.operationId !== (operationId ?? operation.operationId)) return [];
  const parameters = new URLSearchParams(path.split('?').slice(1).join('?'));
  const query = Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]));
  const text = body === undefined ? '' : Buffer.from(body).toString('utf8');
  const { pathParameters } = operation;
  const findings = judge.request({ operationId: operation.operationId, pathParameters, query, body: parsed(text) });
  return findings.map(({ where, what }) => `${where} ${what}`);
}

/** A body that is not JSON counts as missing, which gets the same error code. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
