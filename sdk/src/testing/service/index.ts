/**
 * A second implementation of the Product Passport Service API, in memory. It runs wherever `fetch` does, and follows
 * the service's description.
 */
import type { PlatformFetch } from '../../fetch.ts';
import type { Mode } from './behaviour.ts';
import { type Operator, operatorOf } from './operator.ts';
import { respond } from './respond.ts';
import { type Provider, seed } from './seed.ts';
import { emptyState } from './state.ts';

export type { NewTenant, NewToken, Operator } from './operator.ts';
export type { Provider } from './seed.ts';

/** Options of `createFakeService`. */
export interface FakeServiceOptions {
  /** The root of the service's addresses: scheme, host and port. Default: `http://passports.test`. */
  readonly siteUrl?: string;
  /**
   * What the service does where its description leaves it open. `reference` does what the reference server does, as far
   * as that is simple. `alternative` does something else that the description allows. Default: `reference`.
   */
  readonly behaviour?: Mode;
  /** The clock. Default: the current time. */
  readonly now?: () => Date;
}

/**
 * A service with its own data. Identifiers and secrets are numbered, so they are the same in every run. They are not
 * secret: the service is for tests only.
 */
export interface FakeService extends Operator {
  /**
   * For `createClient`, `createPublicClient`, or a server. The addresses in its responses are below `siteUrl`. It
   * rejects only if the signal of the request has fired.
   */
  readonly fetch: PlatformFetch;
  /** The addresses, keys and tokens that the service starts with. */
  readonly provider: Provider;
}

/** Starts a service with two tenants and a few products. */
export function createFakeService(options: FakeServiceOptions = {}): FakeService {
  const { siteUrl = 'http://passports.test', behaviour = 'reference', now = () => new Date() } = options;
  const state = emptyState(siteUrl.replace(/\/$/, ''), behaviour, now);
  const operator = operatorOf(state);
  const provider = seed(state, operator);
  return {
    ...operator,
    provider,
    async fetch(input, init) {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      return respond(state, request);
    },
  };
}
