/** The command `verify link`. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { writtenName } from '../../../server/src/command-line/command.ts';
import { type VerifyLinkOptions, verifyLink } from '../link/verify-link.ts';
import { reportOf } from '../report/report.ts';
import { printable } from '../report/text.ts';
import { makeDirectory, writeReports } from '../report/write.ts';
import { exitCodes, UsageError } from '../result.ts';
import { finish, interruptible } from './command.ts';
import { textOf } from './options.ts';

interface Options {
  readonly file?: string;
  readonly allowPrivate?: boolean;
  readonly report?: string;
}

export function addLinkCommand(verify: Command, onExit: (code: number) => void): void {
  verify
    .command('link [url]')
    .description('check what a phone gets that scans a Digital Link, or the address of a passport; it needs no key')
    .option('--file <file>', 'check every link of a file, one on each line, and print a table; - reads standard input')
    .option('--allow-private', 'follow redirects to private addresses, and to any port')
    .option('--report <directory>', 'write the reports into this directory', writtenName)
    .action(async (link: string | undefined, options: Options) => {
      if ((link === undefined) === (options.file === undefined)) {
        throw new UsageError('Name a link, or a file of links with --file.');
      }
      onExit(await interruptible((signal) => run(link, options, signal)));
    });
}

async function run(link: string | undefined, options: Options, signal: AbortSignal): Promise<number> {
  const { file = '', report, allowPrivate: isPrivateAllowed = false } = options;
  if (report !== undefined) makeDirectory(report);
  if (link === undefined) return checkAll(await linksIn(file), { isPrivateAllowed, signal }, report);
  const found = await verifyLink({ link, isPrivateAllowed, signal });
  return finish(found.run, { provider: found.provider, directory: report });
}

async function linksIn(file: string): Promise<readonly string[]> {
  const lines = (await textOf(file)).split(/\r?\n/);
  // A table that was saved as text has other columns after a tab.
  const links = lines.map((line) => line.trim().replace(/\s*\t.*/, ''));
  const named = links.filter((line) => line !== '' && !line.startsWith('#'));
  if (named.length === 0) throw new UsageError(`${file} has no link.`);
  return named;
}

/** Prints a row for each link, as soon as it is known. */
async function checkAll(
  links: readonly string[],
  options: Omit<VerifyLinkOptions, 'link'>,
  directory: string | undefined,
): Promise<number> {
  const codes = new Set<number>();
  print('VERDICT', 'FINDINGS', 'NOTES', 'LINK');
  for (const [index, link] of links.entries()) {
    const { run, provider } = await verifyLink({ ...options, link });
    const report = reportOf(run, provider);
    const { verdict, because, findings, base_url, cases } = report;
    const notes = cases.flatMap(({ warnings }) => warnings).length;
    const first = findings[0]?.title ?? because;
    print(verdict, findings.length, notes, printable(first === undefined ? base_url : `${base_url}  ${first}`));
    codes.add(exitCodes[verdict]);
    if (directory !== undefined) writeReports(join(directory, String(index + 1)), report, []);
  }
  return [exitCodes['not conformant'], exitCodes.incomplete].find((code) => codes.has(code)) ?? exitCodes.conformant;
}

function print(verdict: string, findings: string | number, notes: string | number, link: string): void {
  process.stdout.write(`${verdict.padEnd(14)}  ${`${findings}`.padStart(8)}  ${`${notes}`.padStart(5)}  ${link}\n`);
}
