/** One check of the suite, and what it may use. */
import type { Api, Ask, Expected, Reply } from './api.ts';
import type { Claim, Need } from './claims.ts';
import type { Exchange } from './http/exchange.ts';
import type { Provider } from './provider.ts';
import type { World } from './world.ts';

export { shown } from '../judge/finding.ts';
export type { Ask, Expected, Reply } from './api.ts';
export { CaseFailure, check, checkEqual, checkMembers, NotTested, timeOf } from './check.ts';

export interface Case {
  /** Never changes its meaning: `PAGE-2.limit-201`. The part before the dot is the family. */
  readonly id: string;
  /** What the provider must do, in one sentence. */
  readonly title: string;
  readonly claim: Claim;
  /** JSON pointer into openapi.yaml, to the place that says so. */
  readonly clause: string;
  readonly needs: readonly Need[];
  /** @throws CaseFailure when the provider breaks the clause; NotTested when something is missing. */
  readonly run: (context: Context) => Promise<void>;
}

export interface Context {
  readonly provider: Provider;
  readonly world: World;
  /** Requests that must succeed, with their parsed responses. */
  readonly api: Api;
  /** Sends a request that conforms to the contract. */
  send(ask: Ask): Promise<Reply>;
  /** Sends a request that breaks the contract on purpose, or whose validity is open. */
  sendFaulty(ask: Ask): Promise<Reply>;
  /**
   * Does this work once in a run, for all cases that name it: creations, for example, because a run may add only few
   * products. Its requests are part of every such case.
   */
  once<Result>(name: string, work: (context: Context) => Promise<Result>): Promise<Result>;
  /**
   * Sends `good`, which must succeed, and then the same request with one fault. The provider must refuse only the second
   * one. Equal controls are sent once in a run.
   *
   * @param expected the status, and the error code where the clause names one
   */
  refused(good: Ask, fault: Partial<Ask>, expected: Expected): Promise<Reply>;
  /** Sends a generated request. The exchange is not recorded, because a run has thousands, and may lack a response. */
  probe(ask: Ask): Promise<Exchange>;
  /** Records the exchange of a probe. */
  record(exchange: Exchange): void;
  /** Adds a warning to the result of the case. */
  warn(text: string): void;
}

interface FamilyFacts {
  readonly claim: Claim;
  readonly clause: string;
  readonly needs?: readonly Need[];
}

/** Makes one case. */
type Make = (name: string, title: string, run: Case['run']) => Case;

/** The cases of one family: `family('PAGE-1', {…})('defaults', 'limit is 50 by default', async ({ api }) => …)`. */
export function family(id: string, { claim, clause, needs: shared = [] }: FamilyFacts) {
  const make = (own: Partial<FamilyFacts>): Make => {
    const facts = { claim, clause, ...own, needs: [...shared, ...(own.needs ?? [])] };
    return (name, title, run) => ({ id: `${id}.${name}`, title, ...facts, run });
  };
  return Object.assign(make({}), {
    /** Makes cases with other facts. Needs are added. */
    with: make,
    core: make({ claim: 'core' }),
    reference: make({ claim: 'reference' }),
  });
}
