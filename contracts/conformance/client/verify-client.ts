/** Verifies a program: runs its command against a service, and judges every request that it sends. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { trafficJudges } from '../judges.ts';
import { addressVariable, keyVariable, type Provider } from '../provider.ts';
import { checkIds, type Run, UsageError, verdictOf } from '../result.ts';
import { endGroup } from '../start.ts';
import { loadedSuite, suiteFacts } from '../verify.ts';
import {
  type Attempt,
  type Cause,
  type ClientRun,
  type Disturbance,
  disturbances,
  type Ending,
  isSuccess,
  maxShown,
  resultOfCheck,
} from './check.ts';
import { checks } from './checks.ts';
import { openService } from './service.ts';

export interface VerifyClientOptions {
  /** A shell command. */
  readonly command: string;
  /** When the disturbances come follows from it. */
  readonly seed: number;
  /** Checks whose id begins with one of these texts must be exercised. */
  readonly required: readonly string[];
  /** The command runs once: the redirect is not tried, and the cause of a failure is not looked for. */
  readonly isOnce: boolean;
  /** Ends the command and the run. */
  readonly signal: AbortSignal;
  /** Receives what the next run of the command is for. */
  readonly onRun: (purpose: string) => void;
}

/** The program must send a request: a run without one proves nothing. */
const alwaysRequired = 'CLIENT-1.operation';

/** @throws UsageError when a required check does not exist, or the shell does not find the command */
export async function verifyClient(options: VerifyClientOptions): Promise<{ run: Run; provider: Provider }> {
  const report = reporterOf(options);
  const { provider, ...attempts } = await runProgram(options);
  return { run: report(provider, attempts, !options.signal.aborted), provider };
}

type Reported = Pick<VerifyClientOptions, 'seed' | 'required' | 'command'>;
type Attempts = Pick<ClientRun, 'main' | 'redirected' | 'cause'>;

/** Makes the report. Its time begins now. */
function reporterOf({ command, seed, required: prefixes }: Reported) {
  const { contract } = loadedSuite();
  const required = requiredIds(prefixes);
  const judges = trafficJudges(contract);
  const startedAt = new Date();
  return (provider: Provider, attempts: Attempts, isWhole: boolean): Run => {
    const clientRun = { ...attempts, apiKey: provider.tenants?.[0]?.api_key ?? '', contract, judges };
    const results = checks.map((check) => {
      const findings = check.findings(clientRun);
      const isFirst = check.id === alwaysRequired;
      const requests = isFirst ? attempts.main.requests.slice(0, maxShown).map(({ exchange }) => exchange) : [];
      const exchanges = [...new Set([...(findings.examples ?? []), ...requests])];
      return resultOfCheck(check, findings, { claim: 'client', exchanges, isRequired: required.has(check.id) });
    });
    const { verdict, because } = verdictOf(results, isWhole);
    return {
      verdict,
      because: isWhole || verdict === 'not conformant' ? because : 'The run was interrupted.',
      command,
      claims: ['client'],
      baseUrl: provider.base_url,
      seed,
      ...suiteFacts(startedAt),
      results,
    };
  };
}

/**
 * Opens a service that people and programs use as they like, with the disturbances that a program meets.
 *
 * @param options `command` stands in the report
 */
export async function openJudgedService(options: Reported & { readonly port?: number }) {
  const report = reporterOf(options);
  const service = await openService(new Set(mainDisturbances), options.seed, options.port);
  const { provider, elsewhere } = service;
  return {
    provider,
    /** What is known now. */
    judge() {
      const requests = service.requests.toSorted((one, next) => one.arrivedAt - next.arrivedAt);
      return report(
        provider,
        { main: { requests, elsewhere, ending: 'served' }, redirected: undefined, cause: 'none' },
        true,
      );
    },
    close: () => service.close(),
  };
}

/** The redirect has a run of its own, because the program may stop there. */
const mainDisturbances = disturbances.filter((kind) => kind !== 'redirect');

function requiredIds(prefixes: readonly string[]): ReadonlySet<string> {
  const ids = checks.map(({ id }) => id);
  checkIds('--require', prefixes, 'check id', ids);
  return new Set([alwaysRequired, ...ids.filter((id) => prefixes.some((prefix) => id.startsWith(prefix)))]);
}

async function runProgram(options: VerifyClientOptions): Promise<Attempts & { provider: Provider }> {
  const { command, seed, isOnce, signal, onRun } = options;
  const attempt = async (kinds: readonly Disturbance[], output: CommandOptions['output'] = 'ignore') => {
    const service = await openService(new Set(kinds), seed);
    const { provider, requests, elsewhere } = service;
    try {
      const ending = await runCommand({ command, provider, output, signal });
      return { requests, elsewhere, ending, provider };
    } finally {
      await service.close();
    }
  };
  const { provider, ...main } = await attempt(mainDisturbances, 'inherit');
  if (typeof main.ending !== 'string' && main.ending.words === 'with 127' && main.requests.length === 0) {
    throw new UsageError('The shell did not find the command of --command, or a command inside it.');
  }
  const isMore = !isOnce && main.requests.length > 0;
  const again = async (kinds: readonly Disturbance[], purpose: string): Promise<Attempt> => {
    if (!signal.aborted) onRun(purpose);
    return attempt(kinds);
  };
  const cause = isMore ? await causeOf(main, again) : 'none';
  const redirected = isMore ? await again(['redirect'], 'a redirect to another origin') : undefined;
  return { provider, main, redirected, cause };
}

const suspects = ['fields', 'values', 'pages', 'limits', 'drops'] as const satisfies readonly Disturbance[];

const names: Readonly<Record<(typeof suspects)[number], string>> = {
  fields: 'only unknown fields',
  values: 'only unknown values',
  pages: 'only small pages and a growing list',
  limits: 'only 429',
  drops: 'only lost responses to creates',
};

/** @param again runs the command with these disturbances */
async function causeOf(
  main: Attempt,
  again: (kinds: readonly Disturbance[], purpose: string) => Promise<Attempt>,
): Promise<Cause> {
  if (isSuccess(main) || typeof main.ending === 'string') return 'none';
  const plain = await again([], 'nothing unusual, because it failed');
  if (!isSuccess(plain)) return typeof plain.ending === 'string' ? 'none' : 'program';
  for (const kind of suspects) {
    const { ending } = await again([kind], names[kind]);
    if (typeof ending === 'string') return 'none';
    if (!ending.isSuccess) return kind;
  }
  return 'together';
}

export interface CommandOptions {
  readonly command: string;
  readonly provider: Provider;
  /** Where the output of the command goes. A number is a file descriptor. */
  readonly output: 'inherit' | 'ignore' | number;
  /** Ends the command and its children. */
  readonly signal: AbortSignal;
}

export async function runCommand({ command, provider, output, signal }: CommandOptions): Promise<Ending> {
  if (signal.aborted) return 'interrupted';
  // A group of its own, so that a shell's or npx's children end too.
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...environmentOf(provider) },
  });
  const ended = once(child, 'exit');
  const stop = () => void endGroup(child);
  signal.addEventListener('abort', stop);
  process.once('exit', stop);
  try {
    const [code, name] = await ended;
    // Children that the shell left behind.
    await endGroup(child);
    if (signal.aborted) return 'interrupted';
    return { kind: 'ended', isSuccess: code === 0, words: name === null ? `with ${code}` : `after ${name}` };
  } finally {
    signal.removeEventListener('abort', stop);
    process.off('exit', stop);
  }
}

function environmentOf({ base_url, tenants }: Provider): Record<string, string> {
  const { NO_PROXY = '', no_proxy = NO_PROXY } = process.env;
  // A proxy of the environment cannot reach the loopback interface of this machine.
  const noProxy = [no_proxy, '127.0.0.1'].filter(Boolean).join(',');
  return {
    [addressVariable]: base_url,
    [keyVariable]: tenants?.[0]?.api_key ?? '',
    NO_PROXY: noProxy,
    no_proxy: noProxy,
  };
}
