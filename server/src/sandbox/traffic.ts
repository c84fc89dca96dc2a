import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { isBoom } from '@hapi/boom';
import type { Plugin, Request, ResponseObject } from '@hapi/hapi';
import {
  blindRepeats,
  type Contract,
  ContractError,
  earlyRequests,
  errorBodyOf,
  type errorMeanings,
  type Fault,
  type InjectedError,
  identityOf,
  injectedError,
  keyIn,
  lineOf,
  type OperationId,
  PendingFaults,
  partsWithKey,
  queryFaults,
  type SentRequest,
  sideOf,
  tenantNamed,
} from '@product-passport/openapi';
import type { Knex } from 'knex';
import { errorFormOf, type RespondToError } from '../http/errors.ts';
import { withHeaders } from '../http/representation.ts';
import { masked } from '../log/log.ts';
import { findTenantOfGtin } from '../products/gtins.ts';
import { findKey } from '../tenants/keys.ts';
import { findTenant } from '../tenants/store.ts';

/** A request that a tenant sent. Keys and access tokens are masked. */
export interface RecordedRequest {
  /** When it arrived, in RFC 3339. */
  time: string;
  method: string;
  /** Path and query. */
  target: string;
  /** The operation of the contract, or `null` for another path or method. */
  operation: OperationId | null;
  headers: Record<string, string>;
  /** The start of the body as text, at most 10,000 characters; `null` if the server read no body. */
  body: string | null;
  /** The status of the response; `null` until there is one, and if the connection was reset. */
  status: number | null;
}

/** Something that a client must not do. */
export interface ClientFinding {
  /** The case of `verify client` that has the same rule. */
  id: string;
  reason: string;
  /** The first request that shows it. */
  request: RecordedRequest;
}

/** A request and what the rules for clients need to know of it. Only its record is shown. */
interface Received {
  record: RecordedRequest;
  /** The key that the request has, in its header or elsewhere. */
  key: string | undefined;
  path: string;
  arrivedAt: number;
  /** The text of the body, without a mask. The start alone if it is long. */
  body: string;
  respondedAt: number;
  retryAfter: number | undefined;
  isLost: boolean;
}

function sentOf(received: Received): SentRequest & { record: RecordedRequest } {
  const { record, path, body } = received;
  const { method, operation } = record;
  const { secured } = sideOf(path);
  return {
    ...received,
    method,
    secured,
    operationId: operation ?? undefined,
    identity: identityOf(method, path, body),
  };
}

/** What is wrong with the request alone. */
function findingsOf(
  { record: request, key, path, body }: Received,
  { operations }: Pick<Contract, 'operations'>,
): ClientFinding[] {
  const { method, target } = request;
  const line = lineOf({ method, path: target });
  const operation = operations.find(({ operationId }) => operationId === request.operation);
  const unknown = !operation && sideOf(path).secured ? ['the contract has no such operation.'] : [];
  const query = operation ? queryFaults(path, operation) : [];
  const parts = key === undefined ? [] : partsWithKey(path, body, [key]);
  return [
    ...unknown.map((fault) => ({ id: 'CLIENT-1.operation', reason: `${line}: ${fault}`, request })),
    ...query.map((fault) => ({ id: 'CLIENT-1.parameters', reason: `${line}: ${fault}`, request })),
    ...parts.map((part) => {
      return { id: 'CLIENT-6.address', reason: `${method}: ${part} contains the key. Logs keep it.`, request };
    }),
  ];
}

/** Requests that are kept of a tenant. */
const maxRequests = 1000;

/** What the sandbox keeps of one tenant in memory. */
export class TenantState {
  readonly faults = new PendingFaults();
  #received: Received[] = [];
  #dropped = 0;
  /** Days that the clock was moved. */
  days = 0;

  get requests(): { items: readonly RecordedRequest[]; dropped: number } {
    return { items: this.#received.map(({ record }) => record), dropped: this.#dropped };
  }

  /** What the client did against the contract, each reason once. */
  findings(contract: Pick<Contract, 'operations'>): { items: readonly ClientFinding[]; dropped: number } {
    const sent = this.#received.map(sentOf);
    const breaches = { 'CLIENT-2.wait': earlyRequests(sent), 'CLIENT-3.create': blindRepeats(sent) };
    const all = [
      ...this.#received.flatMap((received) => findingsOf(received, contract)),
      ...Object.entries(breaches).flatMap(([id, found]) =>
        found.map(({ reason, request }) => ({ id, reason: masked(reason), request: request.record })),
      ),
    ];
    const first = new Map(all.toReversed().map((finding) => [`${finding.id} ${finding.reason}`, finding]));
    return { items: [...first.values()].toReversed(), dropped: this.#dropped };
  }

  record(request: Received): void {
    this.#received.push(request);
    if (this.#received.length <= maxRequests) return;
    this.#received.shift();
    this.#dropped += 1;
  }
}

/** The states of all tenants, by their ids. */
export class TenantStates extends Map<string, TenantState> {
  of(tenantId: string): TenantState {
    const state = this.get(tenantId) ?? new TenantState();
    this.set(tenantId, state);
    return state;
  }
}

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    sandbox?: { received: Received; fault: Fault | undefined };
  }
}

interface TrafficOptions {
  database: Knex;
  states: TenantStates;
  /** The status of each code of the contract. */
  meanings: ReturnType<typeof errorMeanings>;
  respondToError: RespondToError;
}

/** Records the requests of tenants and injects their faults. Register it after the plugin that sends errors. */
export const trafficPlugin: Plugin<TrafficOptions> = {
  name: 'sandbox-traffic',
  register(server, { database, states, meanings, respondToError }) {
    server.ext('onPreAuth', async (request, h) => {
      if (request.route.path.startsWith('/_sandbox')) return h.continue;
      const tenantId = await tenantIdOf(database, request);
      const state = tenantId === undefined ? undefined : states.of(tenantId);
      const received = receive(request);
      state?.record(received);
      const fault = state?.faults.take(request.route.settings.app?.operation);
      request.app.sandbox = { received, fault };
      if (fault?.delayMs && !(await isDelayed(request, fault.delayMs))) return h.abandon;
      if (fault?.connection === 'reset') {
        request.raw.req.socket.resetAndDestroy();
        return h.abandon;
      }
      const injected = fault && injectedError(fault, meanings);
      if (!injected) return h.continue;
      const { status, headers, body } = errorResponse(injected, request, respondToError);
      // Not thrown: the log would have an error for each injected 500.
      return withHeaders(h.response(body).code(status), headers).takeover();
    });

    server.ext('onPreResponse', (request, h) => {
      const { response, app } = request;
      if (!app.sandbox || isBoom(response)) return h.continue;
      const { received, fault } = app.sandbox;
      received.respondedAt = performance.now();
      if (fault?.connection === 'lose_response') {
        received.isLost = response.statusCode < 300;
        request.raw.req.socket.resetAndDestroy();
        return h.abandon;
      }
      received.record.status = response.statusCode;
      if (response.statusCode === 429) received.retryAfter = Number(response.headers['retry-after'] ?? 0);
      if (fault?.connection !== 'truncate') return h.continue;
      received.isLost = response.statusCode < 300;
      truncateResponse(request, response);
      return h.abandon;
    });
  },
};

/** The key of a request, also one in the address, where a client must not put it. */
function keyOf(request: IncomingMessage): string | undefined {
  return keyIn(request.headers.authorization) ?? /ppk_[\w-]+/.exec(request.url ?? '')?.[0];
}

async function tenantIdOf(database: Knex, { route, raw, params }: Request): Promise<string | undefined> {
  const { isPublic } = route.settings.app ?? {};
  const bySlug = async (slug: string) => (await findTenant(database, slug))?.id;
  return tenantNamed({ secured: !isPublic }, params as Record<string, string>, {
    bySlug,
    async byKey() {
      const key = keyOf(raw.req);
      return key === undefined ? undefined : (await findKey(database, key))?.tenant.id;
    },
    async byGtin(gtin) {
      return (await findTenantOfGtin(database, gtin))?.tenant_id;
    },
  });
}

/** Waits. Ends early, and returns false, if the client closes the connection or the server stops. */
async function isDelayed({ raw }: Request, milliseconds: number): Promise<boolean> {
  const closed = new AbortController();
  raw.res.once('close', () => closed.abort());
  return setTimeout(milliseconds, true, { signal: closed.signal }).catch(() => false);
}

/**
 * The response with an injected error. One that the contract has is the same as a real one.
 *
 * @throws ContractError for a page, whose errors are HTML
 */
function errorResponse(
  { status, code, contractCode, message, headers }: InjectedError,
  request: Request,
  respondToError: RespondToError,
): { status: number; headers: Record<string, string>; body: object } {
  if (contractCode === undefined) {
    return { status, headers, body: errorBodyOf(errorFormOf(request), code, message ?? '') };
  }
  const error = new ContractError(contractCode, message, headers);
  if (request.route.settings.app?.errors === 'page') throw error;
  return respondToError(error, request);
}

/** Sends the head of the response and half of its body, then closes the connection. */
function truncateResponse({ raw, method }: Request, response: ResponseObject): void {
  const { source, headers, statusCode } = response;
  const text = typeof source === 'string' ? source : JSON.stringify(source ?? '');
  const payload = Buffer.isBuffer(source) ? source : Buffer.from(text);
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.res.setHeader(name, value);
  if (!raw.res.hasHeader('content-type')) raw.res.setHeader('content-type', 'application/json; charset=utf-8');
  raw.res.writeHead(statusCode, { 'content-length': payload.length });
  const half = payload.subarray(0, method === 'head' ? 0 : Math.floor(payload.length / 2));
  raw.res.write(half, () => raw.req.socket.destroy());
}

/** Characters that are kept of a body. */
const maxCharacters = 10_000;

const secretHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** A request and its record. The body is added while the server reads it. */
function receive(request: Request): Received {
  const { req } = request.raw;
  const record: RecordedRequest = {
    time: new Date(request.info.received).toISOString(),
    method: (req.method ?? '').toUpperCase(),
    target: masked(req.url ?? ''),
    operation: request.route.settings.app?.operation ?? null,
    headers: Object.fromEntries(
      Object.entries(req.headers).map(([name, value]) => {
        const text = [value ?? ''].flat().join(', ');
        return [name, secretHeaders.has(name) ? text.replace(/^(\w+ +)?.*$/s, '$1***') : masked(text)];
      }),
    ),
    body: null,
    status: null,
  };
  const received: Received = {
    ...{ record, key: keyOf(req), path: req.url ?? '', body: '' },
    ...{ arrivedAt: performance.now(), respondedAt: Number.POSITIVE_INFINITY, retryAfter: undefined, isLost: false },
  };
  listenToBody(request, received);
  return received;
}

/** Listens from the moment when the server itself begins to read: a listener before it would start the stream. */
function listenToBody({ raw: { req } }: Request, received: Received): void {
  const decoder = new TextDecoder();
  const listen = (event: string | symbol): void => {
    if (event !== 'data') return;
    req.off('newListener', listen);
    req.on('data', (chunk: Buffer) => {
      if (received.body.length < maxCharacters) received.body += decoder.decode(chunk, { stream: true });
      received.record.body = masked(received.body).slice(0, maxCharacters);
    });
  };
  req.on('newListener', listen);
}
