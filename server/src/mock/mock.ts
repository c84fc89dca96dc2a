/** The static mock: Prism behind the server's own HTTP layer. It has no state and no database. */
import { createServer } from 'node:http';
import { server as createHapi, type Server } from '@hapi/hapi';
import { readContract } from '../contract/document.ts';
import { authenticationPlugin } from '../http/authentication.ts';
import { type ConnectionsOptions, connectionsPlugin } from '../http/connections.ts';
import { errorResponder } from '../http/error-response.ts';
import { errorsPlugin } from '../http/errors.ts';
import { fallbacksPlugin } from '../http/fallbacks.ts';
import { requestIdPlugin } from '../http/request-id.ts';
import { targetPlugin } from '../http/target.ts';
import type { Log } from '../log/log.ts';
import { addRendering, errorPages } from '../site/rendering.ts';
import { loadPrism } from './prism.ts';
import { mockLogPlugin } from './request-log.ts';
import { mockRoutesPlugin } from './routes.ts';

export interface MockOptions {
  host: string;
  /** 0 means any free port. */
  port: number;
  log: Log;
}

/** Every key belongs to this tenant. */
const tenant = { id: 'mock', name: 'Mock', slug: 'mock', country: 'DE', plan: 'starter' };

/**
 * Composes the mock. It does not listen yet.
 *
 * @throws UnusablePrism if this Node is too old, or Prism is not installed
 */
export async function createMock({ host, port, log }: MockOptions): Promise<Server> {
  const prism = await loadPrism();
  const contract = readContract();
  const respondToError = errorResponder(contract, () => false);
  const server = createHapi({
    host,
    port,
    // `connectionsPlugin` refuses a missing Host. Node's own response would have no body.
    listener: createServer({ requireHostHeader: false }),
    debug: false,
    router: { stripTrailingSlash: true },
    routes: { response: { ranges: false }, state: { parse: false, failAction: 'ignore' } },
  });
  const connections: ConnectionsOptions = {
    respondToError,
    finished: ({ requestId: request_id, status, code }) => log.info({ request_id, status, code }, 'request'),
    isStopping: () => false,
  };
  const render = addRendering(server);
  await server.register([
    { plugin: requestIdPlugin },
    { plugin: mockLogPlugin, options: { log } },
    { plugin: connectionsPlugin, options: connections },
    { plugin: targetPlugin },
    { plugin: errorsPlugin, options: { respondToError, errorPage: errorPages(render), log } },
    { plugin: authenticationPlugin, options: { tenantOfKey: async () => tenant, limitTenant: async () => {} } },
    { plugin: mockRoutesPlugin, options: { contract, prism, respondToError } },
    { plugin: fallbacksPlugin, options: { contract } },
  ]);
  return server;
}
