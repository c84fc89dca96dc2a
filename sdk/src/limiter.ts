/** Limits how many attempts of one client run at a time. */
export interface Limiter {
  /**
   * Waits until an attempt may start, or until the signal fires. Attempts start in the order of their calls. Retries go
   * first, so that the service does not refuse the same call again and again.
   */
  acquire(isRetry: boolean, signal: AbortSignal | undefined): Promise<void>;
  /**
   * Ends an attempt, or a wait whose signal fired. With `pauseMs`, no attempt starts for that time. Returns how many
   * other attempts run.
   */
  release(pauseMs?: number): number;
}

/**
 * After a pause, attempts start one at a time. Every second response then adds one, up to `max`. A service that still
 * refuses thus refuses one request, and not one of every waiting call.
 */
export function createLimiter(max: number): Limiter {
  const waiting: (() => void)[] = [];
  let allowed = max;
  let running = 0;
  let resumesAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const startWaiting = () => {
    clearTimeout(timer);
    while (waiting[0] && running + 1 <= allowed) {
      const leftMs = resumesAt - performance.now();
      if (leftMs > 0) {
        timer = setTimeout(startWaiting, leftMs);
        return;
      }
      waiting[0]();
    }
  };
  return {
    acquire: (isRetry, signal) =>
      new Promise((resolve) => {
        const start = () => {
          running += 1;
          waiting.splice(waiting.indexOf(start), 1);
          signal?.removeEventListener('abort', start);
          resolve();
        };
        waiting[isRetry ? 'unshift' : 'push'](start);
        signal?.addEventListener('abort', start);
        if (signal?.aborted) start();
        else startWaiting();
      }),
    release: (pauseMs) => {
      const now = performance.now();
      const others = --running;
      if (pauseMs !== undefined) {
        allowed = 1;
        resumesAt = Math.max(resumesAt, now + pauseMs);
      } else if (now >= resumesAt) allowed = Math.min(allowed + 0.5, max);
      startWaiting();
      return others;
    },
  };
}
