/** The commands `verify har` and `verify proxy`: traffic of others, recorded or live. */
import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { writtenName } from '../../../server/src/command-line/command.ts';
import type { Claim } from '../claims.ts';
import { addressesOf } from '../provider.ts';
import { type Run, UsageError } from '../result.ts';
import { exchangesOf } from '../traffic/har.ts';
import { judgeTraffic, withSecretsOf } from '../traffic/judge.ts';
import { openProxy } from '../traffic/proxy.ts';
import { finish, interruptible } from './command.ts';
import { claimOption, listOf, port, root, textOf } from './options.ts';

interface HarOptions {
  readonly baseUrl: string;
  readonly siteUrl?: string;
  readonly claim: readonly Claim[];
  readonly require?: readonly string[];
  readonly report?: string;
  readonly verbose?: boolean;
}

export function addHarCommand(verify: Command, onExit: (code: number) => void): void {
  verify
    .command('har <file>')
    .description('check recorded traffic: a HAR file of a browser, a proxy or a test run')
    .requiredOption('--base-url <url>', 'base address of the API in the file; it ends in /api/v1')
    .option('--site-url <url>', 'root of the public pages (default: the base address without /api/v1)')
    .addOption(claimOption())
    .addOption(requireOption())
    .option('--report <directory>', 'write the reports into this directory', writtenName)
    .option('--verbose', 'show every case, warning and curl line of a finding')
    .action(async (file: string, options: HarOptions) => onExit(await judgeFile(file, options)));
}

async function judgeFile(
  file: string,
  { baseUrl, siteUrl, claim, require, report, verbose }: HarOptions,
): Promise<number> {
  const provider = { base_url: baseUrl, ...(siteUrl === undefined ? {} : { site_url: siteUrl }) };
  const text = await textOf(file, harLimit);
  const exchanges = exchangesOf(text, addressesOf(provider), file);
  if (exchanges.length === 0) throw new UsageError(`${file} has no request to ${baseUrl}. Check --base-url.`);
  const known = withSecretsOf(exchanges, provider);
  const run = judgeTraffic({ exchanges, claims: claim, provider: known, required: require });
  const omitted = (part: 'request' | 'response') => exchanges.filter((one) => one[part]?.isBodyOmitted).length;
  const [ofRequests, ofResponses] = [omitted('request'), omitted('response')];
  if (ofRequests + ofResponses > 0) {
    const counts = `${ofRequests} of requests, ${ofResponses} of responses`;
    process.stderr.write(`Bodies that were not recorded, and are not judged: ${counts}.\n`);
  }
  return finish(run, { provider: known, directory: report, isVerbose: verbose === true });
}

/** A recording has more text than other files. */
const harLimit = { maxMiB: 64, advice: 'Record fewer requests, or use `verify proxy`.' };

interface ProxyOptions {
  readonly upstream: string;
  readonly port?: number;
  readonly claim: readonly Claim[];
  readonly require?: readonly string[];
  readonly report?: string;
  readonly verbose?: boolean;
}

export function addProxyCommand(verify: Command, onExit: (code: number) => void): void {
  verify
    .command('proxy')
    .description('forward requests to a provider, and check requests and responses; Ctrl+C ends it with the verdict')
    .requiredOption('--upstream <url>', 'root of the provider, without /api/v1', root)
    .option('--port <number>', 'port to listen on (default: any free port)', port)
    .addOption(claimOption())
    .addOption(requireOption())
    .option('--report <directory>', 'write the reports into this directory', writtenName)
    .option('--verbose', 'show every case, warning and curl line of a finding')
    .action(async (options: ProxyOptions) => onExit(await interruptible((signal) => runProxy(options, signal))));
}

async function runProxy(options: ProxyOptions, signal: AbortSignal): Promise<number> {
  const { upstream, port, claim, require, report, verbose } = options;
  const proxy = await openProxy({
    upstream,
    ...(port === undefined ? {} : { port }),
    onExchange({ request, response, failure }) {
      process.stderr.write(`${request.method} ${request.path.split('?', 1)[0]} ${response?.status ?? failure}\n`);
    },
  });
  process.stdout.write(`${proxy.url}/api/v1 forwards requests to ${upstream}/api/v1. Press Ctrl+C for the verdict.\n`);
  if (!signal.aborted) await once(signal, 'abort');
  await proxy.close();
  const known = withSecretsOf(proxy.exchanges, { base_url: `${upstream}/api/v1` });
  const judged = judgeTraffic({ exchanges: proxy.exchanges, claims: claim, provider: known, required: require });
  const isProven = proxy.isWhole || judged.verdict === 'not conformant';
  const run: Run = isProven ? judged : { ...judged, verdict: 'incomplete', because: tooMuch };
  return finish(run, { provider: known, directory: report, isVerbose: verbose === true });
}

function requireOption(): Option {
  const what = 'operations that must occur, such as listProducts,putPassport; otherwise the exit code is 3';
  return new Option('--require <operations>', what).argParser(listOf);
}

const tooMuch = 'The traffic was too much to record all of it. Run the proxy for a shorter time.';
