import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Claim } from '../claims.ts';
import { verifyClient } from '../client/verify-client.ts';
import { addressVariable, keyVariable, type Provider, parseProvider } from '../provider.ts';
import { shellWord } from '../report/curl.ts';
import { makeDirectory } from '../report/write.ts';
import { startProvider } from '../start.ts';
import { UsageError } from '../usage-error.ts';
import { verify } from '../verify.ts';
import { finish, interruptible } from './finish.ts';
import { claimOption, listOf, positive, wholeNumber, zeroOrMore } from './options.ts';
import { progressOn } from './progress.ts';
import { addHarCommand, addProxyCommand } from './traffic.ts';

interface Options {
  readonly baseUrl?: string;
  readonly siteUrl?: string;
  readonly stateUrl?: string;
  readonly provider?: string;
  readonly start?: string;
  readonly claim: readonly Claim[];
  readonly readOnly?: boolean;
  readonly rate?: number;
  readonly timeout: number;
  readonly only?: readonly string[];
  readonly expectedFailures?: string;
  readonly seed?: number;
  readonly generated: number;
  readonly report?: string;
}

const providerSchema = new URL('../../schemas/provider.schema.json', import.meta.url);

/** @param typed the parameters of the command line, for the command that repeats a case */
export function addVerifyCommand(program: Command, typed: readonly string[], onExit: (code: number) => void): void {
  const command = program
    .command('verify')
    .description(`Run the conformance suite against a provider. ${keyVariable} has the API key of a test tenant.`)
    .enablePositionalOptions()
    .option('--base-url <url>', `base address of the API, with /api/v1 (default: ${addressVariable})`)
    .option('--site-url <url>', 'root of the public pages (default: the base address without /api/v1)')
    .option('--state-url <url>', 'where states are set up that nothing else supplies; for test environments only')
    .option('--provider <file>', 'provider file with addresses, keys and tokens; - reads standard input')
    .option('--start <command>', 'run this command as the provider; it prints the provider file in one line')
    .addOption(claimOption())
    .option('--read-only', 'send no write and request no passport page')
    .option('--rate <number>', 'the maximum number of requests per second', positive)
    .option('--timeout <seconds>', 'how long to wait for one response', positive, 10)
    .option('--only <ids>', 'run only cases whose id begins with one of these, separated by commas', listOf)
    .option('--expected-failures <file>', 'known failures of the provider: CASE-ID  # reason')
    .option(
      '--generated <seconds>',
      'how long to send generated requests after the cases; 0 sends none',
      zeroOrMore,
      10,
    )
    .option('--seed <number>', 'repeat the names and generated requests of an earlier run', wholeNumber)
    .option('--report <directory>', 'write the reports into this directory')
    .action(async (options: Options) => onExit(await interruptible((signal) => runVerify(options, typed, signal))));
  addClientCommand(command, onExit);
  addHarCommand(command, onExit);
  addProxyCommand(command, onExit);
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
  const { claim, readOnly = false, rate, timeout, only, expectedFailures, seed, generated } = options;
  if (options.report !== undefined) makeDirectory(options.report);
  const progress = progressOn(process.stderr);
  const run = await verify({
    provider,
    claims: claim,
    isReadOnly: readOnly,
    timeout: timeout * 1000,
    generated,
    ...(rate === undefined ? {} : { rate }),
    ...(only === undefined ? {} : { only }),
    ...(seed === undefined ? {} : { seed }),
    ...(expectedFailures === undefined ? {} : { expectedFailures: textOf(expectedFailures) }),
    onResult: progress.onResult,
    signal,
  });
  return finish(run, {
    provider: run.provider,
    progress,
    directory: options.report,
    repeat: (caseId) => repeatCommand(typed, caseId, run.seed),
  });
}

/** The provider file, with what the command line and the environment add to it. */
function providerOf({ provider: file, siteUrl, stateUrl, ...options }: Options, line?: string): Provider {
  // A shell that is set up for one service must not change the address in the file of another.
  const isNamed = (file ?? line) !== undefined;
  const baseUrl = options.baseUrl ?? (isNamed ? undefined : process.env[addressVariable]);
  const schema: object = JSON.parse(readFileSync(providerSchema, 'utf8'));
  const key = process.env[keyVariable];
  const more: Partial<Provider> = {
    ...(key === undefined ? {} : { tenants: [{ api_key: key }] }),
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(siteUrl === undefined ? {} : { site_url: siteUrl }),
    ...(stateUrl === undefined ? {} : { state_url: stateUrl }),
  };
  if (file !== undefined && line !== undefined) throw new UsageError('Use --provider or --start, not both.');
  if (!isNamed && baseUrl === undefined) {
    throw new UsageError(`Name the provider: --base-url URL, ${addressVariable}, --provider FILE or --start COMMAND.`);
  }
  return parseProvider(line ?? (file === undefined ? '{}' : textOf(file)), more, schema);
}

function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be read: ${(error as Error).message}.`);
  }
}

const droppedOptions = new Set(['--only', '--report', '--seed']);

/**
 * @param parameters of the command that ran, without the program
 * @param seed of the run
 */
export function repeatCommand(parameters: readonly string[], caseId: string, seed: number): string {
  const repeated = parameters.filter((parameter, index) => {
    const isValue = droppedOptions.has(parameters[index - 1] ?? '');
    return !isValue && !droppedOptions.has(parameter.replace(/=.*/s, ''));
  });
  const words = [...repeated, '--seed', String(seed), '--only', caseId];
  return ['npx @product-passport/contracts', ...words.map(shellWord)].join(' ');
}

interface ClientOptions {
  readonly command: string;
  readonly require?: readonly string[];
  readonly once?: boolean;
  readonly seed: number;
  readonly report?: string;
}

function addClientCommand(verify: Command, onExit: (code: number) => void): void {
  verify
    .command('client')
    .description(
      `Run a program against a service on this machine, and judge its requests. ${addressVariable} and ${keyVariable} in its environment name the service.`,
    )
    .requiredOption('--command <command>', 'the shell command that runs the program')
    .option('--require <ids>', 'checks that the program must exercise, separated by commas', listOf)
    .option('--once', 'run the command once: without the redirect, and without looking for the cause of a failure')
    .option('--seed <number>', 'choose other times for the disturbances', positive, 1)
    .option('--report <directory>', 'write the reports into this directory')
    .action(async (options: ClientOptions) => onExit(await interruptible((signal) => runClient(options, signal))));
}

async function runClient(options: ClientOptions, signal: AbortSignal): Promise<number> {
  const { command, require: required = [], once: isOnce = false, seed, report } = options;
  if (report !== undefined) makeDirectory(report);
  const onRun = (purpose: string) => void process.stderr.write(`The command runs again, with ${purpose}.\n`);
  const { run, provider } = await verifyClient({ command, seed, required, isOnce, signal, onRun });
  return finish(run, { provider, progress: progressOn(process.stderr), directory: report });
}
