/** What the commands that run a suite share: the provider file, expected failures, progress, reports, the line that repeats a case. */
import { writeFileSync } from 'node:fs';
import { listOfFailures, parseExpectedFailures } from '../expected-failures.ts';
import type { Provider } from '../provider.ts';
import { ownCommand, shellWord } from '../report/curl.ts';
import { makeDirectory } from '../report/write.ts';
import { type Run, unusableFile } from '../result.ts';
import { loadedSuite } from '../verify.ts';
import { finish, type Progress, progressOn } from './command.ts';
import { textOf } from './options.ts';

/** Deeply nested JSON takes a hundred times its bytes. */
export const providerLimit = { maxMiB: 1 };

export const providerSchema = new URL('../../schemas/provider.schema.json', import.meta.url);

export interface SuiteOptions {
  readonly timeout: number;
  readonly expectedFailures?: string;
  readonly flaky?: string;
  readonly writeExpected?: string;
  readonly report?: string;
  readonly verbose?: boolean;
}

/**
 * Runs a suite with what all of them have: the list of expected failures, progress, reports and the exit code.
 *
 * @param ids of the suite's cases
 */
export async function runSuite(
  { timeout, expectedFailures, flaky, writeExpected, report, verbose = false }: SuiteOptions,
  ids: ReadonlySet<string>,
  typed: readonly string[],
  verifyWith: (shared: {
    readonly timeout: number;
    readonly expectedFailures: string;
    readonly flaky: string;
    readonly onResult: Progress['onResult'];
  }) => Promise<Run & { readonly provider: Provider }>,
): Promise<number> {
  if (report !== undefined) makeDirectory(report);
  const known = expectedFailures === undefined ? '' : await textOf(expectedFailures);
  if (writeExpected !== undefined) writeText(writeExpected, known);
  const { onResult, end } = progressOn(process.stderr);
  const run = await verifyWith({
    timeout: timeout * 1000,
    expectedFailures: known,
    flaky: flaky === undefined ? '' : await textOf(flaky),
    onResult,
  });
  if (writeExpected !== undefined) writeText(writeExpected, listOfFailures(run, parseExpectedFailures(known, ids)));
  end();
  return finish(run, {
    provider: run.provider,
    directory: report,
    isVerbose: verbose,
    repeat: (caseId) => repeatCommand(typed, caseId, run.seed),
  });
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw unusableFile(`the file ${file}`, error);
  }
}

const droppedOptions = new Set(['--only', '--report', '--seed', '--write-expected']);

/**
 * @param parameters of the command that ran, without the program
 * @param seed of the run
 */
export function repeatCommand(parameters: readonly string[], caseId: string, seed: number): string {
  const repeated = parameters.filter((parameter, index) => {
    const isValue = droppedOptions.has(parameters[index - 1] ?? '');
    return !isValue && !droppedOptions.has(parameter.replace(/=.*/s, ''));
  });
  // A case over all requests needs the requests of the others.
  const isOverAll = loadedSuite().suite.wholeRunCases.some(({ id }) => id === caseId);
  // A provider that starts again has none of the products that the other cases created.
  const isOfList = caseId.startsWith('PAGE-') && parameters.some((one) => one.startsWith('--start'));
  const words = [...repeated, '--seed', String(seed), ...(isOverAll || isOfList ? [] : ['--only', caseId])];
  return [ownCommand(), ...words.map(shellWord)].join(' ');
}
