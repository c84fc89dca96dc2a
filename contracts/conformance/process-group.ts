/** Ends a process that leads a group, and everything that it started. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** How long the leader may take to stop after SIGTERM, in milliseconds. */
const leaderLimit = 10_000;
/** How long the others may take after that. A zombie never ends if process 1 does not collect it. */
const othersLimit = 1000;

/** @param child started with `detached: true` */
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

/** Whether the group has a process. Signal 0 only asks. */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(group, signal);
  } catch {
    return false;
  }
}
