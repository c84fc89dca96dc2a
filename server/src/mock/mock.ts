/** The static mock: Prism behind the server's own HTTP layer. It has no state and no database. */

import type { IncomingMessage } from 'node:http';
import { isBoom } from '@hapi/boom';
import { server as createHapi, type Plugin, type Server } from '@hapi/hapi';
import { ContractError } from '@product-passport/openapi';
import { addHealth } from '../admin/admin.ts';
import { readContract } from '../contract/document.ts';
import { authenticationPlugin, bearerKey } from '../http/authentication.ts';
import { type ConnectionsOptions, connectionsPlugin, createServer } from '../http/connections.ts';
import { errorResponder } from '../http/error-response.ts';
import { errorsPlugin } from '../http/errors.ts';
import { fallbacksPlugin } from '../http/fallbacks.ts';
import { statusOf } from '../http/finished.ts';
import { requestIdPlugin } from '../http/request-id.ts';
import { targetPlugin } from '../http/target.ts';
import type { Log } from '../log/log.ts';
import { addRendering, errorPages } from '../site/rendering.ts';
import { loadPrism } from './prism.ts';
import { mockRoutesPlugin } from './routes.ts';

export interface MockOptions {
  host: string;
  /** 0 means any free port. */
  port: number;
  /** The root of the addresses that Digital Links lead to. */
  siteUrl: (listening: Server) => string;
  log: Log;
}

/** Every key belongs to this tenant. */
const tenant = { id: 'mock', name: 'Mock', slug: 'mock', country: 'DE', plan: 'starter' };

/**
 * Composes the mock. It does not listen yet.
 *
 * @throws UnusablePrism if this Node is too old, or Prism is not installed
 */
export async function createMock({ host, port, siteUrl, log }: MockOptions): Promise<Server> {
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
  const tenantOf = async (request: IncomingMessage) => (bearerKey(request) === undefined ? undefined : tenant);
  const render = addRendering(server);
  await server.register([
    { plugin: requestIdPlugin },
    { plugin: mockLogPlugin, options: { log } },
    { plugin: connectionsPlugin, options: connections },
    { plugin: targetPlugin },
    { plugin: errorsPlugin, options: { respondToError, errorPage: errorPages(render), log } },
    { plugin: authenticationPlugin, options: { tenantOf, limitTenant: async () => {} } },
    { plugin: mockRoutesPlugin, options: { contract, prism, siteUrl: () => siteUrl(server) } },
    { plugin: fallbacksPlugin, options: { contract } },
  ]);
  addHealth(server);
  return server;
}

/**
 * Logs one line for each request, with what is wrong with it. Of the request it holds the method and the path, without
 * keys and access tokens. Register it before the plugin that sends the errors.
 */
const mockLogPlugin: Plugin<{ log: Log }> = {
  name: 'mock-log',
  register(server, { log }) {
    server.ext('onPreResponse', ({ response, app }, h) => {
      // The message of an error never repeats the request.
      if (isBoom(response) && response instanceof ContractError) app.violations = [response.message];
      return h.continue;
    });
    server.events.on('response', (request) => {
      const { app, method, path, route, info } = request;
      const { requestId: request_id, violations = [] } = app;
      log.info(
        {
          request_id,
          operation: route.settings.app?.operation,
          method,
          path: withoutSecrets(path),
          status: statusOf(request),
          duration_ms: info.completed - info.received,
          ...(violations.length > 0 && { violations }),
        },
        'request',
      );
    });
  },
};

/** A key or an access token in a path is a client's mistake, but the log is no place for it. */
function withoutSecrets(path: string): string {
  return path.replace(/ppk_[^/]*/g, 'ppk_…').replace(/eyJ[^/]*/g, 'eyJ…');
}
