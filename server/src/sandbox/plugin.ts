/** `serve --sandbox`: `/_sandbox/…`, with which tests control the server. Nothing else in the server refers to this folder. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Lifecycle, Plugin, Request, Server } from '@hapi/hapi';
import { ContractError, errorMeanings, readJson } from '@product-passport/openapi';
import { addHealth } from '../admin/admin.ts';
import type { Contract } from '../contract/document.ts';
import { isSandboxDatabase } from '../database/open.ts';
import { bearerKey } from '../http/authentication.ts';
import { readBytes } from '../http/body.ts';
import type { RespondToError } from '../http/error-response.ts';
import { queryOf } from '../http/query.ts';
import { unreadBody } from '../http/route-options.ts';
import type { Services } from '../services.ts';
import { hostFault } from './host.ts';
import { ControlError } from './input.ts';
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
    if (!(await isSandboxDatabase(services.database))) {
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
    const respond = responder(controlToken, respondToError);
    const routes = controlRoutes({ services, contract, states });
    for (const route of routes) addRoute(server, route.method, route.path, respond(route.run));
    addRefusals(server, routes, respond);
  },
};

function addRoute(server: Server, method: ControlRoute['method'] | '*', path: string, handler: Lifecycle.Method): void {
  const options = { auth: false as const, ...(method === 'GET' ? {} : { payload: unreadBody }) };
  server.route({ method, path: `/_sandbox${path}`, options, handler });
}

/** Other methods and paths. They need the token, too. */
function addRefusals(server: Server, routes: ControlRoute[], respond: ReturnType<typeof responder>): void {
  for (const [path, known] of Map.groupBy(routes, (route) => route.path)) {
    const allow = known.map(({ method }) => method).join(', ');
    const refuse = () => {
      throw new ControlError(405, 'method_not_allowed', `Use ${allow} for this path.`, { allow });
    };
    addRoute(server, '*', path, respond(refuse));
  }
  const unknown = () => {
    throw new ControlError(
      404,
      'not_found',
      'The sandbox has no such path. The README of @product-passport/server lists its paths.',
    );
  };
  addRoute(server, '*', '/{rest*}', respond(unknown));
}

/** Makes Hapi's handler of a control operation: checks the token, reads the body, and responds to errors. */
function responder(controlToken: string, respondToError: RespondToError) {
  return (run: ControlRoute['run'] | (() => never)): Lifecycle.Method =>
    async (request, h) => {
      try {
        requireToken(request, controlToken);
        const body = await readBody(request);
        return h.response(await run({ params: request.params as Record<string, string>, body }));
      } catch (error) {
        const { status, headers, body } = refusal(error, respondToError);
        const response = h.response(body).code(status);
        for (const [name, value] of Object.entries(headers)) response.header(name, value);
        return response;
      }
    };
}

/** A Pact verifier sends no header of its own, so the query may have the token. */
function requireToken(request: Request, controlToken: string): void {
  const given = bearerKey(request.raw.req) ?? queryOf(request).values.get('control_token') ?? '';
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
  const { value, faults } = readJson(bytes);
  if (faults[0] !== undefined) throw new ContractError('invalid_request', faults[0]);
  return value;
}

function refusal(error: unknown, respondToError: RespondToError) {
  if (error instanceof ContractError) return respondToError(error);
  if (!(error instanceof ControlError)) throw error;
  const { status, headers, code, message } = error;
  return { status, headers, body: { error: { code, message } } };
}
