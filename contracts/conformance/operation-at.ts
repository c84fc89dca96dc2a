import type { JudgedOperation } from '../judge/judge.ts';

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

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
