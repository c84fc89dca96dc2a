/** What the program sent, and what the service did with it. The checks read it. */
import { identityOf, type SentRequest } from '@product-passport/openapi';
import type { Exchange } from '../http/exchange.ts';

/** What the service did instead of a plain response. */
export type Event = 'limited' | 'dropped' | 'redirected';

export interface ClientRequest {
  readonly exchange: Exchange;
  /** `undefined` if the contract has no such operation. */
  readonly operationId: string | undefined;
  /** In milliseconds, on the clock of `performance.now()`. */
  readonly arrivedAt: number;
  readonly respondedAt: number;
  readonly event?: Event;
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
  const { exchange, operationId, arrivedAt, respondedAt, event } = one;
  const { method, path, body } = exchange.request;
  return {
    one,
    method,
    path,
    operationId,
    identity: identityOf(method, path, Buffer.from(body ?? []).toString()),
    arrivedAt,
    respondedAt,
    ...(event === 'limited' && { retryAfter: Number(exchange.response?.headers['retry-after']) }),
    isLost: event === 'dropped',
  };
}
