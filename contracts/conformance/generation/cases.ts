/** GEN-1: requests that are generated from the contract, and their responses. They run after the fixed cases. */
import { type Contract, isRecord, type Operation } from '@product-passport/openapi';
import type { Arbitrary } from 'fast-check';
import fc from 'fast-check';
import { shown } from '../../judge/finding.ts';
import { outcomeOf, passportPath } from '../api.ts';
import type { Ask, Case, Context } from '../case.ts';
import { secretsInResponses } from '../cases/hidden-values.ts';
import { claimOf } from '../cases/responses.ts';
import { CaseFailure, isEqual, NotTested } from '../check.ts';
import type { Need } from '../claims.ts';
import type { Exchange, WireRequest, WireResponse } from '../http/exchange.ts';
import type { Judges } from '../judges.ts';
import type { Provider } from '../provider.ts';
import { bodyOf, jsonIn } from '../request-faults.ts';
import { type Expectation, expectationOf } from './expectation.ts';
import { type Existing, type GeneratedRequest, requestOf, requestsOf } from './requests.ts';

export interface GeneratedOptions {
  readonly judges: Judges;
  readonly seed: number;
  /** The time for one operation. */
  readonly milliseconds: () => number;
  readonly signal?: AbortSignal | undefined;
}

type Phase = 'searching' | 'shrinking' | 'again';

/** How many writes may succeed. Each leaves a passport version or, by a mistake of the provider, a product. */
const maxWrites: Readonly<Record<string, Readonly<Record<Phase, number>>>> = {
  PUT: { searching: 100, shrinking: 200, again: 201 },
  POST: { searching: 1, shrinking: 5, again: 6 },
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
      claim: claimOf(operation.path),
      clause: `/paths/${operation.path.replaceAll('/', '~1')}/${operation.method.toLowerCase()}`,
      needs: generatedNeeds(operation),
    }));
}

/** Existing products and links are used if there are any. */
function generatedNeeds({ operationId, secured, method }: Operation): readonly Need[] {
  if (operationId === 'putPassport') return ['field key', 'writes'];
  return secured && method === 'GET' ? [] : ['writes'];
}

async function runGenerated(operation: Operation, options: GeneratedOptions, context: Context): Promise<void> {
  const { seed, milliseconds, signal } = options;
  const existing = await existingFor(operation, context);
  const trial = trialOf(operation, existing, options.judges, context);
  const limits = { seed, milliseconds: milliseconds(), signal };
  /** The trial that showed the fault first. */
  let original: Trial | undefined;
  const found = await search(requestsOf(operation), limits, async (request, isShrinking) => {
    const outcome = await trial(request, isShrinking ? 'shrinking' : 'searching');
    if (outcome.faults.length > 0) original ??= outcome;
    return outcome.faults.length > 0;
  });
  if (found === undefined) return;
  const again = await trial(found.value, 'again');
  // A passport that no write repairs leaves nothing to make smaller.
  const { faults, exchanges } = again.isStuck && original !== undefined ? original : again;
  // The creations of the search are recorded already.
  const first = operation.method === 'POST' ? [] : (original?.exchanges ?? []);
  for (const exchange of new Set([...first, ...exchanges])) context.record(exchange);
  if (faults.length > 0) throw new CaseFailure(`${faults.join('; ')}. ${repetition(operation, found, seed)}`);
  context.warn(`A generated request got a wrong response once, but not again. ${repetition(operation, found, seed)}`);
}

interface Trial {
  readonly faults: readonly string[];
  readonly exchanges: readonly Exchange[];
  /** The passport could not be brought back to neutral values, so nothing was sent. */
  readonly isStuck?: boolean;
}

/** Sends a generated request, unless it would fill the provider, and judges the response. */
function trialOf(
  operation: Operation,
  existing: Existing,
  judges: Judges,
  context: Context,
): (request: GeneratedRequest, phase: Phase) => Promise<Trial> {
  let writes = 0;
  const { method } = operation;

  /** Whether the passport may still hold what an earlier attempt stored. */
  let isStained = false;

  /** Writes neutral values to the passport, and reads it. */
  async function isNeutral(): Promise<boolean> {
    if (operation.operationId !== 'putPassport' || !isStained) return true;
    const path = passportPath(existing.path.slug ?? '');
    const json = [...new Set(existing.fieldKeys)].map((field_key) => ({ field_key, value: 'Verify' }));
    const wrote = await context.probe({ method: 'PUT', path, json });
    const read = wrote.response?.status === 200 ? await context.probe({ path }) : wrote;
    isStained = read.response?.status !== 200;
    return !isStained;
  }

  function isLeftOut(expected: Expectation, phase: Phase): boolean {
    const isFull = writes >= (maxWrites[method]?.[phase] ?? Number.POSITIVE_INFINITY);
    return method === 'POST' ? isFull || expected.kind !== 'refused' : isFull && expected.kind !== 'refused';
  }

  return async (generated, phase) => {
    const request = requestOf(operation, generated, existing);
    const expected = expectationOf(operation, generated, request, existing.fieldKeys, judges);
    if (isLeftOut(expected, phase)) return { faults: [], exchanges: [] };
    // Otherwise a value that an earlier attempt stored would make the fault of a harmless one.
    if (phase !== 'searching' && !(await isNeutral())) return { faults: [], exchanges: [], isStuck: true };
    const exchange = await context.probe(askOf(request));
    const faults = [...responseFaults(exchange, judges, context.provider), ...outcomeFaults(expected, exchange)];
    if (!storesSomething(exchange)) return { faults, exchanges: [exchange] };
    writes += 1;
    isStained = true;
    // Every product that the provider creates is in created.json.
    if (method === 'POST') {
      if (phase !== 'again') context.record(exchange);
      return { faults, exchanges: [exchange] };
    }
    const reading = await context.probe({ path: request.path.replace(/\?.*/s, '') });
    const stored = storedFaults(writtenValues(request, existing.fieldKeys), reading);
    return { faults: [...faults, ...stored], exchanges: [exchange, reading] };
  };
}

function storesSomething({ request, response }: Exchange): boolean {
  return request.method !== 'GET' && response !== undefined && response.status < 300;
}

function repetition({ operationId }: Operation, { tried, shrinks }: Found<unknown>, seed: number): string {
  const found = `Found in generated request ${tried}, made smaller in ${shrinks} steps.`;
  return `${found} To repeat it: --seed ${seed} --only GEN-1.${operationId}`;
}

function askOf({ method, path, headers, body }: WireRequest): Ask {
  return { method, path, headers, ...(body === undefined ? {} : { raw: body }) };
}

/** @throws NotTested if a write has no field key to use */
async function existingFor({ operationId, path }: Operation, context: Context): Promise<Existing> {
  const { world } = context;
  if (operationId === 'putPassport') {
    const { slug } = await world.product('generated');
    const first = await world.fieldKey(0);
    return { path: { slug }, fieldKeys: [first, await world.fieldKey(1).catch(() => first)] };
  }
  return { path: path.includes('{') ? await pathValues(operationId, context) : {}, fieldKeys: [] };
}

async function pathValues(operationId: string, { world, api }: Context): Promise<Existing['path']> {
  const tenant = world.tenant().slug;
  const own = async () => (await world.product('generated')).slug;
  // A page of an active product would count scans.
  if (operationId === 'getPassportPage') return { tenant, product: await own() };
  if (operationId === 'getPassportJsonld') {
    const active = await ifTested(world.activeProduct());
    return active === undefined ? { tenant, product: await own() } : { tenant: active.tenant, product: active.slug };
  }
  if (operationId === 'resolveGtin') {
    const link = await ifTested(world.link());
    return link === undefined ? {} : { gtin: link.split('/').at(-1) };
  }
  const slug = await ifTested(own());
  return { slug: slug ?? (await api.list({ limit: 1 })).items[0]?.slug };
}

/** `undefined` if the provider lacks the state, or if the run may not create it. */
async function ifTested<Value>(state: Promise<Value>): Promise<Value | undefined> {
  try {
    return await state;
  } catch (error) {
    if (error instanceof NotTested) return undefined;
    throw error;
  }
}

/** The value that each key must have after the write. Keys whose value the description leaves open are left out. */
function writtenValues(request: WireRequest, fieldKeys: readonly string[]): ReadonlyMap<string, unknown> {
  const { json, isUtf8 } = bodyOf(request);
  if (!Array.isArray(json) || !isUtf8) return new Map();
  const elements = json.filter(isRecord);
  const keys = elements.map(({ field_key }) => field_key);
  const isOnlyOne = (key: unknown): boolean => keys.filter((other) => other === key).length === 1;
  const pairs = elements.flatMap(({ field_key: key, value, is_unknown = false }): [string, unknown][] =>
    typeof key === 'string' && fieldKeys.includes(key) && isOnlyOne(key) && is_unknown === false && isStorable(value)
      ? [[key, value]]
      : [],
  );
  return new Map(pairs);
}

/** A lone surrogate has no form in UTF-8. `null` may remove the value. */
function isStorable(value: unknown): boolean {
  return value !== undefined && value !== null && !/\\u[dD][89a-fA-F]/.test(JSON.stringify(value));
}

/** @param reading the passport after the write */
function storedFaults(written: ReadonlyMap<string, unknown>, { response, failure }: Exchange): string[] {
  if (response?.status !== 200) return [`reading the passport after the write gets ${response?.status ?? failure}`];
  const passport = jsonIn(response.text);
  const values = isRecord(passport) && Array.isArray(passport.values) ? passport.values.filter(isRecord) : [];
  return [...written].flatMap(([key, value]) => {
    const stored = values.find(({ field_key }) => field_key === key)?.value;
    return isEqual(stored, value) ? [] : [`the write stores ${shown(stored)} as ${key}, but sends ${shown(value)}`];
  });
}

/** Faults of the response alone: its status, shape and headers, and what it leaks. */
function responseFaults(exchange: Exchange, judges: Judges, provider: Provider): string[] {
  const { request, response, failure = '' } = exchange;
  if (response === undefined) return [failure];
  const { method, path } = request;
  const { status, headers, text: body, isUtf8, unreadable } = response;
  const findings = judges.core.response({ method, path, status, headers, body, isUtf8, unreadable });
  const broken = findings.filter(({ severity }) => severity === 'failure').map(({ where, what }) => `${where} ${what}`);
  const leaked = secretsInResponses.flatMap(
    ({ findings }) => findings({ exchanges: [exchange], judges, provider }).reasons,
  );
  return [...broken, ...leaked];
}

/** Whether the outcome is the one that the description says. */
function outcomeFaults(expected: Expectation, { response }: Exchange): string[] {
  const { status = 500 } = response ?? {};
  // A server error is a fault of its own.
  if (expected.kind === 'open' || response === undefined || status === 429 || status >= 500) return [];
  const got = outcomeOf({ status, code: codeIn(response) });
  if (expected.kind === 'accepted') return status < 400 ? [] : [`a valid request must not get ${got}`];
  const { statuses, codes } = expected;
  const isRefused = statuses === undefined ? status >= 400 && status < 500 : statuses.includes(status);
  if (!isRefused) return [`the request must get ${statuses?.join(' or ') ?? 'a 4xx status'}, gets ${got}`];
  const isNamed = codes === undefined || codes.some((code) => code === codeIn(response));
  return isNamed ? [] : [`error.code must be ${codes.join(' or ')}, is ${shown(codeIn(response))}`];
}

function codeIn({ text }: WireResponse): string | undefined {
  const json = jsonIn(text);
  const code = isRecord(json) && isRecord(json.error) ? json.error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

interface SearchOptions {
  readonly seed: number;
  /** How long the search may take. At least one value is tried. */
  readonly milliseconds: number;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

interface Found<Value> {
  readonly value: Value;
  /** The number of values that were tried before the shrinking. */
  readonly tried: number;
  /** The number of steps of the shrinking. */
  readonly shrinks: number;
}

/** How long the shrinking of one value may take, in milliseconds. */
const shrinkingLimit = 5000;

/** Values that are tried between two looks at the clock and the signal. */
const batchSize = 50;

/**
 * The values follow from the seed alone. The time limit only decides how many are tried.
 *
 * @param hasFault whether the value shows a fault. `isShrinking`: it is a smaller form of a value that shows one.
 */
async function search<Value>(
  values: Arbitrary<Value>,
  { seed, milliseconds, signal }: SearchOptions,
  hasFault: (value: Value, isShrinking: boolean) => Promise<boolean>,
): Promise<Found<Value> | undefined> {
  const property = (isShrinking: boolean) =>
    fc.asyncProperty(values, async (value) => !(await hasFault(value, isShrinking)));
  const end = performance.now() + milliseconds;
  let tried = 0;
  for (let batch = 0; batch === 0 || (performance.now() < end && !signal?.aborted); batch += 1) {
    const own = { seed: (seed + batch) | 0 };
    const first = await fc.check(property(false), {
      ...own,
      endOnFailure: true,
      ...(batch === 0
        ? { numRuns: 1 }
        : { numRuns: batchSize, interruptAfterTimeLimit: Math.max(1, end - performance.now()) }),
    });
    tried += first.numRuns;
    if (!first.failed || first.counterexample === null) continue;
    const path = first.counterexamplePath ?? '';
    const shrunk = await fc.check(property(true), { ...own, path, interruptAfterTimeLimit: shrinkingLimit });
    const [value] = shrunk.counterexample ?? first.counterexample;
    return { value, tried, shrinks: shrunk.numShrinks };
  }
  return undefined;
}
