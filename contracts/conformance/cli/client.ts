/** The command `verify client`: runs a program, keeps the service up for programs, or scores the tests of a program. */
import { once } from 'node:events';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { member } from '@product-passport/openapi';
import { type Command, Option } from 'commander';
import { writtenName } from '../../../server/src/command-line/command.ts';
import type { Claim } from '../claims.ts';
import { type MutantOptions, scoreTests } from '../client/mutants.ts';
import { openOrigin } from '../client/service.ts';
import { openJudgedService, verifyClient } from '../client/verify-client.ts';
import { parseExpectedFailures } from '../expected-failures.ts';
import { addressVariable, keyVariable } from '../provider.ts';
import { htmlOf } from '../report/html.ts';
import { reportOf } from '../report/report.ts';
import { pullRequestListOf } from '../report/text.ts';
import { servedCommand } from '../report/words.ts';
import { makeDirectory } from '../report/write.ts';
import { type Result, UsageError } from '../result.ts';
import { suiteVersion } from '../verify.ts';
import { finish, interruptible, scoreProgressOn } from './command.ts';
import { between, claimOption, listOf, port, positive, secondsOfDay, textOf, wholeNumber } from './options.ts';

type ScoreOptions = 'only' | 'sample' | 'seed' | 'parallel' | 'timeout' | 'timeLimit' | 'atLeast';

interface ClientOptions extends Pick<MutantOptions, ScoreOptions> {
  readonly command?: string;
  readonly serve?: boolean;
  readonly port?: number;
  readonly require?: readonly string[];
  readonly once?: boolean;
  readonly report?: string;
  readonly mutants?: boolean;
  readonly claim: readonly Claim[];
  readonly equivalent?: string;
  readonly format?: 'markdown';
  readonly continue?: boolean;
}

const mutantsGroup = 'With --mutants:';

export function addClientCommand(verify: Command, onExit: (code: number) => void): void {
  verify
    .command('client')
    .description(
      `run a program against a service on this machine, and check its requests; it finds the service in ${addressVariable} and ${keyVariable}`,
    )
    .option('--command <command>', 'the shell command that runs the program')
    .option('--serve', 'run no command: keep the service up until Ctrl+C, with a page that shows its findings')
    .option('--port <number>', 'port of the service with --serve (default: any free port)', port)
    .option('--require <ids>', 'checks that the program must exercise, separated by commas', listOf)
    .option('--once', 'run the command once: without the redirect, and without looking for the cause of a failure')
    .option('--seed <number>', 'choose other disturbances, or another sample', positive, 1)
    .option('--report <directory>', 'write the reports into this directory', writtenName)
    .optionsGroup(mutantsGroup)
    .option(
      '--mutants',
      'score the tests that the command runs: run them once for each mistake that a service can make',
    )
    .addOption(claimOption())
    .option('--only <ids>', 'only mistakes whose id begins with one of these, separated by commas', listOf)
    .option('--sample <number>', 'try this number of them, chosen by --seed', wholeNumber)
    .option('--parallel <number>', 'number of commands that run at the same time', positive, 1)
    .option(
      '--timeout <seconds>',
      'end a command after this time (default: ten times its first run, at least 30)',
      (text) => 1000 * between(0.001, secondsOfDay)(text),
    )
    .option(
      '--time-limit <minutes>',
      'start no command after this time',
      (text) => 60_000 * between(0.001, secondsOfDay / 60)(text),
    )
    .option('--at-least <percent>', 'exit with 1 if the tests notice less', between(0, 100), 0)
    .option('--equivalent <file>', 'mistakes that your program need not notice: ID  # reason')
    .addOption(
      new Option('--format <name>', 'print the mistakes that no test notices, for a pull request').choices([
        'markdown',
      ]),
    )
    .option('--continue', 'continue the interrupted run whose results are in --report')
    .action(async (options: ClientOptions, client: Command) => {
      checkTogether(client, options.mutants === true);
      onExit(await interruptible((signal) => modeOf(options)(signal)));
    });
}

/** @throws UsageError for an option that has no effect in this mode */
function checkTogether(client: Command, isScore: boolean): void {
  const wrong = client.options.find((option) => {
    const isOfMutants = option.helpGroupHeading === mutantsGroup && option.long !== '--mutants';
    const hasNoEffect = isScore ? ['--require', '--once'].includes(option.long ?? '') : isOfMutants;
    return hasNoEffect && client.getOptionValueSource(option.attributeName()) === 'cli';
  });
  if (wrong === undefined) return;
  throw new UsageError(`${wrong.long} ${isScore ? 'has no effect with' : 'needs'} --mutants.`);
}

function modeOf(options: ClientOptions): (signal: AbortSignal) => Promise<number> {
  const { command, serve = false, mutants = false } = options;
  if (serve) {
    if (command !== undefined || mutants) throw new UsageError('Use --serve without --command and --mutants.');
    return (signal) => serveClients(options, signal);
  }
  if (options.port !== undefined) throw new UsageError('--port needs --serve.');
  if (command === undefined) {
    throw new UsageError('Name the program with --command COMMAND, or keep the service up with --serve.');
  }
  return (signal) => (mutants ? runMutants : runClient)({ ...options, command }, signal);
}

type CommandOptions = ClientOptions & { readonly command: string };

/** How often the page of findings is loaded again, in seconds. */
const refresh = 3;

async function serveClients(options: ClientOptions, signal: AbortSignal): Promise<number> {
  const { seed, report: directory, require: required = [], port } = options;
  if (directory !== undefined) makeDirectory(directory);
  const service = await openJudgedService({
    seed,
    required,
    command: servedCommand,
    ...(port === undefined ? {} : { port }),
  });
  const { provider } = service;
  const page = await openOrigin(async ({ path }) => {
    const isPage = path === '/' || path.startsWith('/?');
    const text = isPage ? htmlOf(reportOf(service.judge(), provider)) : 'The findings are at /.';
    const type = isPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
    const headers = { 'content-type': type, 'cache-control': 'no-store', ...(isPage && { refresh: `${refresh}` }) };
    return { status: isPage ? 200 : 404, headers, text };
  });
  process.stdout.write(
    [
      `${addressVariable}=${provider.base_url}`,
      `${keyVariable}=${provider.tenants?.[0]?.api_key}`,
      `Findings: ${page.url}/`,
      'Press Ctrl+C for the verdict.',
      '',
    ].join('\n'),
  );
  if (!signal.aborted) await once(signal, 'abort');
  await Promise.all([page.close(), service.close()]);
  return finish(service.judge(), { provider, directory });
}

async function runMutants(options: CommandOptions, signal: AbortSignal): Promise<number> {
  const { command, claim: claims, seed, report, equivalent, format } = options;
  if (report !== undefined) makeDirectory(report);
  const journal = await openJournal(report, { command, seed, suite: suiteVersion() }, options.continue === true);
  const listed = equivalent === undefined ? undefined : await textOf(equivalent);
  const progress = scoreProgressOn(process.stderr);
  const { run, provider } = await scoreTests({
    ...options,
    claims,
    ...(format !== undefined && { output: process.stderr.fd }),
    ...(listed !== undefined && {
      equivalents: (known) => parseExpectedFailures(listed, known, '--equivalent'),
    }),
    known: journal.known,
    signal,
    onBaseline: (words) => void process.stderr.write(`${words}\n`),
    onResult(result, done, total) {
      journal.add(result);
      progress.onResult(result, done, total);
    },
  });
  progress.end();
  if (format === undefined) return finish(run, { provider, directory: report });
  process.stdout.write(pullRequestListOf(reportOf(run, provider)));
  return finish(run, { provider, directory: report, output: process.stderr });
}

interface Journal {
  readonly known: ReadonlyMap<string, Result>;
  add(result: Result): void;
}

/** Lines have the requests of the tests. */
const journalLimit = { maxMiB: 256, advice: 'Leave out --continue.' };

/** One line for each service that was tried, so that an interrupted run can go on. */
async function openJournal(directory: string | undefined, about: object, goesOn: boolean): Promise<Journal> {
  if (directory === undefined) {
    if (goesOn) throw new UsageError('--continue needs --report with the directory of the run that was interrupted.');
    return { known: new Map(), add() {} };
  }
  const file = join(directory, 'mutants.jsonl');
  const heading = JSON.stringify(about);
  const [found, ...lines] = goesOn && existsSync(file) ? (await textOf(file, journalLimit)).split('\n') : [];
  if (goesOn && found !== heading) {
    throw new UsageError(`${file} is not of a run with this command, seed and version. Leave out --continue.`);
  }
  const known = new Map<string, Result>();
  // The last line may be half written.
  for (const line of lines.slice(0, -1)) {
    const result = resultIn(line);
    if (result === undefined) throw new UsageError(`${file} is damaged. Leave out --continue.`);
    known.set(result.id, result);
  }
  writeFileSync(file, [heading, ...lines.slice(0, -1), ''].join('\n'));
  return {
    known,
    add(result) {
      if (!known.has(result.id)) appendFileSync(file, `${JSON.stringify(result)}\n`);
    },
  };
}

function resultIn(line: string): Result | undefined {
  try {
    const result: Result = JSON.parse(line, withBytes);
    return typeof result.id === 'string' ? result : undefined;
  } catch {
    return undefined;
  }
}

/** Restores a Buffer from its JSON form. */
function withBytes(_name: string, value: unknown): unknown {
  return member(value, 'type') === 'Buffer' ? Buffer.from(member(value, 'data') as number[]) : value;
}

async function runClient(options: CommandOptions, signal: AbortSignal): Promise<number> {
  const { command, require: required = [], once: isOnce = false, seed, report } = options;
  if (report !== undefined) makeDirectory(report);
  const onRun = (purpose: string) => void process.stderr.write(`The command runs again, with ${purpose}.\n`);
  const { run, provider } = await verifyClient({ command, seed, required, isOnce, signal, onRun });
  return finish(run, { provider, directory: report });
}
