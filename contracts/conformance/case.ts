/** A check of the suite: of the requests that it sends itself, or of all requests of a run. */
import type { Operation } from '@product-passport/openapi';
import type { Api, Ask, Expected, Reply } from './api.ts';
import type { Capability, Claim, Need, Subject } from './claims.ts';
import type { Exposure } from './exposure.ts';
import type { Exchange } from './http/exchange.ts';
import type { Judges } from './judges.ts';
import type { Provider } from './provider.ts';
import { type Result, resultOf, type Status } from './result.ts';
import type { World } from './world.ts';

export { shown } from '../judge/finding.ts';
export type { Ask, Expected, Reply } from './api.ts';
export { CaseFailure, check, checkEqual, checkMembers, NotTested, timeOf } from './check.ts';

export interface Case<Claimed extends Subject = Claim> {
  /** Never changes its meaning: `PAGE-2.limit-201`. The part before the dot is the family. */
  readonly id: string;
  /** What the provider must do, in one sentence. */
  readonly title: string;
  readonly claim: Claimed;
  /** A second claim, without which the case does not run. */
  readonly also?: Claim | undefined;
  /** JSON pointer into openapi.yaml, to the place that says so. */
  readonly clause: string;
  /** Where the rule comes from, unless sources.ts says so: `EN 18222, 5.2`. */
  readonly source?: string | undefined;
  readonly needs: readonly Need[];
  /** What a provider may declare absent. The case passes only if the provider has it. */
  readonly capability?: Capability | undefined;
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

/** The clause of an operation. */
export function clauseOf({ path, method }: Operation): string {
  return `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
}

interface FamilyFacts extends Pick<Case, 'claim' | 'also' | 'clause' | 'source' | 'capability'> {
  readonly needs?: readonly Need[];
}

/** Makes one case. */
type Make = (name: string, title: string, run: Case['run']) => Case;

/** The cases of one family: `family('PAGE-1', {…})('defaults', 'limit is 50 by default', async ({ api }) => …)`. */
export function family(id: string, { needs: shared = [], ...common }: FamilyFacts) {
  const make = (own: Partial<FamilyFacts>): Make => {
    const facts = { ...common, ...own, needs: [...shared, ...(own.needs ?? [])] };
    return (name, title, run) => ({ id: `${id}.${name}`, title, ...facts, run });
  };
  return Object.assign(make({}), {
    /** Makes cases with other facts. Needs are added. */
    with: make,
    core: make({ claim: 'core' }),
    reference: make({ claim: 'reference' }),
  });
}

// Cases over all requests of a run: every response conforms to its schema, and nothing leaks.

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
  /** What the responses show that their callers may not have. */
  readonly exposes?: Exposure;
}

export interface WholeRunCase extends Omit<Case, 'needs' | 'run'> {
  readonly findings: (run: WholeRun) => WholeRunFindings;
}

export function outcomeOver(one: WholeRunCase, run: WholeRun): Result {
  const begin = performance.now();
  const found = one.findings(run);
  const omitted = found.omitted ? [`Response bodies that were not recorded: ${found.omitted}.`] : [];
  const status: Status = found.reasons.length > 0 ? 'failed' : found.exercised ? 'passed' : 'skipped';
  return resultOf(one, performance.now() - begin, {
    status,
    reasons: status === 'skipped' ? [omitted[0] ?? 'No request exercised it.'] : found.reasons,
    warnings: [...(status === 'skipped' ? [] : omitted), ...found.warnings],
    exchanges: found.examples,
    exposes: status === 'failed' ? found.exposes : undefined,
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
  /** What a response with the fault shows. */
  readonly exposes?: Exposure;
  /** The fault, as the end of a sentence about the response. */
  readonly faultOf: (exchange: Exchange) => string | undefined;
}

/** The responses of a run that have a fault. */
export function searchIn(
  exchanges: WholeRun['exchanges'],
  { couldShow = () => true, isInHeaders = false, exposes, faultOf }: Search,
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
    ...(exposes && { exposes }),
  };
}

export const invalid = { status: 400, code: 'invalid_request' };
export const notFound = { status: 404, code: 'not_found' };

type Made<Value, From extends unknown[]> = Value | ((...from: From) => Value | Promise<Value>);

/** `good` succeeds. The same request with the fault is refused. */
export function refuses(
  good: Made<Ask, [Context]>,
  fault: Made<Partial<Ask>, [Context, Ask]>,
  expected: Expected = invalid,
): Case['run'] {
  return async (context) => {
    const control = typeof good === 'function' ? await good(context) : good;
    await context.refused(control, typeof fault === 'function' ? await fault(context, control) : fault, expected);
  };
}
