/** A case in a report, with its requests. */
import type { Need, Subject } from '../claims.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Source, Status } from '../result.ts';

export interface ReportedCase {
  readonly id: string;
  readonly family: string;
  readonly title: string;
  readonly claim: Subject;
  /** JSON pointer into openapi.yaml. */
  readonly clause: string;
  /** The set of requirements that the case came in with. */
  readonly set?: string;
  /** What the clause is quoted from. */
  readonly edition: string;
  readonly status: Status;
  /** False for a check that a client did not exercise and need not. It does not count. */
  readonly scored: boolean;
  /** Who has to act. Absent if nobody does. */
  readonly blame?: 'provider' | 'client' | 'operator' | 'suite';
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  readonly missing: readonly Need[];
  /** The operations without which the case cannot run, if the provider has not built them. */
  readonly not_built?: readonly string[];
  readonly milliseconds: number;
  /** The states that the case used, and where they came from. */
  readonly states: Readonly<Record<string, Source>>;
  readonly exchanges: readonly ReportedExchange[];
}

export interface ReportedExchange {
  /** `faulty`: the suite broke the contract on purpose. */
  readonly purpose: Exchange['purpose'];
  readonly sent_at: string;
  readonly milliseconds: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    /** The bytes of a body that is not UTF-8. */
    readonly body_base64?: string;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /** Why the provider did not respond. */
  readonly failure?: string;
  /** Repeats the request. Keys and tokens are shell variables. */
  readonly curl: string;
}
