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
  const status: Status = found.reasons.length > 0 ? 'failed' : found.exercised ? 'passed' : 'skipped';
  return {
    id,
    title,
    claim,
    clause,
    status,
    scored: true,
    reasons: status === 'skipped' ? ['No request exercised it.'] : boundedReasons(found.reasons),
    warnings: boundedReasons(found.warnings),
    missing: [],
    used: [],
    states: [],
    exchanges: found.examples,
    milliseconds: Math.round(performance.now() - begin),
  };
}
