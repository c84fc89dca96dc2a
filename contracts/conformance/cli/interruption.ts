/**
 * Runs a command with a signal that fires on SIGINT or SIGTERM. The listeners stay until the command has ended: a shell
 * and npx may both send the signal, and the second one must not cut off the report or the end of the provider.
 */
export async function interruptible<Result>(command: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.on(name, abort);
  try {
    return await command(controller.signal);
  } finally {
    for (const name of names) process.off(name, abort);
  }
}
