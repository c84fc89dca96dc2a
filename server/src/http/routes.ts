import { createHash } from 'node:crypto';
import type { Lifecycle, Plugin, Request, ResponseObject, ResponseToolkit, Server } from '@hapi/hapi';
import type { Contract, Operation, OperationId } from '../contract/document.ts';
import { ContractError } from '../contract/errors.ts';
import { pathValidation } from '../contract/paths.ts';
import { queryValidation } from '../contract/query.ts';
import { bodyValidation, throwFirst } from '../contract/validation.ts';
import { readBody, readBytes } from './body.ts';
import { hasAccessToken } from './errors.ts';
import type { Handlers, Redirect, Representation } from './handlers.ts';
import { preferredType } from './negotiation.ts';
import { visitOf } from './visit.ts';

declare module '@hapi/hapi' {
  interface RouteOptionsApp {
    /** No key is read here, and other sites may. */
    isPublic?: boolean;
    /** Errors are pages for people. */
    answersHtml?: boolean;
    /** Of the contract. */
    operation?: OperationId;
  }
}

/** Leaves a body where it is. Hapi would answer one that is too large or too slow only after its end, or not at all. */
const unreadBody = {
  parse: false,
  output: 'stream',
  override: 'application/octet-stream',
  maxBytes: Number.MAX_SAFE_INTEGER,
  timeout: false,
} as const;

interface RouteSettings {
  /** How long a body may take to arrive, in milliseconds. */
  bodyTimeout: number;
  /** Proxies of our own in front. */
  proxies: number;
}

interface RoutesOptions extends RouteSettings {
  contract: Contract;
  handlers: Handlers;
}

/** Makes the routes of the contract's operations, and of what lies between them. */
export const routesPlugin: Plugin<RoutesOptions> = {
  name: 'routes',
  dependencies: ['authentication'],
  register(server, { contract, handlers, ...settings }) {
    server.ext('onRequest', (request, h) => {
      const asked = request.raw.req.url ?? '';
      const literal = literalDots(asked);
      if (literal !== asked) request.setUrl(literal, true);
      const path = decodablePath(request.path);
      if (path !== request.path) request.setUrl(path + request.url.search);
      return h.continue;
    });
    assertComplete(contract.operations, handlers);
    const paths = new Map<string, Operation[]>();
    for (const operation of contract.operations) {
      addOperation(server, operation, handlers[operation.operationId] as AnyHandler, settings);
      paths.set(operation.path, [...(paths.get(operation.path) ?? []), operation]);
    }
    for (const [path, operations] of paths) addOtherMethods(server, path, operations);
    addUnknownPaths(server);
  },
};

/** A handler of any operation, for the one place that calls them all. Each is checked where it is defined. */
type AnyHandler = (request: never) => Promise<unknown>;

function assertComplete(operations: Operation[], handlers: Handlers): void {
  const named = new Set<string>(operations.map((operation) => operation.operationId));
  const missing = [...named].filter((id) => !(id in handlers));
  const surplus = Object.keys(handlers).filter((id) => !named.has(id));
  if (missing.length > 0) throw new Error(`The contract has operations without a handler: ${missing.join(', ')}.`);
  if (surplus.length > 0) throw new Error(`There are handlers without an operation: ${surplus.join(', ')}.`);
}

function addOperation(server: Server, operation: Operation, handle: AnyHandler, settings: RouteSettings): void {
  const { bodyTimeout, proxies } = settings;
  const query = queryValidation(operation.parameters, operation.secured);
  const checkPath = pathValidation(operation.parameters);
  const body = operation.body && bodyValidation(operation.body);
  const order = codesOf(operation, '400');
  const types = Object.keys(operation.responses['200']?.content ?? {});

  const read = async ({ raw }: Request): Promise<unknown> => {
    if (!body) return undefined;
    const bytes = await readBytes(raw, bodyTimeout);
    const { body: given, violations } = readBody(bytes, raw.req.headers as Record<string, string>);
    const judged = body.judge(given);
    throwFirst([...judged.violations, ...violations], order);
    return judged.body;
  };

  server.route({
    method: operation.method,
    path: operation.path,
    options: {
      auth: operation.secured ? 'apiKey' : false,
      app: { ...appSettings(operation), operation: operation.operationId },
      ...(body ? { payload: unreadBody } : {}),
      async handler(request, h) {
        const input = {
          tenant: request.auth.credentials?.tenant,
          query: query(request.url.searchParams),
          search: /^[^?#]*(\?[^#]*)?/.exec(request.raw.req.url ?? '')?.[1] ?? '',
          accept: request.raw.req.headers.accept,
          visit: visitOf(request, proxies),
          mediaType: preferredType(request.raw.req.headers.accept, types),
          body: await read(request),
          path: request.params,
        };
        checkPath(request.params as Record<string, string>);
        const result = await handle(input as never);
        return answer(operation, request, h, result);
      },
    },
  });
}

/** The wire form of what a handler returned. */
async function answer(
  operation: Operation,
  request: Request,
  h: ResponseToolkit,
  result: unknown,
): Promise<Lifecycle.ReturnValue> {
  if (operation.secured) return h.response(result as object);
  const isPrivate = hasAccessToken(request);
  const cache = isPrivate ? 'private, no-store' : 'no-cache';
  if (isRedirect(result)) {
    const redirect = h.response().code(result.status).header('location', result.location);
    return withHeaders(redirect.header('cache-control', cache), result.headers);
  }
  const { type, body, headers, beforeSent } = result as Representation<Record<string, unknown>>;
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  // Weak: a proxy may compress it.
  const etag = `W/"${createHash('sha256').update(payload).digest('base64url')}"`;
  const hasTag = '304' in operation.responses && !isPrivate;
  const isCurrent = hasTag && namesTag(request.raw.req.headers['if-none-match'], etag);
  if (!isCurrent) await beforeSent?.();
  const made = isCurrent ? h.response().code(304) : h.response(payload);
  const { vary } = headers;
  const sent = isCurrent ? { ...(vary && { vary }) } : { ...headers, 'content-type': `${type}; charset=utf-8` };
  if (hasTag) made.header('etag', etag);
  return withHeaders(made.header('cache-control', cache), sent);
}

/** Whether an `If-None-Match` names a tag, or any. Weak and strong are the same here (RFC 9110, 13.1.2). */
function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  const tags = (ifNoneMatch ?? '').split(',').map(bare);
  return tags.includes('*') || tags.includes(bare(etag));
}

function withHeaders(response: ResponseObject, headers: Record<string, string>): ResponseObject {
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  return response;
}

function isRedirect(result: unknown): result is Redirect {
  return typeof result === 'object' && result !== null && 'location' in result;
}

function appSettings(operation: Operation) {
  return { isPublic: !operation.secured, answersHtml: 'text/html' in (operation.responses['200']?.content ?? {}) };
}

function codesOf(operation: Operation, status: string): string[] {
  const code = operation.responses[status]?.content?.['application/json']?.schema.properties?.error?.properties?.code;
  return ((code?.enum ?? [code?.const]) as string[]).filter((known) => known !== undefined);
}

/** Every other method of a known path: 405 with `Allow`. On the public side OPTIONS is answered, for browsers. */
function addOtherMethods(server: Server, path: string, operations: Operation[]): void {
  const [first] = operations;
  if (!first) return;
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  if (!first.secured) methods.push('OPTIONS');
  const allow = methods.join(', ');
  server.route({
    method: '*',
    path,
    options: { auth: first.secured ? 'apiKey' : false, app: appSettings(first), payload: unreadBody },
    handler(request, h) {
      if (request.method !== 'options' || first.secured)
        throw new ContractError('method_not_allowed', undefined, { allow });
      return h.response().code(204).header('allow', allow).header('access-control-allow-methods', allow);
    },
  });
}

/** Under `/api/v1` an unknown path is 404 only for those who have a key; below `/01/` it is no Digital Link path. */
function addUnknownPaths(server: Server): void {
  const refuse = (error: () => ContractError) => (): never => {
    throw error();
  };
  const route = (path: string, auth: 'apiKey' | false, isPublic: boolean, error: () => ContractError): void =>
    server.route({
      method: '*',
      path,
      options: { auth, app: { isPublic }, payload: unreadBody },
      handler: refuse(error),
    });
  route('/api/v1/{rest*}', 'apiKey', false, () => new ContractError('not_found'));
  route('/01/{rest*}', false, true, () => new ContractError('invalid_request', 'This is not a GS1 Digital Link path.'));
  route('/{rest*}', false, false, () => new ContractError('not_found'));
}

/**
 * An address whose path segments `.` and `..` stand for themselves. They are refused like any other slug; Hapi would
 * walk to another resource.
 */
function literalDots(address: string): string {
  const path = /^\/[^?#]*/.exec(address)?.[0] ?? '';
  return (
    path.replace(/(?<=\/)(?:\.|%2e){1,2}(?=\/|$)/gi, (dots) => dots.replace(/\.|%2e/gi, '%252e')) +
    address.slice(path.length)
  );
}

/**
 * A path that can be decoded: escapes that are no UTF-8 stand for U+FFFD, as the URL standard has it. Such a path is
 * routed, and refused, like any other, and not ahead of the check of the key.
 */
function decodablePath(path: string): string {
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return path
      .replace(/%(?![0-9a-f]{2})/gi, '%25')
      .replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
        encodeURIComponent(new TextDecoder().decode(Buffer.from(escapes.replaceAll('%', ''), 'hex'))),
      );
  }
}
