/**
 * A signal that fires on the first Ctrl+C or SIGTERM. A second one ends the process at once. npm repeats the Ctrl+C
 * that the process has received from the terminal, so a second one within a second does not count.
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
