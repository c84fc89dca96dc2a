/**
 * Admission: what the server accepts before Hapi sees it, so that a flood leaves room and time for everybody else.
 *
 * - A connection has one request in progress. Those sent ahead wait; beyond a bound the connection is closed.
 * - Half of the places for requests belong to requests with a valid key, divided among tenants, and half to all others,
 *   divided among addresses. A request beyond its share is refused with 503.
 * - Few requests of each kind, and few refusals, start in one turn of the event loop.
 * - Connections are divided among addresses, the bytes of bodies among tenants.
 *
 * `Shares` divides, `FairQueue` takes turns, `RequestKeys` says whose key a request has.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Server } from '@hapi/hapi';
import { ContractError } from '@product-passport/openapi';
import { bearerKey } from '../http/authentication.ts';
import { discardBody } from '../http/body.ts';
import type { RefusingLimit } from '../http/finished.ts';
import type { Limit } from '../http/rate-limit.ts';
import { addressOf, networkOf } from '../http/visit.ts';
import type { Log } from '../log/log.ts';
import { FairQueue } from './fair-queue.ts';
import type { RequestKeys } from './keys.ts';
import type { Raw, Refuse } from './refusal.ts';

export interface AdmissionLimits {
  /** Most requests in progress. One is in progress until the client has its whole response. 0 means no limit. */
  requests: number;
  /** Most open connections; 0 means no limit. */
  connections: number;
  /** Most bytes of bodies that the requests in progress hold. */
  bodyBytes: number;
  /** How long a client may take to read a response, in milliseconds. */
  responseTimeout: number;
}

export interface AdmissionOptions extends AdmissionLimits {
  /** Number of our own proxies in front of the server. All connections are theirs, so they are not divided. */
  proxies: number;
  keys: RequestKeys<{ id: string }>;
  /** Counts a request without a valid key by its address. */
  limitAddress: Limit | undefined;
  limitHit: (limit: RefusingLimit) => void;
  log: Pick<Log, 'warn'>;
}

/** Most requests that a connection sends ahead of the response to its first one. */
const mostAhead = 32;

/** Most look-ups of keys that are not known, and most bodies that are discarded at a time. */
const mostLookups = 256;
const mostDiscards = 4096;

/** Requests with a key that start in one turn of the event loop. */
const perTurn = 32;

/** Requests without a key that start in one turn, and as many refusals. A request with a key waits for both at most. */
const perKeylessTurn = 8;

/** The same while a request with a key is in progress. */
const perSharedTurn = 1;

/** How many times in the time of a response its reader is checked. */
const readerChecks = 4;

/** Time between two lines of the log, in milliseconds. */
const logInterval = 10_000;

interface Connection {
  /** The network of its client, or of our own proxy. */
  network: string;
  waiting: Raw[];
  /** The response to the request in progress. */
  current: ServerResponse | undefined;
  /** Whose place the request in progress has, and among which. */
  place: { places: Shares; party: string } | undefined;
  /** When a check first found the whole response written. */
  unreadSince: number | undefined;
}

/** Requests with a valid key, or all others. */
interface Kind {
  places: Shares;
  queue: FairQueue;
}

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #keyed: Kind;
  readonly #keyless: Kind;
  readonly #refusals = new FairQueue(() => this.#perTurn());
  readonly #lookups = new Shares(mostLookups);
  readonly #discards = new Shares(mostDiscards);
  readonly #bodies: Shares;
  readonly #connections = new Map<Socket, Connection>();
  #refused = 0;
  #dispatch: RequestListener = () => undefined;
  #refuse: Refuse = () => undefined;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    const half = Math.ceil(options.requests / 2);
    this.#keyed = { places: new Shares(half), queue: new FairQueue(() => perTurn) };
    this.#keyless = { places: new Shares(half), queue: new FairQueue(() => this.#perTurn()) };
    this.#bodies = new Shares(options.bodyBytes);
  }

  /** Stands between the listener of a server and Hapi. */
  guard(server: Server, refuse: Refuse): void {
    const { listener } = server;
    const [dispatch] = listener.listeners('request') as RequestListener[];
    if (!dispatch) throw new Error('Hapi does not listen for requests.');
    this.#dispatch = dispatch;
    this.#refuse = refuse;
    listener.removeListener('request', dispatch);
    this.#divideConnections(listener);
    listener.on('request', (req: IncomingMessage, res: ServerResponse) => this.#arrive({ req, res }));

    const timers = [
      setInterval(() => this.#cutSlowReaders(), this.#options.responseTimeout / readerChecks).unref(),
      setInterval(() => this.#logRefused(), logInterval).unref(),
    ];
    // Hapi ends the connections whose requests it has not received.
    server.ext('onPreStop', () => {
      for (const queue of [this.#keyed.queue, this.#keyless.queue, this.#refusals]) queue.drain();
    });
    server.events.on('stop', () => {
      for (const timer of timers) clearInterval(timer);
      this.#logRefused();
    });
  }

  /** Discards the rest of a request's body. The request has no place meanwhile, and waits only if few others do. */
  async discardBody({ req }: Pick<Raw, 'req'>): Promise<void> {
    if (req.complete) return;
    this.#givePlace(this.#connections.get(req.socket));
    const network = this.#networkOf(req);
    if (!this.#discards.take(network)) return;
    await discardBody(req);
    this.#discards.give(network);
  }

  /**
   * Makes the function that takes room for bytes of a body until the end of the response.
   *
   * @throws ContractError `service_unavailable` if the bodies of the tenant and of others leave no room
   */
  roomForBody(tenantId: string, response: ServerResponse): (bytes: number) => void {
    let held = 0;
    const give = (): void => {
      this.#bodies.give(tenantId, held);
      held = 0;
    };
    // An injected request has no connection that closes.
    response.once('close', give).once('finish', give);
    return (bytes) => {
      if (!this.#bodies.take(tenantId, bytes)) {
        this.#options.limitHit('bodies');
        throw new ContractError('service_unavailable');
      }
      held += bytes;
    };
  }

  #givePlace(connection: Connection | undefined): void {
    if (!connection?.place) return;
    const { places, party } = connection.place;
    connection.place = undefined;
    places.give(party);
  }

  #perTurn(): number {
    return this.#keyed.places.used === 0 ? perKeylessTurn : perSharedTurn;
  }

  #divideConnections(listener: Server['listener']): void {
    const { connections: most, proxies, limitHit } = this.#options;
    const shares = new Shares(proxies === 0 ? most : 0);
    if (most > 0) listener.maxConnections = most;
    listener.on('drop', () => limitHit('connections'));
    listener.on('connection', (socket: Socket) => {
      const network = networkOf(socket.remoteAddress ?? '');
      if (!shares.take(network)) {
        limitHit('connections');
        socket.destroy();
        return;
      }
      const connection: Connection = {
        network,
        waiting: [],
        current: undefined,
        place: undefined,
        unreadSince: undefined,
      };
      this.#connections.set(socket, connection);
      socket.once('close', () => {
        this.#connections.delete(socket);
        this.#givePlace(connection);
        shares.give(network);
      });
    });
  }

  #networkOf(request: IncomingMessage): string {
    const { proxies } = this.#options;
    const known = proxies === 0 ? this.#connections.get(request.socket)?.network : undefined;
    return known ?? networkOf(addressOf(request, proxies));
  }

  #arrive(raw: Raw): void {
    const { socket } = raw.req;
    const connection = this.#connections.get(socket);
    if (!connection || socket.destroyed) return;
    if (connection.waiting.length === mostAhead) {
      this.#options.limitHit('requests_ahead');
      connection.waiting = [];
      stopParser(socket);
      socket.destroy();
      return;
    }
    connection.waiting.push(raw);
    if (!connection.current) this.#admitNext(connection);
  }

  #admitNext(connection: Connection): void {
    const next = connection.waiting.shift();
    connection.current = next?.res;
    connection.unreadSince = undefined;
    if (!next || isEnded(next)) return;
    next.res.on('close', () => {
      this.#givePlace(connection);
      this.#admitNext(connection);
    });
    this.#admit(next);
  }

  #admit(raw: Raw): void {
    const { keys } = this.#options;
    const key = bearerKey(raw.req);
    const tenantId = key === undefined ? undefined : keys.knownTenant(key);
    if (tenantId !== undefined) this.#enter(this.#keyed, tenantId, raw);
    else if (key === undefined) this.#admitKeyless(this.#networkOf(raw.req), raw);
    else void this.#admitUnknown(this.#networkOf(raw.req), raw, key);
  }

  /** Admits a request whose key is not known. Until the key is looked up, the request has no place. */
  async #admitUnknown(network: string, raw: Raw, key: string): Promise<void> {
    const { keys } = this.#options;
    const isFirst = !keys.isPending(key);
    if (isFirst && !this.#lookups.take(network)) {
      this.#refuseLater(network, raw, new ContractError('service_unavailable'), 'key_lookups');
      return;
    }
    // If the database fails, authentication receives the error.
    const tenantId = await keys.learn(raw.req, key).catch(() => undefined);
    if (isFirst) this.#lookups.give(network);
    if (tenantId === undefined) this.#admitKeyless(network, raw);
    else this.#enter(this.#keyed, tenantId, raw);
  }

  #admitKeyless(network: string, raw: Raw): void {
    const { limitAddress } = this.#options;
    if (!limitAddress) this.#enter(this.#keyless, network, raw);
    else
      limitAddress(network).then(
        () => this.#enter(this.#keyless, network, raw),
        (error) => this.#refuseLater(network, raw, error, 'address_rate'),
      );
  }

  #enter({ places, queue }: Kind, party: string, raw: Raw): void {
    const connection = this.#connections.get(raw.req.socket);
    if (!connection || isEnded(raw)) return;
    if (!places.take(party)) {
      this.#refuseLater(party, raw, new ContractError('service_unavailable'), 'requests');
      return;
    }
    const { req, res } = raw;
    connection.place = { places, party };
    queue.add(party, () => {
      if (!isEnded(raw)) this.#dispatch(req, res);
    });
  }

  #refuseLater(party: string, raw: Raw, error: unknown, limit: RefusingLimit): void {
    this.#refused += 1;
    this.#refusals.add(party, () => {
      if (!isEnded(raw)) this.#refuse(raw, error, limit);
    });
  }

  #cutSlowReaders(): void {
    const now = performance.now();
    for (const [socket, connection] of this.#connections) {
      if (!connection.current?.writableEnded) continue;
      connection.unreadSince ??= now;
      if (now - connection.unreadSince > this.#options.responseTimeout) socket.destroy();
    }
  }

  #logRefused(): void {
    const inFlight = this.#keyed.places.used + this.#keyless.places.used;
    if (this.#refused > 0)
      this.#options.log.warn(
        { requests: this.#refused, in_flight: inFlight },
        'too many requests in flight: some were refused',
      );
    this.#refused = 0;
  }
}

/**
 * Stops Node's parser at the next request. The rest of what it was given may be thousands of requests, and Node would make
 * each of them only to abort it, which takes tens of milliseconds.
 */
function stopParser(socket: Socket & { parser?: { onIncoming: () => number } }): void {
  // 2 means that the bytes behind the request are not HTTP.
  if (socket.parser) socket.parser.onIncoming = () => 2;
}

/** Whether the connection cannot carry the response. A stop ends connections, and the request must not run then. */
function isEnded({ req: { socket } }: Raw): boolean {
  if (!socket.writableEnded) return socket.destroyed;
  socket.destroy();
  return true;
}

/**
 * Divides units among parties: requests in progress among tenants, connections among addresses. A party may hold as many
 * units as are free. So one alone gets half of them, n greedy ones get 1/(n + 1) each, and a new one always finds some.
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
