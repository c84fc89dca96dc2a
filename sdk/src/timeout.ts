/**
 * Settles as `work` does, or rejects when the signal fires or `work` calls `stop`. In both cases the signal that `work`
 * received fires too. `work` may ignore it: the rejection does not wait. If the signal has fired already, `work` does
 * not start.
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

/** Like `untilAborted`, but also rejects after `ms` milliseconds. `onTimeout` runs first. */
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
