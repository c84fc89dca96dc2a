/** The judge of each profile, for one contract. */
import type { Contract } from '@product-passport/openapi';
import { createJudge, type Judge, type JudgedOperation } from '../judge/judge.ts';

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
    core: createJudge(contract, { profile: 'description', serverErrors }),
    reference: createJudge(contract, { profile: 'reference', serverErrors }),
  };
}

type Line = Pick<JudgedOperation, 'operationId' | 'method' | 'path'>;

export interface OperationAt {
  readonly operationId: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** The operation of a request. HEAD belongs to GET. */
export function operationAt(operations: readonly Line[], method: string, path: string): OperationAt | undefined {
  const [sent = ''] = path.split('?', 1);
  const steps = sent.replace(/(?<=.)\/$/, '').split('/');
  for (const operation of operations) {
    if (operation.method !== (method === 'HEAD' ? 'GET' : method)) continue;
    const pathParameters = parametersOf(operation.path.split('/'), steps);
    if (pathParameters !== undefined) return { operationId: operation.operationId, pathParameters };
  }
  return undefined;
}

function parametersOf(template: readonly string[], steps: readonly string[]): Record<string, string> | undefined {
  if (template.length !== steps.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const step = steps[index] ?? '';
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== step : step === '') return undefined;
    if (name !== undefined) parameters[name] = decoded(step);
  }
  return parameters;
}

/** The text of a path segment, which stays as it is if its escapes are not UTF-8. */
export function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
