import { once } from 'node:events';
import type { Command } from 'commander';
import type { Claim } from '../claims.ts';
import { judgeTraffic } from '../traffic/judge.ts';
import { openProxy } from '../traffic/proxy.ts';
import { withSecretsOf } from '../traffic/secrets.ts';
import { finish } from './finish.ts';
import { interruptible } from './interruption.ts';
import { claimOption, wholeNumber } from './options.ts';
import { progressOn } from './progress.ts';

interface Options {
  readonly upstream: string;
  readonly port?: number;
  readonly claim: readonly Claim[];
  readonly report?: string;
}

export function addProxyCommand(verify: Command, onExit: (code: number) => void): void {
  verify
    .command('proxy')
    .description('Pass requests on to a provider, and judge requests and responses. Ctrl+C ends it with the verdict.')
    .requiredOption('--upstream <url>', 'root of the provider, without /api/v1')
    .option('--port <number>', 'port to listen on (default: any free port)', wholeNumber)
    .addOption(claimOption())
    .option('--report <directory>', 'write the reports into this directory')
    .action(async (options: Options) => onExit(await interruptible((signal) => runProxy(options, signal))));
}

async function runProxy({ upstream, port, claim, report }: Options, signal: AbortSignal): Promise<number> {
  const root = upstream.replace(/\/$/, '');
  const proxy = await openProxy({
    upstream: root,
    ...(port === undefined ? {} : { port }),
    onExchange({ request, response, failure }) {
      process.stderr.write(`${request.method} ${request.path.split('?', 1)[0]} ${response?.status ?? failure}\n`);
    },
  });
  process.stdout.write(`${proxy.url}/api/v1 passes requests on to ${root}/api/v1. Press Ctrl+C for the verdict.\n`);
  if (!signal.aborted) await once(signal, 'abort');
  await proxy.close();
  const known = withSecretsOf(proxy.exchanges, { base_url: `${root}/api/v1` });
  const run = judgeTraffic({ exchanges: proxy.exchanges, claims: claim, provider: known });
  const progress = progressOn(process.stderr);
  for (const [index, result] of run.results.entries()) progress.onResult(result, index + 1, run.results.length);
  return finish(run, { provider: known, progress, directory: report });
}
