import type { PassportError } from './errors.ts';
import type { FetchResponse } from './fetch.ts';
import type { requests } from './generated/requests.ts';
import { withTimeout } from './timeout.ts';

const transient = ['network_error', 'timeout', 429, 500, 502, 503, 504] as const;

/**
 * The failures after which a request is sent again: statuses, and the codes of errors without a response. A POST is
 * sent again only after a 429, which proves that the service did nothing: any other failed POST may have created
 * something.
 */
const table: Record<Method, readonly (string | number)[]> = { GET: transient, PUT: transient, POST: [429] };

/** The methods of the contract's operations. A new one needs a rule in the table. */
export type Method = (typeof requests)[keyof typeof requests][0];

/** Whether a request with this method may be sent again after this failure. */
export function isRetryable(method: Method, error: PassportError): boolean {
  return table[method].includes('status' in error ? error.status : error.code);
}

/**
 * A random time up to 0.5, 1, 2, 4, 8 s, in milliseconds, so that many clients do not retry at the same moment.
 *
 * @param failures the number of failures so far
 */
export function backoff(failures: number): number {
  return Math.random() * Math.min(250 * 2 ** failures, 8_000);
}

/**
 * The pause that `Retry-After` requires, in milliseconds: after a 429 up to an hour, because every earlier request would
 * be refused too, and otherwise up to a minute. The header has seconds or a date. If it occurs twice, the first value
 * counts. A date is compared with the response's own `Date`, because the clock of this machine may differ.
 */
export function requiredPause({ status, headers }: Pick<FetchResponse, 'status' | 'headers'>): number {
  const header = headers.get('retry-after') ?? '';
  const isNumber = /^\d+(,|$)/.test(header);
  const sentAt = Date.parse(headers.get('date') ?? '') || Date.now();
  const required = isNumber ? Number.parseFloat(header) * 1000 : Date.parse(header) - sentAt;
  return Math.max(0, Math.min(required || 0, status === 429 ? 3_600_000 : 60_000));
}

/** Resolves after `ms` milliseconds, or as soon as the signal fires. */
export function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return withTimeout(ms, signal, () => new Promise<void>(() => {})).catch(() => {});
}
