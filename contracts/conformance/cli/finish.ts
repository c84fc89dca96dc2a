/** Ends a command: writes the reports, prints the report as text, and returns the exit code. */
import { join } from 'node:path';
import { onNpmEnd } from '../../../server/src/command-line/npm.ts';
import type { Provider } from '../provider.ts';
import { publishOnGithub } from '../report/github.ts';
import { reportOf } from '../report/report.ts';
import { type TextOptions, textOf } from '../report/text.ts';
import { writeReports } from '../report/write.ts';
import { exitCodes, type Run } from '../result.ts';

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
  const unwatch = onNpmEnd(abort);
  try {
    return await command(controller.signal);
  } finally {
    unwatch();
    for (const name of names) process.off(name, abort);
  }
}
