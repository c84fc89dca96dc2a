/**
 * A random time up to 0.5, 1, 2, 4, 8 s, in milliseconds, so that many clients do not retry at the same moment.
 *
 * @param failures the number of failures so far
 */
export function backoff(failures: number): number {
  return Math.random() * Math.min(250 * 2 ** failures, 8_000);
}

/** How long the pauses after a 429 may hold up one request. */
export interface Wait {
  readonly maxWaitMs: number;
  /** The first pause, by `performance.now()`. */
  startsAt?: number;
}

export type Limiter = ReturnType<typeof createLimiter>;

interface Waiting {
  readonly wait: Wait;
  /** Lets the attempt start, or refuses it, because of a pause. */
  end(pauseMs: number): void;
}

/**
 * Limits how many attempts of one client run at a time, and pauses them after a 429. After a pause, attempts start one at a time. Every second response then adds one, up to `max`. A service that still
 * refuses thus refuses one request, and not one of every waiting call.
 */
export function createLimiter(max: number) {
  const waiting: Waiting[] = [];
  let allowed = max;
  let running = 0;
  let refusals = 0; // in a row; those of attempts that ran together count once
  let resumesAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Whether the pause ends in time for a request that it holds up. */
  const isInTime = (wait: Wait): boolean => {
    wait.startsAt ??= performance.now();
    return resumesAt <= wait.startsAt + wait.maxWaitMs;
  };
  const startWaiting = () => {
    clearTimeout(timer);
    const leftMs = resumesAt - performance.now();
    if (leftMs > 0) {
      for (const each of waiting.filter(({ wait }) => !isInTime(wait))) each.end(leftMs);
      if (waiting[0]) timer = setTimeout(startWaiting, leftMs);
    } else {
      while (waiting[0] && running + 1 <= allowed) waiting[0].end(0);
    }
  };
  return {
    /**
     * Waits until an attempt may start, or until the signal fires. Attempts start in the order of their calls. Retries go
     * first, so that the service does not refuse the same call again and again. Resolves with 0, or, if a pause would
     * outlast the wait, with the milliseconds until its end; nothing starts then.
     */
    acquire: (isRetry: boolean, signal: AbortSignal | undefined, wait: Wait) =>
      new Promise<number>((resolve) => {
        const own: Waiting = {
          wait,
          end(pauseMs) {
            if (pauseMs === 0) running += 1;
            waiting.splice(waiting.indexOf(own), 1);
            signal?.removeEventListener('abort', abort);
            resolve(pauseMs);
          },
        };
        const abort = () => own.end(0);
        waiting[isRetry ? 'unshift' : 'push'](own);
        signal?.addEventListener('abort', abort);
        if (signal?.aborted) abort();
        else startWaiting();
      }),
    /** Ends an attempt, or a wait whose signal fired. */
    release: () => {
      running -= 1;
      if (performance.now() >= resumesAt) {
        allowed = Math.min(allowed + 0.5, max);
        refusals = 0;
      }
      startWaiting();
    },
    /**
     * Ends an attempt that was refused. No attempt starts for `requiredMs` and a random time, which grows while the
     * service refuses. Returns the pause in milliseconds, and whether it ends within the wait.
     */
    refuse: (requiredMs: number, wait: Wait) => {
      const now = performance.now();
      running -= 1;
      if (now >= resumesAt) refusals += 1;
      const pauseMs = requiredMs + backoff(refusals);
      allowed = 1;
      resumesAt = Math.max(resumesAt, now + pauseMs);
      startWaiting();
      return { pauseMs, isInTime: isInTime(wait) };
    },
  };
}
