/** What a program sent, what the service did to it, and the form of a check that reads both. */
import {
  type Contract,
  identityOf,
  type SentRequest,
  type Fault as ServiceFault,
  sideOf,
} from '@product-passport/openapi';
import type { Exchange } from '../http/exchange.ts';
import type { Judges } from '../judges.ts';
import { type Result, resultOf } from '../result.ts';

export interface ClientRequest {
  readonly exchange: Exchange;
  /** `undefined` if the contract has no such operation. */
  readonly operationId: string | undefined;
  /** In milliseconds, on the clock of `performance.now()`. */
  readonly arrivedAt: number;
  readonly respondedAt: number;
  /** What the service did instead of a plain response: 429 with a pause, or a lost response. */
  readonly fault?: ServiceFault;
  /** The response was a redirect to another origin. */
  readonly isRedirected?: boolean;
}

/** Requests that a report shows although nothing is wrong with them. */
export const maxShown = 200;

/** One run of the program. */
export interface Attempt {
  /** In the order of arrival. */
  readonly requests: readonly ClientRequest[];
  /** What arrived at the other origin. */
  readonly elsewhere: readonly Exchange[];
  /** `served`: there was no command. People and programs used the service as they liked. */
  readonly ending: Ending | 'served';
}

/** How the command ended. After `interrupted` the exit code means nothing. */
export type Ending = { readonly kind: 'ended'; readonly words: string; readonly isSuccess: boolean } | 'interrupted';

export function isSuccess({ ending }: Attempt): boolean {
  return typeof ending !== 'string' && ending.isSuccess;
}

/** A request as the rules for clients read it. */
export interface Sent extends SentRequest {
  readonly one: ClientRequest;
}

export function sentOf(one: ClientRequest): Sent {
  const { exchange, operationId, arrivedAt, respondedAt, fault } = one;
  const { method, path, body } = exchange.request;
  return {
    one,
    method,
    path,
    secured: sideOf(path).secured,
    operationId,
    identity: identityOf(method, path, Buffer.from(body ?? []).toString()),
    arrivedAt,
    respondedAt,
    ...(fault?.retryAfter !== undefined && { retryAfter: fault.retryAfter }),
    isLost: fault?.connection === 'lose_response',
  };
}

/**
 * - `limits`: the fault `rate_limited`, for a request and every request until `Retry-After` has passed.
 * - `drops`: the fault `lose_response`, after a product was stored.
 * - `fields`: responses have a field that the contract does not have yet.
 * - `values`: responses have a value that the contract does not list yet.
 * - `pages`: a page has at most 50 products, and the list grows while it is read.
 * - `redirect`: a request gets 307 to another origin.
 */
export const disturbances = ['limits', 'drops', 'fields', 'values', 'pages', 'redirect'] as const;
export type Disturbance = (typeof disturbances)[number];

export interface ClientRun {
  /** The run with every disturbance but the redirect. */
  readonly main: Attempt;
  /** The run with the redirect. Absent if the program ran once. */
  readonly redirected: Attempt | undefined;
  /** Why the command failed. */
  readonly cause: Cause;
  readonly apiKey: string;
  readonly contract: Contract;
  readonly judges: Judges;
}

/**
 * - `none`: the command succeeded, or nobody ran it again.
 * - `program`: it also fails without disturbances.
 * - `together`: no disturbance alone makes it fail.
 */
export type Cause = Disturbance | 'none' | 'program' | 'together';

export interface Findings {
  /** Why the program never encountered the situation. Absent if it did. */
  readonly notExercised?: string;
  /** What is wrong. */
  readonly reasons?: readonly string[];
  /** What is worth knowing, and not wrong. */
  readonly notes?: readonly string[];
  readonly examples?: readonly Exchange[];
}

export interface Check<Find> {
  /** It never changes its meaning. */
  readonly id: string;
  /** JSON pointer into openapi.yaml. */
  readonly clause: string;
  /** What must be true. */
  readonly title: string;
  readonly findings: Find;
}

export type ClientCheck = Check<(run: ClientRun) => Findings>;

export function checksOf<Find>(
  rows: readonly (readonly [id: string, clause: string, title: string, findings: Find])[],
): readonly Check<Find>[] {
  return rows.map(([id, clause, title, findings]) => ({ id, clause, title, findings }));
}

interface ResultOptions extends Pick<Result, 'claim' | 'exchanges'> {
  /** Whether the check must be exercised. */
  readonly isRequired?: boolean;
}

export function resultOfCheck(
  { id, title, clause }: Omit<Check<unknown>, 'findings'>,
  { notExercised, reasons = [], notes = [] }: Findings,
  { claim, exchanges, isRequired = false }: ResultOptions,
): Result {
  const isSkipped = notExercised !== undefined;
  return resultOf(
    { id, title, claim, clause },
    exchanges.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
    {
      status: isSkipped ? 'skipped' : reasons.length > 0 ? 'failed' : 'passed',
      // A check that the program did not exercise fails only if the operator requires it.
      scored: !isSkipped || isRequired,
      reasons: isSkipped ? [`Not exercised: ${notExercised}`] : reasons,
      warnings: notes,
      exchanges,
    },
  );
}

interface Fault {
  readonly reason: string;
  readonly exchange: Exchange;
}

/** Each reason once, with at most five of the exchanges that show them. */
export function findingsOf(faults: readonly Fault[]): Findings {
  const byReason = new Map(faults.map((fault) => [fault.reason, fault.exchange]));
  return { reasons: [...byReason.keys()], examples: [...new Set(byReason.values())].slice(0, 5) };
}

/** The findings of a rule that the sandbox shares. */
export function breachesOf(breaches: readonly { reason: string; request: Sent }[]): Findings {
  return findingsOf(breaches.map(({ reason, request }) => ({ reason, exchange: request.one.exchange })));
}

/** Why nobody knows whether the program survived. */
export const withoutEnd = {
  interrupted: 'The run was interrupted before the command ended.',
  served: 'The service ran no command, so it does not know whether the program failed.',
} as const satisfies Record<Extract<Attempt['ending'], string>, string>;

/** The finding of a check that a program survives if its command succeeds. */
export function survival({ main, cause }: ClientRun, kind: Disturbance, what: string): Findings {
  if (typeof main.ending === 'string') return { notExercised: withoutEnd[main.ending] };
  if (main.ending.isSuccess) return {};
  const { words } = main.ending;
  if (cause === kind) return { reasons: [`The command ended ${words} if ${what}. Otherwise it succeeds.`] };
  return { notExercised: `The command ended ${words} for another reason.` };
}
