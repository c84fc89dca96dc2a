/** The static mock: Prism with the HTTP layer and the errors of the server. It has no state and no database. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Lifecycle, Request, ResponseObject, ResponseToolkit, Server } from '@hapi/hapi';
import { ContractError, keyIn, linkResponse, type Operation, readContract } from '@product-passport/openapi';
import { addHealth } from '../admin/admin.ts';
import { addKeyScheme } from '../http/admission.ts';
import { connectionsPlugin, createServer } from '../http/connections.ts';
import { errorResponder, errorsPlugin } from '../http/errors.ts';
import { Encoded } from '../http/handlers.ts';
import { preferredType, representationOf, withHeaders } from '../http/representation.ts';
import { requestLog, requestLogPlugin } from '../http/request-log.ts';
import { addRoute, fallbacksPlugin, inputReader } from '../http/routes.ts';
import { queryOf, targetPlugin } from '../http/target.ts';
import type { Log } from '../log/log.ts';
import { addRendering, errorPages } from '../site/rendering.ts';
import { loadPrism, type MockResponse, type Prism, type Selection } from './prism.ts';

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
    const isPublic = !operation.secured && selection.status === '200';
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
  // Hapi adds the encoding.
  if (headers.vary) headers.vary = headers.vary.replace(', accept-encoding', '');
  const encoded = Encoded.of(body);
  const tag = '304' in responses && createHash('sha256').update(encoded.bytes).digest('base64url');
  return representationOf({ type, body: async () => encoded, ...(tag && { tag }), headers }, request, h);
}

function without(names: readonly string[], headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
