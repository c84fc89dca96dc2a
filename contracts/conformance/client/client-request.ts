/** What the program sent, and what the service did with it. The checks read it. */
import { type Fault, identityOf, type SentRequest } from '@product-passport/openapi';
import type { Exchange } from '../http/exchange.ts';

export interface ClientRequest {
  readonly exchange: Exchange;
  /** `undefined` if the contract has no such operation. */
  readonly operationId: string | undefined;
  /** In milliseconds, on the clock of `performance.now()`. */
  readonly arrivedAt: number;
  readonly respondedAt: number;
  /** What the service did instead of a plain response: 429 with a pause, or a lost response. */
  readonly fault?: Fault;
  /** The response was a redirect to another origin. */
  readonly isRedirected?: boolean;
}

/** One run of the program. */
export interface Attempt {
  /** In the order of arrival. */
  readonly requests: readonly ClientRequest[];
  /** What arrived at the other origin. */
  readonly elsewhere: readonly Exchange[];
  /** `served`: there was no command. People and programs used the service as they liked. */
  readonly ending: Ending | 'served';
}

/** How the command ended. `interrupted` has no code that means anything. */
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
    operationId,
    identity: identityOf(method, path, Buffer.from(body ?? []).toString()),
    arrivedAt,
    respondedAt,
    ...(fault?.retryAfter !== undefined && { retryAfter: fault.retryAfter }),
    isLost: fault?.connection === 'lose_response',
  };
}
