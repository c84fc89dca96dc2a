/**
 * A signal that fires with the first Ctrl+C or SIGTERM. A second one ends the process at once. npm passes Ctrl+C on to
 * a process that has had it from the terminal already, so what comes within a second is still the first.
 */
export function onInterruption(): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (!controller.signal.aborted) {
        first = performance.now();
        controller.abort();
      } else if (performance.now() - first > 1000) {
        process.exit(130);
      }
    });
  }
  return controller.signal;
}
