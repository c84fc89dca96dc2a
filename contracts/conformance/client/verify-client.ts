/** Verifies a program: runs its command against a service, and judges every request that it sends. */
import { createHash } from 'node:crypto';
import type { Contract } from '@product-passport/openapi';
import { type Judges, trafficJudges } from '../judges.ts';
import type { Provider } from '../provider.ts';
import type { Result, Run } from '../result.ts';
import { UsageError } from '../usage-error.ts';
import { verdictOf } from '../verdict.ts';
import { loadedSuite, suiteVersion } from '../verify.ts';
import { causeOf } from './cause.ts';
import type { ClientCheck, ClientRun } from './check.ts';
import { checks } from './checks/index.ts';
import { runCommand } from './command.ts';
import { type Disturbance, disturbances } from './disturbances.ts';
import type { Attempt } from './received.ts';
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

/** Requests that a report shows although nothing is wrong with them. */
const maxShown = 200;

/** @throws UsageError when a required check does not exist, or the shell does not find the command */
export async function verifyClient(options: VerifyClientOptions): Promise<{ run: Run; provider: Provider }> {
  const { contract, contractVersion, contractText } = loadedSuite();
  const { command, seed, signal } = options;
  const required = requiredIds(options.required);
  const judges = trafficJudges(contract);
  const startedAt = new Date();
  const { provider, clientRun } = await runProgram(options, contract, judges);
  const results = checks.map((check) => resultOf(check, clientRun, required));
  const isWhole = !signal.aborted;
  const { verdict, because } = verdictOf({ results, isWhole });
  const run: Run = {
    verdict,
    because: isWhole || verdict === 'not conformant' ? because : 'The run was interrupted.',
    command,
    claims: ['client'],
    startedAt: startedAt.toISOString(),
    milliseconds: Date.now() - startedAt.getTime(),
    baseUrl: provider.base_url,
    seed,
    suiteVersion: suiteVersion(),
    contractVersion,
    contractHash: createHash('sha256').update(contractText).digest('hex'),
    results,
    sources: {},
    created: [],
  };
  return { run, provider };
}

function requiredIds(prefixes: readonly string[]): ReadonlySet<string> {
  const ids = checks.map(({ id }) => id);
  const wrong = prefixes.find((prefix) => !ids.some((id) => id.startsWith(prefix)));
  if (wrong !== undefined) throw new UsageError(`--require has ${wrong}, but no check id begins with it.`);
  return new Set([alwaysRequired, ...ids.filter((id) => prefixes.some((prefix) => id.startsWith(prefix)))]);
}

async function runProgram(
  { command, seed, isOnce, signal, onRun }: VerifyClientOptions,
  contract: Contract,
  judges: Judges,
): Promise<{ provider: Provider; clientRun: ClientRun }> {
  const attempt = async (kinds: readonly Disturbance[], isShown = false): Promise<[Attempt, Provider]> => {
    const service = await openService(contract, new Set(kinds), seed);
    const { provider, received, elsewhere } = service;
    try {
      const ending = await runCommand({ command, provider, isShown, signal });
      return [{ received, elsewhere, ending }, provider];
    } finally {
      await service.close();
    }
  };
  const [main, provider] = await attempt(
    disturbances.filter((kind) => kind !== 'redirect'),
    true,
  );
  if (main.ending !== 'interrupted' && main.ending.words === 'with 127' && main.received.length === 0) {
    throw new UsageError('The shell did not find the command of --command, or a command inside it.');
  }
  const isMore = !isOnce && main.received.length > 0;
  const again = async (kinds: readonly Disturbance[], purpose: string): Promise<Attempt> => {
    if (!signal.aborted) onRun(purpose);
    const [made] = await attempt(kinds);
    return made;
  };
  const cause = isMore ? await causeOf(main, again) : 'none';
  const redirected = isMore ? await again(['redirect'], 'a redirect to another origin') : undefined;
  const apiKey = provider.tenants?.[0]?.api_key ?? '';
  return { provider, clientRun: { main, redirected, cause, apiKey, contract, judges } };
}

function resultOf(check: ClientCheck, run: ClientRun, required: ReadonlySet<string>): Result {
  const { id, title, clause } = check;
  const { notExercised, reasons = [], examples = [] } = check.findings(run);
  const isSkipped = notExercised !== undefined;
  const received = id === alwaysRequired ? run.main.received.slice(0, maxShown).map(({ exchange }) => exchange) : [];
  const exchanges = [...new Set([...examples, ...received])];
  return {
    id,
    title,
    claim: 'client',
    clause,
    status: isSkipped ? 'skipped' : reasons.length > 0 ? 'failed' : 'passed',
    // What a program never does cannot be wrong, unless the operator requires it.
    scored: !isSkipped || required.has(id),
    reasons: isSkipped ? [`Not exercised: ${notExercised}`] : reasons,
    warnings: [],
    missing: [],
    used: [],
    states: [],
    exchanges,
    milliseconds: exchanges.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
  };
}
