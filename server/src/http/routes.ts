import { setImmediate } from 'node:timers/promises';
import type { Lifecycle, Plugin, Request, ResponseObject, ResponseToolkit, RouteOptionsApp, Server } from '@hapi/hapi';
import {
  type Contract,
  ContractError,
  closest,
  type ErrorForm,
  type Fallback,
  isView,
  type Operation,
  type OperationId,
  pathValidation,
  queryValidation,
} from '@product-passport/openapi';
import { bodyReader } from '@product-passport/openapi/body';
import Joi from 'joi';
import { type Admission, type CallerKey, clientAddress, networkOf } from './admission.ts';
import { type BodyLimits, readBytes } from './body.ts';
import { Encoded } from './encoded.ts';
import { type Handlers, type Visit, type WaitAsLarge, WithHeaders } from './handlers.ts';
import { acceptsGzip, preferredType, representationOf, respondWith, withHeaders } from './representation.ts';
import { queryOf } from './target.ts';

declare module '@hapi/hapi' {
  interface RouteOptionsApp {
    /** Needs no key, and other sites may read the response. */
    isPublic?: boolean;
    /** Default: JSON. Those who scan a printed code prefer pages. */
    errors?: ErrorForm;
    /** Default: that of the path. */
    errorBody?: object;
    /** The operation of the contract. */
    operation?: OperationId;
  }
}

/** A request of a tenant. */
interface TenantRequest {
  tenantId: string;
  operationId: string;
  method: string;
  /** The product that it names. */
  slug: string | undefined;
  query: Partial<Record<'search' | 'status' | 'gtin' | 'serial', unknown>> | undefined;
  /** The size of its body. */
  bytes: number;
}

/** Runs a request when its tenant's queue has a slot for it. Rejects if the tenant has too many requests. */
export type QueueRequest = <Result>(
  request: TenantRequest,
  work: (waitAsLarge?: WaitAsLarge) => Promise<Result>,
) => Promise<Result>;

/**
 * Maximum size of a response of the API that is compressed, in bytes. A list of 200 products takes half a millisecond, a
 * passport of 2 MB would take 30.
 */
const maxCompressedAnew = 128 * 1024;

interface RoutesOptions {
  contract: Contract;
  handlers: Handlers;
  /** How long a body may take to arrive, in milliseconds. */
  bodyTimeout: number;
  admission: Pick<Admission, 'takeRoom'>;
  /** Number of our own proxies in front of the server. */
  proxies: number;
  queueRequest: QueueRequest;
}

/** Makes one route for each operation of the contract. */
export const routesPlugin: Plugin<RoutesOptions> = {
  name: 'routes',
  register(server, options) {
    const { contract, handlers } = options;
    assertComplete(contract.operations, handlers);
    for (const operation of contract.operations) {
      addOperation(server, operation, handlers[operation.operationId] as AnyHandler, options);
    }
  },
};

/** A handler of any operation. Where it is defined, the compiler checks it against its operation. */
type AnyHandler = (request: never) => Promise<unknown>;

function assertComplete(operations: readonly Operation[], handlers: Handlers): void {
  const named = new Set<string>(operations.map((operation) => operation.operationId));
  const missing = [...named].filter((id) => !(id in handlers));
  const surplus = Object.keys(handlers).filter((id) => !named.has(id));
  if (missing.length > 0) throw new Error(`The contract has operations without a handler: ${missing.join(', ')}.`);
  if (surplus.length > 0) throw new Error(`There are handlers without an operation: ${surplus.join(', ')}.`);
}

function addOperation(server: Server, operation: Operation, handle: AnyHandler, options: RoutesOptions): void {
  const { operationId, method, path, side, body } = operation;
  const receive = inputReader(operation);
  const types = Object.keys(operation.responses['200']?.content ?? {});
  const { bodyTimeout, admission, queueRequest, proxies } = options;
  const handler: Lifecycle.Method = async (request, h) => {
    if (side.secured) {
      const key = request.auth.credentials.key as CallerKey;
      const { tenant } = key;
      const { slug } = request.params as { slug?: string };
      const takeRoom = (bytes: number): void => admission.takeRoom(request, tenant.id, bytes);
      const { read, bytes } = await receive(request, { bodyTimeout, takeRoom });
      const input = method === 'GET' ? ((await read()) as { query: object }) : undefined;
      const result = await queueRequest(
        { tenantId: tenant.id, operationId, method, slug, query: input?.query, bytes },
        input
          ? () => handle({ ...input, tenant, key } as never)
          : async (waitAsLarge) => handle({ ...(await read(() => setImmediate())), tenant, key, waitAsLarge } as never),
      );
      return responseOf(result, request, h);
    }
    const visit = visitOf(request, proxies);
    const takeRoom = (bytes: number): void => admission.takeRoom(request, networkOf(visit.address), bytes);
    const { read } = await receive(request, { bodyTimeout, takeRoom });
    const input = await read();
    const mediaType = preferredType(visit.accept, types);
    const { parts } = queryOf(request);
    const result = await handle({ ...input, visit, mediaType, queryParts: parts } as never);
    return representationOf(result as Parameters<typeof representationOf>[0], request, h);
  };
  server.route({
    method,
    path,
    options: {
      auth: side.secured ? 'apiKey' : false,
      app: { ...pathOptions(operation), operation: operationId },
      ...(body ? { payload: unreadBody } : {}),
      handler,
    },
  });
}

/** The response of an operation that needs a key. */
function responseOf(result: unknown, request: Request, h: ResponseToolkit): ResponseObject | Promise<ResponseObject> {
  if (result instanceof Encoded) return encodedResponse(result, request, h);
  if (result instanceof WithHeaders) return withHeaders(h.response(result.body as object), result.headers);
  return h.response(result as object);
}

async function encodedResponse(
  result: Encoded<unknown>,
  request: Request,
  h: ResponseToolkit,
): Promise<ResponseObject> {
  const isCompressed = result.size <= maxCompressedAnew && acceptsGzip(request);
  const content: Encoded<unknown> = (isCompressed && (await result.gzipped())) || result;
  // Hapi treats a Buffer as a download.
  return respondWith(content, h).type('application/json').header('vary', 'accept-encoding');
}

function visitOf({ method, raw: { req } }: Request, proxies: number): Visit {
  const { accept, 'accept-language': acceptLanguage } = req.headers;
  return {
    address: clientAddress(req, proxies),
    isView: isView(method, (name) => [req.headers[name] ?? []].flat().join(',')),
    accept,
    acceptLanguage,
  };
}

/**
 * Makes the function that receives a request. It returns the size of the body, and the function that reads the parts
 * that the contract describes, in its order. That one belongs into the queue of the tenant, which must not wait for a
 * slow body.
 */
function inputReader(
  operation: Operation,
): (
  request: Request,
  limits: BodyLimits,
) => Promise<{ bytes: number; read: (pause?: () => Promise<void>) => Promise<object> }> {
  const { parameters, side, body, codes } = operation;
  const hasQuery = parameters.some((parameter) => parameter.in === 'query');
  const readQuery = queryValidation(parameters, side.secured);
  const checkPath = pathValidation(parameters);
  const reader = body && bodyReader(Joi, body.schema, codes);
  return async (request, limits) => {
    const query = hasQuery ? readQuery(queryOf(request)) : {};
    const bytes = reader && (await readBytes(request.raw, limits));
    return {
      bytes: bytes?.length ?? 0,
      async read(pause) {
        const given = bytes && (await reader.ofBytes(bytes, request.raw.req.headers, pause));
        checkPath(request.params as Record<string, string>);
        return { query, path: request.params, body: given };
      },
    };
  };
}

/** The options of an operation's path that responses depend on. */
function pathOptions({ side }: Operation): RouteOptionsApp {
  return { isPublic: !side.secured, errors: side.errors, errorBody: side.errorBody };
}

/** Leaves the body unread. Hapi would respond to one that is too large or too slow only after its end, or not at all. */
export const unreadBody = {
  parse: false,
  output: 'stream',
  override: 'application/octet-stream',
  maxBytes: Number.MAX_SAFE_INTEGER,
  timeout: false,
} as const;

/** Makes the routes of the methods and paths that the contract does not have. */
export const fallbacksPlugin: Plugin<{ contract: Contract }> = {
  name: 'fallbacks',
  register(server, { contract }) {
    const paths = Map.groupBy(contract.operations, ({ path }) => path);
    for (const [path, operations] of paths) {
      const [first] = operations;
      if (!first) continue;
      const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      addOtherMethods(server, path, first.side.secured ? methods : [...methods, 'OPTIONS'], pathOptions(first));
    }
    addUnknownPaths(server, contract.fallbacks, [...paths.keys()]);
  },
};

/** Other methods of a known path give 405 with `Allow`. On the public side OPTIONS succeeds, because browsers send it. */
function addOtherMethods(server: Server, path: string, methods: string[], app: RouteOptionsApp): void {
  const allow = methods.join(', ');
  server.route({
    method: '*',
    path,
    options: { auth: app.isPublic ? false : 'apiKey', app, payload: unreadBody },
    handler(request, h) {
      if (request.method !== 'options' || !app.isPublic)
        throw new ContractError('method_not_allowed', undefined, { allow });
      const response = h.response().code(204).header('allow', allow).header('access-control-allow-methods', allow);
      return methods.includes('POST') ? response.header('access-control-allow-headers', 'content-type') : response;
    },
  });
}

/** A path outside of the contract that everybody may read. */
export function servePublic(
  server: Server,
  path: string,
  handler: Lifecycle.Method,
  errors: ErrorForm = 'preferred',
): void {
  const app = { isPublic: true, errors };
  server.route({ method: 'GET', path, options: { auth: false, app }, handler });
  addOtherMethods(server, path, ['GET', 'HEAD', 'OPTIONS'], app);
}

/** Where a key is needed, an unknown path needs it before it gives 404. */
function addUnknownPaths(server: Server, fallbacks: readonly Fallback[], paths: readonly string[]): void {
  for (const { root, secured, errors, errorBody, code, message } of fallbacks) {
    server.route({
      method: '*',
      path: `${root}/{rest*}`,
      options: {
        auth: secured ? 'apiKey' : false,
        app: { isPublic: !secured && root !== '', errors, errorBody },
        payload: unreadBody,
      },
      handler({ path }) {
        throw new ContractError(code, code === 'not_found' ? unknownPath(path, paths) : message);
      },
    });
  }
}

/** The message for a path that nothing has: the closest path of the contract, and never the path itself. */
function unknownPath(path: string, known: readonly string[]): string {
  const given = path.split('/');
  // A parameter fits anything, so it takes the text of the request.
  const filled = new Map(
    known
      .map((each) => [each, each.split('/')] as const)
      .filter(([, parts]) => parts.length === given.length && parts[1] === given[1])
      .map(([each, parts]) => [parts.map((part, at) => (part.startsWith('{') ? given[at] : part)).join('/'), each]),
  );
  const meant = filled.get(closest(path, [...filled.keys()]) ?? '');
  return `This path does not exist.${meant ? ` Did you mean ${meant}?` : ''} /docs lists the paths of the API.`;
}
