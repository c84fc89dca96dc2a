import { ContractError, errorBodyOf } from '../../../../openapi/src/rules/errors.ts';
import { type InjectedError, injectedError } from '../../../../openapi/src/rules/faults.ts';
import { isRequestId, keyIn, publicHeaders, SentQuery } from '../../../../openapi/src/rules/http.ts';
import { type Fallback, fallbackOf, type Side, tenantNamed } from '../../../../openapi/src/rules/side.ts';
import type { ApiOperation, OperationOutput } from '../../contract.ts';
import type { publicRequests } from '../../generated/requests.ts';
import { errors, fallbacks } from '../../generated/samples.ts';
import { delay } from '../../limits.ts';
import {
  createProduct,
  getMe,
  getPassport,
  getProduct,
  getScanStatistics,
  listCarriers,
  listProducts,
  putPassport,
  setProductStatus,
} from './api.ts';
import {
  readDataElement,
  readDppById,
  readDppByProductId,
  readDppIdsByProductIds,
  readDppVersionByIdAndDate,
} from './dpp.ts';
import {
  bodyOf,
  type Call,
  type Operation,
  send,
  sendError,
  sendJson,
  servedOperations,
  type TenantCall,
} from './http.ts';
import { getPassportJsonld, getPassportPage, getResolverDescription, productsOfGtin, resolveGtin } from './site.ts';
import type { State, StoredKey, StoredTenant } from './state.ts';

/** A handler returns the body of a 200, or a response with headers of its own. */
const apiHandlers: {
  readonly [Name in ApiOperation]: (
    call: TenantCall,
  ) => OperationOutput<Name> | Response | Promise<OperationOutput<Name>>;
} = {
  getMe,
  listProducts,
  createProduct,
  getProduct,
  getPassport,
  putPassport,
  setProductStatus,
  listCarriers,
  getScanStatistics,
};
const publicHandlers: { readonly [Name in keyof typeof publicRequests]: (call: Call) => Response | Promise<Response> } =
  {
    getPassportPage,
    getPassportJsonld,
    resolveGtin,
    getResolverDescription,
    readDppById,
    readDppByProductId,
    readDppIdsByProductIds,
    readDppVersionByIdAndDate,
    readDataElement,
  };

/** A request, and what its path says about it. */
interface Routed extends Omit<Call, 'operation' | 'query' | 'body'> {
  /** The operations of the path, one for each method. */
  readonly found: readonly Operation[];
  readonly side: Side;
  /** How the path is refused if it has no operations. */
  readonly unknown: Fallback;
}

/** Responds to a request. It rejects for a fault of the connection, and for an unexpected error. */
export async function respond(state: State, request: Request): Promise<Response> {
  const routed = routeOf(state, request);
  const { side } = routed;
  const fault = tenantOf(routed)?.faults.take(operationIn(routed));
  if (fault?.delayMs) await delay(fault.delayMs, request.signal);
  request.signal.throwIfAborted();
  if (fault?.connection === 'reset') throw new TypeError('fetch failed');
  const error = fault && injectedError(fault, meanings);
  const response = await (error ? injected(error) : dispatch(routed).catch(refused));
  if (fault?.connection === 'lose_response') throw new TypeError('fetch failed');
  const whole = finished(routed, response);
  return fault?.connection === 'truncate' ? truncated(whole) : whole;

  function refused(error: unknown): Response {
    // A 500 would hide an error of the fake itself, or of a runtime that lacks something.
    if (!(error instanceof ContractError)) throw error;
    return errorResponse(error);
  }

  function errorResponse(error: ContractError): Response {
    return sendError(state, error, side, request.headers.get('accept'));
  }

  function injected({ status, code, contractCode, message, headers }: InjectedError): Response {
    if (contractCode) return errorResponse(new ContractError(contractCode, message, headers));
    return sendJson(state, errorBodyOf(side.errorBody, code, message ?? ''), status, headers);
  }
}

function routeOf(state: State, request: Request): Routed {
  const { pathname, href } = new URL(request.url);
  const path = pathname.replace(/(?<=.)\/$/, '');
  const found = servedOperations().filter(({ pattern }) => pattern.test(path));
  const unknown = fallbackOf(fallbacks, path);
  return {
    ...{ state, request, found, unknown },
    path: decoded(found[0]?.pattern.exec(path)?.groups ?? {}),
    sent: new SentQuery(href),
    side: found[0]?.side ?? unknown,
  };
}

async function dispatch(routed: Routed): Promise<Response> {
  const { state, request, found, path, sent, side, unknown } = routed;
  const key = side.secured ? authenticate(state, request) : undefined;
  if (found.length === 0) throw new ContractError(unknown.code, unknown.message);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const operation = found.find((one) => one.method === method);
  if (!operation) return otherMethod(routed);
  const call: Call = { state, operation, request, path, sent, ...(await inputOf(routed, operation)) };
  if (!key) return publicHandlers[operation.variantOf as keyof typeof publicHandlers](call);
  const handle = apiHandlers[operation.operationId as ApiOperation];
  const result = await handle({ ...call, ...key });
  return result instanceof Response ? result : sendJson(state, result);
}

/** The query and the body of a request, in the contract's order of checks. */
async function inputOf(routed: Routed, operation: Operation): Promise<Pick<Call, 'query' | 'body'>> {
  const { request, path, sent } = routed;
  const query = operation.readQuery(sent);
  const body = await bodyOf(request, operation);
  operation.checkPath(path);
  return { query, body };
}

/** Other methods get 405. On the public side OPTIONS succeeds, because browsers send it. */
function otherMethod({ state, request, found, side }: Routed): Response {
  const methods = found.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const allow = (side.secured ? methods : [...methods, 'OPTIONS']).join(', ');
  if (request.method !== 'OPTIONS' || side.secured) {
    throw new ContractError('method_not_allowed', undefined, { allow });
  }
  const bodies = methods.includes('POST') && { 'access-control-allow-headers': 'content-type' };
  return send(state, 204, undefined, null, { allow, 'access-control-allow-methods': allow, ...bodies });
}

function authenticate(state: State, { headers }: Request): StoredKey {
  const key = state.keys.get(keyIn(headers.get('authorization')) ?? '');
  if (!key) throw new ContractError('invalid_api_key');
  limit(state, key.tenant);
  return key;
}

/** In milliseconds. It begins with the first request. */
const windowLength = 60_000;

function limit({ rateLimit, now }: State, tenant: StoredTenant): void {
  if (rateLimit === 0) return;
  const time = now().getTime();
  const isOver = time - tenant.window.start >= windowLength;
  tenant.window = isOver ? { start: time, requests: 1 } : { ...tenant.window, requests: tenant.window.requests + 1 };
  if (tenant.window.requests <= rateLimit) return;
  const seconds = Math.max(1, Math.ceil((tenant.window.start + windowLength - time) / 1000));
  throw new ContractError('rate_limited', undefined, { 'retry-after': String(seconds) });
}

const meanings = new Map(Object.entries(errors));

/** The operation of a request. A request with another method counts as one of the path's first operation. */
function operationIn({ found, request }: Routed): string | undefined {
  return (found.find(({ method }) => method === request.method) ?? found[0])?.operationId;
}

function tenantOf({ state, request, path, side }: Routed): StoredTenant | undefined {
  return tenantNamed(side, path, {
    byKey: () => state.keys.get(keyIn(request.headers.get('authorization')) ?? '')?.tenant,
    bySlug: (slug) => state.tenants.get(slug),
    byGtin: (gtin) => productsOfGtin(state, gtin)[0]?.tenant,
  });
}

/** The headers that depend on the request alone. HEAD has no body. */
function finished({ request, sent, side }: Routed, response: Response): Response {
  const id = request.headers.get('x-request-id');
  if (id !== null && isRequestId(id) && response.headers.has('x-request-id')) response.headers.set('x-request-id', id);
  if (!side.secured && side.root !== '') {
    for (const [name, value] of Object.entries(publicHeaders(sent.hasAccessToken))) response.headers.set(name, value);
  }
  return request.method === 'HEAD' ? new Response(null, response) : response;
}

/** The response with half of its body, and then an error. */
async function truncated(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2))),
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
  return new Response(body, response);
}

export function decoded(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        // No pattern of the contract matches it.
        return [name, '\uFFFD'];
      }
    }),
  );
}
