/** The command `verify dpp`. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { writtenName } from '../../../server/src/command-line/command.ts';
import { dppIds, verifyDpp } from '../../dpp/verify-dpp.ts';
import { type DppClaim, dppClaims } from '../claims.ts';
import { addressVariable, type Provider, parseProvider, siteOfApi } from '../provider.ts';
import { UsageError } from '../result.ts';
import { startProvider } from '../start.ts';
import { interruptible } from './command.ts';
import { between, claimsFrom, listOf, secondsOfDay, textOf, wholeNumber } from './options.ts';
import { providerLimit, providerSchema, runSuite, type SuiteOptions } from './suite.ts';

interface Options extends SuiteOptions {
  readonly passport?: string;
  readonly product?: string;
  readonly provider?: string;
  readonly start?: string;
  readonly claim: readonly DppClaim[];
  readonly rate?: number;
  readonly only?: readonly string[];
  readonly seed?: number;
}

export function addDppCommand(verify: Command, typed: readonly string[], onExit: (code: number) => void): void {
  verify
    .command('dpp [url]')
    .description(
      "check the EU's read interface, as public sources describe EN 18222; the address ends in /v1, and no key is needed",
    )
    .option('--passport <id>', 'id of a public passport')
    .option('--product <id>', 'identifier of its product')
    .option(
      '--provider <file>',
      'provider file; its member dpp names more passports, headers, values that are not public',
    )
    .option('--start <command>', 'run this command as the provider; it prints the provider file in one line')
    .addOption(
      new Option('--claim <list>', `what the provider claims: ${dppClaims.join(', ')}`)
        .argParser(claimsFrom(dppClaims))
        .default(['dpp'], 'dpp'),
    )
    .option('--rate <number>', 'the maximum number of requests per second', between(0.001, 100_000))
    .option('--timeout <seconds>', 'how long to wait for one response', between(0.001, secondsOfDay), 10)
    .option('--only <ids>', 'run only cases whose id begins with one of these, separated by commas', listOf)
    .option('--expected-failures <file>', 'known failures of the provider: CASE-ID  # reason')
    .option('--flaky <file>', 'cases that sometimes pass, as such a list: they neither pass nor fail the run')
    .option('--write-expected <file>', 'write the failures of the run as such a list; you add the reasons', writtenName)
    .addOption(new Option('--seed <number>').argParser(wholeNumber).hideHelp())
    .option('--report <directory>', 'write the reports into this directory', writtenName)
    .option('--verbose', 'show every case, warning and curl line of a finding')
    .action(async (url: string | undefined, options: Options) => {
      onExit(await interruptible((signal) => run(url, options, typed, signal)));
    });
}

async function run(
  url: string | undefined,
  options: Options,
  typed: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const started = options.start === undefined ? undefined : await startProvider(options.start, signal);
  try {
    const provider = await providerOf(url, options, started?.line);
    const { claim: claims, rate, only } = options;
    return await runSuite(options, dppIds, typed, (shared) =>
      verifyDpp({ ...shared, ...{ provider, claims, rate, only, signal } }),
    );
  } finally {
    await started?.stop();
  }
}

/** The provider, with the address of its reads and the passports of the command line. */
async function providerOf(url: string | undefined, options: Options, line?: string): Promise<Provider> {
  const { provider: file, passport: id, product: product_id } = options;
  if (file !== undefined && line !== undefined) throw new UsageError('Use --provider or --start, not both.');
  const text = line ?? (file === undefined ? '{}' : await textOf(file, providerLimit));
  const { required: _, ...schema } = JSON.parse(readFileSync(providerSchema, 'utf8'));
  const found = parseProvider(text, {}, schema);
  const own = url ?? found.dpp?.base_url ?? baseUrlBelow(found);
  if (own === undefined)
    throw new UsageError('Name the address of the reads: verify dpp https://passport.example.com/dpp/v1');
  if (!/^https?:\/\/[^\s?#]+\/v1\/?$/.test(own)) {
    throw new UsageError(
      `The address must be an http address that ends in /v1, such as https://passport.example.com/dpp/v1, is ${own}.`,
    );
  }
  const named = id === undefined && product_id === undefined ? [] : [{ id, product_id }];
  const passports = [...named, ...(found.dpp?.passports ?? [])];
  return { ...found, dpp: { ...found.dpp, passports, base_url: own.replace(/\/$/, '') } };
}

/** The reads of a provider that has this kit's API. */
function baseUrlBelow(provider: Provider): string | undefined {
  const { base_url: base = process.env[addressVariable] } = provider as Partial<Provider>;
  return base === undefined ? undefined : `${provider.site_url ?? siteOfApi(base)}/dpp/v1`;
}
