/** Runs the cases against a provider, one after the other, and makes the verdict. */
import { type Contract, codesOf } from '@product-passport/openapi';
import { stepsOf } from '../judge/finding.ts';
import type { Judge } from '../judge/judge.ts';
import { operationAt } from '../judge/operation-at.ts';
import { productIn } from './api.ts';
import { trackBuilt } from './built.ts';
import { type Case, CaseFailure, type Expected, NotTested, outcomeOver, type WholeRunCase } from './case.ts';
import type { WrongValue } from './check.ts';
import type { Need, Subject } from './claims.ts';
import { type ExpectedFailures, notesOfLists, type Tries, withExpectation, withTries } from './expected-failures.ts';
import { generatedCases } from './generation/cases.ts';
import type { Connection } from './http/connection.ts';
import { type Exchange, jsonIn, type WireRequest } from './http/exchange.ts';
import { type Judges, judgesOf, requestFaults, responseFindings } from './judges.ts';
import { addressesOf, type Provider } from './provider.ts';
import { countsFor, readSets, type Sets } from './requirements.ts';
import { type Result, type Run, resultOf, type Status, verdictOf } from './result.ts';
import { createSession, emptyRecord, type Session, stateId, unjudged } from './session.ts';
import type { SetUp } from './world.ts';

export interface RunOptions {
  readonly provider: Provider;
  readonly connection: Connection;
  /** Judges requests and responses. Absent if the cases are about another interface. */
  readonly contract?: Contract;
  readonly cases: readonly Case<Subject>[];
  /** Checked after the cases, over all requests of the run. */
  readonly wholeRunCases: readonly WholeRunCase[];
  /** How long generated requests are sent, in seconds. Default: 0, which sends none. */
  readonly generated?: number;
  readonly claims: readonly Subject[];
  readonly expectedFailures?: ExpectedFailures;
  /** Cases that sometimes pass. One that fails is tried again. */
  readonly flaky?: ExpectedFailures;
  /** Runs only cases whose id begins with one of these. */
  readonly only?: readonly string[] | undefined;
  /** What the state URL set up. */
  readonly setUp?: SetUp;
  /** Why the state URL could not set up a state. */
  readonly stateFaults?: ReadonlyMap<Need, string>;
  /** Cases of later sets run, and do not count. Default: all count. */
  readonly requirements?: string | undefined;
  /** Default: those of requirements.md. */
  readonly sets?: Sets;
  /** Names and generated requests follow from it. */
  readonly seed: number;
  readonly facts: Pick<Run, 'suiteVersion' | 'contractVersion' | 'contractHash'>;
  readonly onResult?: (result: Result, done: number, total: number) => void;
  /** Ends the run after the current case. The verdict is then `incomplete`. */
  readonly signal?: AbortSignal;
}

export type OpenRun = ReturnType<typeof openRun>;

/** A run whose cases are executed one by one. They share what the run creates, so cases must not run at the same time. */
export function openRun(options: Omit<RunOptions, 'facts'>) {
  const { provider, contract, claims, only, seed, signal, generated = 0 } = options;
  const judges = contract && judgesOf(contract);
  const session = createSession({
    provider,
    connection: options.connection,
    runId: seed.toString(36),
    setUp: options.setUp,
    ...(judges === undefined ? unjudged : judgedBy(judges)),
  });
  const isChosen = choiceOf({ claims, only });
  const outcomes = new Map<string, () => Promise<Result>>();
  const add = (cases: readonly Case<Subject>[]): void => {
    for (const one of cases) {
      outcomes.set(one.id, async () =>
        withDeclaration(await outcomeOfCase(one, session, judges?.core, options), one, provider),
      );
    }
  };
  add(options.cases.filter(isChosen));
  if (contract !== undefined && judges !== undefined) {
    for (const one of options.wholeRunCases.filter(isChosen)) {
      outcomes.set(one.id, async () => outcomeOver(one, { exchanges: session.exchanges, judges, provider }));
    }
    const milliseconds = (): number => (1000 * generated) / generatedChosen.length;
    const generatedChosen =
      generated === 0 ? [] : generatedCases(contract, { judges, seed, milliseconds, signal }).filter(isChosen);
    add(generatedChosen);
  }
  return {
    /** The ids of the chosen cases, in their order. */
    ids: [...outcomes.keys()],
    /** Runs a case, or judges the exchanges of the cases before. */
    async outcomeOf(id: string) {
      const outcome = outcomes.get(id);
      if (outcome === undefined) throw new Error(`The run has no case ${id}.`);
      return outcome();
    },
    session,
  };
}

export async function run(options: RunOptions): Promise<Run> {
  const { provider, claims, only, seed, onResult = () => {}, signal } = options;
  const { expectedFailures: expected = new Map(), flaky = new Map() } = options;
  const { ids, outcomeOf, session } = openRun(options);
  const startedAt = new Date();
  const { contract } = options;
  const built = contract && trackBuilt({ contract, provider, session });
  const withoutUnbuilt = (result: Result): Result => built?.resultOf(result) ?? result;
  const sets = options.sets ?? readSets();
  const tries = new Map<string, Tries>();
  const final = (result: Result): Result => ({
    ...withTries(withExpectation(withoutUnbuilt(result), expected), flaky, tries.get(result.id)),
    set: sets.get(result.id),
    scored: countsFor(options.requirements, result.id, sets),
  });
  const outcomes: Result[] = [];
  for (const id of ids) {
    if (signal?.aborted) break;
    const result = await outcomeOf(id);
    await built?.update();
    outcomes.push(result);
    onResult(final(result), outcomes.length, ids.length);
  }
  await built?.confirm(outcomes);
  // With states of its own, because a session keeps what failed.
  const again = openRun(options);
  for (const one of outcomes.map(withoutUnbuilt).filter(({ id }) => flaky.has(id))) {
    tries.set(one.id, await triesOf(one, again.outcomeOf, signal));
  }
  const results = outcomes.map(final);
  return {
    ...options.facts,
    ...verdictOf(
      results,
      results.length === ids.length,
      only && 'The cases that were asked for passed. Others did not run.',
    ),
    ...(provider.without && { without: provider.without }),
    notes: notesOfLists(
      results,
      { expected, flaky },
      tries,
      (id) => only === undefined || only.some((prefix) => id.startsWith(prefix)),
    ),
    claims,
    startedAt: startedAt.toISOString(),
    milliseconds: Date.now() - startedAt.getTime(),
    baseUrl: addressesOf(provider).baseUrl,
    seed,
    results,
    sources: session.sources,
    created: createdProducts([...session.exchanges, ...again.session.exchanges], provider),
  };
}

/** A case that sometimes passes is tried this often until it does. */
const maxTries = 3;

/** Tries a case that failed again. A case over all requests is judged once. */
async function triesOf(
  { id, status }: Result,
  outcomeOf: (id: string) => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Tries> {
  if (status !== 'failed' && status !== 'passed') return { count: 0, failed: 0 };
  let failed = status === 'failed' ? 1 : 0;
  let count = 1;
  while (failed === count && count < maxTries && !signal?.aborted) {
    const { status: next } = await outcomeOf(id);
    if (next !== 'failed' && next !== 'passed') break;
    count += 1;
    if (next === 'failed') failed += 1;
  }
  return { count, failed };
}

function judgedBy({ core, reference }: Judges): typeof unjudged {
  return {
    faultsOf: (request) => faultsOf(reference, request),
    contradictionsOf: (request, expected) => contradictionsOf(reference, request, expected),
    wrongValuesOf: (exchange) => shapeFaults(core, exchange),
  };
}

/** Which cases run. */
export function choiceOf({ claims, only }: Pick<RunOptions, 'claims' | 'only'>) {
  return ({ id, claim, also }: Pick<Case<Subject>, 'id' | 'claim' | 'also'>): boolean =>
    claims.includes(claim) &&
    (also === undefined || claims.includes(also)) &&
    (only === undefined || only.some((prefix) => id.startsWith(prefix)));
}

/** A case whose capability is declared absent passes only if the provider has the capability. */
function withDeclaration(result: Result, { capability }: Case<Subject>, { without = {} }: Provider): Result {
  const reason = capability === undefined ? undefined : without[capability];
  if (reason === undefined || result.status === 'error') return result;
  if (result.status !== 'passed') return { ...result, status: 'absent', reasons: [reason], capability };
  const seen = `The provider file declares that there are no ${capability}, and the responses show that there are.`;
  return { ...result, status: 'failed', reasons: [seen] };
}

async function outcomeOfCase(
  one: Case<Subject>,
  session: Session,
  judge: Judge | undefined,
  { stateFaults }: Pick<RunOptions, 'stateFaults'>,
): Promise<Result> {
  const record = emptyRecord();
  const { exchanges, warnings, needs, states } = record;
  const begin = performance.now();
  const outcome = (status: Status, found: Partial<Result> = {}): Result =>
    resultOf(one, performance.now() - begin, {
      status,
      warnings,
      used: [...needs],
      states: [...states],
      exchanges,
      ...found,
    });
  try {
    await one.run(session.contextOf(one.id, record));
    return outcome('passed');
  } catch (error) {
    if (error instanceof NotTested) {
      const faults = error.missing.flatMap((need) => stateFaults?.get(need) ?? []);
      return outcome('skipped', { reasons: [error.message, ...faults], missing: error.missing });
    }
    if (error instanceof CaseFailure) {
      const { message, ask, exposes } = error;
      const shown = exchanges.length > 0 ? exchanges : sharedExchange(session, ask, states);
      return outcome('failed', { reasons: [message], stoppedAt: ask, exposes, exchanges: shown });
    }
    // A case reads responses without checking each field. The judge says whether a response or the case is wrong. The
    // responses that made the state are not part of the case.
    const ofStates = session.exchanges.filter(({ caseId }) => caseId === stateId);
    const broken = judge ? [...exchanges, ...ofStates].flatMap((exchange) => shapeFaults(judge, exchange)) : [];
    if (broken.length > 0) return outcome('failed', { reasons: broken.map(({ reason }) => reason) });
    return outcome('error', { reasons: [error instanceof Error ? `${error.name}: ${error.message}` : String(error)] });
  }
}

/** The last request for a state that several cases share: it is an exchange of none of them. */
function sharedExchange({ exchanges }: Session, ask: CaseFailure['ask'], states: ReadonlySet<string>): Exchange[] {
  const isAsked = ({ request: { method, path } }: Exchange) =>
    method === (ask?.method ?? 'GET') && path.replace(/\?.*/s, '') === ask?.path;
  const ofStates = exchanges.filter(({ caseId }) => caseId === stateId);
  const isNamed = ({ request: { path, body } }: Exchange) =>
    [...states].some((name) => path.includes(name) || Buffer.from(body ?? []).includes(name));
  const found = exchanges.findLast(isAsked) ?? ofStates.findLast(isNamed) ?? ofStates.at(-1);
  return found === undefined ? [] : [found];
}

/** The maximum for one response, so that a run ends whatever a provider sends. */
const maxFaults = 100;

const knownFaults = new WeakMap<Exchange, readonly WrongValue[]>();

/** What is wrong with the response alone. There are no steps unless a value of the body is missing or has the wrong type. */
function shapeFaults(judge: Judge, exchange: Exchange): readonly WrongValue[] {
  const known = knownFaults.get(exchange) ?? judgedShape(judge, exchange);
  knownFaults.set(exchange, known);
  return known;
}

function judgedShape(judge: Judge, exchange: Exchange): WrongValue[] {
  const { method, path } = exchange.request;
  const findings = responseFindings(judge, exchange);
  const failures = findings.filter(({ severity }) => severity === 'failure').slice(0, maxFaults);
  return failures.map(({ where, what }) => ({
    steps: where.startsWith('body/') && unusable.test(what) ? stepsOf(where) : [],
    reason: `${method} ${path}: ${where} ${what}`,
  }));
}

/** A value of the right type can be compared, whatever else is wrong with it. */
const unusable = /^(?:is missing$|must be (?:null|boolean|integer|number|string|object|array)(?:,\w+)*, is )/;

/** What is wrong with a request that the suite sends as a valid one. Slugs come from the provider, in any form. */
function faultsOf(judge: Judge, request: WireRequest): string[] {
  const { method, path } = request;
  const isKnown = operationAt(judge.operations, method, path) !== undefined;
  if (!isKnown) return [`openapi.yaml has no ${method} ${path}`];
  return requestFaults(judge, request).filter((fault) => !fault.startsWith('path slug '));
}

/** Why the contract does not allow the refusal that a case expects. Requests of no operation are not checked. */
function contradictionsOf({ operations }: Judge, { method, path }: WireRequest, { status, code }: Expected): string[] {
  const operation = operationAt(operations, method, path);
  if (operation === undefined) return [];
  const documented = [status].flat().filter((one) => String(one) in operation.responses);
  const line = `openapi.yaml has no ${[status].flat().join(' or ')}`;
  if (documented.length === 0) return [`${line} of ${operation.operationId}`];
  const hasCode = code === undefined || documented.some((one) => codesOf(operation.responses[one]).includes(code));
  return hasCode ? [] : [`${line} ${code} of ${operation.operationId}`];
}

function createdProducts(exchanges: readonly Exchange[], { tenants = [] }: Provider): Run['created'] {
  return exchanges.flatMap(({ request, response }) => {
    const product = response && productIn({ status: response.status, json: jsonIn(response.text) });
    const tenant = tenants.find(({ api_key }) => request.headers.authorization === `Bearer ${api_key}`);
    if (request.method !== 'POST' || product === undefined || tenant === undefined) return [];
    return [{ tenant: tenant.slug ?? '', slug: product.slug }];
  });
}
