/** What every command does while it runs, and when it ends: progress, signals, reports, exit code. */

import { join } from 'node:path';
import { onNpmEnd } from '../../../server/src/command-line/command.ts';
import { outputLost } from '../../../server/src/command-line/streams.ts';
import type { Provider } from '../provider.ts';
import { reportOf } from '../report/report.ts';
import { publishOnGithub, type TextOptions, textOf } from '../report/text.ts';
import { isFault } from '../report/words.ts';
import { writeReports } from '../report/write.ts';
import { exitCodes, familyOf, type Result, type Run } from '../result.ts';

interface Stream {
  readonly isTTY?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  readonly onResult: (result: Result, done: number, total: number) => void;
  /** Clears the line of a terminal. */
  end(): void;
}

const clear = '\r\u001b[K';

export function progressOn(stream: Stream): Progress {
  let failures = 0;
  return {
    onResult(result, done, total) {
      if (isFault(result)) failures += 1;
      const line = `${done} of ${total} cases · ${familyOf(result)} · ${failures} failed`;
      if (stream.isTTY) rewrite(stream, line);
      // Reasons may hold secrets here. The report has them without, and lists skipped cases by what they need.
      else if (!['passed', 'skipped', 'absent'].includes(result.status))
        stream.write(`${result.status} ${result.id}: ${result.title}\n`);
    },
    end: () => end(stream),
  };
}

/** Progress of a run over services with a mistake: how many were tried, and how long the rest will take. */
export function scoreProgressOn(stream: Stream): Progress {
  let first = Number.NaN;
  let bad = 0;
  return {
    onResult(result, done, total) {
      if (isFault(result)) bad += 1;
      // The time before the first result is that of two runs without a mistake, and of the choice of services.
      if (Number.isNaN(first)) first = performance.now();
      const left = Math.ceil((((performance.now() - first) / (done - 1)) * (total - done)) / 1000);
      const time = left < 90 ? `${left} s` : `${Math.round(left / 60)} min`;
      const line = `${done} of ${total} services · ${bad} to look at${done > 1 ? ` · about ${time} left` : ''}`;
      if (stream.isTTY) rewrite(stream, line);
      else stream.write(`${line}\n`);
    },
    end: () => end(stream),
  };
}

/** A longer line would wrap, and only its last row could be rewritten. */
function rewrite(stream: Stream, line: string): void {
  stream.write(`${clear}${line.slice(0, (stream.columns ?? 80) - 1)}`);
}

function end(stream: Stream): void {
  if (stream.isTTY) stream.write(clear);
}

interface FinishOptions extends Omit<TextOptions, 'reportFile'> {
  readonly provider: Provider;
  /** Where the reports go. Without it, no files are written. */
  readonly directory: string | undefined;
  /** Default: standard output. */
  readonly output?: NodeJS.WritableStream;
}

export function finish(run: Run, { provider, directory, output = process.stdout, ...text }: FinishOptions): number {
  const report = reportOf(run, provider);
  if (directory !== undefined) writeReports(directory, report, run.created, text.repeat);
  output.write(textOf(report, { ...text, reportFile: directory && join(directory, 'report.html') }));
  publishOnGithub(report, { environment: process.env, output });
  return exitCodes[run.verdict];
}

/**
 * Runs a command with a signal that fires on SIGINT, on SIGTERM, or once the npm that started it has ended. The listeners
 * stay until the command has ended: a shell and npx may both send the signal, and the second one must not cut off the report
 * or the end of the provider.
 */
export async function interruptible<Result>(command: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.on(name, abort);
  outputLost.addEventListener('abort', abort, { once: true });
  const unwatch = onNpmEnd(abort);
  try {
    return await command(controller.signal);
  } finally {
    unwatch();
    for (const name of names) process.off(name, abort);
  }
}
