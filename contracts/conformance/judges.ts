/** The judges of one contract: by the rules of the description, and by all. */
import type { Contract } from '@product-passport/openapi';
import type { Finding } from '../judge/finding.ts';
import { createJudge, type Judge, type RequestFinding } from '../judge/judge.ts';
import { operationAt } from '../judge/operation-at.ts';
import { bodyOf, type Exchange, type WireRequest } from './http/exchange.ts';

export interface Judges {
  readonly core: Judge;
  readonly reference: Judge;
}

/** Compiling the contract's schemas takes longer than many runs. */
const knownJudges = new WeakMap<Contract, Judges>();

/** No request of the suite may provoke a server error. */
export function judgesOf(contract: Contract): Judges {
  const judges = knownJudges.get(contract) ?? judgesWith(contract, 'failure');
  knownJudges.set(contract, judges);
  return judges;
}

/** Recorded traffic may contain a documented 500 or 503. */
export function trafficJudges(contract: Contract): Judges {
  return judgesWith(contract, 'documented');
}

function judgesWith(contract: Contract, serverErrors: 'documented' | 'failure'): Judges {
  return {
    core: createJudge(contract, { rules: 'description', serverErrors }),
    reference: createJudge(contract, { rules: 'reference', serverErrors }),
  };
}

/**
 * What is wrong with a response.
 *
 * @param operationId default: the operation of the request
 */
export function responseFindings(judge: Judge, { request, response }: Exchange): Finding[] {
  if (response === undefined) return [];
  const { method, path } = request;
  const { status, headers, text: body, isUtf8, unreadable } = response;
  return judge.response({ method, path, status, headers, body, isUtf8, unreadable });
}

/** What is wrong with a request of an operation. */
export function requestFaults(judge: Judge, request: WireRequest): string[] {
  return requestFindings(judge, request).map(({ where, what }) => `${where} ${what}`);
}

/** The faults of a request, with their error codes. */
export function requestFindings(judge: Judge, request: WireRequest): RequestFinding[] {
  const { method, path } = request;
  const operation = operationAt(judge.operations, method, path);
  if (operation === undefined) return [];
  const parameters = new URLSearchParams(path.split('?').slice(1).join('?'));
  const query = Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]));
  const { operationId, pathParameters } = operation;
  return judge.request({ operationId, pathParameters, query, body: bodyOf(request).json });
}
