import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Plugin, Request, ResponseObject, ResponseToolkit, Server } from '@hapi/hapi';
import { atOnce, ContractError, errorMeanings, linkResponse } from '@product-passport/openapi';
import type { Contract, Operation } from '../contract/document.ts';
import { Encoded } from '../http/encoded.ts';
import type { RespondToError } from '../http/error-response.ts';
import { queryOf } from '../http/query.ts';
import { preferredType, representationOf } from '../http/representation.ts';
import { addRoute, inputReader } from '../http/routes.ts';
import type { MockRequest, MockResponse, Prism } from './prism.ts';
import { type Selection, selectionOf, wishesReader } from './selection.ts';

interface RoutesOptions {
  contract: Contract;
  prism: Prism;
  respondToError: RespondToError;
  siteUrl: () => string;
}

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** What is wrong with the request, for the log. It never repeats the request. */
    violations?: string[];
    /** The value of `X-Mock-Fault`. */
    fault?: string | undefined;
  }
}

/** How long a body may take to arrive, in milliseconds. */
const bodyTimeout = 10_000;

/**
 * Makes one route for each operation of the contract. The contract validates each request, as in the server. Prism gives
 * the response, except for Digital Links, which lead to the mock's own site.
 */
export const mockRoutesPlugin: Plugin<RoutesOptions> = {
  name: 'mock-routes',
  dependencies: ['authentication'],
  register(server, options) {
    for (const operation of options.contract.operations) addOperation(server, operation, options);
  },
};

function addOperation(server: Server, operation: Operation, options: RoutesOptions): void {
  const { contract, prism, respondToError } = options;
  const { secured } = operation;
  const receive = inputReader(operation);
  const readWishes = wishesReader(operation, errorMeanings(contract));
  const product = linkedProduct(operation);

  /** The response to a request that the contract has validated. */
  async function responseTo(request: Request, h: ResponseToolkit, preferred?: Selection): Promise<ResponseObject> {
    const { read } = await receive(request, { bodyTimeout });
    const input = { ...(atOnce(read()) as Omit<MockRequest, 'isValid'>), isValid: true };
    const { accept } = request.raw.req.headers;
    if (product && !preferred) {
      const link = {
        path: { ...input.path, gtin: input.path.gtin ?? '' },
        queryParts: queryOf(request).parts,
        preferred: (types: readonly string[]) => preferredType(accept, types),
      };
      // Never the host of the request, which a client writes as it likes.
      const site = { siteUrl: options.siteUrl(), redirectStatus: 307 as const };
      return representation(linkResponse(product, link, site), request, h);
    }
    const selection = preferred ?? selectionOf(operation, '200', accept);
    const response = await prism(operation, input, selection);
    if (secured || selection.status !== '200') return example(request, h, selection, response);
    request.app.violations = response.violations;
    const { mediaType: type = '' } = selection;
    const own = ['cache-control', 'etag', 'x-request-id', 'content-disposition'];
    const headers = without([...own, ...headersOfPagesOnly(type)], response.headers);
    // Hapi adds the encoding.
    if (headers.vary) headers.vary = headers.vary.replace(', accept-encoding', '');
    const encoded = Encoded.of(response.body);
    const tag = '304' in operation.responses ? tagOf(encoded) : {};
    return representation({ type, body: async () => encoded, ...tag, headers }, request, h);
  }

  async function representation(result: PublicResult, request: Request, h: ResponseToolkit): Promise<ResponseObject> {
    return (await representationOf(result, request, h)) as ResponseObject;
  }

  /** The response of an error that a client asked for, whatever else is in the request. */
  async function errorTo(request: Request, h: ResponseToolkit, selection: Selection): Promise<ResponseObject> {
    const path = request.params as Record<string, string>;
    const response = await prism(operation, { path, query: {}, body: undefined, isValid: false }, selection);
    return example(request, h, selection, response);
  }

  addRoute(server, operation, async (request, h) => {
    const wishes = readWishes(request.raw.req.headers);
    if (typeof wishes === 'string') {
      request.app.violations = [wishes];
      const { status, body } = respondToError(new ContractError('invalid_request', wishes));
      return h.response(body).type('application/json').code(status);
    }
    const { delayMs, fault, error, preferred } = wishes;
    request.app.fault = fault;
    await delay(request, delayMs);
    if (fault === 'reset') return reset(request, h);
    const response = error ? await errorTo(request, h, error) : await responseTo(request, h, preferred);
    return fault === 'truncate' ? truncated(request, h, response) : response;
  });
}

type PublicResult = Parameters<typeof representationOf>[0];

function tagOf({ bytes }: Encoded<unknown>): { tag: string } {
  return { tag: createHash('sha256').update(bytes).digest('base64url') };
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
  request: Request,
  h: ResponseToolkit,
  { status, mediaType }: Selection,
  { headers, body, violations }: MockResponse,
): ResponseObject {
  request.app.violations = violations;
  const response = h.response(typeof body === 'string' ? body : JSON.stringify(body)).code(Number(status));
  const own = without(['content-type', 'x-request-id'], headers);
  for (const [name, value] of Object.entries(own)) response.header(name, value);
  return mediaType === undefined ? response : response.header('content-type', `${mediaType}; charset=utf-8`);
}

/** The contract documents headers for all media types of a response. These belong to HTML. */
function headersOfPagesOnly(type: string): string[] {
  return type === 'text/html' ? [] : ['content-language', 'content-security-policy', 'referrer-policy'];
}

function without(names: readonly string[], headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

/** Waits, and stops waiting when the client closes the connection or the mock stops. */
async function delay({ raw }: Request, milliseconds: number): Promise<void> {
  if (milliseconds === 0) return;
  const closed = new AbortController();
  const abort = (): void => closed.abort();
  raw.req.socket.once('close', abort);
  await setTimeout(milliseconds, undefined, { signal: closed.signal }).catch(() => undefined);
  raw.req.socket.removeListener('close', abort);
}

/** Closes the connection with a TCP reset. */
function reset({ raw }: Request, h: ResponseToolkit) {
  raw.req.socket.resetAndDestroy();
  return h.abandon;
}

/** Sends the head and half of the body, then closes the connection. A response without a body is reset. */
function truncated(request: Request, h: ResponseToolkit, { source, headers, statusCode }: ResponseObject) {
  const whole = Buffer.isBuffer(source) ? source : Buffer.from(typeof source === 'string' ? source : '');
  if (whole.length === 0 || request.method === 'head') return reset(request, h);
  const response = h.response(Readable.from(cut(whole), { objectMode: false })).code(statusCode || 200);
  for (const [name, value] of Object.entries(headers)) response.header(name, String(value));
  // Compression would hide the whole length.
  return response.header('content-length', String(whole.length)).header('content-encoding', 'identity');
}

async function* cut(whole: Buffer): AsyncGenerator<Buffer> {
  yield whole.subarray(0, Math.ceil(whole.length / 2));
  // The first half leaves before the connection closes.
  await setTimeout(20);
  throw new Error('X-Mock-Fault: truncate');
}
