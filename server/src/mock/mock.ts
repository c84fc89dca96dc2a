/**
 * The static mock: Prism with the HTTP layer and the errors of the server. It has no state and no database. Prism gives the
 * examples of the contract. It is an optional dependency, so it is loaded on use.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Lifecycle, Request, ResponseObject, ResponseToolkit, Server } from '@hapi/hapi';
import {
  ContractError,
  keyIn,
  linkResponse,
  type Operation,
  readContract,
  readDocument,
} from '@product-passport/openapi';
import { addHealth } from '../admin/admin.ts';
import { addKeyScheme } from '../http/admission.ts';
import { connectionsPlugin, createServer } from '../http/connections.ts';
import { Encoded } from '../http/encoded.ts';
import { errorResponder, errorsPlugin } from '../http/errors.ts';
import { preferredType, representationOf, withHeaders } from '../http/representation.ts';
import { requestLog, requestLogPlugin } from '../http/request-log.ts';
import { addRoute, fallbacksPlugin, inputReader } from '../http/routes.ts';
import { queryOf, targetPlugin } from '../http/target.ts';
import type { Log } from '../log/log.ts';
import { OperatorError } from '../operator-error.ts';
import { addRendering, errorPages } from '../site/rendering.ts';

/** How long a body may take to arrive, in milliseconds. */
const bodyTimeout = 10_000;

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
    { plugin: fallbacksPlugin, options: { contract } },
  ]);
  for (const operation of contract.operations)
    addRoute(
      server,
      operation,
      responder(operation, prism, () => siteUrl(server)),
    );
  addHealth(server);
  return server;
}

/**
 * The contract validates each request, as in the server. Prism gives the response, except for Digital Links, which lead to
 * the mock's own site.
 */
function responder(operation: Operation, prism: Prism, siteUrl: () => string): Lifecycle.Method {
  const receive = inputReader(operation);
  const product = linkedProduct(operation);
  return async (request, h) => {
    const { headers } = request.raw.req;
    const selection = selectionOf(operation, headers, product ? '307' : '200');
    const { read } = await receive(request, { bodyTimeout });
    const { path } = (await read()) as { path: Record<string, string> };
    if (product && selection.status === '307') {
      const link = {
        path: { ...path, gtin: path.gtin ?? '' },
        queryParts: queryOf(request).parts,
        preferred: (types: readonly string[]) => preferredType(headers.accept, types),
      };
      // Never the host of the request, which a client writes as it likes.
      return representationOf(linkResponse(product, link, { siteUrl: siteUrl(), redirectStatus: 307 }), request, h);
    }
    const response = await prism(operation, selection);
    const isPublic = !operation.side.secured && selection.status === '200';
    return isPublic ? publicExample(operation, selection, response, request, h) : example(h, selection, response);
  };
}

/**
 * The response that `Prefer: code=…, example=…` names (RFC 7240). Other preferences are ignored. Without an example,
 * `Accept` selects the media type.
 *
 * @param usual the status without a preference
 * @throws ContractError `invalid_request` if the operation has no such response
 */
function selectionOf(
  { operationId, responses }: Operation,
  { prefer, accept }: IncomingHttpHeaders,
  usual: string,
): Selection {
  const preferences = preferencesIn(String(prefer ?? ''));
  const example = preferences.get('example');
  const status = preferences.get('code') ?? (example === undefined ? usual : '200');
  if (!Object.hasOwn(responses, status)) throw notAllowed('code', `statuses of ${operationId}`, Object.keys(responses));
  const types = Object.entries(responses[status]?.content ?? {});
  const having = types.filter(([, { examples = {} }]) => example === undefined || Object.hasOwn(examples, example));
  if (example !== undefined && having.length === 0) {
    const known = types.flatMap(([, { examples = {} }]) => Object.keys(examples));
    throw notAllowed('example', `examples of ${operationId} ${status}`, known);
  }
  const mediaTypes = having.map(([type]) => type);
  return { status, mediaType: preferredType(accept, mediaTypes), example };
}

function preferencesIn(prefer: string): Map<string, string> {
  const pairs = prefer.split(/[,;]/).map((part): [string, string] => {
    const [name = '', value = ''] = part.split('=').map((text) => text.trim().replaceAll('"', ''));
    return [name.toLowerCase(), value];
  });
  return new Map(pairs);
}

function notAllowed(preference: string, of: string, allowed: readonly string[]): ContractError {
  const known = [...new Set(allowed)].join(', ');
  return new ContractError('invalid_request', `Prefer: ${preference} must be one of the ${of}: ${known}.`);
}

/** The product that every Digital Link leads to: that of the contract's example. */
function linkedProduct({ responses }: Operation): { tenant: string; slug: string; name: string } | undefined {
  const [location] = (responses['307']?.headers?.Location?.schema.examples ?? []) as string[];
  if (location === undefined) return undefined;
  const [, tenant = '', slug = ''] = /\/p\/([^/]+)\/([^/]+)$/.exec(location) ?? [];
  return { tenant, slug, name: slug };
}

/** An example as it is in the contract, with its headers. */
function example(
  h: ResponseToolkit,
  { status, mediaType }: Selection,
  { headers, body }: MockResponse,
): ResponseObject {
  const response = h.response(typeof body === 'string' ? body : JSON.stringify(body)).code(Number(status));
  const documented = without(['content-type', 'x-request-id'], headers);
  withHeaders(response, documented);
  return mediaType === undefined ? response : response.header('content-type', `${mediaType}; charset=utf-8`);
}

/** The contract documents headers for all media types of a response. These belong to HTML. */
const headersOfPages = ['content-language', 'content-security-policy', 'referrer-policy'];

/** An example of the public side, which a client may cache. */
function publicExample(
  { responses }: Operation,
  { mediaType: type = '' }: Selection,
  { headers: documented, body }: MockResponse,
  request: Request,
  h: ResponseToolkit,
): Promise<Lifecycle.ReturnValue> {
  const own = ['cache-control', 'etag', 'x-request-id', 'content-disposition'];
  const headers = without(type === 'text/html' ? own : [...own, ...headersOfPages], documented);
  // `representationOf` adds the encoding.
  if (headers.vary) headers.vary = headers.vary.replace(', accept-encoding', '');
  const encoded = Encoded.of(body);
  const tag = '304' in responses && encoded.tag;
  return representationOf({ type, body: async () => encoded, ...(tag && { tag }), headers }, request, h);
}

function without(names: readonly string[], headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

/** The version that the server is tested with, as in its package.json. */
const version = '5.16.0';

/** The oldest Node in which Prism runs: major, then minor version. */
const oldestNode: readonly [number, number] = [24, 18];

type Prism = Awaited<ReturnType<typeof loadPrism>>;
type MockResponse = Awaited<ReturnType<Prism>>;

/** A documented response of an operation. */
interface Selection {
  status: string;
  /** `undefined` if the response has no content. */
  mediaType: string | undefined;
  /** `undefined` means the first example. */
  example: string | undefined;
}

/**
 * Prism gives the selected example of an operation. The headers have lower-case names.
 *
 * @throws OperatorError if this Node is too old, or Prism is not installed
 */
async function loadPrism() {
  const { createInstance, getHttpOperationsFromSpec } = await importPrism();
  const resources = await getHttpOperationsFromSpec(readDocument());
  const config = {
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    isProxy: false as const,
    mock: { dynamic: false },
  };
  const prism = createInstance(config, { logger: silentLogger() });
  return async ({ operationId, method, path }: Operation, { status, mediaType, example }: Selection) => {
    const outcome = await prism.request(
      // The contract has validated the request. Prism needs only a path that matches.
      { method: method.toLowerCase() as 'get', url: { path } },
      resources.filter(({ iid }) => iid === operationId),
      {
        ...config,
        mock: {
          ...config.mock,
          code: Number(status),
          ...(mediaType !== undefined && { mediaTypes: [mediaType] }),
          ...(example !== undefined && { exampleKey: example }),
        },
      },
    )();
    if (outcome._tag === 'Left') throw outcome.left;
    const { output } = outcome.right;
    const named = Object.entries(output.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return { headers: Object.fromEntries(named) as Record<string, string>, body: output.body as unknown };
  };
}

async function importPrism() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    throw new OperatorError(
      `the mock needs Node ${oldestNode.join('.')} or later, because Prism does. This is Node ${process.versions.node}.`,
    );
  }
  try {
    return await import('@stoplight/prism-http');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new OperatorError(
      `the mock needs Prism, which is not installed. Install it: npm install @stoplight/prism-http@${version}`,
    );
  }
}

/** Prism logs keys, queries and bodies. The mock has a log of its own. */
function silentLogger() {
  const ignore = () => undefined;
  const logger = { child: () => logger, debug: ignore, info: ignore, success: ignore, warn: ignore, error: ignore };
  return logger as never;
}
