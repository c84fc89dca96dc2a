import { server as createHapi, type Server } from '@hapi/hapi';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Readiness } from './readiness.ts';

interface AdminOptions {
  host: string;
  port: number;
  readiness: Readiness;
  metrics: Metrics;
  log: Log;
}

/** What an operator's tools read, on a listener of its own: `/healthz`, `/readyz` and `/metrics`. */
export function createAdmin({ host, port, readiness, metrics, log }: AdminOptions): Server {
  const server = createHapi({ host, port, debug: false, routes: { cache: { otherwise: 'no-store' } } });
  server.route({ method: 'GET', path: '/healthz', handler: () => ({ status: 'alive' }) });
  server.route({
    method: 'GET',
    path: '/readyz',
    async handler(_, h) {
      const reason = await readiness.unready();
      return reason === undefined ? { status: 'ready' } : h.response({ status: 'not_ready', reason }).code(503);
    },
  });
  server.route({
    method: 'GET',
    path: '/metrics',
    async handler(_, h) {
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
