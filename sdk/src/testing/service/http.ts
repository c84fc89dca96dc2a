import Joi from 'joi';
import { bodyReader } from '../../../../openapi/src/rules/body.ts';
import { ContractError, type ErrorCode, errorBodyOf } from '../../../../openapi/src/rules/errors.ts';
import { namesTag, pathValidation, queryValidation, type SentQuery } from '../../../../openapi/src/rules/http.ts';
import { sha256 } from '../../../../openapi/src/rules/passport.ts';
import { pathPattern, type ServedOperation, type Side } from '../../../../openapi/src/rules/side.ts';
import { defaults, errors, examples, operations } from '../../generated/samples.ts';
import type { State, StoredKey, StoredProduct } from './state.ts';

/** A request whose path belongs to an operation. */
export interface Call {
  readonly state: State;
  readonly operation: Operation;
  readonly request: Request;
  /** The values of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly sent: SentQuery;
  /** The parameters of the contract, validated and with their defaults. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** A request with a valid API key. */
export interface TenantCall extends Call, StoredKey {}

/** An operation that is ready to validate requests. */
export type Operation = ServedOperation & ReturnType<typeof validationOf>;

let ready: readonly Operation[] | undefined;

/** The operations, with what validates their requests. Made at the first request. */
export function servedOperations(): readonly Operation[] {
  ready ??= operations.map((operation) => ({ ...operation, ...validationOf(operation) }));
  return ready;
}

function validationOf({ path, side, parameters, body, codes }: ServedOperation) {
  return {
    pattern: pathPattern(path),
    readQuery: queryValidation(parameters, side.secured),
    checkPath: pathValidation(parameters),
    bodyReader: body && bodyReader(Joi, body.schema, codes),
  };
}

const maxBodyBytes = 1024 * 1024;

/** Reads the body of a request as the contract describes it. */
export async function bodyOf(request: Request, { bodyReader }: Operation): Promise<unknown> {
  if (!bodyReader) return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > maxBodyBytes) throw new ContractError('payload_too_large');
  return bodyReader.ofBytes(bytes, Object.fromEntries(request.headers));
}

/** The product that the path names, if the tenant has it. */
export function productOf({ tenant, path }: TenantCall): StoredProduct {
  const product = tenant.products.get(path.slug ?? '');
  if (!product) throw new ContractError('not_found');
  return product;
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
  const common = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': `request-${state.next()}`,
    ...(type !== undefined && { 'content-type': `${type}; charset=utf-8` }),
  };
  return new Response(body, { status, headers: { ...common, ...headers } });
}

export function sendJson(state: State, body: unknown, status = 200, headers: Headers = {}): Response {
  return send(state, status, 'application/json', JSON.stringify(body), headers);
}

/** A representation on the public side, with an ETag unless it belongs to one reader. */
export async function represent(
  { state, operation, request, sent }: Call,
  type: string,
  body: string,
  headers: Headers,
  beforeSent: () => void = () => {},
): Promise<Response> {
  const isPrivate = sent.hasAccessToken || headers['cache-control'] !== undefined;
  const cache = { 'cache-control': sent.hasAccessToken ? 'private, no-store' : 'no-cache' };
  // The lists of links and of ids and the description of the resolver have none.
  const hasTag = /html|ld\+json/.test(type) || (operation.side.root === '/dpp/v1' && operation.method === 'GET');
  const isTagged = hasTag && !isPrivate;
  const etag = `W/"${await sha256(type + body)}"`;
  const cached = isTagged ? { ...cache, etag } : cache;
  if (isTagged && namesTag(request.headers.get('if-none-match'), etag)) {
    return send(state, 304, undefined, null, { ...cached, ...(headers.vary && { vary: headers.vary }) });
  }
  beforeSent();
  return send(state, 200, type, body, { ...cached, ...headers });
}

type Fields = Readonly<Record<string, unknown>>;

const defaultsOf: Readonly<Partial<Record<string, Fields>>> = defaults;

/** A resource with every field of the contract: what the contract has for a field that is not set, or its example. */
export function resource<Name extends keyof typeof examples>(name: Name): (typeof examples)[Name] {
  return { ...JSON.parse(JSON.stringify(examples[name])), ...defaultsOf[name] };
}

/** The fields of a value that a resource has. */
export function pick<Resource extends object>(from: Resource, form: Resource): Resource {
  return Object.fromEntries(Object.keys(form).map((field) => [field, Reflect.get(from, field)])) as Resource;
}

/** @param content HTML */
export function htmlPage(title: string, content: string): string {
  const heading = escaped(title);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${heading}</title><h1>${heading}</h1>${content}</html>`;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The headers of every page, error pages included. */
export const pageHeaders = {
  'content-language': 'en',
  'content-security-policy': "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  vary: 'accept, accept-language',
};

/** The statuses of errors that a reader can correct. */
const readersErrors = [400, 404, 405];

/** An error response: the contract's body, or a page. */
export function sendError(
  state: State,
  { code, detail, headers }: ContractError,
  side: Side,
  accept: string | null,
): Response {
  const { status = 500, message: usual = code } = errors[code] ?? {};
  const message = detail ?? usual;
  const prefersPage =
    side.errors === 'preferred' &&
    readersErrors.includes(status) &&
    preferred(accept, ['application/json', 'text/html']) === 'text/html';
  const all = { 'cache-control': 'no-store', ...additionalHeaders[code], ...headers };
  if (side.errors === 'page' || prefersPage) {
    return send(state, status, 'text/html', htmlPage(message, ''), { ...pageHeaders, ...all });
  }
  return sendJson(state, errorBodyOf(side.errorBody, code, message), status, all);
}

const additionalHeaders: Partial<Record<ErrorCode, Headers>> = {
  invalid_api_key: { 'www-authenticate': 'Bearer' },
  service_unavailable: { 'retry-after': '1' },
};

/** What an `Accept` or `Accept-Language` prefers: by weight, then by how exact the range is. Default: the first one. */
export function preferred(header: string | null, offered: readonly string[]): string | undefined {
  const ranges = (header ?? '').split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return { name, weight: Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1) };
  });
  const matches = offered.flatMap((one) => {
    const found = ranges.map(({ name, weight }, index) => ({ one, weight, index, exactness: exactnessOf(name, one) }));
    // The most exact range decides, also if it refuses the type.
    const [best] = found.filter(({ exactness }) => exactness > 0).sort((a, b) => b.exactness - a.exactness);
    return best && best.weight > 0 ? [best] : [];
  });
  const [first] = matches.sort((a, b) => b.weight - a.weight || b.exactness - a.exactness || a.index - b.index);
  return first?.one ?? offered[0];
}

/** 0 if the range does not match. */
function exactnessOf(range: string, offered: string): number {
  if (range === offered) return 4;
  if (range.startsWith(`${offered}-`)) return 3;
  if (range === `${offered.split('/')[0]}/*`) return 2;
  return range === '*' || range === '*/*' ? 1 : 0;
}
