/**
 * `@product-passport/sdk/telemetry`: writes a line for each attempt of a client. For other telemetry use the options
 * `onAttemptStart` and `onAttempt` of `createClient`.
 */
import type { Attempt } from './call.ts';

/** The methods of `console` that are used. A logger of another library has them too. */
export interface Logger {
  info(line: string): void;
  warn(line: string): void;
}

/** The line of an attempt: `GET p.example.com/api/v1/me → 200 ok, 12 ms (attempt 1, request 0190…)`. */
function lineOf({ method, host, path, status, outcome, durationMs, attempts, requestId, pauseMs }: Attempt): string {
  const result = `${status ? `${status} ` : ''}${outcome}, ${Math.round(durationMs)} ms`;
  const request = requestId === undefined ? '' : `, request ${JSON.stringify(requestId).slice(1, -1)}`;
  const pause = pauseMs === undefined ? '' : `, again in ${(pauseMs / 1000).toFixed(1)} s`;
  return `${method} ${host}${path} → ${result} (attempt ${attempts}${request}${pause})`;
}

/**
 * Returns a hook for `onAttempt` that writes failures with `logger.warn` and all other attempts with `logger.info`. No
 * line contains the key. Without a `logger` it writes to the console by the environment variable `PRODUCT_PASSPORT_LOG`:
 * `info` (every attempt), `warn` (failures) or `off` (nothing). By default it writes a failure after which the call waits
 * more than two seconds, one for all calls that wait together.
 */
export function logAttempts(logger?: Logger): (attempt: Attempt) => void {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const level = logger ? 'info' : process?.env?.PRODUCT_PASSPORT_LOG;
  const target = logger ?? console;
  let waitsUntil = 0;
  return (attempt) => {
    const { outcome, pauseMs = 0 } = attempt;
    const now = performance.now();
    const isWait = pauseMs > 2_000 && now >= waitsUntil;
    if (isWait) waitsUntil = now + pauseMs;
    const isOk = outcome === 'ok';
    if (isOk ? level === 'info' : level ? level !== 'off' : isWait) target[isOk ? 'info' : 'warn'](lineOf(attempt));
  };
}
