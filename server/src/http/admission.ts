/**
 * Admission: the API key gives the tenant, and a flood of one client leaves room and time for all others. `connections.ts`
 * divides the connections.
 *
 * - Each request has its key looked up: a revoked key fails at once, on every instance.
 * - Half of the slots for requests belong to requests with a valid key, divided among tenants. The other half belongs to
 *   all others, divided among addresses. A request without a slot gets 503.
 * - In one turn of the event loop, few requests start in each half.
 * - The bytes of bodies are divided among tenants.
 */

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Request, Server } from '@hapi/hapi';
import { ContractError, keyIn, type Schemas } from '@product-passport/openapi';
import { type Log, SummedWarning } from '../log/log.ts';
import type { Limit } from './rate-limit.ts';
import type { RefusingLimit } from './request-log.ts';

/** A valid API key of a request. */
export interface CallerKey {
  id: string;
  label: string;
  /** Whether it may change the status of products. */
  scope: 'edit' | 'publish';
  tenant: Schemas['Tenant'];
}

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** The key, if it is valid. */
    key?: CallerKey | undefined;
    /** The slug of the tenant whose key the request needed. */
    tenant?: string;
    /** The limit that refused the request. */
    refusedBy?: RefusingLimit;
    /** The room that its body takes. */
    bodyBytes?: number;
    /** Functions that give back what the request holds. */
    held?: (() => void)[];
  }
}

export interface AdmissionLimits {
  /** Maximum number of requests in progress. One is in progress until the client has its whole response. 0 means no limit. */
  requests: number;
  /** Maximum bytes of bodies that the requests in progress hold. */
  bodyBytes: number;
  /** How long a client may take to read a response, in milliseconds. */
  responseTimeout: number;
}

export interface AdmissionOptions extends AdmissionLimits {
  /** Number of our own proxies in front of the server. */
  proxies: number;
  /** The key that a network sent, if it is valid now. */
  findKey: (key: string, network: string) => Promise<CallerKey | undefined>;
  /** Counts a request of a tenant. Default: no limit. */
  limitTenant?: Limit | undefined;
  /** Counts a request without a valid key by its network. Default: no limit. */
  limitAddress?: Limit | undefined;
  log: Pick<Log, 'warn'>;
}

/** Look-ups of keys at a time. */
const maxLookups = 2048;

/** Requests with a key that start in one turn. */
const keyedPerTurn = 32;

/** Requests without a key, and refusals, that start in one turn: one while a key is looked up or its request runs. */
const keylessPerTurn = { alone: 16, withKeyed: 1 };

/** Time between two lines of the log, in milliseconds. */
const logInterval = 10_000;

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #keyed: { slots: Shares; queue: FairQueue };
  readonly #keyless: { slots: Shares; queue: FairQueue };
  readonly #lookups = new Shares(maxLookups);
  readonly #bodyBytes: Shares;
  readonly #refusals: SummedWarning<object>;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    const half = Math.ceil(options.requests / 2);
    const keyed = new Shares(half);
    this.#keyed = { slots: keyed, queue: new FairQueue(() => keyedPerTurn) };
    this.#keyless = {
      slots: new Shares(half),
      queue: new FairQueue(() =>
        keyed.used > 0 || this.#lookups.used > 0 ? keylessPerTurn.withKeyed : keylessPerTurn.alone,
      ),
    };
    this.#bodyBytes = new Shares(options.bodyBytes);
    this.#refusals = new SummedWarning(logInterval, (requests, about) =>
      options.log.warn({ requests, ...about }, 'too many requests in flight: some were refused'),
    );
  }

  register(server: Server): void {
    server.auth.scheme('api-key', () => ({
      authenticate: async ({ app }, h) => {
        const { key } = app;
        if (!key) throw new ContractError('invalid_api_key');
        // Before the limit: the log names the tenant of a 429.
        app.tenant = key.tenant.slug;
        await this.#options.limitTenant?.(key.tenant.id);
        return h.authenticated({ credentials: { key } });
      },
    }));
    server.auth.strategy('apiKey', 'api-key');
    server.ext('onPreAuth', async (request, h) => {
      await this.#admit(request);
      return h.continue;
    });
    server.events.on('response', (request) => release(request));
    server.events.on('stop', () => this.#refusals.flush());
  }

  /** Call it before the response is sent, and before the rest of the body is discarded. */
  beginResponse(request: Request): void {
    const { req } = request.raw;
    // While the rest of the body is discarded, the request needs no slot.
    if (!req.complete) release(request);
    const timer = setTimeout(() => req.socket.destroy(), this.#options.responseTimeout);
    hold(request, () => clearTimeout(timer));
  }

  /**
   * Takes room for bytes of a body until the end of the request.
   *
   * @param party the tenant, or the network of a request without a key
   * @throws ContractError `service_unavailable` if the bodies of the party and of others leave no room
   */
  takeRoom(request: Request, party: string, bytes: number): void {
    if (!this.#bodyBytes.take(party, bytes)) throw this.#refusal(request, 'bodies');
    const { app } = request;
    if (app.bodyBytes === undefined) {
      app.bodyBytes = 0;
      hold(request, () => {
        this.#bodyBytes.give(party, app.bodyBytes);
        delete app.bodyBytes;
      });
    }
    app.bodyBytes += bytes;
  }

  async #admit(request: Request): Promise<void> {
    const { findKey, limitAddress, proxies } = this.#options;
    const network = networkOf(clientAddress(request.raw.req, proxies));
    const refuse = async (party: string, limit: RefusingLimit, error?: unknown): Promise<never> => {
      const refusal = this.#refusal(request, limit, error);
      await this.#keyless.queue.turn(party);
      throw refusal;
    };
    const key = keyIn(request.raw.req.headers.authorization);
    if (key !== undefined) {
      if (!this.#lookups.take(network)) await refuse(network, 'key_lookups');
      request.app.key = await findKey(key, network).finally(() => this.#lookups.give(network));
    }
    const tenant = request.app.key?.tenant;
    if (!tenant) await limitAddress?.(network).catch((error) => refuse(network, 'address_rate', error));
    // The client may have left.
    if (!request.active()) return;
    const { slots, queue } = tenant ? this.#keyed : this.#keyless;
    const party = tenant?.id ?? network;
    if (!slots.take(party)) await refuse(party, 'requests');
    hold(request, () => slots.give(party));
    await queue.turn(party);
  }

  #refusal(request: Request, limit: RefusingLimit, error: unknown = new ContractError('service_unavailable')): unknown {
    request.app.refusedBy = limit;
    this.#refusals.add(1, { in_flight: this.#keyed.slots.used + this.#keyless.slots.used });
    return error;
  }
}

function hold({ app }: Request, giveBack: () => void): void {
  app.held ??= [];
  app.held.push(giveBack);
}

function release({ app }: Request): void {
  for (const giveBack of app.held?.splice(0) ?? []) giveBack();
}

/**
 * Divides units among parties: requests among tenants, connections among addresses. A party may hold as many units as are
 * free: one alone gets half of them, n greedy ones get 1/(n + 1) each, and a new one always finds some.
 */
export class Shares {
  readonly #units: number;
  readonly #held = new Map<string, number>();
  #used = 0;

  /** @param units 0 means no limit */
  constructor(units: number) {
    this.#units = units === 0 ? Number.POSITIVE_INFINITY : units;
  }

  get used(): number {
    return this.#used;
  }

  /** Whether the party's share had room. */
  take(party: string, units = 1): boolean {
    const held = (this.#held.get(party) ?? 0) + units;
    if (held > this.#units - this.#used) return false;
    this.#held.set(party, held);
    this.#used += units;
    return true;
  }

  give(party: string, units = 1): void {
    const held = (this.#held.get(party) ?? 0) - units;
    if (held > 0) this.#held.set(party, held);
    else this.#held.delete(party);
    this.#used -= units;
  }
}

/** Lets few requests start in one turn of the event loop, so that other work runs in between. Parties alternate. */
export class FairQueue {
  readonly #perTurn: () => number;
  #left = 1;
  /** The party that is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(perTurn: () => number) {
    this.#perTurn = perTurn;
  }

  /** Resolves when the party may start. */
  turn(party: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#left > 0) return this.#start(resolve);
      const own = this.#waiting.get(party);
      if (own) own.push(resolve);
      else this.#waiting.set(party, [resolve]);
    });
  }

  #start(resolve: () => void): void {
    this.#left -= 1;
    // Only then: an immediate in every turn would keep the event loop from waiting for more work at a time.
    if (this.#left === 0) setImmediate(() => this.#beginTurn());
    resolve();
  }

  #beginTurn(): void {
    this.#left = this.#perTurn();
    while (this.#left > 0) {
      const [first] = this.#waiting;
      if (!first) return;
      const [party, own] = first;
      const next = own.shift();
      this.#waiting.delete(party);
      if (own.length > 0) this.#waiting.set(party, own);
      if (next) this.#start(next);
    }
  }
}

/**
 * The address of the client. Each of our own proxies appends the address that it received the request from to
 * `X-Forwarded-For`. Addresses further to the left come from the client, and are not read.
 */
export function clientAddress(request: IncomingMessage, proxies: number): string {
  const direct = request.socket.remoteAddress ?? '';
  if (proxies === 0) return direct;
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join().toLowerCase().split(',');
  const address = forwarded.at(-Math.min(proxies, forwarded.length))?.trim() ?? '';
  return isIP(address) === 0 ? direct : address;
}

/** An IPv4 address, or the first half of an IPv6 address: one household or server usually has all of its second half. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const [start = '', end] = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1).split('::');
  const groups = start === '' ? [] : start.split(':');
  const missing = 8 - groups.length - (end ? end.split(':').length : 0);
  const filled = end === undefined ? groups : [...groups, ...Array<string>(missing).fill('0')];
  return filled.slice(0, 4).join(':');
}
