/** `serve --sandbox`: `/_sandbox/…`, with which tests control the server. Nothing else in the server refers to this folder. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Lifecycle, Plugin, Request, Server } from '@hapi/hapi';
import { errorMeanings, keyIn, readJson } from '@product-passport/openapi';
import { throwFirst } from '@product-passport/openapi/body';
import { addHealth } from '../admin/admin.ts';
import type { Contract } from '../contract/document.ts';
import { purposeOf } from '../database/open.ts';
import { readBytes } from '../http/body.ts';
import type { RespondToError } from '../http/error-response.ts';
import { withHeaders } from '../http/representation.ts';
import { unreadBody } from '../http/routes.ts';
import { queryOf } from '../http/target.ts';
import type { Services } from '../services.ts';
import { hostFault } from './client.ts';
import { ControlError, notFound } from './control.ts';
import { type ControlRoute, controlRoutes } from './routes.ts';
import { TenantStates } from './state.ts';
import { trafficPlugin } from './traffic.ts';

interface SandboxOptions {
  controlToken: string;
  contract: Contract;
  services: Services;
  respondToError: RespondToError;
}

/** How long the body of a control request may take to arrive, in milliseconds. */
const bodyTimeout = 10_000;

export const sandboxPlugin: Plugin<SandboxOptions> = {
  name: 'sandbox',
  async register(server, { controlToken, contract, services, respondToError }) {
    const fault = hostFault(server.settings.host ?? '');
    if (fault !== undefined) throw new Error(fault);
    if ((await purposeOf(services.database)) !== 'sandbox') {
      throw new Error(
        'A sandbox needs a database that it created: open it with `openDatabase(address, { sandbox: true })`.',
      );
    }
    const states = new TenantStates();
    await server.register({
      plugin: trafficPlugin,
      options: { database: services.database, states, meanings: errorMeanings(contract), respondToError },
    });
    addHealth(server);
    const respond = responder(controlToken);
    const routes = controlRoutes(services, contract, states);
    for (const { method, path, run } of routes) {
      const handler = respond(({ params }, body) => run({ params: params as Record<string, string>, body }));
      addRoute(server, method, path, handler);
    }
    addRoute(
      server,
      '*',
      '/{rest*}',
      respond(({ path }) => refuse(server, path)),
    );
  },
};

function addRoute(server: Server, method: ControlRoute['method'] | '*', path: string, handler: Lifecycle.Method): void {
  const options = { auth: false as const, ...(method === 'GET' ? {} : { payload: unreadBody }) };
  server.route({ method, path: `/_sandbox${path}`, options, handler });
}

/** Other methods and paths. They need the token, too. */
function refuse(server: Server, path: string): never {
  const known = ['GET', 'POST', 'DELETE'] as const;
  const allow = known.filter((method) => server.match(method, path)?.method === method.toLowerCase()).join(', ');
  if (allow) throw new ControlError(405, 'method_not_allowed', `Use ${allow} for this path.`, { allow });
  throw notFound('The sandbox has no such path. The README of @product-passport/server lists its paths.');
}

/** Makes Hapi's handler of a control operation: checks the token, reads the body, and responds to the sandbox's own errors. */
function responder(controlToken: string) {
  return (run: (request: Request, body: unknown) => Promise<object>): Lifecycle.Method =>
    async (request, h) => {
      try {
        requireToken(request, controlToken);
        return h.response(await run(request, await readBody(request)));
      } catch (error) {
        if (!(error instanceof ControlError)) throw error;
        const { status, headers, code, message } = error;
        return withHeaders(h.response({ error: { code, message } }).code(status), headers);
      }
    };
}

/** A Pact verifier sends no header of its own, so the query may have the token. */
function requireToken(request: Request, controlToken: string): void {
  const given = keyIn(request.raw.req.headers.authorization) ?? queryOf(request).values.get('control_token') ?? '';
  if (timingSafeEqual(digest(given), digest(controlToken))) return;
  throw new ControlError(
    401,
    'invalid_control_token',
    'The control token is missing or wrong. Send the one that the server printed, as Authorization: Bearer.',
    { 'www-authenticate': 'Bearer' },
  );
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Reads the body as JSON, whatever its type. An empty one is an object without members. */
async function readBody({ raw, method }: Request): Promise<unknown> {
  if (method === 'get' || method === 'head') return {};
  const bytes = await readBytes(raw, { bodyTimeout });
  if (bytes.length === 0) return {};
  const { value, violations } = readJson(bytes);
  throwFirst(violations, []);
  return value;
}
