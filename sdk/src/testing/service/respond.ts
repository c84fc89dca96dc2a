import type { Operation } from '../../errors.ts';
import { routes } from '../../generated/routes.ts';
import type { ApiOperation, OperationOutput } from '../../operation.ts';
import { ServiceError } from './behaviour.ts';
import { type Call, sendError, sendJson, type TenantCall } from './call.ts';
import { getPassport, putPassport } from './passports.ts';
import { createProduct, getMe, getProduct, listCarriers, listProducts } from './products.ts';
import type { StoredTenant } from './records.ts';
import { getScanStatistics } from './scans.ts';
import { getPassportJsonld, getPassportPage, resolveGtin } from './site.ts';
import type { State } from './state.ts';

const apiHandlers: {
  readonly [Name in ApiOperation]: (call: TenantCall) => OperationOutput<Name> | Promise<OperationOutput<Name>>;
} = {
  getMe,
  listProducts,
  createProduct,
  getProduct,
  getPassport,
  putPassport,
  listCarriers,
  getScanStatistics,
};
const publicHandlers = { getPassportPage, getPassportJsonld, resolveGtin };

const served = { ...apiHandlers, ...publicHandlers };
const patterns = (Object.keys(served) as (keyof typeof served)[]).map((operation) => {
  const { method, path } = routes[operation];
  return { operation, method, form: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) };
});

/** Responds to a request. It never rejects: an unexpected error becomes a 500. */
export async function respond(state: State, request: Request): Promise<Response> {
  const pathname = pathOf(request, state);
  const response = await dispatch(state, request, pathname).catch((error: unknown) => {
    const known = error instanceof ServiceError ? error : new ServiceError('internal_error');
    return sendError(state, known, sideOf(pathname));
  });
  return request.method === 'HEAD' ? new Response(null, response) : response;
}

async function dispatch(state: State, request: Request, pathname: string): Promise<Response> {
  const { behaviour } = state;
  const isApi = /^\/api\/v1(\/|$)/.test(pathname);
  const found = patterns.filter(({ form }) => form.test(pathname));
  const tenant =
    isApi && (found.length > 0 || behaviour.refusesUnknownPathWithoutKey) ? authenticate(state, request) : undefined;
  if (found.length === 0) throw new ServiceError('not_found');

  const method = request.method === 'HEAD' && behaviour.servesHead ? 'GET' : request.method;
  const match = found.find((pattern) => pattern.method === method);
  if (!match)
    throw new ServiceError(behaviour.refusesWrongMethodWith, {
      allow: allowed(found.map((pattern) => pattern.method)),
    });
  const path = decoded(match.form.exec(pathname)?.groups ?? {});
  const call: Call = { state, request, path, query: new URL(request.url).searchParams };
  if (isPublic(match.operation)) return publicHandlers[match.operation](call);
  if (!tenant) throw new ServiceError('invalid_api_key');
  return sendJson(state, behaviour.body(await apiHandlers[match.operation]({ ...call, tenant })));
}

function isPublic(operation: Operation): operation is keyof typeof publicHandlers {
  return Object.hasOwn(publicHandlers, operation);
}

function pathOf(request: Request, { behaviour }: State): string {
  const { pathname } = new URL(request.url);
  return behaviour.acceptsTrailingSlash ? pathname.replace(/(?<=.)\/$/, '') : pathname;
}

function sideOf(pathname: string): 'api' | 'page' | 'public' {
  if (/^\/p\/[^/]+\/[^/]+$/.test(pathname)) return 'page';
  return /^\/(p|01)\//.test(pathname) ? 'public' : 'api';
}

function authenticate({ keys, behaviour }: State, request: Request): StoredTenant {
  const [, key = ''] = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  const tenant = keys.get(key);
  if (!tenant)
    throw new ServiceError('invalid_api_key', behaviour.challengesForKey ? { 'www-authenticate': 'Bearer' } : {});
  return tenant;
}

function allowed(methods: readonly string[]): string {
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

function decoded(values: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    throw new ServiceError('not_found');
  }
}
