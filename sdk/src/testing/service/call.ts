import { ServiceError, statuses } from './behaviour.ts';
import { errorPage } from './document.ts';
import type { StoredProduct, StoredTenant } from './records.ts';
import { isObject } from './resource.ts';
import type { State } from './state.ts';

/** A request whose path belongs to an operation. */
export interface Call {
  readonly state: State;
  readonly request: Request;
  /** The values of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** A request with a valid API key. */
export interface TenantCall extends Call {
  readonly tenant: StoredTenant;
}

/** The product that the path names, if the tenant has it. */
export function productOf({ tenant, path }: TenantCall): StoredProduct {
  const product = tenant.products.get(path.slug ?? '');
  if (!product) throw new ServiceError('not_found');
  return product;
}

/** A query parameter, or `undefined` if it is absent. */
export function parameter({ query, state }: Call, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1 && state.behaviour.refusesRepeatedParameter) throw new ServiceError('invalid_request');
  return values[0];
}

interface Range {
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** A query parameter that is a whole number. */
export function integer(call: Call, name: string, range: Range): number {
  const text = parameter(call, name) ?? String(range.default);
  if (!/^-?\d+$/.test(text)) throw new ServiceError('invalid_request');
  const nearest = Math.min(Math.max(Number(text), range.minimum), range.maximum);
  if (nearest !== Number(text) && !call.state.behaviour.clampsNumbers) throw new ServiceError('invalid_request');
  return nearest;
}

/** The JSON of the request's body. */
export async function jsonOf({ request, state }: Call): Promise<unknown> {
  const bytes = await request.arrayBuffer();
  const type = request.headers.get('content-type') ?? '';
  const isJson = /^application\/json\s*(;\s*charset="?utf-8"?)?$/i.test(type);
  if (bytes.byteLength > 0 && !isJson && state.behaviour.refusesOtherContentType) {
    throw new ServiceError('unsupported_media_type');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new ServiceError('invalid_json');
  }
}

/** A member of the body that is text. `undefined` if it is absent. */
export function textIn(body: unknown, name: string, { behaviour }: State): string | undefined {
  const value = isObject(body) ? body[name] : undefined;
  if (value === undefined || (value === null && behaviour.acceptsNull)) return undefined;
  if (typeof value !== 'string') throw new ServiceError('invalid_request');
  return value;
}

type Headers = Readonly<Record<string, string>>;

/** A response with the headers that every response of the service has. */
export function send(
  state: State,
  status: number,
  type: string | undefined,
  body: string | null,
  headers: Headers = {},
) {
  const { behaviour } = state;
  const content = type === undefined ? {} : { 'content-type': behaviour.contentType(type) };
  const all = { ...behaviour.headers(state.next()), ...content, ...headers };
  return new Response(body, { status, headers: all });
}

export function sendJson(state: State, body: unknown, status = 200, headers: Headers = {}): Response {
  return send(state, status, 'application/json', JSON.stringify(body), headers);
}

/** An error response: the contract's body, or a page. */
export function sendError(state: State, { code, headers }: ServiceError, at: 'api' | 'page' | 'public'): Response {
  const { behaviour } = state;
  const message = behaviour.message(code);
  const isMissing = at !== 'api' && code === 'not_found';
  const status = isMissing ? behaviour.notPublic : statuses[code];
  if (at === 'page' || (at === 'public' && behaviour.publicErrorsAreHtml)) {
    return send(state, status, 'text/html', errorPage(message), headers);
  }
  return sendJson(state, { error: { code: behaviour.code(code), message } }, status, headers);
}
