/** The words of every report for people. */
import type { Status, Verdict } from '../result.ts';
import type { Report, ReportedCase } from './report.ts';

export const statusWords: Readonly<Record<Status, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  skipped: 'Skipped',
  error: 'Suite error',
  'expected-failure': 'Expected failure',
  'unexpected-pass': 'Unexpected pass',
};

/** A client cannot run a case: it encounters the situation or not. */
export function statusWordOf({ status, claim }: Pick<ReportedCase, 'status' | 'claim'>): string {
  return claim === 'client' && status === 'skipped' ? 'Not exercised' : statusWords[status];
}

export const verdictWords: Readonly<Record<Verdict, string>> = {
  conformant: 'Conformant',
  'not conformant': 'Not conformant',
  incomplete: 'Incomplete',
};

/** The verdict in one or two sentences. */
export function sentenceOf({ verdict, because, command, counts }: Report): string {
  if (because !== undefined) return because;
  if (command !== undefined) return 'The program conforms to the contract in every situation that it encountered.';
  const known = counts['expected-failure'];
  const listed =
    known === 0 ? '' : ` ${known === 1 ? '1 known failure is' : `${known} known failures are`} not fixed yet.`;
  return `The provider conforms to the ${verdict === 'conformant' ? 'contract in everything that it claims' : 'contract'}.${listed}`;
}

/** `111 passed, 2 failed` */
export function countsInWords(counts: Readonly<Partial<Record<Status, number>>>): string {
  const named = Object.entries(counts).filter(([, count]) => count > 0);
  return named.map(([status, count]) => `${count} ${statusWords[status as Status].toLowerCase()}`).join(', ');
}

/** Whether the case makes the verdict `not conformant`. */
export function isFault({ status }: Pick<ReportedCase, 'status'>): boolean {
  return status === 'failed' || status === 'unexpected-pass';
}

/** The skipped cases, by what the operator has to do for them. */
export function skippedByCause(cases: readonly ReportedCase[]): ReadonlyMap<string, readonly ReportedCase[]> {
  return Map.groupBy(
    cases.filter(({ status }) => status === 'skipped'),
    ({ reasons }) => reasons.join(' '),
  );
}

/** A clause of openapi.yaml, as people read it. */

/** `openapi.yaml#/paths/~1api~1v1~1products/get` */
export function addressOfClause(pointer: string): string {
  return `openapi.yaml#${pointer}`;
}

/** `GET /api/v1/products › parameters` */
export function wordsOfClause(pointer: string): string {
  const [part = '', ...parts] = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (part !== 'paths') return (part === 'components' ? parts : [part, ...parts]).join(' › ');
  const [path = '', method, ...rest] = parts;
  return [method === undefined ? path : `${method.toUpperCase()} ${path}`, ...rest].join(' › ');
}
