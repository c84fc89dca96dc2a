/**
 * Settles as `work` does, or rejects when the signal fires. The work's own signal fires then, or when the work calls
 * `stop`. Nothing waits for the work, which may ignore it. The work does not start if the signal has fired already.
 */
export async function untilAborted<T>(
  signal: AbortSignal | undefined,
  work: (own: AbortSignal, stop: () => void) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw signal.reason;
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const stopped = new Promise<never>((_, reject) => {
    controller.signal.onabort = () => reject(controller.signal.reason);
  });
  signal?.addEventListener('abort', stop);
  try {
    return await Promise.race([work(controller.signal, stop), stopped]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** The same, and rejects after `ms` milliseconds. `onTimeout` runs first. */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (own: AbortSignal) => Promise<T>,
  onTimeout?: () => void,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await untilAborted(signal, (own, stop) => {
      const end = () => {
        onTimeout?.();
        stop();
      };
      if (ms < Infinity) timer = setTimeout(end, ms);
      return work(own);
    });
  } finally {
    clearTimeout(timer);
  }
}
