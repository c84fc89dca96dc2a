/** Runs a provider for the time of one run. It prints its provider file, in one line of JSON, when it is ready. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { beginningOf } from '../judge/finding.ts';
import { endGroup } from './process-group.ts';
import { UsageError } from './usage-error.ts';

export interface StartedProvider {
  /** The line that the provider printed. */
  readonly line: string;
  /** Ends the provider and everything that it started. */
  stop(): Promise<void>;
}

/** How long a provider may take to print its line, in milliseconds. */
const readyLimit = 60_000;

/**
 * @param command a shell command, as in `npx product-passport serve --demo --json`
 * @param signal ends the wait for the provider
 * @throws UsageError when the command ends, prints no JSON within a minute, or the signal fires
 */
export async function startProvider(command: string, signal?: AbortSignal): Promise<StartedProvider> {
  // A group of its own, so that a shell's or npx's children end too.
  const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = () => endGroup(child);
  const ending = new AbortController();
  const printed: string[] = [];
  const stopAtExit = () => void stop();
  process.once('exit', stopAtExit);
  try {
    const waits = [ended(child, printed, ending.signal), tooLate(printed, ending.signal), interrupted(signal)];
    const line = await Promise.race([firstJsonLine(child, printed), ...waits]);
    return {
      line,
      async stop() {
        process.off('exit', stopAtExit);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    ending.abort();
  }
}

/** @param printed receives the first other lines */
async function firstJsonLine(child: ChildProcess, printed: string[]): Promise<string> {
  if (child.stdout === null) throw new Error('The provider has no standard output.');
  const lines = createInterface({ input: child.stdout });
  return new Promise((resolve) => {
    // The stream stays open and is read on, so that the provider can go on writing.
    lines.on('line', (printedLine) => {
      // Programs on Windows may begin their output with a byte order mark.
      const line = printedLine.replace(/^\uFEFF/, '');
      if (line.startsWith('{')) resolve(line);
      else if (printed.length < maxQuoted && line.trim() !== '') printed.push(line);
    });
  });
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

async function ended(child: ChildProcess, printed: readonly string[], signal: AbortSignal): Promise<never> {
  const [code] = await once(child, 'exit', { signal }).catch(() => [null]);
  // The last lines may still be on their way.
  if (child.stdout !== null && !child.stdout.closed) await once(child.stdout, 'close', { signal }).catch(() => {});
  throw new UsageError(
    `The command of --start ended with code ${code} before it printed its provider line.${instead(printed)}`,
  );
}

async function tooLate(printed: readonly string[], signal: AbortSignal): Promise<never> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, readyLimit);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  throw new UsageError(
    `The command of --start printed no provider line within ${readyLimit / 1000} seconds.${instead(printed)}`,
  );
}

function interrupted(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new UsageError('Interrupted before the command of --start printed its provider line.'));
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
