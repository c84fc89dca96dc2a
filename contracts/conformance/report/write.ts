/** Writes the reports of a run into a directory. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Provider } from '../provider.ts';
import type { Run } from '../result.ts';
import { type Report, reportOf } from './report.ts';

/** Each file, with its text. A file without a text is not written. */
function filesOf(report: Report, run: Run): Readonly<Record<string, string | undefined>> {
  return {
    'report.json': json(report),
    'created.json': json(run.created),
  };
}

/** Makes the directory if it does not exist, and replaces the files of an earlier run. */
export function writeReports(directory: string, run: Run, provider: Provider): void {
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(filesOf(reportOf(run, provider), run))) {
    if (text !== undefined) writeFileSync(join(directory, name), text);
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
