import {
  blindRepeats,
  earlyRequests,
  identityOf,
  isApiPath,
  keyPlaces,
  lineOf,
  PendingFaults,
  queryFaults,
  type SentRequest,
} from '@product-passport/openapi';
import type { Contract, OperationId } from '../contract/document.ts';
import { masked } from '../log/log.ts';

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

/** A request and what the rules for clients need to know of it. Nothing here is shown as it is. */
export class Received {
  readonly record: RecordedRequest;
  /** The key that the request has, in its header or elsewhere. */
  readonly #key: string | undefined;
  readonly #path: string;
  readonly #arrivedAt = performance.now();
  /** The text of the body, without a mask. Its start alone if it is long. */
  body = '';
  respondedAt = Number.POSITIVE_INFINITY;
  retryAfter: number | undefined;
  isLost = false;

  constructor(record: RecordedRequest, path: string, key: string | undefined) {
    this.record = record;
    this.#path = path;
    this.#key = key;
  }

  get sent(): SentRequest & { received: Received } {
    const { record, respondedAt, retryAfter, isLost } = this;
    const { method, operation } = record;
    const [path, arrivedAt] = [this.#path, this.#arrivedAt];
    const identity = identityOf(method, path, this.body);
    return {
      received: this,
      method,
      path,
      operationId: operation ?? undefined,
      identity,
      arrivedAt,
      respondedAt,
      retryAfter,
      isLost,
    };
  }

  /** What is wrong with the request alone. */
  findings({ operations }: Pick<Contract, 'operations'>): ClientFinding[] {
    const { record: request } = this;
    const [path, line] = [this.#path, lineOf({ method: request.method, path: request.target })];
    const operation = operations.find(({ operationId }) => operationId === request.operation);
    const unknown = operation === undefined && isApiPath(path) ? ['the contract has no such operation.'] : [];
    const query = operation === undefined ? [] : queryFaults(path, operation.parameters);
    const places = this.#key === undefined ? [] : keyPlaces(path, this.body, [this.#key]);
    return [
      ...unknown.map((fault) => ({ id: 'CLIENT-1.operation', reason: `${line}: ${fault}`, request })),
      ...query.map((fault) => ({ id: 'CLIENT-1.parameters', reason: `${line}: ${fault}`, request })),
      ...places.map((place) => ({
        id: 'CLIENT-6.address',
        reason: `${request.method}: ${place} contains the key. Logs keep it.`,
        request,
      })),
    ];
  }
}

/** The largest number of requests that are kept of a tenant. */
const mostRequests = 1000;

/** What the sandbox remembers of one tenant, beside the database. */
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
    const sent = this.#received.map((received) => received.sent);
    const breaches = { 'CLIENT-2.wait': earlyRequests(sent), 'CLIENT-3.create': blindRepeats(sent) };
    const all = [
      ...this.#received.flatMap((received) => received.findings(contract)),
      ...Object.entries(breaches).flatMap(([id, found]) =>
        found.map(({ reason, request }) => ({ id, reason: masked(reason), request: request.received.record })),
      ),
    ];
    const first = new Map(all.toReversed().map((finding) => [`${finding.id} ${finding.reason}`, finding]));
    return { items: [...first.values()].toReversed(), dropped: this.#dropped };
  }

  record(request: Received): void {
    this.#received.push(request);
    if (this.#received.length <= mostRequests) return;
    this.#received.shift();
    this.#dropped += 1;
  }
}

/** The states of all tenants, by their ids. */
export class TenantStates {
  readonly #states = new Map<string, TenantState>();

  of(tenantId: string): TenantState {
    const state = this.#states.get(tenantId) ?? new TenantState();
    this.#states.set(tenantId, state);
    return state;
  }

  forget(tenantId: string): void {
    this.#states.delete(tenantId);
  }
}
