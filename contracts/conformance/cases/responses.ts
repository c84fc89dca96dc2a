/** HTTP-6 and HTTP-7: every response of the run is documented, and fits the schema of its operation. */
import { type Contract, type Operation, sideOf } from '@product-passport/openapi';
import type { Judge } from '../../judge/judge.ts';
import { operationAt } from '../../judge/operation-at.ts';
import { bodiesIn, clauseOf, maxExamples, type WholeRun, type WholeRunCase, type WholeRunFindings } from '../case.ts';
import type { Exchange } from '../http/exchange.ts';
import { responseFindings } from '../judges.ts';

/** After this number of failures the other responses of an operation are not judged, so that a run ends. */
const maxFailures = 10_000;
const beside = '/x-responses-beside-operations';

export function responses({ operations }: Contract): WholeRunCase[] {
  return [...operations.flatMap(casesOf), ...outsideOperations];
}

function casesOf(operation: Operation): WholeRunCase[] {
  const { operationId, claim, also, origin } = operation;
  const clause = `${clauseOf(operation)}/responses`;
  const shape: WholeRunCase = {
    id: `HTTP-6.${operationId}`,
    title: `Every response of ${operationId} has the documented shape.`,
    claim,
    also,
    clause,
    findings: (run) => findingsOf(run, operationId, 'core'),
  };
  const exact = { ...nothingAdded(operationId, `of ${operationId}`, clause), also };
  return origin === 'description' ? [shape, exact] : [exact];
}

function nothingAdded(subject: string, what: string, clause: string): WholeRunCase {
  return {
    id: `HTTP-7.${subject}`,
    title: `Every response ${what} is in openapi.yaml, with nothing added.`,
    claim: 'reference',
    clause,
    findings: (run) => findingsOf(run, subject, 'reference'),
  };
}

/** Requests that belong to no operation. The service's description leaves their responses open. */
const kinds = {
  'unknown-path': { clause: `${beside}/404`, what: 'a request for an unknown path' },
  'other-method': { clause: `${beside}/405`, what: 'an undocumented method' },
  options: { clause: `${beside}/204`, what: 'OPTIONS' },
  // The resolver responds to every path below /01/.
  'other-link-path': { clause: '/paths/~101~1{gtin}/get', what: 'a path below /01/ that is not a Digital Link' },
} as const;
type Kind = keyof typeof kinds;

const outsideOperations = Object.entries(kinds).map(([kind, { clause, what }]) =>
  nothingAdded(kind, `to ${what}`, clause),
);

function findingsOf(run: WholeRun, subject: string, claim: 'core' | 'reference'): WholeRunFindings {
  const exchanges = bySubject(run).get(subject) ?? [];
  const examples = new Set<Exchange>();
  const reasons = new Set<string>();
  const warnings = new Set<string>();
  let failures = 0;
  for (const exchange of exchanges) {
    const isLeftOut = failures > maxFailures && exchange.response?.unreadable === undefined;
    const found = isLeftOut ? [] : violationsOf(exchange, run.judges[claim]);
    const known = reasons.size;
    for (const { text, severity } of found) (severity === 'warning' ? warnings : reasons).add(text);
    const failed = found.filter(({ severity }) => severity === 'failure').length;
    failures += failed;
    if (reasons.size > known && examples.size < maxExamples) examples.add(exchange);
  }
  return {
    ...bodiesIn(exchanges),
    reasons: [...reasons],
    warnings: [...warnings],
    examples: [...examples],
  };
}

function violationsOf(exchange: Exchange, judge: Judge) {
  const { status, isBodyOmitted } = exchange.response ?? {};
  return responseFindings(judge, exchange)
    .filter(({ where }) => !isBodyOmitted || !where.startsWith('body'))
    .map(({ where, what, severity }) => {
      // The indexes of lists would make one mistake many.
      return { text: `${status}: ${where.replace(/\/\d+(?=\/|$)/g, '/*')} ${what}`, severity };
    });
}

const grouped = new WeakMap<readonly Exchange[], ReadonlyMap<string, readonly Exchange[]>>();

/** The exchanges of each operation, and of each kind of request without one. */
function bySubject({ exchanges, judges }: WholeRun): ReadonlyMap<string, readonly Exchange[]> {
  const { operations } = judges.reference;
  const subjects = grouped.get(exchanges) ?? Map.groupBy(exchanges, ({ request }) => subjectOf(operations, request));
  grouped.set(exchanges, subjects);
  return subjects;
}

function subjectOf(operations: readonly Operation[], { method, path }: Exchange['request']): string | Kind {
  const operation = operationAt(operations, method, path);
  if (operation !== undefined) return operation.operationId;
  const isKnown = operations.some((known) => operationAt([known], known.method, path) !== undefined);
  if (isKnown) return method === 'OPTIONS' ? 'options' : 'other-method';
  return sideOf(path).code === 'not_found' ? 'unknown-path' : 'other-link-path';
}
