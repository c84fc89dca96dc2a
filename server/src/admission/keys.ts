import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { bearerKey } from '../http/authentication.ts';

/** The largest number of keys that are remembered. */
const mostKnown = 10_000;

/**
 * Looks up the keys of requests. Admission remembers which tenant a key belonged to, so that it knows whose share a request
 * takes. Authentication never relies on that: it looks up the key of every request.
 */
export class RequestKeys<Tenant extends { id: string }> {
  readonly #tenantOfKey: (key: string) => Promise<Tenant | undefined>;
  /** The tenant's id by the SHA-256 of its key, for keys that were valid at their last look-up. */
  readonly #known = new Map<string, string>();
  /** Look-ups of admission, by key. Requests with the same new key share one. */
  readonly #pending = new Map<string, Promise<Tenant | undefined>>();
  /** Requests whose key admission did not find. */
  readonly #invalid = new WeakSet<IncomingMessage>();

  constructor(tenantOfKey: (key: string) => Promise<Tenant | undefined>) {
    this.#tenantOfKey = tenantOfKey;
  }

  /** The id of the tenant whose key it was at its last look-up. */
  knownTenant(key: string): string | undefined {
    return this.#known.get(hash('sha256', key));
  }

  /** Whether requests with this key already wait for a look-up. */
  isPending(key: string): boolean {
    return this.#pending.has(key);
  }

  /** Looks up a key that is not known. Returns the id of its tenant. */
  async learn(request: IncomingMessage, key: string): Promise<string | undefined> {
    const pending = this.#pending.get(key) ?? this.#tenantOfKey(key).finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    const tenant = await pending;
    if (tenant) this.#remember(hash('sha256', key), tenant.id);
    else this.#invalid.add(request);
    return tenant?.id;
  }

  /** The tenant of a request's key, if the key is valid now. */
  async tenantOf(request: IncomingMessage): Promise<Tenant | undefined> {
    const key = bearerKey(request);
    if (key === undefined || this.#invalid.has(request)) return undefined;
    const tenant = await this.#tenantOfKey(key);
    if (!tenant) this.#known.delete(hash('sha256', key));
    return tenant;
  }

  #remember(name: string, tenantId: string): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= mostKnown && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(name, tenantId);
  }
}
