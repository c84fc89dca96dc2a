/** Cases over all requests of a run: every response conforms to its schema, and nothing leaks. */
import type { Claim } from './claims.ts';
import type { Exchange } from './http/exchange.ts';
import type { Judges } from './judges.ts';
import type { Provider } from './provider.ts';
import { type Result, resultOf, type Status } from './result.ts';

/** How many exchanges show the reasons of a case. */
export const maxExamples = 5;

export interface WholeRun {
  readonly exchanges: readonly Exchange[];
  readonly judges: Judges;
  readonly provider: Provider;
}

export interface WholeRunFindings {
  /** Whether a request of the run could have shown the fault. */
  readonly exercised: boolean;
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  /** The number of responses that a recording has without their bodies. Default: 0. */
  readonly omitted?: number;
  /** The exchanges that show the reasons, at most `maxExamples`. */
  readonly examples: readonly Exchange[];
}

export interface WholeRunCase {
  readonly id: string;
  readonly title: string;
  readonly claim: Claim;
  /** JSON pointer into openapi.yaml. */
  readonly clause: string;
  readonly findings: (run: WholeRun) => WholeRunFindings;
}

export function outcomeOver(one: WholeRunCase, run: WholeRun): Result {
  const begin = performance.now();
  const found = one.findings(run);
  const omitted = found.omitted ? [`Response bodies that were not recorded: ${found.omitted}.`] : [];
  const status: Status = found.reasons.length > 0 ? 'failed' : found.exercised ? 'passed' : 'skipped';
  return resultOf(one, begin, {
    status,
    reasons: status === 'skipped' ? [omitted[0] ?? 'No request exercised it.'] : found.reasons,
    warnings: [...(status === 'skipped' ? [] : omitted), ...found.warnings],
    exchanges: found.examples,
  });
}

/** Whether the exchanges show bodies of responses, and how many bodies a recording lacks. */
export function bodiesIn(exchanges: readonly Exchange[]): Pick<WholeRunFindings, 'exercised' | 'omitted'> {
  const responses = exchanges.flatMap(({ response }) => response ?? []);
  const omitted = responses.filter(({ isBodyOmitted }) => isBodyOmitted).length;
  return { exercised: responses.length > omitted, omitted };
}

interface Search {
  /** Whether the exchange could show the fault. Default: every exchange with a response. */
  readonly couldShow?: (exchange: Exchange) => boolean;
  /** Whether the fault is in the headers, so that a recording without bodies shows it, too. Default: false. */
  readonly isInHeaders?: boolean;
  /** The fault, as the end of a sentence about the response. */
  readonly faultOf: (exchange: Exchange) => string | undefined;
}

/** The responses of a run that have a fault. */
export function searchIn(
  exchanges: WholeRun['exchanges'],
  { couldShow = () => true, isInHeaders = false, faultOf }: Search,
): WholeRunFindings {
  const searched = exchanges.filter((exchange) => exchange.response !== undefined && couldShow(exchange));
  const found = searched.flatMap((exchange) => {
    const { method, path } = exchange.request;
    const fault = faultOf(exchange);
    return fault === undefined ? [] : [{ exchange, reason: `the response to ${method} ${path} ${fault}` }];
  });
  return {
    ...(isInHeaders ? { exercised: searched.length > 0 } : bodiesIn(searched)),
    reasons: [...new Set(found.map(({ reason }) => reason))],
    warnings: [],
    examples: found.slice(0, maxExamples).map(({ exchange }) => exchange),
  };
}
