import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { member } from '@product-passport/openapi';
import { type Command, Option } from 'commander';
import type { Claim } from '../claims.ts';
import { type MutantOptions, scoreTests } from '../client/mutants.ts';
import { openOrigin } from '../client/service.ts';
import { openJudgedService, verifyClient } from '../client/verify-client.ts';
import { listOfFailures, parseExpectedFailures } from '../expected-failures.ts';
import { addressVariable, keyVariable, type Provider, parseProvider } from '../provider.ts';
import { ownCommand, shellWord } from '../report/curl.ts';
import { htmlOf } from '../report/html.ts';
import { reportOf } from '../report/report.ts';
import { pullRequestListOf } from '../report/text.ts';
import { servedCommand } from '../report/words.ts';
import { makeDirectory } from '../report/write.ts';
import { type Result, UsageError } from '../result.ts';
import { startProvider } from '../start.ts';
import { loadedSuite, suiteVersion, verify } from '../verify.ts';
import { finish, interruptible, progressOn, scoreProgressOn } from './command.ts';
import { addLinkCommand } from './link.ts';
import { claimOption, listOf, port, positive, textOf, wholeNumber, zeroOrMore } from './options.ts';
import { addHarCommand, addProxyCommand } from './traffic.ts';

interface Options {
  readonly baseUrl?: string;
  readonly siteUrl?: string;
  readonly stateUrl?: string;
  readonly provider?: string;
  readonly start?: string;
  readonly claim: readonly Claim[];
  readonly rate?: number;
  readonly timeout: number;
  readonly only?: readonly string[];
  readonly requirements?: string;
  readonly expectedFailures?: string;
  readonly writeExpected?: string;
  readonly seed?: number;
  readonly generated: number;
  readonly report?: string;
  readonly verbose?: boolean;
}

const providerSchema = new URL('../../schemas/provider.schema.json', import.meta.url);

/** @param typed the parameters of the command line, for the command that repeats a case */
export function addVerifyCommand(program: Command, typed: readonly string[], onExit: (code: number) => void): void {
  const command = program
    .command('verify')
    .description(`run the conformance suite against a provider; ${keyVariable} holds the API key of a test tenant`)
    .enablePositionalOptions()
    .option('--base-url <url>', `base address of the API, with /api/v1 (default: ${addressVariable})`)
    .option('--site-url <url>', 'root of the public pages (default: the base address without /api/v1)')
    .option('--state-url <url>', 'address that sets up states which nothing else supplies; for test environments only')
    .option('--provider <file>', 'provider file with addresses, keys and tokens; - reads standard input')
    .option('--start <command>', 'run this command as the provider; it prints the provider file in one line')
    .addOption(claimOption())
    .option('--rate <number>', 'the maximum number of requests per second', positive)
    .option('--timeout <seconds>', 'how long to wait for one response', positive, 10)
    .option('--only <ids>', 'run only cases whose id begins with one of these, separated by commas', listOf)
    .option(
      '--requirements <set>',
      'count only cases up to this set, such as 2026-12; later ones run, and do not count',
    )
    .option('--expected-failures <file>', 'known failures of the provider: CASE-ID  # reason')
    .option('--write-expected <file>', 'write the failures of the run as such a list; you add the reasons')
    .option(
      '--generated <seconds>',
      'how long to send generated requests after the cases; 0 sends none',
      zeroOrMore,
      10,
    )
    .option('--seed <number>', 'repeat the names and generated requests of an earlier run', wholeNumber)
    .option('--report <directory>', 'write the reports into this directory')
    .option('--verbose', 'show every case, warning and curl line of a finding')
    .action(async (options: Options) => onExit(await interruptible((signal) => runVerify(options, typed, signal))));
  addClientCommand(command, onExit);
  addHarCommand(command, onExit);
  addProxyCommand(command, onExit);
  addLinkCommand(command, onExit);
}

async function runVerify(options: Options, typed: readonly string[], signal: AbortSignal): Promise<number> {
  if (options.start === undefined) return verifyProvider(options, providerOf(options), typed, signal);
  const started = await startProvider(options.start, signal);
  try {
    return await verifyProvider(options, providerOf(options, started.line), typed, signal);
  } finally {
    await started.stop();
  }
}

/** @param signal ends the run after the current case. The reports then have what was found. */
async function verifyProvider(
  options: Options,
  provider: Provider,
  typed: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const { claim, rate, timeout, only, requirements, expectedFailures, writeExpected, seed, generated } = options;
  if (options.report !== undefined) makeDirectory(options.report);
  const known = expectedFailures === undefined ? '' : textOf(expectedFailures);
  if (writeExpected !== undefined) writeText(writeExpected, known);
  const progress = progressOn(process.stderr);
  const run = await verify({
    provider,
    nameOfKey: nameOfKeyIn(provider, options),
    claims: claim,
    timeout: timeout * 1000,
    ...{ generated, rate, only, seed, requirements },
    expectedFailures: known,
    onResult: progress.onResult,
    signal,
  });
  if (writeExpected !== undefined) {
    writeText(writeExpected, listOfFailures(run, parseExpectedFailures(known, loadedSuite().ids)));
  }
  progress.end();
  return finish(run, {
    provider: run.provider,
    directory: options.report,
    isVerbose: options.verbose === true,
    repeat: (caseId) => repeatCommand(typed, caseId, run.seed),
  });
}

/** The provider file, with what the command line and the environment add to it. */
function providerOf({ provider: file, siteUrl, stateUrl, ...options }: Options, line?: string): Provider {
  // A shell that is set up for one service must not change the address in the file of another.
  const isNamed = (file ?? line) !== undefined;
  const baseUrl = baseUrlIn(options) ?? (isNamed ? undefined : process.env[addressVariable]);
  const schema: object = JSON.parse(readFileSync(providerSchema, 'utf8'));
  const key = process.env[keyVariable];
  const more: Partial<Provider> = {
    ...(key === undefined ? {} : { tenants: [{ api_key: key }] }),
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(siteUrl === undefined ? {} : { site_url: siteUrl }),
    ...(stateUrl === undefined ? {} : { state_url: stateUrl }),
  };
  if (file !== undefined && line !== undefined) throw new UsageError('Use --provider or --start, not both.');
  if (!isNamed && baseUrl === undefined) throw unnamedProvider(key);
  const source = line === undefined ? undefined : 'The line that the command of --start printed';
  return parseProvider(line ?? (file === undefined ? '{}' : textOf(file)), more, schema, source);
}

function unnamedProvider(key: string | undefined): UsageError {
  const name = `Name the provider: --base-url URL, ${addressVariable}, --provider FILE or --start COMMAND.`;
  const withKey = `With an address alone, set ${keyVariable} to the API key of a test tenant, too.`;
  return new UsageError(key === undefined ? `${name} ${withKey}` : name);
}

function baseUrlIn({ baseUrl }: Pick<Options, 'baseUrl'>): string | undefined {
  if (baseUrl === undefined || /^https?:\/\/.+\/api\/v1\/?$/.test(baseUrl)) return baseUrl;
  const example = 'https://passport.example.com/api/v1';
  throw new UsageError(`--base-url must be an http address that ends in /api/v1, such as ${example}, is ${baseUrl}.`);
}

/** Where the user finds the key of a tenant. */
function nameOfKeyIn({ tenants = [] }: Provider, { provider: file, start }: Options): (index: number) => string {
  const isFromEnvironment = tenants.length === 1 && tenants[0]?.api_key === process.env[keyVariable];
  if (isFromEnvironment) return () => keyVariable;
  const source = start === undefined ? file : 'the line of --start';
  return (index) => `tenants[${index}].api_key of ${source}`;
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be written: ${(error as Error).message}.`);
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

function addClientCommand(verify: Command, onExit: (code: number) => void): void {
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
    .option('--report <directory>', 'write the reports into this directory')
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
      (text) => 1000 * positive(text),
    )
    .option('--time-limit <minutes>', 'start no command after this time', (text) => 60_000 * positive(text))
    .option('--at-least <percent>', 'exit with 1 if the tests notice less', zeroOrMore, 0)
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

/** An option without effect is a mistake of the caller. */
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
  const journal = openJournal(report, { command, seed, suite: suiteVersion() }, options.continue === true);
  const progress = scoreProgressOn(process.stderr);
  const { run, provider } = await scoreTests({
    ...options,
    claims,
    ...(format !== undefined && { output: process.stderr.fd }),
    ...(equivalent !== undefined && {
      equivalents: (known) => parseExpectedFailures(textOf(equivalent), known, '--equivalent'),
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

/** One line for each service that was tried, so that an interrupted run can go on. */
function openJournal(directory: string | undefined, about: object, goesOn: boolean): Journal {
  if (directory === undefined) {
    if (goesOn) throw new UsageError('--continue needs --report with the directory of the run that was interrupted.');
    return { known: new Map(), add() {} };
  }
  const file = join(directory, 'mutants.jsonl');
  const heading = JSON.stringify(about);
  const [found, ...lines] = goesOn && existsSync(file) ? textOf(file).split('\n') : [];
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

/** A Buffer as JSON has it becomes bytes again. */
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
