/** Ends a command: writes the reports, prints the findings, and returns the exit code. */
import { join } from 'node:path';
import { onNpmEnd } from '../../../server/src/command-line/npm.ts';
import type { Provider } from '../provider.ts';
import { publishOnGithub } from '../report/github.ts';
import { reportOf } from '../report/report.ts';
import { writeReports } from '../report/write.ts';
import { exitCodes, type Run } from '../result.ts';
import type { Progress } from './progress.ts';

interface FinishOptions {
  readonly provider: Provider;
  readonly progress: Progress;
  /** Where the reports go. Without it, no files are written. */
  readonly directory: string | undefined;
  /** The command that runs a case again, if one does. */
  readonly repeat?: (caseId: string) => string;
  readonly isVerbose?: boolean;
}

export function finish(run: Run, { provider, progress, directory, repeat, isVerbose = false }: FinishOptions): number {
  const report = reportOf(run, provider);
  if (directory !== undefined) writeReports(directory, report, run.created, repeat);
  progress.end(report, {
    ...(directory === undefined ? {} : { reportFile: join(directory, 'report.html') }),
    ...(repeat === undefined ? {} : { repeat }),
    isVerbose,
  });
  publishOnGithub(report, { environment: process.env, output: process.stdout });
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
