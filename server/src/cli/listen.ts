/** How a command listens on a port, and what ends it. */
import { Server as Listener } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { Server } from '@hapi/hapi';
import { onNpmEnd } from '../command-line/command.ts';
import { outputLost } from '../command-line/streams.ts';
import type { Log } from '../log/log.ts';
import { OperatorError } from '../operator-error.ts';
import { flag, type Given } from './command.ts';

interface Address {
  host: string;
  port: number;
}

/** The address is of another machine, needs a zone or IPv6, or its name is not known. */
const noAddress = new Set(['EADDRNOTAVAIL', 'EINVAL', 'EAFNOSUPPORT', 'ENOTFOUND', 'EAI_AGAIN']);

/** @param options the names of the options with which a user chooses the address */
export async function listen(
  app: Server,
  { host, port }: Address,
  options: { [Part in keyof Address]: string } = { host: '--host', port: '--port' },
): Promise<void> {
  try {
    await app.start();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new OperatorError(
        `port ${port} is in use. Choose another one with ${options.port}, or use ${options.port} 0 for any free port.`,
      );
    if (code === 'EACCES')
      throw new OperatorError(
        `this user may not listen on port ${port}. Choose a port above 1023 with ${options.port}.`,
      );
    if (noAddress.has(code))
      throw new OperatorError(
        `this machine does not have the address ${host}. Choose one with ${options.host}, for example 127.0.0.1.`,
      );
    throw error;
  }
}

/** How long responses leave their connections open before the listener ends, in milliseconds. */
const lastConnections = 100;
/** How long a connection that was accepted last may take to send its request, in milliseconds. */
const lastRequests = 500;

/**
 * Accepts no more connections, and leaves those that are open for a moment: a proxy may just have sent a write, which it
 * does not repeat. Hapi would close every connection without a request in progress.
 *
 * @param leaveOpen called with whether responses should leave their connections open. While they do, a proxy opens few new
 *   connections, which the end would reset
 */
export async function endListening({ listener }: Server, leaveOpen: (isOpen: boolean) => void): Promise<void> {
  leaveOpen(true);
  await setTimeout(lastConnections);
  await acceptAll(listener);
  Listener.prototype.close.call(listener);
  leaveOpen(false);
  await setTimeout(lastRequests);
}

/** Accepts the connections that the kernel holds, which it would reset. libuv accepts one in each turn of the event loop. */
async function acceptAll(listener: Listener): Promise<void> {
  let accepted = 0;
  const count = (): void => {
    accepted += 1;
  };
  listener.on('connection', count);
  // The first may end before the loop asks the kernel.
  await setImmediate();
  for (let before = -1; before !== accepted; ) {
    before = accepted;
    await setImmediate();
  }
  listener.off('connection', count);
}

/** The options that say what stops the server. */
export const stopOptions = {
  stopWithStdin: flag(
    '--stop-with-stdin',
    'stop when standard input closes; with a pipe, the server ends together with the program that started it',
  ),
  keepRunning: flag('--keep-running', 'do not stop when the npm or npx that started the server ends'),
};

/** Read at the start: the descriptor of a terminal that has closed is not a terminal. */
const hasTerminal = isatty(0) || isatty(1);

/**
 * Logs signals that would end the process, although programs that rotate logs or reload settings send them. SIGHUP also means
 * that the terminal closed, if there is one.
 */
export function ignoreSignals(log: Log): void {
  for (const signal of hasTerminal ? (['SIGUSR2'] as const) : (['SIGUSR2', 'SIGHUP'] as const)) {
    process.on(signal, () =>
      log.warn({ signal }, `${signal} has no effect. Restart the program to change its settings.`),
    );
  }
}

/**
 * Waits for the first SIGTERM, SIGINT or SIGQUIT, the end of the terminal, of standard input, or of npm. A second signal ends
 * the process at once.
 */
export async function stopReason({ stopWithStdin, keepRunning }: Given<typeof stopOptions>): Promise<object> {
  const { promise, resolve } = Promise.withResolvers<object>();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const) process.once(signal, () => resolve({ signal }));
  // A terminal that closes sends it twice: by the kernel and by the shell.
  if (hasTerminal) process.on('SIGHUP', () => resolve({ signal: 'SIGHUP' }));
  if (stopWithStdin) {
    // A file ends without closing.
    for (const event of ['end', 'close']) process.stdin.once(event, () => resolve({ reason: 'standard input closed' }));
    // A failed pipe closes, too. Without a listener its error would end the process at once.
    process.stdin.on('error', () => undefined);
    process.stdin.resume();
  }
  const reason = 'standard output cannot be written';
  outputLost.addEventListener('abort', () => resolve({ reason }), { once: true });
  const unwatch = keepRunning ? undefined : onNpmEnd(() => resolve({ reason: 'npm ended' }));
  return promise.finally(unwatch);
}
