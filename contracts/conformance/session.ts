/** The session of a run: it sends the requests of the cases, records them, and judges the suite's own requests. */
import { sideOf } from '@product-passport/openapi';
import { codeIn } from '../judge/response.ts';
import { type Api, apiOf, outcomeOf } from './api.ts';
import { type Ask, CaseFailure, type Context, check, type Expected, NotTested, type Reply, shown } from './case.ts';
import { guard, type WrongValue } from './check.ts';
import { Memory } from './http/body.ts';
import { type Connection, NoResponse } from './http/connection.ts';
import { type Exchange, jsonIn, type Purpose, type WireRequest } from './http/exchange.ts';
import { exposureOf } from './intrusion.ts';
import type { Provider } from './provider.ts';
import { createWorlds, type SetUp, type Uses } from './world.ts';

/** The case id of requests that look up or create the state of cases. */
export const stateId = 'STATE';

/** After this many requests in a row without a response, the suite asks whether the provider still responds. */
const maxSilence = 10;

/** The suite contradicts the contract: with a request that it calls valid, or with what it expects. */
class SuiteMistake extends Error {
  override readonly name = 'SuiteMistake';
}

export interface SessionOptions {
  readonly provider: Provider;
  readonly connection: Connection;
  readonly runId: string;
  /** What the state URL set up. */
  readonly setUp?: SetUp | undefined;
  /** Why a request breaks the contract, or nothing. */
  readonly faultsOf: (request: WireRequest) => readonly string[];
  /** Why the contract does not allow the response that a case expects, or nothing. */
  readonly contradictionsOf: (request: WireRequest, expected: Expected) => readonly string[];
  /** The values of a response that are missing or have the wrong type. */
  readonly wrongValuesOf: (exchange: Exchange) => readonly WrongValue[];
}

/** Requests that no contract judges: those for states, and those of another interface. */
export const unjudged: Pick<SessionOptions, 'faultsOf' | 'contradictionsOf' | 'wrongValuesOf'> = {
  faultsOf: () => [],
  contradictionsOf: () => [],
  wrongValuesOf: () => [],
};

/** What one case did. */
export interface CaseRecord extends Uses {
  readonly exchanges: Exchange[];
  readonly warnings: string[];
}

export function emptyRecord(): CaseRecord {
  return { exchanges: [], warnings: [], needs: new Set(), states: new Set() };
}

/** All requests of one run. */
export type Session = ReturnType<typeof createSession>;

export function createSession(options: SessionOptions) {
  const { provider, connection, runId, setUp, faultsOf, contradictionsOf, wrongValuesOf } = options;
  const exchanges: Exchange[] = [];
  const memory = new Memory();
  let silence = 0;
  let isGone: Promise<boolean> | undefined;
  const known = new Map<string, { readonly result: Promise<unknown>; readonly record: CaseRecord }>();
  const worlds = createWorlds({ provider, runId, setUp, send: (ask) => transmit(stateId, 'valid', ask, []) });

  /** Sends a request that belongs to no case, and records nothing. */
  const ask = (one: Ask): Promise<Exchange> => exchangeOf(stateId, 'valid', wireRequest(one, provider));
  return { sources: worlds.sources, exchanges: exchanges as readonly Exchange[], ask, contextOf };

  /** @param record receives what the case does */
  function contextOf(caseId: string, record: CaseRecord): Context {
    const send = (purpose: Purpose, ask: Ask): Promise<Reply> => transmit(caseId, purpose, ask, record.exchanges);
    const world = worlds.forCase(record);
    const api: Api = apiOf((ask) => send('valid', ask));
    return {
      provider,
      world,
      api,
      send: (ask) => send('valid', ask),
      sendFaulty: (ask) => send('faulty', ask),
      once: (name, work) => once(caseId, name, work, record),
      async refused(good, fault, expected) {
        const wrong = faulty(good, fault);
        const contradictions = contradictionsOf(wireRequest(wrong, provider), expected);
        if (contradictions.length > 0) throw new SuiteMistake(contradictions.join('; '));
        const owned = await control(caseId, good, record);
        const reply = await send('faulty', wrong);
        const refusal = refusalFault(reply, wrong, expected);
        if (refusal === undefined) return reply;
        const exposes = await exposureOf({
          ...{ good, control: owned, wrong, reply, send, ask },
          callers: [callerOf(good), callerOf(wrong)],
          keys: (provider.tenants ?? []).map(({ api_key }) => api_key),
          mark: `Verify written by ${caseId} ${runId}`,
          // Whatever becomes of a further request, the failure is that the first one was not refused.
        }).catch(() => undefined);
        throw new CaseFailure(refusal, { exposes });
      },
      probe: (ask) => exchangeOf(caseId, 'faulty', wireRequest(ask, provider)),
      record: (exchange) => void add(exchange, record.exchanges),
      warn: (text) => void record.warnings.push(text),
    };
  }

  /** Does the work for the first case that needs it. Its requests are part of every such case. */
  async function once<Result>(
    caseId: string,
    name: string,
    work: (context: Context) => Promise<Result>,
    record: CaseRecord,
  ): Promise<Result> {
    const shared = emptyRecord();
    const begun = known.get(name) ?? { result: work(contextOf(caseId, shared)), record: shared };
    known.set(name, begun);
    try {
      return (await begun.result) as Result;
    } finally {
      record.exchanges.push(...begun.record.exchanges);
      for (const need of begun.record.needs) record.needs.add(need);
      for (const state of begun.record.states) record.states.add(state);
    }
  }

  /** Sends the request without a fault. It is sent once in a run. */
  async function control(caseId: string, good: Ask, record: CaseRecord): Promise<Reply> {
    const reply = await once(caseId, JSON.stringify(good), ({ send }) => send(good), record);
    check(
      reply.status < 400,
      `${lineOf(good)}: the control, the same request without the fault, must succeed, responds with ${outcomeOf(reply)}`,
    );
    return reply;
  }

  /** A tenant's keys all open its data, so they count as its first one. */
  function callerOf(ask: Ask): string {
    const { tenants: [first] = [], publishing_api_key: publishing } = provider;
    const { authorization = '' } = wireRequest(ask, provider).headers;
    return authorization === `Bearer ${publishing}` ? `Bearer ${first?.api_key}` : authorization;
  }

  /** @param record receives the exchange, as the session does */
  async function transmit(caseId: string, purpose: Purpose, ask: Ask, record: Exchange[]): Promise<Reply> {
    const request = wireRequest(ask, provider);
    const mistakes = purpose === 'valid' ? faultsOf(request) : [];
    if (mistakes.length > 0) {
      throw new SuiteMistake(`${request.method} ${request.path} is not a valid request: ${mistakes.join('; ')}`);
    }
    const exchange = add(await exchangeOf(caseId, purpose, request), record);
    const { response, failure } = exchange;
    const line = lineOf(request);
    if (response === undefined) throw new CaseFailure(`${line}: ${failure}`);
    if (response.status === 429) throw new NotTested('lower rate');
    if (response.unreadable !== undefined) throw new CaseFailure(`${line}: the body ${response.unreadable}`);
    const reply = replyOf(response, request.path);
    guard(reply.json, wrongValuesOf(exchange));
    return reply;
  }

  async function exchangeOf(caseId: string, purpose: Purpose, request: WireRequest): Promise<Exchange> {
    if (memory.isFull)
      throw new CaseFailure(`${lineOf(request)}: not sent, because the earlier responses are too large`);
    if (silence >= maxSilence) await checkPresence(request);
    const begin = performance.now();
    const facts = { caseId, purpose, request, sentAt: new Date().toISOString() };
    const milliseconds = (): number => Math.round(performance.now() - begin);
    try {
      const response = await connection.send(request);
      silence = 0;
      return { ...facts, response, milliseconds: milliseconds() };
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      silence += 1;
      return { ...facts, failure: error.message, milliseconds: milliseconds() };
    }
  }

  /** Ends the case if the provider is gone. Otherwise a silent provider would make the run last for hours. */
  async function checkPresence({ method, path }: WireRequest): Promise<void> {
    isGone ??= connection.send(wireRequest({ path: '/api/v1/me' }, provider)).then(
      () => false,
      () => true,
    );
    if (await isGone) {
      throw new CaseFailure(`${method} ${path}: not sent, because the provider stopped responding`);
    }
    isGone = undefined;
    silence = 0;
  }

  function add(exchange: Exchange, record: Exchange[]): Exchange {
    const { response } = exchange;
    const kept = response === undefined ? exchange : { ...exchange, response: memory.kept(response) };
    exchanges.push(kept);
    record.push(kept);
    return kept;
  }
}

function wireRequest(ask: Ask, provider: Provider): WireRequest {
  const { method = 'GET', path, key = provider.tenants?.[0]?.api_key ?? null, headers = {} } = ask;
  const body = bodyOf(ask);
  const { secured } = sideOf(path);
  const all: Record<string, string | undefined> = {
    accept: secured ? 'application/json' : '*/*',
    'user-agent': 'product-passport-verify',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === null || !secured ? {} : { authorization: `Bearer ${key}` }),
    ...headers,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { method, path: `${path}${queryOf(ask)}`, headers: Object.fromEntries(sent), body };
}

function queryOf({ query = '' }: Ask): string {
  if (typeof query === 'string') return query === '' ? '' : `?${query}`;
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, String(value)]),
  );
  // Every server decodes %20. A + stands for a blank in forms only.
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`.replaceAll('+', '%20');
}

function bodyOf({ json, raw }: Ask): Uint8Array | undefined {
  if (raw !== undefined) return typeof raw === 'string' ? Buffer.from(raw) : raw;
  return json === undefined ? undefined : Buffer.from(JSON.stringify(json));
}

/** A raw body replaces the JSON body of the request without a fault. */
function faulty(good: Ask, fault: Partial<Ask>): Ask {
  const { json, ...rest } = good;
  const unchanged = 'raw' in fault || json === undefined ? rest : { ...rest, json };
  return { ...unchanged, ...fault, ...(fault.headers ? { headers: { ...good.headers, ...fault.headers } } : {}) };
}

/** Why the response is not the refusal that the case expects, if it is not. */
function refusalFault(reply: Reply, ask: Ask, { status, code }: Expected): string | undefined {
  const allowed = [status].flat();
  const instead = code === undefined ? '' : ` in place of ${code}`;
  if (!allowed.includes(reply.status)) {
    return `${lineOf(ask)}: the faulty request must get ${allowed.join(' or ')}, gets ${outcomeOf(reply)}${instead}`;
  }
  const isRight = code === undefined || reply.code === code;
  return isRight ? undefined : `error.code must be ${shown(code)}, is ${shown(reply.code)}`;
}

function lineOf({ method = 'GET', path }: Ask): string {
  return `${method} ${path}`;
}

function replyOf(response: Exchange['response'] & object, path: string): Reply {
  const json = jsonIn(response.text);
  return { ...response, json, code: codeIn(json, sideOf(path).errorBody) };
}
