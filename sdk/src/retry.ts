import type { PassportError } from './errors.ts';
import { withTimeout } from './timeout.ts';

const transient = ['network_error', 'timeout', 429, 500, 502, 503, 504] as const;

/**
 * The failures after which a request is sent again: statuses, and the codes of errors without a response. A POST is
 * sent again only after a 429, which proves that the service did nothing: any other failed POST may have created
 * something.
 */
const table: Record<string, readonly (string | number)[]> = { GET: transient, PUT: transient, POST: [429] };

/** Whether a request with this method may be sent again after this failure. */
export function isRetryable(method: string, error: PassportError): boolean {
  return table[method]?.includes('status' in error ? error.status : error.code) ?? false;
}

/**
 * The pause before the next attempt, in milliseconds: a random time up to 0.5, 1, 2, 4, 8 s, so that many clients do
 * not retry at the same moment. What `Retry-After` requires is added: after a 429 up to an hour, because every earlier
 * request would be refused too, and otherwise up to a minute.
 *
 * @param retryAfter the header: seconds or a date. If it occurs twice, the first value counts.
 */
export function pauseAfter(attempts: number, retryAfter: string | null | undefined, isRefused: boolean): number {
  const backoff = Math.random() * Math.min(250 * 2 ** attempts, 8_000);
  const header = retryAfter ?? '';
  const isNumber = /^\d+(,|$)/.test(header);
  const requested = isNumber ? Number.parseFloat(header) * 1000 : Date.parse(header) - Date.now();
  return backoff + Math.max(0, Math.min(requested || 0, isRefused ? 3_600_000 : 60_000));
}

/** Resolves after `ms` milliseconds, or as soon as the signal fires. */
export function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return withTimeout(ms, signal, () => new Promise<void>(() => {})).catch(() => {});
}
