/** Ends a command: writes the reports, prints the findings, and returns the exit code. */
import { join } from 'node:path';
import type { Provider } from '../provider.ts';
import { publishOnGithub } from '../report/github.ts';
import { reportOf } from '../report/report.ts';
import { writeReports } from '../report/write.ts';
import type { Run } from '../result.ts';
import { exitCodes } from '../verdict.ts';
import type { Progress } from './progress.ts';

interface FinishOptions {
  readonly provider: Provider;
  readonly progress: Progress;
  /** Where the reports go. Without it, no files are written. */
  readonly directory: string | undefined;
  /** The command that runs a case again, if one does. */
  readonly repeat?: (caseId: string) => string;
}

export function finish(run: Run, { provider, progress, directory, repeat }: FinishOptions): number {
  const report = reportOf(run, provider);
  if (directory !== undefined) writeReports(directory, report, run.created, repeat !== undefined);
  progress.end(report, {
    ...(directory === undefined ? {} : { reportFile: join(directory, 'report.html') }),
    ...(repeat === undefined ? {} : { repeat }),
  });
  publishOnGithub(report, { environment: process.env, output: process.stdout });
  return exitCodes[run.verdict];
}
