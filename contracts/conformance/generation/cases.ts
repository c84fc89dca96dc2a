/**
 * GEN-1: generated requests, which are sent after the fixed cases. `values.ts` and `requests.ts` make them from the contract,
 * each with its outcome. `search.ts` looks for a request whose response is wrong, and makes it smaller.
 */
import { type Contract, isRecord, type Operation } from '@product-passport/openapi';
import { shown } from '../../judge/finding.ts';
import { passportPath } from '../api.ts';
import type { Ask, Case, Context } from '../case.ts';
import { secretsInResponses } from '../cases/hidden-values.ts';
import { claimOf } from '../cases/responses.ts';
import { CaseFailure, isEqual, NotTested } from '../check.ts';
import type { Exchange, WireRequest } from '../http/exchange.ts';
import type { Judges } from '../judges.ts';
import type { Provider } from '../provider.ts';
import { jsonIn } from '../request-faults.ts';
import { needsOf } from '../valid-requests.ts';
import { isRefusal, outcomeFaults } from './outcome.ts';
import { type Existing, type GeneratedRequest, requestsOf } from './requests.ts';
import { type Found, search } from './search.ts';

export interface GeneratedOptions {
  readonly judges: Judges;
  readonly seed: number;
  /** The time for one operation. */
  readonly milliseconds: () => number;
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
      claim: claimOf(operation.path),
      clause: `/paths/${operation.path.replaceAll('/', '~1')}/${operation.method.toLowerCase()}`,
      needs: needsOf(operation),
    }));
}

async function runGenerated(operation: Operation, options: GeneratedOptions, context: Context): Promise<void> {
  const { seed, milliseconds, signal } = options;
  const existing = await existingFor(operation, context);
  const trial = trialOf(operation, existing, options.judges, context);
  const limits = { seed, milliseconds: milliseconds(), signal };
  /** The trial that showed the fault first. */
  let original: Trial | undefined;
  const found = await search(requestsOf(operation, existing), limits, async (request, isShrinking) => {
    const tried = await trial(request, isShrinking ? maxWrites.shrinking : maxWrites.searching);
    const hasFault = tried !== undefined && tried.faults.length > 0;
    if (hasFault) original ??= tried;
    return hasFault;
  });
  if (found === undefined || original === undefined) return;
  // A passport that no write repairs leaves nothing to make smaller.
  const last = (await trial(found.value)) ?? original;
  // The search records creations.
  const first = operation.method === 'POST' ? [] : original.exchanges;
  for (const exchange of new Set([...first, ...last.exchanges])) context.record(exchange);
  const repetition = repetitionOf(operation, found, seed);
  if (last.faults.length > 0) throw new CaseFailure(`${last.faults.join('; ')}. ${repetition}`);
  context.warn(`A generated request got a wrong response once, but not again. ${repetition}`);
}

/** A request that was sent. */
interface Trial {
  readonly faults: readonly string[];
  readonly exchanges: readonly Exchange[];
}

/** Sends a generated request and judges the response. `undefined` if it was not sent. */
type Try = (generated: GeneratedRequest, limits?: Readonly<Record<string, number>>) => Promise<Trial | undefined>;

function trialOf(operation: Operation, existing: Existing, judges: Judges, context: Context): Try {
  const { method } = operation;
  let writes = 0;
  /** Whether the passport may hold what an earlier attempt stored. */
  let isStained = false;

  /** Writes neutral values to the passport, and reads it. */
  async function isNeutral(): Promise<boolean> {
    if (method !== 'PUT' || !isStained) return true;
    const path = passportPath(existing.path.slug ?? '');
    const json = [...new Set(existing.fieldKeys)].map((field_key) => ({ field_key, value: 'Verify' }));
    const wrote = await context.probe({ method, path, json });
    const read = wrote.response?.status === 200 ? await context.probe({ path }) : wrote;
    isStained = read.response?.status !== 200;
    return !isStained;
  }

  return async ({ request, outcome, json }, limits) => {
    const isFull = writes >= (limits?.[method] ?? Number.POSITIVE_INFINITY);
    // A request that must be refused stores nothing in a passport.
    if (isFull && (method === 'POST' || !isRefusal(outcome))) return undefined;
    // Otherwise a value that an earlier attempt stored would make the fault of a harmless one.
    if (limits !== maxWrites.searching && !(await isNeutral())) return undefined;
    const exchange = await context.probe(askOf(request));
    const faults = [...responseFaults(exchange, judges, context.provider), ...outcomeFaults(outcome, exchange)];
    if (!storesSomething(exchange)) return { faults, exchanges: [exchange] };
    writes += 1;
    isStained = true;
    // Every product that the provider creates is in created.json.
    if (method === 'POST') {
      if (limits !== undefined) context.record(exchange);
      return { faults, exchanges: [exchange] };
    }
    const reading = await context.probe({ path: request.path.replace(/\?.*/s, '') });
    const stored = storedFaults(writtenValues(json, existing.fieldKeys), reading);
    return { faults: [...faults, ...stored], exchanges: [exchange, reading] };
  };
}

function storesSomething({ request, response }: Exchange): boolean {
  return request.method !== 'GET' && response !== undefined && response.status < 300;
}

function repetitionOf({ operationId }: Operation, { tried, shrinks }: Found<unknown>, seed: number): string {
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

/** `undefined` if the provider lacks the state. */
async function ifTested<Value>(state: Promise<Value>): Promise<Value | undefined> {
  try {
    return await state;
  } catch (error) {
    if (error instanceof NotTested) return undefined;
    throw error;
  }
}

/** The value that each key must have after the write. Keys whose value the description leaves open are left out. */
function writtenValues(json: unknown, fieldKeys: readonly string[]): ReadonlyMap<string, unknown> {
  const elements = Array.isArray(json) ? json.filter(isRecord) : [];
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
