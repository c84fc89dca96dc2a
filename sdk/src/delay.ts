import { withTimeout } from './timeout.ts';

/** Resolves after `ms` milliseconds, or as soon as the signal fires. */
export function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return withTimeout(ms, signal, () => new Promise<void>(() => {})).catch(() => {});
}
