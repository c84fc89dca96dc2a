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

/** A request and what the rules for clients need to know of it. Only its record is shown. */
export interface Received {
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
  return { ...received, method, operationId: operation ?? undefined, identity: identityOf(method, path, body) };
}

/** What is wrong with the request alone. */
function findingsOf(
  { record: request, key, path, body }: Received,
  { operations }: Pick<Contract, 'operations'>,
): ClientFinding[] {
  const { method, target } = request;
  const line = lineOf({ method, path: target });
  const operation = operations.find(({ operationId }) => operationId === request.operation);
  const unknown = !operation && isApiPath(path) ? ['the contract has no such operation.'] : [];
  const query = operation ? queryFaults(path, operation.parameters) : [];
  const places = key === undefined ? [] : keyPlaces(path, body, [key]);
  return [
    ...unknown.map((fault) => ({ id: 'CLIENT-1.operation', reason: `${line}: ${fault}`, request })),
    ...query.map((fault) => ({ id: 'CLIENT-1.parameters', reason: `${line}: ${fault}`, request })),
    ...places.map((place) => {
      return { id: 'CLIENT-6.address', reason: `${method}: ${place} contains the key. Logs keep it.`, request };
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
