/** How a command listens on a port, and what ends it. */
import type { Server } from '@hapi/hapi';
import { CommandFailure } from './output.ts';

interface Address {
  host: string;
  port: number;
}

/** @param options the names of the options with which a user chooses the address */
export async function listen(
  app: Server,
  { host, port }: Address,
  options: { [Part in keyof Address]: string } = { host: '--host', port: '--port' },
): Promise<void> {
  try {
    await app.start();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new CommandFailure(
        `port ${port} is in use. Choose another one with ${options.port}, or use ${options.port} 0 for any free port.`,
      );
    if (code === 'EACCES')
      throw new CommandFailure(
        `this user may not listen on port ${port}. Choose a port above 1023 with ${options.port}.`,
      );
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new CommandFailure(
        `this machine does not have the address ${host}. Choose one with ${options.host}, for example 127.0.0.1.`,
      );
    throw error;
  }
}

/** Waits for the first SIGTERM or SIGINT, or the end of standard input. A second signal ends the process at once. */
export function stopReason({ stopWithStdin }: { stopWithStdin?: boolean }): Promise<object> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve({ signal }));
    if (!stopWithStdin) return;
    // A file ends without closing.
    for (const event of ['end', 'close']) process.stdin.once(event, () => resolve({ reason: 'standard input closed' }));
    // A failed pipe closes, too. Without a listener its error would end the process at once.
    process.stdin.on('error', () => undefined);
    process.stdin.resume();
  });
}
