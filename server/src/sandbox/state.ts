import { PendingFaults } from '@product-passport/openapi';
import type { OperationId } from '../contract/document.ts';

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

/** The largest number of requests that are kept of a tenant. */
const mostRequests = 1000;

/** What the sandbox remembers of one tenant, beside the database. */
export class TenantState {
  readonly faults = new PendingFaults();
  #requests: RecordedRequest[] = [];
  #dropped = 0;
  /** Days that the clock was moved. */
  days = 0;

  get requests(): { items: readonly RecordedRequest[]; dropped: number } {
    return { items: this.#requests, dropped: this.#dropped };
  }

  record(request: RecordedRequest): void {
    this.#requests.push(request);
    if (this.#requests.length <= mostRequests) return;
    this.#requests.shift();
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
