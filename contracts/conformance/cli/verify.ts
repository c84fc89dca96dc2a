/** The command `verify`. Each of its subcommands has a file of its own. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { writtenName } from '../../../server/src/command-line/command.ts';
import type { Claim } from '../claims.ts';
import { addressVariable, keyVariable, type Provider, parseProvider } from '../provider.ts';
import { UsageError } from '../result.ts';
import { startProvider } from '../start.ts';
import { loadedSuite, verify } from '../verify.ts';
import { addClientCommand } from './client.ts';
import { interruptible } from './command.ts';
import { addDppCommand } from './dpp.ts';
import { addLinkCommand } from './link.ts';
import { between, claimOption, listOf, secondsOfDay, textOf, wholeNumber } from './options.ts';
import { providerLimit, providerSchema, runSuite, type SuiteOptions } from './suite.ts';
import { addHarCommand, addProxyCommand } from './traffic.ts';

interface Options extends SuiteOptions {
  readonly baseUrl?: string;
  readonly siteUrl?: string;
  readonly stateUrl?: string;
  readonly provider?: string;
  readonly start?: string;
  readonly claim: readonly Claim[];
  readonly rate?: number;
  readonly only?: readonly string[];
  readonly requirements?: string;
  readonly seed?: number;
  readonly generated: number;
}

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
    .option('--rate <number>', 'the maximum number of requests per second', between(0.001, 100_000))
    .option('--timeout <seconds>', 'how long to wait for one response', between(0.001, secondsOfDay), 10)
    .option('--only <ids>', 'run only cases whose id begins with one of these, separated by commas', listOf)
    .option(
      '--requirements <set>',
      'count only cases up to this set, such as 2026-12; later ones run, and do not count',
    )
    .option('--expected-failures <file>', 'known failures of the provider: CASE-ID  # reason')
    .option('--flaky <file>', 'cases that sometimes pass, as such a list: they neither pass nor fail the run')
    .option('--write-expected <file>', 'write the failures of the run as such a list; you add the reasons', writtenName)
    .option(
      '--generated <seconds>',
      'how long to send generated requests after the cases; 0 sends none',
      between(0, secondsOfDay),
      10,
    )
    .option('--seed <number>', 'repeat the names and generated requests of an earlier run', wholeNumber)
    .option('--report <directory>', 'write the reports into this directory', writtenName)
    .option('--verbose', 'show every case, warning and curl line of a finding')
    .action(async (options: Options) => onExit(await interruptible((signal) => runVerify(options, typed, signal))));
  addClientCommand(command, onExit);
  addHarCommand(command, onExit);
  addProxyCommand(command, onExit);
  addLinkCommand(command, onExit);
  addDppCommand(command, typed, onExit);
}

async function runVerify(options: Options, typed: readonly string[], signal: AbortSignal): Promise<number> {
  if (options.start === undefined) return verifyProvider(options, await providerOf(options), typed, signal);
  const started = await startProvider(options.start, signal);
  try {
    return await verifyProvider(options, await providerOf(options, started.line), typed, signal);
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
  const { claim: claims, rate, only, requirements, seed, generated } = options;
  const nameOfKey = nameOfKeyIn(provider, options);
  return runSuite(options, loadedSuite().ids, typed, (shared) =>
    verify({ ...shared, ...{ provider, nameOfKey, claims, generated, rate, only, seed, requirements, signal } }),
  );
}

/** The provider file, with what the command line and the environment add to it. */
async function providerOf(
  { provider: file, siteUrl, stateUrl, ...options }: Options,
  line?: string,
): Promise<Provider> {
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
  return parseProvider(line ?? (file === undefined ? '{}' : await textOf(file, providerLimit)), more, schema, source);
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
