/** Lets the attempts of one client start, a limited number at a time. */
export interface Gate {
  /**
   * Waits until an attempt may start, or until the signal fires. Attempts start in the order of their calls. Repeated
   * ones go first, so that the service does not refuse the same call again and again.
   */
  enter(isRepeat: boolean, signal: AbortSignal | undefined): Promise<void>;
  /**
   * Ends an attempt, or an entry whose signal fired. If `closedMs` is given, no attempt starts for so long. Returns how
   * many other attempts run.
   */
  leave(closedMs?: number): number;
}

/**
 * After the gate was closed, attempts start one at a time. Every second response then adds one, up to `most`. A service
 * that still refuses thus refuses one request, and not one of every waiting call.
 */
export function createGate(most: number): Gate {
  const waiting: (() => void)[] = [];
  let width = most;
  let running = 0;
  let opensAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const open = () => {
    clearTimeout(timer);
    while (waiting[0] && running + 1 <= width) {
      const closedMs = opensAt - performance.now();
      if (closedMs > 0) {
        timer = setTimeout(open, closedMs);
        return;
      }
      waiting[0]();
    }
  };
  return {
    enter: (isRepeat, signal) =>
      new Promise((resolve) => {
        const start = () => {
          running += 1;
          waiting.splice(waiting.indexOf(start), 1);
          signal?.removeEventListener('abort', start);
          resolve();
        };
        waiting[isRepeat ? 'unshift' : 'push'](start);
        signal?.addEventListener('abort', start);
        if (signal?.aborted) start();
        else open();
      }),
    leave: (closedMs) => {
      const now = performance.now();
      const others = --running;
      if (closedMs !== undefined) {
        width = 1;
        opensAt = Math.max(opensAt, now + closedMs);
      } else if (now >= opensAt) width = Math.min(width + 0.5, most);
      open();
      return others;
    },
  };
}
