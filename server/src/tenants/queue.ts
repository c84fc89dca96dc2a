import { availableParallelism } from 'node:os';
import { ContractError } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { withTurns } from '../database/knex-clients.ts';
import { isPostgres, readerOf } from '../database/statement.ts';
import { keylessWait, type WaitLeft } from '../http/connections.ts';
import type { QueueRequest } from '../http/routes.ts';

interface Limits {
  /** The slots of one tenant. */
  atOnce: number;
  /** Jobs of all tenants that run at a time, without short ones. Default: no limit. */
  inAll?: number;
  /** How many of these only tenants without running jobs may take. Default 0. */
  reserved?: number;
  /** Jobs of one tenant that wait. Default 256, half of the requests that one tenant may have in flight. */
  waiting?: number;
  /** How long a job waits, in milliseconds. Default 10,000. */
  timeout?: number;
}

/** What a job needs. */
interface Need {
  /** Of a tenant's jobs with the same resource, one runs at a time. */
  resource?: string | undefined;
  /** A tenant that has no other job running may run it in any case. Default 1. */
  slots?: number;
  /** Whether it counts only for its tenant, and not for `inAll`. Default false. */
  isShort?: boolean;
  /** One heavy job of a tenant runs at a time, and the next one waits for as long as this one took. Default false. */
  isHeavy?: boolean;
  /** The time that it may wait, which becomes less by its wait: several jobs can share it. Default: `timeout` for itself. */
  wait?: WaitLeft | undefined;
}

/**
 * Takes more slots for a running job. Returns `undefined` if it has them at once. Otherwise it has no slot until the promise
 * resolves, so that jobs that grow do not wait for each other.
 */
type Grow = (slots: number) => Promise<void> | undefined;

interface Waiting {
  need: Need;
  begin(): void;
  timer: NodeJS.Timeout;
}

/** Maximum pause after a heavy job, in milliseconds. A database that hangs makes a job long, too. */
const maxPause = 1000;

/** Runs a few jobs of each tenant at a time, in their order, so that no tenant takes every connection. */
export class TenantQueue {
  readonly #limits: Required<Limits>;
  /** The slots that the running jobs of each tenant take, and their needs. */
  readonly #running = new Map<string, { slots: number; needs: Set<Need> }>();
  /** The tenant that is next comes first. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  /** When the heavy job of a tenant began, until the end of the pause after it. */
  readonly #heavy = new Map<string, number>();
  #runningInAll = 0;

  constructor({ atOnce, inAll = Number.POSITIVE_INFINITY, reserved = 0, waiting = 256, timeout = 10_000 }: Limits) {
    this.#limits = { atOnce, inAll, reserved, waiting, timeout };
  }

  /**
   * @throws ContractError `service_unavailable` before the job begins or grows if the tenant has too many jobs, or this one
   *   waited too long
   */
  async run<Result>(tenantId: string, job: (grow: Grow) => Promise<Result>, need: Need = {}): Promise<Result> {
    if (!this.#beginsNow(tenantId, need)) await this.#wait(tenantId, need);
    let held: Need | undefined = need;
    const grow: Grow = (slots) => {
      if (!held || slots <= (held.slots ?? 1)) return undefined;
      // It stays the heavy one: with a pause of its own it would wait for itself.
      const more = { ...held, slots, isHeavy: false };
      this.#leave(tenantId, held);
      held = this.#beginsNow(tenantId, more) ? more : undefined;
      if (held) return undefined;
      return this.#wait(tenantId, more).then(() => {
        held = more;
      });
    };
    try {
      return await job(grow);
    } finally {
      if (held) this.#leave(tenantId, held);
      if (need.isHeavy) this.#pause(tenantId);
    }
  }

  /** The function to call at the end of a job: a promise of it if the job has to wait, which rejects as `run` does. */
  turn(tenantId: string, need: Omit<Need, 'isHeavy'> = {}): (() => void) | Promise<() => void> {
    const end = (): void => this.#leave(tenantId, need);
    return this.#beginsNow(tenantId, need) ? end : this.#wait(tenantId, need).then(() => end);
  }

  #beginsNow(tenantId: string, need: Need): boolean {
    // A large job that waits goes first: small ones would keep its room taken.
    const begins = this.#hasRoom(tenantId, need) && this.#isFree(tenantId, need) && !this.#nextOf(tenantId);
    if (begins) this.#begin(tenantId, need);
    return begins;
  }

  #wait(tenantId: string, need: Need): Promise<void> {
    const queue = this.#waiting.get(tenantId) ?? new Set();
    if (queue.size >= this.#limits.waiting) throw overload('The tenant has too many requests waiting.');
    this.#waiting.set(tenantId, queue);
    const { wait = { milliseconds: this.#limits.timeout } } = need;
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        wait.milliseconds = 0;
        queue.delete(entry);
        reject(overload('The request waited too long for others.'));
        // Jobs after it may be smaller and have room now.
        while (this.#beginNext());
      }, wait.milliseconds);
      const begin = (): void => {
        wait.milliseconds = Math.max(0, wait.milliseconds - (performance.now() - since));
        resolve();
      };
      const entry: Waiting = { need, begin, timer };
      queue.add(entry);
    });
  }

  #hasRoom(tenantId: string, { slots = 1, isShort }: Need): boolean {
    const { atOnce, inAll, reserved } = this.#limits;
    const free = isShort ? Number.POSITIVE_INFINITY : inAll - this.#runningInAll;
    const running = this.#running.get(tenantId);
    if (!running) return free > 0;
    return running.slots + slots <= atOnce && free > reserved;
  }

  #isFree(tenantId: string, { resource, isHeavy }: Need): boolean {
    if (isHeavy && this.#heavy.has(tenantId)) return false;
    if (resource === undefined) return true;
    const needs = this.#running.get(tenantId)?.needs.values();
    return !needs?.some((need) => need.resource === resource);
  }

  /** The first waiting job of a tenant whose resource is free, and which waits for no pause. */
  #nextOf(tenantId: string): Waiting | undefined {
    return this.#waiting
      .get(tenantId)
      ?.values()
      .find(({ need }) => this.#isFree(tenantId, need));
  }

  #begin(tenantId: string, need: Need): void {
    const running = this.#running.get(tenantId) ?? { slots: 0, needs: new Set() };
    this.#running.set(tenantId, running);
    running.slots += need.slots ?? 1;
    running.needs.add(need);
    if (!need.isShort) this.#runningInAll += 1;
    if (need.isHeavy) this.#heavy.set(tenantId, performance.now());
  }

  #leave(tenantId: string, need: Need): void {
    const running = this.#running.get(tenantId);
    if (running?.needs.delete(need)) running.slots -= need.slots ?? 1;
    if (running?.needs.size === 0) this.#running.delete(tenantId);
    if (!need.isShort) this.#runningInAll -= 1;
    while (this.#beginNext());
  }

  #pause(tenantId: string): void {
    const took = performance.now() - (this.#heavy.get(tenantId) ?? 0);
    const end = (): void => {
      this.#heavy.delete(tenantId);
      while (this.#beginNext());
    };
    setTimeout(end, Math.min(took, maxPause));
  }

  /** Begins the next job that has room. Tenants alternate. */
  #beginNext(): boolean {
    for (const [tenantId, queue] of this.#waiting) {
      if (queue.size === 0) this.#waiting.delete(tenantId);
      const next = this.#nextOf(tenantId);
      if (!next || !this.#hasRoom(tenantId, next.need)) continue;
      queue.delete(next);
      this.#waiting.delete(tenantId);
      if (queue.size > 0) this.#waiting.set(tenantId, queue);
      clearTimeout(next.timer);
      this.#begin(tenantId, next.need);
      next.begin();
      return true;
    }
    return false;
  }
}

/** The log has the message. The response has that of the contract. */
function overload(message: string): ContractError {
  return Object.assign(new ContractError('service_unavailable'), { message });
}

/** What a tenant can use at a time, in parts. */
const whole = 1024;

/** A write takes one more slot for every 4 KiB of its body, up to a quarter of the whole. */
const bytesOfSlot = 4 * 1024;

/** The size above which a body makes its request heavy, in bytes. */
const heavyBody = 64 * 1024;

/** Reads that are one look-up, which shares its execution with others. A slot would cost a tenth of their time. */
const lookups = new Set(['getMe', 'getProduct']);

/** Reads of the rows of one product. Their time does not grow with a tenant's data. */
const shortReads = new Set(['getPassport', 'listCarriers']);

/**
 * The queue of the API's requests. A request takes one slot in it before its first statement, and waits nowhere else for
 * requests of its tenant. In a SQLite file a request that is one look-up takes none. A tenant's slow reads take at most half
 * of the connections, and a quarter is left for tenants without running requests.
 *
 * @param tenantWrites small writes of one tenant that run at a time
 */
export function requestQueue(database: Knex, tenantWrites: number): QueueRequest {
  const connections: number = readerOf(database).client.pool.max;
  const reads = Math.max(1, Math.floor(connections / 2));
  const isServer = isPostgres(database);
  const writes = isServer ? Math.min(tenantWrites, reads) : tenantWrites;
  // A search in a file uses one processor until it ends. One stays free for the main thread.
  const searches = isServer ? reads : Math.min(reads, Math.max(1, availableParallelism() - 1));
  // One connection stays free for look-ups of keys.
  const inAll = Math.max(1, connections - 1);
  const queue = new TenantQueue({ atOnce: whole, inAll, reserved: Math.floor(connections / 4) });
  const slotsOfWrite = Math.max(1, Math.floor(whole / writes));
  const slotsOfLarge = Math.max(slotsOfWrite, whole / 4);

  /** Leaves some room for short reads of a file. On PostgreSQL all reads of a tenant share its connections. */
  const slotsOfRead = (atOnce: number): number => Math.floor(whole / (atOnce + 0.5));

  return ({ tenantId, operationId, method, slug, query, bytes }, work) => {
    if (method !== 'GET') {
      const slots = slotsOfWrite * (1 + Math.floor(bytes / bytesOfSlot));
      const need = { slots: Math.min(slots, slotsOfLarge), isShort: !isServer, isHeavy: bytes > heavyBody };
      // Of the writes to one product, one runs at a time.
      return queue.run(tenantId, (grow) => work(() => grow(slotsOfLarge)), { ...need, resource: slug });
    }
    const { search, status, gtin, serial = gtin } = query ?? {};
    const isPage = operationId === 'listProducts' && !search && !status && serial === undefined;
    if (!isServer && (isPage || lookups.has(operationId))) return work();
    if (!isServer && shortReads.has(operationId)) {
      return queue.run(tenantId, () => work(), { slots: whole / 32, isShort: true });
    }
    return queue.run(tenantId, () => work(), { slots: slotsOfRead(search ? searches : reads) });
  };
}

/** The connections of a database for each kind of work. */
interface DividedConnections {
  ofTenants: Knex;
  keyless: Knex;
  /** Runs the look-up of a key, which the network of a client sent. It takes its connection from the whole database. */
  lookUp<Result>(network: string, find: () => Promise<Result>): Promise<Result>;
}

/**
 * Divides the connections to PostgreSQL. Requests without a key use at most half of them, and so do look-ups of keys, which
 * may be invented. One is left for look-ups and for `/readyz`. A SQLite file needs no division: its reads are short or
 * shared.
 */
export function divideConnections(database: Knex): DividedConnections {
  if (!isPostgres(database)) return { ofTenants: database, keyless: database, lookUp: (_, find) => find() };
  const connections: number = database.client.pool.max;
  const half = Math.max(1, Math.floor(connections / 2));
  const waiting = Number.POSITIVE_INFINITY;
  const queue = new TenantQueue({ atOnce: half, inAll: Math.max(1, connections - 1), waiting });
  const lookups = new TenantQueue({ atOnce: half, inAll: half, waiting });
  return {
    // `requestQueue` limits each tenant.
    ofTenants: withTurns(database, () => queue.turn('tenants', { slots: 0 })),
    keyless: withTurns(database, () => queue.turn('keyless', { wait: keylessWait.getStore() })),
    lookUp: (network, find) => lookups.run(network, find),
  };
}
