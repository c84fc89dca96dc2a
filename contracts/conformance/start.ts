/** Runs a provider for the time of one run. It prints its provider file, in one line of JSON, when it is ready. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { beginningOf } from '../judge/finding.ts';
import { UsageError } from './result.ts';

/** How long a provider may take to print its line, in milliseconds. */
const readyLimit = 60_000;

/**
 * @param command a shell command, as in `npx product-passport serve --demo --json`
 * @param interrupt ends the wait for the provider
 * @throws UsageError when the command ends, prints no JSON within a minute, or the signal fires
 */
export async function startProvider(command: string, interrupt: AbortSignal) {
  // A group of its own, so that a shell's or npx's children end too.
  const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = () => endGroup(child);
  const stopAtExit = () => void stop();
  process.once('exit', stopAtExit);
  try {
    return {
      /** The line that the provider printed. */
      line: await firstJsonLine(child, interrupt),
      /** Ends the provider and everything that it started. */
      async stop() {
        process.off('exit', stopAtExit);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function firstJsonLine(
  child: ChildProcessByStdio<null, Readable, null>,
  interrupt: AbortSignal,
): Promise<string> {
  const limit = AbortSignal.timeout(readyLimit);
  const signal = AbortSignal.any([interrupt, limit]);
  const printed: string[] = [];
  let line = '';
  for await (const printedLine of createInterface({ input: child.stdout, signal })) {
    // Programs on Windows may begin their output with a byte order mark.
    line = printedLine.replace(/^\uFEFF/, '');
    if (line.startsWith('{')) break;
    if (printed.length < maxQuoted && line.trim() !== '') printed.push(line);
  }
  // The provider can go on writing.
  child.stdout.resume();
  if (line.startsWith('{')) return line;
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit', { signal }).catch(() => {});
  if (interrupt.aborted) throw new UsageError('Interrupted before the command of --start printed its provider line.');
  const what = limit.aborted
    ? `printed no provider line within ${readyLimit / 1000} seconds`
    : `ended with code ${child.exitCode} before it printed its provider line`;
  throw new UsageError(`The command of --start ${what}.${instead(printed)}`);
}

/** Lines in a message, and the characters of each. */
const maxQuoted = 3;
const maxLine = 120;

/** What the command printed in place of its line. */
function instead(printed: readonly string[]): string {
  const lines = printed.map((line) => JSON.stringify(beginningOf(line, maxLine)));
  const advice = 'It must print the provider file in one line, as `product-passport serve --demo --json` does.';
  return ` It printed ${lines.length === 0 ? 'nothing' : lines.join(', ')}. ${advice}`;
}

/** How long the leader may take to stop after SIGTERM, in milliseconds. */
const leaderLimit = 10_000;
/** How long the others may take after that. A zombie never ends if process 1 does not collect it. */
const othersLimit = 1000;

/**
 * Ends a process that leads a group, and everything that it started.
 *
 * @param child started with `detached: true`
 */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const group = -child.pid;
  if (!send(group, 'SIGTERM')) return;
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const isGone = await within(leaderLimit, () => !isRunning());
  if (isGone && (await within(othersLimit, () => !send(group, 0)))) return;
  send(group, 'SIGKILL');
  await within(othersLimit, () => !isRunning());
}

async function within(milliseconds: number, isDone: () => boolean): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (!isDone()) {
    if (Date.now() > deadline) return false;
    await delay(10);
  }
  return true;
}

/** Whether the group has a process. Signal 0 only tests. */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(group, signal);
  } catch {
    return false;
  }
}
