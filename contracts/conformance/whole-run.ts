/** Cases over all requests of a run: every response conforms to its schema, and nothing leaks. */
import type { Claim } from './claims.ts';
import type { Exchange } from './http/exchange.ts';
import type { Judges } from './judges.ts';
import type { Provider } from './provider.ts';
import { boundedReasons, type Result, type Status } from './result.ts';

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
  /** The exchanges that show the reasons, at most five. */
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

export function outcomeOver({ id, title, claim, clause, findings }: WholeRunCase, run: WholeRun): Result {
  const begin = performance.now();
  const found = findings(run);
  const omitted = found.omitted ? [`Response bodies that were not recorded: ${found.omitted}.`] : [];
  const status: Status = found.reasons.length > 0 ? 'failed' : found.exercised ? 'passed' : 'skipped';
  return {
    id,
    title,
    claim,
    clause,
    status,
    scored: true,
    reasons: status === 'skipped' ? [omitted[0] ?? 'No request exercised it.'] : boundedReasons(found.reasons),
    warnings: boundedReasons([...(status === 'skipped' ? [] : omitted), ...found.warnings]),
    missing: [],
    used: [],
    states: [],
    exchanges: found.examples,
    milliseconds: Math.round(performance.now() - begin),
  };
}

/** Whether the exchanges show bodies of responses, and how many bodies a recording lacks. */
export function bodiesIn(exchanges: readonly Exchange[]): Pick<WholeRunFindings, 'exercised' | 'omitted'> {
  const responses = exchanges.flatMap(({ response }) => response ?? []);
  const omitted = responses.filter(({ isBodyOmitted }) => isBodyOmitted).length;
  return { exercised: responses.length > omitted, omitted };
}
