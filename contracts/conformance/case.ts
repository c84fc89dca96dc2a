/** One check of the suite, and what it may use. */
import type { Api } from './api.ts';
import { type Claim, type Need, needs } from './claims.ts';
import type { WireResponse } from './http/exchange.ts';
import type { Provider } from './provider.ts';
import type { World } from './world.ts';

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

/** A request. Defaults: `GET`, the first tenant's key under `/api/v1`, no body. */
export interface Ask {
  readonly method?: string;
  /** As in the contract, below the site: `/api/v1/me`. */
  readonly path: string;
  /** Appended to the path. An array sends the parameter several times. Text is sent unchanged. */
  readonly query?: string | Readonly<Record<string, string | number | readonly string[]>>;
  /** Another key, or `null` for none. */
  readonly key?: string | null;
  /** `undefined` removes a default header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly raw?: string | Uint8Array;
}

export interface Context {
  readonly provider: Provider;
  readonly world: World;
  /** Requests that must succeed, with their parsed responses. */
  readonly api: Api;
  /** Sends a request that keeps the contract. */
  send(ask: Ask): Promise<Reply>;
  /** Sends a request that breaks the contract on purpose, or whose validity is open. */
  sendFaulty(ask: Ask): Promise<Reply>;
  /**
   * Sends `good`, which must succeed, and then the same request with one fault. The provider must refuse only the second
   * one. Equal controls are sent once in a run.
   *
   * @param expected the status, and the error code where the clause names one
   */
  refused(good: Ask, fault: Partial<Ask>, expected: Expected): Promise<Reply>;
}

export interface Expected {
  readonly status: number | readonly number[];
  readonly code?: string;
}

export interface Reply extends WireResponse {
  /** The parsed body, or `undefined` if the body is not JSON. */
  readonly json: unknown;
  /** `error.code` of the body. */
  readonly code: string | undefined;
}

/** The provider breaks the clause. */
export class CaseFailure extends Error {
  override readonly name = 'CaseFailure';
}

/** The case cannot run: something is missing. */
export class NotTested extends Error {
  override readonly name = 'NotTested';
  readonly missing: readonly Need[];

  constructor(...missing: readonly Need[]) {
    super(missing.map((need) => needs[need]).join(' '));
    this.missing = missing;
  }
}

/** @throws CaseFailure with this sentence, unless the condition holds. */
export function check(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new CaseFailure(otherwise);
}

/** @param what the subject of the message: `total` */
export function checkEqual(actual: unknown, expected: unknown, what: string): void {
  check(isEqual(actual, expected), `${what} must be ${shown(expected)}, is ${shown(actual)}`);
}

export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Compares JSON values. The order of an object's members does not matter. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return Object.is(one, other) || one === other;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [names, otherNames] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === otherNames.length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(Reflect.get(one, name), Reflect.get(other, name)))
  );
}

interface FamilyFacts {
  readonly claim: Claim;
  readonly clause: string;
  readonly needs?: readonly Need[];
}

/** Makes the cases of one family: `family('PAGE-1', {…})('defaults', 'limit is 50 by default', async ({api}) => …)`. */
export function family(
  id: string,
  { claim, clause, needs: shared = [] }: FamilyFacts,
): (name: string, title: string, run: Case['run'], own?: Partial<FamilyFacts>) => Case {
  return (name, title, run, own = {}) => ({
    id: `${id}.${name}`,
    title,
    claim: own.claim ?? claim,
    clause: own.clause ?? clause,
    needs: [...shared, ...(own.needs ?? [])],
    run,
  });
}
