/**
 * Settles as `work` does, or rejects when the signal fires or after `ms` milliseconds; `onTimeout` then runs first. In both
 * cases the signal that `work` received fires too. `work` may ignore it: the rejection does not wait. If the signal has
 * fired already, `work` does not start.
 */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (own: AbortSignal) => Promise<T>,
  onTimeout?: () => void,
): Promise<T> {
  if (signal?.aborted) throw signal.reason;
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const stopped = new Promise<never>((_, reject) => {
    controller.signal.onabort = () => reject(controller.signal.reason);
  });
  const end = () => {
    onTimeout?.();
    stop();
  };
  const timer = ms === Infinity ? undefined : setTimeout(end, ms);
  signal?.addEventListener('abort', stop);
  try {
    return await Promise.race([work(controller.signal), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
