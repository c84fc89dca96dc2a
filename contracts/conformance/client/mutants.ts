/**
 * Scores a program's own tests: runs them against services with one mistake each, and against correct but unusual ones. Each
 * service has a faultless twin that gets the same requests. A response that differs from that of the twin was altered.
 */
import { createFakeService, type FakeService } from '@product-passport/sdk/testing';
import fc from 'fast-check';
import { at } from '../../mutants/provider/call.ts';
import { type Change, counts, error, instead, withHeader } from '../../mutants/provider/change.ts';
import { referenceOnly } from '../../mutants/provider/families/reference-only.ts';
import { unusualProviders, wrongProviders } from '../../mutants/provider/mutants.ts';
import { type UnusualProvider, unusual, type WrongProvider } from '../../mutants/provider/row.ts';
import type { Claim } from '../claims.ts';
import { type ExpectedFailures, withExpectation } from '../expected-failures.ts';
import type { Exchange, WireRequest } from '../http/exchange.ts';
import { addressVariable, type Provider } from '../provider.ts';
import { checkIds, type Result, type Run, resultOf, type Score, UsageError } from '../result.ts';
import { loadedSuite, suiteFacts } from '../verify.ts';
import type { Ending } from './check.ts';
import { addSampleProducts, exchangeOf, openOrigin, type Passed, passOn } from './service.ts';
import { groupOf, impactOf, type Sent, shortestTest, situations } from './unnoticed.ts';
import { type CommandOptions, runCommand } from './verify-client.ts';

export interface MutantOptions {
  /** A shell command that runs the tests of the program. It ends with 0 if they pass. */
  readonly command: string;
  /** What the services of the program claim. */
  readonly claims: readonly Claim[];
  /** Runs at the same time. */
  readonly parallel: number;
  /** Milliseconds for one run of the command. Default: ten times the run without a mistake, at least 30 seconds. */
  readonly timeout?: number;
  /** Milliseconds for all runs. */
  readonly timeLimit?: number;
  /** Percent of the met mistakes. Fewer are not conformant. */
  readonly atLeast: number;
  /** How many of the services to try, chosen by the seed. Default: all. */
  readonly sample?: number;
  readonly seed: number;
  /** Beginnings of ids. Other services are not tried. */
  readonly only?: readonly string[];
  /** Ids that the tests of this program need not notice, each with the reason: `ID  # reason`. */
  readonly equivalents?: (known: ReadonlySet<string>) => ExpectedFailures;
  /** Results of an earlier run that ended early. */
  readonly known?: ReadonlyMap<string, Result>;
  readonly signal: AbortSignal;
  /** Where the output of the first run goes. Default: `inherit`. */
  readonly output?: CommandOptions['output'];
  readonly onBaseline: (words: string) => void;
  /** Called in any order. */
  readonly onResult: (result: Result, done: number, total: number) => void;
}

/** One service to run the tests against. */
interface Candidate {
  readonly id: string;
  readonly what: string;
  readonly isCorrect: boolean;
  /** What the mistake breaks. Empty for a correct service. */
  readonly clause: string;
  readonly change: Change;
}

/** The case that a provider with the mistake fails. */
function caseOf({ failsIn }: WrongProvider): { readonly clause: string; readonly claim: Claim } {
  const { cases, wholeRunCases } = loadedSuite().suite;
  return [...cases, ...wholeRunCases].find(({ id }) => id === failsIn) ?? { clause: '', claim: 'core' };
}

function candidateOf(one: WrongProvider | UnusualProvider): Candidate {
  const isCorrect = 'freedom' in one;
  return {
    id: `${groupOf(one.id, isCorrect)}.${one.id}`,
    what: isCorrect ? one.freedom : one.mistake,
    isCorrect,
    clause: isCorrect ? '' : caseOf(one).clause,
    change: one.change,
  };
}

/** Refuses the second request for the API, as a correct service may at any time. */
const refusesOnce = (status: number, code: string): Change =>
  counts((requests) =>
    instead(at.api, () => (requests.next() === 2 ? withHeader(error(status, code), 'retry-after', '1') : undefined)),
  );

const busy: readonly UnusualProvider[] = [
  unusual('limited-once', 'One request gets 429 with Retry-After, and succeeds a second later.').does(
    refusesOnce(429, 'rate_limited'),
  ),
  unusual('unavailable-once', 'One request gets 503 with Retry-After, and succeeds a second later.').does(
    refusesOnce(503, 'service_unavailable'),
  ),
];

/** Every service with these claims that a program can meet. */
function candidatesOf(claims: readonly Claim[]): readonly Candidate[] {
  // Mistakes of `reference` break rules that only it has. Other services may do the same.
  const isOwn = (one: WrongProvider): boolean => one.of === 'reference' || referenceOnly.includes(one);
  const isMistake = (one: WrongProvider): boolean => !isOwn(one) && claims.includes(caseOf(one).claim);
  return [...wrongProviders.filter(isMistake), ...unusualProviders, ...busy].map(candidateOf);
}

/** What a run of the command sent, and what it got. */
interface Attempt {
  readonly requests: readonly Sent[];
  /** The first exchange whose response was altered. */
  readonly altered: Exchange | undefined;
  readonly shortestTest: string;
  readonly ending: Ending;
  readonly isTimedOut: boolean;
  readonly milliseconds: number;
  readonly provider: Provider;
}

/** Both services of a run. They get the same requests one after the other, at the same time by their clock. */
async function openPair(siteUrl: string, { change }: Candidate) {
  let now = new Date();
  const services = [1, 2].map(() => createFakeService({ siteUrl, now: () => now }));
  const [service, twin] = services as [FakeService, FakeService];
  const handle = change(service);
  await Promise.all(services.map(addSampleProducts));
  const [expectedTexts, sentTexts] = [new Map<string, number>(), new Map<string, number>()];
  let last: Promise<unknown> = Promise.resolve();
  const pair = {
    provider: service.provider,
    requests: [] as Sent[],
    altered: undefined as Exchange | undefined,
    shortestTest: '',
    /** @returns `undefined` if the service closes the connection */
    respond(request: WireRequest, arrivedAt: number) {
      const response = last.then(() => respond(request, arrivedAt));
      last = response;
      return response;
    },
  };
  return pair;

  async function respond(request: WireRequest, arrivedAt: number): Promise<Passed | undefined> {
    now = new Date();
    const [expected, response] = await Promise.all([
      passOn(twin.fetch, siteUrl, request),
      passOn(handle, siteUrl, request),
    ]);
    pair.requests.push({ ...request, status: response?.status ?? 0 });
    const isAltered = comparable(expected, expectedTexts) !== comparable(response, sentTexts);
    if (pair.altered === undefined && isAltered) {
      const outcome =
        response === undefined
          ? { failure: 'The service closed the connection.' }
          : { response: { ...response, text: response.bytes.toString('utf8') } };
      pair.altered = { ...exchangeOf(request, arrivedAt), ...outcome };
      const normalized = (text: string): string => text.replace(generated, '*');
      pair.shortestTest = shortestTest({ requests: pair.requests, expected, received: response, normalized });
    }
    return response;
  }
}

/** Ids, salts and hashes. The fake service numbers them, and a mistake may shift the later numbers. */
const generated = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|[0-9a-f]{32})\b/g;

/** @param numbers the number of each generated text, by first appearance. It replaces the text. */
function comparable(response: Passed | undefined, numbers: Map<string, number>): string {
  if (response === undefined) return 'closed';
  const { status, headers, bytes } = response;
  const { 'x-request-id': _, ...others } = headers;
  const lines = Object.entries(others).map(([name, value]) => `${name}: ${value}`);
  const text = [status, ...lines.sort(), bytes.toString('latin1')].join('\n');
  return text.replace(generated, (found) => {
    const number = numbers.get(found) ?? numbers.size;
    numbers.set(found, number);
    return `<${number}>`;
  });
}

const faultless: Candidate = {
  id: 'faultless',
  what: 'It makes no mistake.',
  isCorrect: true,
  clause: '',
  change: (service) => service.fetch,
};

const unneeded = 'Your tests notice it, although --equivalent says that they need not. Remove the line.';

/** Scores the tests that a command runs. @throws UsageError if the command fails without a mistake */
export async function scoreTests(options: MutantOptions): Promise<{ run: Run; provider: Provider }> {
  const { command, claims, seed, signal, timeLimit, equivalents, known = new Map() } = options;
  const startedAt = new Date();
  const all = candidatesOf(claims);
  const expected = equivalents?.(new Set(all.map(({ id }) => id))) ?? new Map();
  const named = chosenOf(all, options);
  const order = options.sample === undefined ? named : shuffled(named, seed);
  const unstable = new AbortController();
  const limits = [signal, unstable.signal, ...(timeLimit === undefined ? [] : [AbortSignal.timeout(timeLimit)])];
  const over = AbortSignal.any(limits);
  const base = await baselineOf(options, over);
  const { met, unmet } = await metBy(base.requests, order, over, options.sample);
  const timeout = options.timeout ?? Math.max(30_000, 10 * base.milliseconds);
  let done = 0;
  const resultsOf = async (candidate: Candidate): Promise<readonly Result[]> => {
    const earlier = known.get(candidate.id);
    if (earlier === undefined && over.aborted) return [];
    const attempt = earlier === undefined ? await attemptOf(candidate, command, over, timeout) : undefined;
    if (attempt?.ending === 'interrupted' && !attempt.isTimedOut) return [];
    // Each response was that of a service without a mistake.
    if (attempt !== undefined && attempt.altered === undefined && hasFailed(attempt)) unstable.abort();
    if (candidate === faultless || unstable.signal.aborted) return [];
    const result = earlier ?? resultWith(candidate, attempt as Attempt);
    done += 1;
    options.onResult(result, done, met.length);
    return [withExpectation(result, expected, unneeded)];
  };
  const waiting = withControls(met, known).entries();
  const found: (readonly Result[])[] = [];
  const work = async (): Promise<void> => {
    for (const [index, candidate] of waiting) found[index] = await resultsOf(candidate);
  };
  await Promise.all(Array.from({ length: options.parallel }, work));
  const made = found.flat();
  if (unstable.signal.aborted) throw new UsageError(notStable(options.parallel));
  const score = {
    ...scoreOf(made, met.length),
    ...(met.length === options.sample && met.length + unmet.length < named.length && { sample: true as const }),
  };
  const run: Run = {
    ...verdictOf(score, base, options.atLeast),
    command,
    score,
    claims: ['tests'],
    baseUrl: base.provider.base_url,
    seed,
    ...suiteFacts(startedAt),
    results: [...made, ...gapsOf(base.requests, unmet)],
  };
  return { run, provider: base.provider };
}

/**
 * Runs the command twice without a mistake.
 *
 * @throws UsageError if it fails: then nothing could be learned from a failure
 */
async function baselineOf(
  { command, timeout, onBaseline, output = 'inherit' }: MutantOptions,
  signal: AbortSignal,
): Promise<Attempt> {
  const first = await attemptOf(faultless, command, signal, timeout, output);
  if (first.isTimedOut) {
    throw new UsageError('The command needs more time than --timeout, also against a service without a mistake.');
  }
  if (first.ending === 'interrupted') return first;
  if (!first.ending.isSuccess) {
    throw new UsageError(
      `The command ended ${first.ending.words} against a service without a mistake. Its output is above. Make it succeed first.`,
    );
  }
  if (first.requests.length === 0) return first;
  onBaseline(`The command succeeds without a mistake, with ${first.requests.length} requests. It runs once more.`);
  const second = await attemptOf(faultless, command, signal, timeout);
  if (hasFailed(second)) {
    const words = second.ending === 'interrupted' ? 'too late' : second.ending.words;
    throw new UsageError(
      `The command succeeded once and ended ${words} when it ran again, both without a mistake. Its tests are not stable.`,
    );
  }
  return { ...first, milliseconds: Math.max(first.milliseconds, second.milliseconds) };
}

const controlEvery = 10;

/** Runs without a mistake between the others: tests that fail only sometimes would seem to notice every mistake. */
function withControls(candidates: readonly Candidate[], known: ReadonlyMap<string, Result>): readonly Candidate[] {
  let runs = 0;
  return candidates.flatMap((candidate) => {
    if (known.has(candidate.id)) return [candidate];
    runs += 1;
    return runs % controlEvery === 0 ? [candidate, faultless] : [candidate];
  });
}

function hasFailed({ ending, isTimedOut }: Attempt): boolean {
  return isTimedOut || (ending !== 'interrupted' && !ending.isSuccess);
}

function notStable(parallel: number): string {
  const cause =
    parallel > 1 ? 'Its tests are not stable, or disturb each other with --parallel.' : 'Its tests are not stable.';
  return `The command succeeded at first, and failed later although the service made no mistake. ${cause}`;
}

/** The services whose ids begin with one of `only`. */
function chosenOf(all: readonly Candidate[], { only }: MutantOptions): readonly Candidate[] {
  if (only === undefined) return all;
  const ids = all.map(({ id }) => id);
  checkIds('--only', only, 'id of a service', ids);
  return all.filter(({ id }) => only.some((beginning) => id.startsWith(beginning)));
}

/** The same seed gives the same order, so that --continue finds it again. */
function shuffled(chosen: readonly Candidate[], seed: number): readonly Candidate[] {
  const all = fc.shuffledSubarray([...chosen], { minLength: chosen.length });
  return fc.sample(all, { seed, numRuns: 1 }).flat();
}

/** The maximum number of requests that are repeated, because each one is sent to every service. */
const maxRepeated = 500;

/**
 * The services whose responses to these requests differ from those of a faultless one. The others cannot be noticed by a
 * program that sends these requests: for example those that only a look at the database would show.
 */
async function metBy(
  requests: readonly Sent[],
  candidates: readonly Candidate[],
  signal: AbortSignal,
  sample = candidates.length,
): Promise<{ readonly met: readonly Candidate[]; readonly unmet: readonly Candidate[] }> {
  const met: Candidate[] = [];
  const unmet: Candidate[] = [];
  if (requests.length === 0) return { met, unmet };
  for (const candidate of candidates) {
    if (signal.aborted || met.length === sample) break;
    const pair = await openPair('http://127.0.0.1', candidate);
    for (const request of requests.slice(0, maxRepeated)) {
      await pair.respond(request, performance.now());
      if (pair.altered !== undefined) break;
    }
    (pair.altered !== undefined || requests.length > maxRepeated ? met : unmet).push(candidate);
  }
  return { met, unmet };
}

async function attemptOf(
  candidate: Candidate,
  command: string,
  signal: AbortSignal,
  timeout: number | undefined,
  output: CommandOptions['output'] = 'ignore',
): Promise<Attempt> {
  let pair: ReturnType<typeof openPair> | undefined;
  const origin = await openOrigin(async (request, arrivedAt) => (await pair)?.respond(request, arrivedAt));
  pair = openPair(origin.url, candidate);
  const { provider } = await pair;
  const startedAt = performance.now();
  const limit = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  try {
    const ended = limit === undefined ? signal : AbortSignal.any([signal, limit]);
    const ending = await runCommand({ command, provider, output, signal: ended });
    const isTimedOut = limit?.aborted === true && !signal.aborted;
    return { ...(await pair), ending, isTimedOut, milliseconds: Math.round(performance.now() - startedAt) };
  } finally {
    await origin.close();
  }
}

function resultWith({ id, what, isCorrect, clause }: Candidate, attempt: Attempt): Result {
  const { altered, shortestTest, isTimedOut, milliseconds } = attempt;
  const isGood = hasFailed(attempt) !== isCorrect;
  const how = isTimedOut ? 'The command did not end in time.' : '';
  const reasons = isCorrect
    ? [`The tests fail, although the service is correct. ${how}`.trim()]
    : [`No test notices it. ${impactOf(id)}`.trim(), shortestTest];
  const status = altered === undefined ? 'skipped' : isGood ? 'passed' : 'failed';
  const notMet = 'Not met: in this run the service sent no response that differs from that of a faultless service.';
  return resultOf({ id, title: what, claim: 'tests', clause }, milliseconds, {
    status,
    scored: status !== 'skipped',
    reasons: status === 'skipped' ? [notMet] : status === 'failed' ? reasons : how === '' ? [] : [how],
    exchanges: altered === undefined ? [] : [altered],
  });
}

/** Whether a result is about a correct service. */
function isCorrect({ id }: Pick<Result, 'id'>): boolean {
  return id.startsWith('unusual.');
}

function scoreOf(results: readonly Result[], chosen: number): Score {
  const scored = results.filter((one) => one.scored);
  const mistakes = scored.filter((one) => !isCorrect(one));
  const services = scored.filter(isCorrect);
  const count = (list: readonly Result[], status: Result['status']): number =>
    list.filter((one) => one.status === status).length;
  const equivalent = count(mistakes, 'expected-failure');
  return {
    met: mistakes.length - equivalent,
    noticed: count(mistakes, 'passed') + count(mistakes, 'unexpected-pass'),
    equivalent,
    correct: services.length,
    refused: count(services, 'failed'),
    untried: chosen - results.length,
  };
}

/** The situations that the tests never met, with the number of mistakes that they therefore cannot notice. */
function gapsOf(sent: readonly Sent[], unmet: readonly Candidate[]): readonly Result[] {
  return situations.flatMap(({ id, sentence, hides, isMissing }) => {
    const hidden = unmet.filter((one) => hides.some((beginning) => one.id.startsWith(beginning)));
    if (hidden.length === 0 || sent.length === 0 || !isMissing(sent)) return [];
    const count =
      hidden.length === 1
        ? '1 mistake that a service can make stays'
        : `${hidden.length} mistakes that a service can make stay`;
    const skipped = { status: 'skipped', scored: false, reasons: [`${sentence} ${count} unseen.`] } as const;
    return [resultOf({ id, title: sentence, claim: 'tests', clause: '' }, 0, skipped)];
  });
}

function verdictOf(score: Score, base: Attempt, atLeast: number): Pick<Run, 'verdict' | 'because'> {
  const { met, noticed, correct, untried } = score;
  if (base.ending === 'interrupted') return { verdict: 'incomplete', because: 'The run ended before the command did.' };
  if (base.requests.length === 0) {
    const because = `The command sent no request to the service of ${addressVariable}, so nothing is known about its tests.`;
    return { verdict: 'incomplete', because };
  }
  if (untried > 0) return { verdict: 'incomplete', because: `${untried} of the services were not tried.` };
  if (met + correct === 0) return { verdict: 'incomplete', because: 'The program met none of the services.' };
  const percent = met === 0 ? 0 : (100 * noticed) / met;
  if (percent >= atLeast) return { verdict: 'conformant', because: undefined };
  return { verdict: 'not conformant', because: `That is less than ${atLeast} percent.` };
}
