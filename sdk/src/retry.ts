import type { PassportError } from './errors.ts';

const trouble = ['network_error', 'timeout', 429, 500, 502, 503, 504] as const;

/**
 * After which failures a request is sent again: statuses, and the codes of errors without an answer. Of a POST that was
 * lost or that failed nobody knows whether it created something; a 429 says that nothing was done.
 */
const table: Record<string, readonly (string | number)[]> = { GET: trouble, PUT: trouble, POST: [429] };

/** Whether a request with this method may be sent again after this failure. */
export function mayRepeat(method: string, error: PassportError): boolean {
  return table[method]?.includes('status' in error ? error.status : error.code) ?? false;
}

/**
 * How long to wait before the next attempt, in milliseconds: any time up to 0.5, 1, 2, 4, 8 s (so that many clients do
 * not come back together), and not less than the answer's `Retry-After` asks for, up to a minute.
 */
export function pauseAfter(attempts: number, response: Response | undefined): number {
  const backoff = Math.random() * Math.min(250 * 2 ** attempts, 8_000);
  const header = response?.headers.get('retry-after') ?? ''; // seconds, or a date; sent twice, the first
  const [, seconds] = /^\s*(\d+)\s*(?:,|$)/.exec(header) ?? [];
  const asked = seconds ? Number(seconds) * 1000 : Date.parse(header) - Date.now();
  return Math.max(backoff, Math.min(asked || 0, 60_000));
}
