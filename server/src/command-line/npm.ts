/** At the start. Another one later means that it has ended. On Windows it stays. */
const parent = process.ppid;

/** How often the parent is compared, in milliseconds. */
const interval = 1000;

/**
 * Calls back once npm has ended, if npm started this program. A signal to npm ends npm and its shell alone (npm/cli 6547,
 * 6684), and this program would run on.
 *
 * @returns ends the watch
 */
export function onNpmEnd(ended: () => void): () => void {
  if (process.env.npm_command === undefined) return () => undefined;
  const watch = setInterval(() => {
    if (process.ppid !== parent) ended();
  }, interval).unref();
  return () => clearInterval(watch);
}
