/** What the program sent, and what the service did with it. The checks read it. */
import canonicalize from 'canonicalize';
import type { Exchange, WireRequest } from '../http/exchange.ts';

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

/** Whether the path belongs to the part of the service that needs a key. */
export function isApi({ path }: Pick<WireRequest, 'path'>): boolean {
  return /^\/api\/v1(\/|\?|$)/.test(path);
}

/** Equal for requests that repeat each other, also with another order of the body's members. */
export function identityOf({ method, path, body }: WireRequest): string {
  return `${method} ${path} ${canonicalText(Buffer.from(body ?? []))}`;
}

function canonicalText(body: Buffer): string {
  try {
    return canonicalize(JSON.parse(body.toString())) ?? '';
  } catch {
    return body.toString('base64');
  }
}

/** `POST /api/v1/products` */
export function lineOf({ exchange: { request } }: ClientRequest): string {
  return `${request.method} ${request.path}`;
}
