/** A case and its requests, as a report has them. */
import type { Exchange } from '../http/exchange.ts';
import type { Result, Source } from '../result.ts';

export interface ReportedCase
  extends Omit<Result, 'source' | 'set' | 'notBuilt' | 'stoppedAt' | 'used' | 'states' | 'exchanges'> {
  readonly family: string;
  /** Where the rule comes from, with the sentences of the API's description. Empty for the tests of a program. */
  readonly source: string;
  /** The set of requirements that the case came in with. */
  readonly set?: string;
  /** What the clause is quoted from. */
  readonly edition: string;
  /** Who has to act. Absent if nobody does. */
  readonly blame?: 'provider' | 'client' | 'operator' | 'suite';
  /** The operations without which the case cannot run, if the provider has not built them. */
  readonly not_built?: readonly string[];
  /** The states that the case used, and where they came from. */
  readonly states: Readonly<Record<string, Source>>;
  readonly exchanges: readonly ReportedExchange[];
}

export interface ReportedExchange extends Pick<Exchange, 'purpose' | 'milliseconds' | 'failure'> {
  readonly sent_at: string;
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
  /** Repeats the request. Keys and tokens are shell variables. */
  readonly curl: string;
}
