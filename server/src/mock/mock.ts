/** The static mock: Prism with the HTTP layer and the errors of the server. It has no state and no database. */

import type { Server } from '@hapi/hapi';
import { keyIn, readContract } from '@product-passport/openapi';
import { addHealth } from '../admin/admin.ts';
import { addKeyScheme } from '../http/admission.ts';
import { connectionsPlugin, createServer } from '../http/connections.ts';
import { errorResponder, errorsPlugin } from '../http/errors.ts';
import { requestLog, requestLogPlugin } from '../http/request-log.ts';
import { fallbacksPlugin } from '../http/routes.ts';
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

/** The mock runs on the machine of its users. */
const unlimited = { isStopping: () => false, maxConnections: 0, isBehindProxy: false, limitHit: () => {} };

/** Every key belongs to this tenant. */
const tenant = { id: 'mock', name: 'Mock', slug: 'mock', country: 'DE', plan: 'starter' };

/**
 * Composes the mock. It does not listen yet.
 *
 * @throws OperatorError if this Node is too old, or Prism is not installed
 */
export async function createMock({ host, port, siteUrl, log }: MockOptions): Promise<Server> {
  const prism = await loadPrism();
  const contract = readContract();
  const respondToError = errorResponder(contract, () => false);
  const server = createServer(host, port);
  const finished = requestLog(log, 1);
  addKeyScheme(server, async ({ raw, app }) => {
    if (keyIn(raw.req.headers.authorization) === undefined) return undefined;
    app.tenant = tenant.slug;
    return tenant;
  });
  const render = addRendering(server);
  await server.register([
    { plugin: requestLogPlugin, options: { finished } },
    { plugin: connectionsPlugin, options: { respondToError, finished, ...unlimited } },
    { plugin: targetPlugin },
    { plugin: errorsPlugin, options: { respondToError, errorPage: errorPages(render), log } },
    { plugin: mockRoutesPlugin, options: { contract, prism, siteUrl: () => siteUrl(server) } },
    { plugin: fallbacksPlugin, options: { contract } },
  ]);
  addHealth(server);
  return server;
}
