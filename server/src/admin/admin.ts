import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { server as createHapi, type Server } from '@hapi/hapi';
import type { Refusal } from '../database/state.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';

interface AdminOptions {
  host: string;
  port: number;
  readiness: Readiness;
  metrics: Metrics;
  log: Log;
}

/** `/healthz`: 200 while the process responds. Programs wait for it until a server listens. */
export function addHealth(server: Server): void {
  server.route({ method: 'GET', path: '/healthz', handler: () => ({ status: 'alive' }) });
}

/** What an operator's tools read, on a listener of its own: `/healthz`, `/readyz` and `/metrics`. */
export function createAdmin({ host, port, readiness, metrics, log }: AdminOptions): Server {
  const server = createHapi({ host, port, debug: false, routes: { cache: { otherwise: 'no-store' } } });
  addHealth(server);
  server.route({
    method: 'GET',
    path: '/readyz',
    async handler(_, h) {
      const reason = await readiness.unready();
      if (reason !== undefined) return h.response({ status: 'not_ready', reason }).code(503);
      const { refusal } = readiness;
      return { status: 'ready', ...(refusal !== undefined && { writes: 'refused', reason: refusal }) };
    },
  });
  server.route({
    method: 'GET',
    path: '/metrics',
    async handler({ raw }, h) {
      if (!isOwnName(raw.req.headers.host ?? '', host)) return h.response({ status: 'misdirected' }).code(421);
      return h.response(await metrics.text()).header('content-type', metrics.contentType);
    },
  });
  server.events.on('response', ({ path, route, response }) => {
    const status = 'statusCode' in response ? response.statusCode : response.output.statusCode;
    // A path without a route is what the client wrote.
    log.debug({ path: route.path === path ? path : undefined, status }, 'admin request');
  });
  return server;
}

/**
 * Whether a `Host` names this listener: an address, a name of the local network, or `--admin-host`. A public name that
 * leads to this machine could be that of a web page, which would then read the response (DNS rebinding).
 */
function isOwnName(header: string, ownHost: string): boolean {
  const name = header.replace(/:\d*$/, '').replace(/^\[|\]$/g, '');
  return isIP(name) > 0 || !name.includes('.') || name === ownHost || /\.(?:local|localhost|internal)$/i.test(name);
}

/** How long the database may take to respond to a check, in milliseconds. */
const checkTimeout = 2000;

type Check = () => Promise<unknown>;

/** Whether a server should receive requests: after its start, before its stop, and while its database responds. */
export class Readiness {
  #state: 'starting' | 'serving' | 'stopping' = 'starting';
  #checkDatabase: Check = () => Promise.resolve();
  #checkWrites: Check = () => Promise.resolve();
  #database: { readonly refusal: Refusal | undefined } = { refusal: undefined };

  /**
   * @param checkDatabase rejects if the database does not respond
   * @param checkWrites brings the refusal of the database up to date
   */
  serving(checkDatabase: Check, checkWrites: Check, database: { readonly refusal: Refusal | undefined }): void {
    this.#checkDatabase = checkDatabase;
    this.#checkWrites = checkWrites;
    this.#database = database;
    this.#state = 'serving';
  }

  stopping(): void {
    this.#state = 'stopping';
  }

  get isStopping(): boolean {
    return this.#state === 'stopping';
  }

  /** Why the database refuses writes, if it does. */
  get refusal(): Refusal | undefined {
    return this.#database.refusal;
  }

  /** The reason why the server is not ready, or undefined if it is. */
  async unready(): Promise<'starting' | 'stopping' | 'database' | 'wrong_file' | undefined> {
    if (this.#state !== 'serving') return this.#state;
    const [responds] = await Promise.all([this.#checkDatabase, this.#checkWrites].map(respondsInTime));
    // It may have begun to stop meanwhile.
    if (this.#state !== 'serving') return this.#state;
    if (this.refusal === 'wrong_file') return 'wrong_file';
    return responds ? undefined : 'database';
  }
}

function respondsInTime(check: Check): Promise<boolean> {
  const responds = check().then(
    () => true,
    () => false,
  );
  return Promise.race([responds, setTimeout(checkTimeout, false, { ref: false })]);
}
