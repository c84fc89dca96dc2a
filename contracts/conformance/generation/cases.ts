/**
 * GEN-1: generated requests, which are sent after the fixed cases. `requests.ts` makes them from the contract. A request whose
 * response is wrong is made smaller.
 */
import { type Contract, isRecord, member, type Operation } from '@product-passport/openapi';
import fc, { type Arbitrary } from 'fast-check';
import { shown } from '../../judge/finding.ts';
import { parametersOf } from '../../judge/operation-at.ts';
import { passportPath } from '../api.ts';
import { type Ask, type Case, type Context, clauseOf } from '../case.ts';
import { secretsInResponses } from '../cases/hidden-values.ts';
import { CaseFailure, isEqual, NotTested } from '../check.ts';
import { bodyOf, type Exchange, jsonIn, type WireRequest } from '../http/exchange.ts';
import { type Judges, responseFindings } from '../judges.ts';
import type { Provider } from '../provider.ts';
import { needsOf, validRequest } from '../valid-requests.ts';
import {
  type Existing,
  type GeneratedRequest,
  type Outcome,
  outcomeFaults,
  outcomeOf,
  requestsOf,
} from './requests.ts';

interface GeneratedOptions {
  readonly judges: Judges;
  readonly seed: number;
  /** The time for one operation. */
  readonly milliseconds: () => number;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

/** How many writes may succeed. Each leaves a passport version or, by a mistake of the provider, a product. */
const maxWrites = {
  searching: { PUT: 100, POST: 1 },
  shrinking: { PUT: 200, POST: 5 },
};

export function generatedCases(contract: Contract, options: GeneratedOptions): Case[] {
  return generatedFacts(contract).map(({ operation, ...facts }) => ({
    ...facts,
    run: (context) => runGenerated(operation, options, context),
  }));
}

/** The cases, one for each operation of the service's description. */
export function generatedFacts({ operations }: Contract): (Omit<Case, 'run'> & { readonly operation: Operation })[] {
  return operations
    .filter(({ origin }) => origin === 'description')
    .map((operation) => ({
      operation,
      id: `GEN-1.${operation.operationId}`,
      title: `${operation.operationId} responds to generated requests as the contract says.`,
      claim: operation.claim,
      also: operation.also,
      clause: clauseOf(operation),
      needs: operation.side.secured ? needsOf(operation) : [],
    }));
}

async function runGenerated(operation: Operation, options: GeneratedOptions, context: Context): Promise<void> {
  const existing = await existingFor(operation, context);
  const trial = trialOf(operation, existing, options.judges, context);
  /** The trial that showed the fault first. */
  let original: Trial | undefined;
  const found = await search(requestsOf(operation, existing), options, async (request, isShrinking) => {
    const tried = await trial(request, isShrinking ? maxWrites.shrinking : maxWrites.searching);
    const hasFault = tried !== undefined && tried.faults.length > 0;
    if (hasFault) original ??= tried;
    return hasFault;
  });
  if (found === undefined || original === undefined) return;
  // If no write repairs the passport, the request cannot be made smaller.
  const last = (await trial(found.request)) ?? original;
  // The search records creations.
  const first = operation.method === 'POST' ? [] : original.exchanges;
  for (const exchange of new Set([...first, ...last.exchanges])) context.record(exchange);
  const repetition = repetitionOf(operation, found, options.seed);
  if (last.faults.length > 0) throw new CaseFailure(`${last.faults.join('; ')}. ${repetition}`);
  const faults = original.faults.join('; ');
  context.warn(`A generated request got a wrong response once, but not again: ${faults}. ${repetition}`);
}

/** A request that was sent. */
interface Trial {
  readonly faults: readonly string[];
  readonly exchanges: readonly Exchange[];
}

type Limits = Readonly<Record<string, number>> | undefined;

/** Sends a generated request and judges the response. `undefined` if it was not sent. */
type Try = (generated: GeneratedRequest, limits?: Limits) => Promise<Trial | undefined>;

function trialOf(operation: Operation, existing: Existing, judges: Judges, context: Context): Try {
  const { method } = operation;
  let writes = 0;

  /** Whether another write is too many. A request that must be refused stores nothing in a passport. */
  function isFull(outcome: Outcome, limits: Limits): boolean {
    return writes >= (limits?.[method] ?? Number.POSITIVE_INFINITY) && (method === 'POST' || outcome !== 'refusal');
  }

  /** Writes neutral values to the passport, and reads it. */
  async function isNeutral(): Promise<boolean> {
    const path = passportPath(existing.path.slug ?? '');
    const json = [...new Set(existing.fieldKeys)].map((field_key) => ({ field_key, value: 'Verify' }));
    const wrote = await context.probe({ method, path, json });
    return wrote.response?.status === 200 && (await context.probe({ path })).response?.status === 200;
  }

  return async (generated, limits) => {
    const { request, isValid } = generated;
    const outcome = outcomeOf(operation, generated, judges.core);
    if (isFull(outcome, limits)) return undefined;
    // Otherwise a value that an earlier attempt stored could cause the fault of this one.
    if (method === 'PUT' && limits !== maxWrites.searching && !(await isNeutral())) return undefined;
    const exchange = await context.probe(askOf(request));
    const faults = responseFaults(exchange, outcome, judges, context.provider);
    const { response } = exchange;
    if (method === 'GET' || response === undefined || response.status >= 300) return { faults, exchanges: [exchange] };
    writes += 1;
    // Every product that the provider creates is in created.json.
    if (method === 'POST' && limits !== undefined) context.record(exchange);
    if (method === 'POST') return { faults, exchanges: [exchange] };
    const reading = await context.probe({ path: request.path.replace(/\?.*/s, '') });
    const stored = storedFaults(isValid ? bodyOf(request).json : [], reading);
    return { faults: [...faults, ...stored], exchanges: [exchange, reading] };
  };
}

function repetitionOf({ operationId }: Operation, { tried, shrinks }: Found, seed: number): string {
  const found = `Found in generated request ${tried}, made smaller in ${shrinks} steps.`;
  return `${found} To repeat it: --seed ${seed} --only GEN-1.${operationId}`;
}

function askOf({ method, path, headers, body }: WireRequest): Ask {
  return { method, path, headers, ...(body === undefined ? {} : { raw: body }) };
}

/** @throws NotTested if a write has no field key to use */
async function existingFor(operation: Operation, context: Context): Promise<Existing> {
  const { world } = context;
  const { operationId, path, side } = operation;
  if (operationId === 'putPassport') {
    const { slug } = await world.product('generated');
    const first = await world.fieldKey(0);
    return { path: { slug }, fieldKeys: [first, await world.fieldKey(1).catch(() => first)] };
  }
  // A page of an active product would count scans.
  if (operationId === 'getPassportPage') {
    const { slug } = await world.product('generated');
    return { path: { tenant: world.tenant().slug, product: slug }, fieldKeys: [] };
  }
  try {
    const valid = await validRequest(operation, context, 'generated');
    return { path: parametersOf(path, valid.path) ?? {}, fieldKeys: [] };
  } catch (error) {
    if (side.secured || !(error instanceof NotTested)) throw error;
    return { path: {}, fieldKeys: [] };
  }
}

/**
 * @param written the valid body of the write
 * @param reading the passport after the write
 */
function storedFaults(written: unknown, { response, failure }: Exchange): string[] {
  if (response?.status !== 200) return [`reading the passport after the write gets ${response?.status ?? failure}`];
  const elements = Array.isArray(written) ? written.filter(isRecord) : [];
  const values = member(jsonIn(response.text), 'values');
  return elements
    .filter(({ is_unknown }) => is_unknown !== true)
    .flatMap(({ field_key: key, value }) => {
      const found = Array.isArray(values) ? values.find((one) => member(one, 'field_key') === key) : undefined;
      const stored = member(found, 'value');
      return isEqual(stored, value) ? [] : [`the write stores ${shown(stored)} as ${key}, but sends ${shown(value)}`];
    });
}

/** Faults of the status, shape and headers of the response, and what it leaks. */
function responseFaults(exchange: Exchange, outcome: Outcome, judges: Judges, provider: Provider): string[] {
  const { response, failure = '' } = exchange;
  if (response === undefined) return [failure];
  const findings = responseFindings(judges.core, exchange);
  const broken = findings.filter(({ severity }) => severity === 'failure').map(({ where, what }) => `${where} ${what}`);
  const leaked = secretsInResponses.flatMap(
    ({ findings }) => findings({ exchanges: [exchange], judges, provider }).reasons,
  );
  return [...broken, ...leaked, ...outcomeFaults(outcome, response)];
}

interface Found {
  readonly request: GeneratedRequest;
  /** The number of requests that were tried before the shrinking. */
  readonly tried: number;
  /** The number of steps of the shrinking. */
  readonly shrinks: number;
}

/** The maximum time for the shrinking of one request, in milliseconds. */
const shrinkingLimit = 5000;

const batchSize = 50;

/**
 * Tries generated requests until one shows a fault or the time is over. At least one is tried. The requests follow from the
 * seed alone.
 *
 * @param hasFault whether the request shows a fault. `isShrinking`: it is a smaller form of one that does.
 */
async function search(
  requests: Arbitrary<GeneratedRequest>,
  { seed, milliseconds, signal }: GeneratedOptions,
  hasFault: (request: GeneratedRequest, isShrinking: boolean) => Promise<boolean>,
): Promise<Found | undefined> {
  const end = performance.now() + milliseconds();
  for (let tried = 0; ; tried += batchSize) {
    const own = { seed: (seed + tried / batchSize) | 0 };
    for (const [index, request] of fc.sample(requests, { ...own, numRuns: batchSize }).entries()) {
      const isFirst = tried + index === 0;
      if (!isFirst && (performance.now() > end || signal?.aborted)) return undefined;
      if (!(await hasFault(request, false))) continue;
      const smaller = fc.asyncProperty(requests, async (each) => !(await hasFault(each, true)));
      const options = { ...own, path: String(index), interruptAfterTimeLimit: shrinkingLimit };
      const { counterexample, numShrinks } = await fc.check(smaller, options);
      return { request: counterexample?.[0] ?? request, tried: tried + index + 1, shrinks: numShrinks };
    }
  }
}
