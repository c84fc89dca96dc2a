/** Writes the reports of a run into a directory. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../result.ts';
import { UsageError } from '../usage-error.ts';
import { badgeOf } from './badge.ts';
import { harOf } from './har.ts';
import { htmlOf } from './html.ts';
import { junitOf } from './junit.ts';
import type { Report } from './report.ts';

/** Each file, with its text. A file without a text is removed, so that none of an earlier run remains. */
function filesOf(
  report: Report,
  created: Run['created'],
  canRepeat: boolean,
): Readonly<Record<string, string | undefined>> {
  const badge = badgeOf(report);
  return {
    'report.json': json(withoutPassed(report)),
    'report.html': htmlOf(report, canRepeat),
    'junit.xml': junitOf(report),
    'traffic.har': json(harOf(report)),
    'badge.json': badge && json(badge),
    'created.json': json(created),
  };
}

/** @throws UsageError when the directory cannot be made. Called before a run, so that no run is lost. */
export function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    throw new UsageError(`The report directory ${directory} cannot be made: ${(error as Error).message}.`);
  }
}

/** Makes the directory if it does not exist, and replaces the files of an earlier run. */
export function writeReports(directory: string, report: Report, created: Run['created'], canRepeat = true): void {
  makeDirectory(directory);
  for (const [name, text] of Object.entries(filesOf(report, created, canRepeat))) {
    const file = join(directory, name);
    if (text === undefined) rmSync(file, { force: true });
    else writeFileSync(file, text);
  }
}

/** The exchanges of passed cases would make most of the file. `traffic.har` has them. */
function withoutPassed(report: Report): Report {
  const cases = report.cases.map((one) => (one.status === 'passed' ? { ...one, exchanges: [] } : one));
  return { ...report, cases };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
