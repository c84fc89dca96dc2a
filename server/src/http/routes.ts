import type { Lifecycle, Plugin, Request, Server } from '@hapi/hapi';
import { codesOf } from '@product-passport/openapi';
import type { Contract, Operation } from '../contract/document.ts';
import { pathValidation } from '../contract/paths.ts';
import { queryValidation } from '../contract/query.ts';
import { bodyValidation, throwFirst } from '../contract/validation.ts';
import { type BodyLimits, readBytes } from './body.ts';
import { Encoded } from './encoded.ts';
import type { Handlers } from './handlers.ts';
import { readJson } from './json.ts';
import { queryOf } from './query.ts';
import type { Limit } from './rate-limit.ts';
import { preferredType, representationOf } from './representation.ts';
import { pathOptions, unreadBody } from './route-options.ts';
import { visitOf } from './visit.ts';

interface RouteSettings extends BodyLimits {
  /** Number of our own proxies in front of the server. */
  proxies: number;
  /** Counts a request without a key by the client's address. */
  limitAddress: Limit;
  /** Runs a write through the queue of its tenant; of writes to one product, one at a time. */
  queueWrite: <Result>(tenantId: string, write: () => Promise<Result>, slug: string | undefined) => Promise<Result>;
}

interface RoutesOptions extends RouteSettings {
  contract: Contract;
  handlers: Handlers;
}

/** Makes one route for each operation of the contract. */
export const routesPlugin: Plugin<RoutesOptions> = {
  name: 'routes',
  dependencies: ['authentication'],
  register(server, { contract, handlers, ...settings }) {
    assertComplete(contract.operations, handlers);
    for (const operation of contract.operations) {
      addOperation(server, operation, handlers[operation.operationId] as AnyHandler, settings);
    }
  },
};

/** A handler of any operation. Where it is defined, the compiler checks it against its operation. */
type AnyHandler = (request: never) => Promise<unknown>;

function assertComplete(operations: Operation[], handlers: Handlers): void {
  const named = new Set<string>(operations.map((operation) => operation.operationId));
  const missing = [...named].filter((id) => !(id in handlers));
  const surplus = Object.keys(handlers).filter((id) => !named.has(id));
  if (missing.length > 0) throw new Error(`The contract has operations without a handler: ${missing.join(', ')}.`);
  if (surplus.length > 0) throw new Error(`There are handlers without an operation: ${surplus.join(', ')}.`);
}

function addOperation(server: Server, operation: Operation, handle: AnyHandler, settings: RouteSettings): void {
  const { method, secured } = operation;
  const read = inputReader(operation, settings);
  const types = Object.keys(operation.responses['200']?.content ?? {});
  const isLimited = '429' in operation.responses;
  addRoute(server, operation, async (request, h) => {
    if (secured) {
      const input = await read(request);
      const tenant = request.auth.credentials.tenant as { id: string };
      const { slug } = request.params as { slug?: string };
      const run = (): Promise<unknown> => handle({ ...input, tenant } as never);
      const result = method === 'GET' ? await run() : await settings.queueWrite(tenant.id, run, slug);
      // Hapi treats a Buffer as a download.
      if (result instanceof Encoded) return h.response(result.bytes).type('application/json');
      return h.response(result as object);
    }
    const visit = visitOf(request, settings.proxies);
    if (isLimited) await settings.limitAddress(visit.address);
    const input = await read(request);
    const mediaType = preferredType(visit.accept, types);
    const { parts } = queryOf(request);
    const result = await handle({ ...input, visit, mediaType, queryParts: parts } as never);
    return representationOf(result as Parameters<typeof representationOf>[0], request, h);
  });
}

/** Adds the route of an operation. */
export function addRoute(server: Server, operation: Operation, handler: Lifecycle.Method): void {
  const { operationId, method, path, secured, body } = operation;
  server.route({
    method,
    path,
    options: {
      auth: secured ? 'apiKey' : false,
      app: { ...pathOptions(operation), operation: operationId },
      ...(body ? { payload: unreadBody } : {}),
      handler,
    },
  });
}

/** The parts of a request that the contract describes, validated in the order of the contract. */
export function inputReader(operation: Operation, limits: BodyLimits): (request: Request) => Promise<object> {
  const query = queryValidation(operation.parameters, operation.secured);
  const checkPath = pathValidation(operation.parameters);
  const body = operation.body && bodyValidation(operation.body);
  const order = codesOf(operation.responses['400']);

  const readBody = async ({ raw }: Request): Promise<unknown> => {
    if (!body) return undefined;
    const bytes = await readBytes(raw, limits);
    const { body: given, violations } = readJson(bytes, raw.req.headers as Record<string, string>);
    const judged = body.judge(given);
    throwFirst([...judged.violations, ...violations], order);
    return judged.body;
  };

  return async (request) => {
    const input = { query: query(queryOf(request)), body: await readBody(request), path: request.params };
    checkPath(request.params as Record<string, string>);
    return input;
  };
}
