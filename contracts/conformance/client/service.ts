/** The fake service over HTTP, with disturbances. It records what it receives. */
import { type Contract, isRecord } from '@product-passport/openapi';
import { createFakeService, type FakeService } from '@product-passport/sdk/testing';
import type { Exchange, WireRequest, WireResponse } from '../http/exchange.ts';
import { operationAt } from '../operation-at.ts';
import type { Provider } from '../provider.ts';
import { jsonIn } from '../request-faults.ts';
import { withAdditions } from './additions.ts';
import { createDropper, createLimiter, type Disturbance, randomOf } from './disturbances.ts';
import { openOrigin } from './origin.ts';
import { type Event, isApi, type Received } from './received.ts';
import { type AddProduct, addSampleProducts } from './sample-products.ts';

export interface ClientService {
  readonly provider: Provider;
  readonly received: readonly Received[];
  /** What arrived at the other origin, to which the service redirects. */
  readonly elsewhere: readonly Exchange[];
  close(): Promise<void>;
}

interface Reply {
  /** Absent if the connection closes without a response. */
  readonly response?: WireResponse;
  readonly event?: Event;
}

/** The maximum page. The contract's own default is as large, so every provider may have it. */
const pageSize = 50;

export async function openService(
  contract: Contract,
  kinds: ReadonlySet<Disturbance>,
  seed: number,
): Promise<ClientService> {
  const received: Received[] = [];
  const elsewhere: Exchange[] = [];
  let reply: (request: WireRequest, operationId: string | undefined) => Promise<Reply>;

  const other = await openOrigin(async (request) => {
    const response = errorResponse(404, 'not_found', 'The resource does not exist.');
    elsewhere.push({ ...exchangeOf(request, performance.now()), response });
    return response;
  });
  const origin = await openOrigin(async (request, arrivedAt) => {
    const operationId = operationAt(contract.operations, request.method, request.path)?.operationId;
    const { response, event } = await reply(request, operationId);
    const outcome = response === undefined ? { failure: 'the service closed the connection on purpose' } : { response };
    const exchange = { ...exchangeOf(request, arrivedAt), ...outcome };
    const times = { arrivedAt, respondedAt: performance.now() };
    received.push({ exchange, operationId, ...times, ...(event === undefined ? {} : { event }) });
    return response;
  });
  const service = createFakeService({ siteUrl: origin.url });
  const add = await addSampleProducts(service);
  reply = replying({ service, add, contract, kinds, random: randomOf(seed), otherUrl: other.url });
  return {
    provider: service.provider,
    received,
    elsewhere,
    async close() {
      await Promise.all([origin.close(), other.close()]);
      received.sort((one, next) => one.arrivedAt - next.arrivedAt);
    },
  };
}

interface Parts {
  readonly service: FakeService;
  readonly add: AddProduct;
  readonly contract: Contract;
  readonly kinds: ReadonlySet<Disturbance>;
  readonly random: () => number;
  readonly otherUrl: string;
}

function replying({ service, add, contract, kinds, random, otherUrl }: Parts) {
  const secondsToWait = createLimiter(random);
  const isDropped = createDropper(random);
  let isRedirected = false;
  let hasGrown = false;

  function refused(request: WireRequest): Reply | undefined {
    if (!isApi(request)) return undefined;
    if (kinds.has('redirect') && !isRedirected) {
      isRedirected = true;
      const response = { status: 307, headers: { location: `${otherUrl}${request.path}` }, text: '' };
      return { response, event: 'redirected' };
    }
    const seconds = kinds.has('limits') ? secondsToWait(performance.now()) : undefined;
    if (seconds === undefined) return undefined;
    const response = errorResponse(429, 'rate_limited', `Too many requests. Wait for ${seconds} seconds.`);
    return {
      response: { ...response, headers: { ...response.headers, 'retry-after': `${seconds}` } },
      event: 'limited',
    };
  }

  /** Adds a product after the first page of a longer list, once. */
  async function growAfter(body: unknown): Promise<void> {
    if (hasGrown || !isRecord(body) || !Array.isArray(body.items)) return;
    if (body.offset !== 0 || body.items.length >= Number(body.total)) return;
    hasGrown = true;
    await add('Added while the list is read');
  }

  function grown(response: WireResponse, operationId: string | undefined): WireResponse {
    const operation = contract.operations.find((one) => one.operationId === operationId);
    const schema = operation?.responses['200']?.content?.['application/json']?.schema;
    const json = jsonIn(response.text);
    if (schema === undefined || json === undefined) return response;
    return { ...response, text: JSON.stringify(withAdditions(json, schema, kinds)) };
  }

  return async (request: WireRequest, operationId: string | undefined): Promise<Reply> => {
    const early = refused(request);
    if (early !== undefined) return early;
    const response = await passOn(service, kinds.has('pages') ? withSmallPage(request, operationId) : request);
    if (response.status !== 200) return { response };
    const body = Buffer.from(request.body ?? []).toString('utf8');
    if (operationId === 'createProduct' && kinds.has('drops') && isDropped(body)) return { event: 'dropped' };
    if (operationId === 'listProducts' && kinds.has('pages')) await growAfter(jsonIn(response.text));
    return { response: grown(response, operationId) };
  };
}

/** The request with a `limit` of at most a page. The service then responds with this limit. */
function withSmallPage(request: WireRequest, operationId: string | undefined): WireRequest {
  if (operationId !== 'listProducts') return request;
  const path = request.path.replace(/(?<=[?&]limit=)\d+/g, (limit) => String(Math.min(Number(limit), pageSize)));
  return { ...request, path };
}

async function passOn(service: FakeService, { method, path, headers, body }: WireRequest): Promise<WireResponse> {
  try {
    const response = await service.fetch(`${service.provider.site_url}${path}`, {
      method,
      headers: { ...headers },
      redirect: 'manual',
      ...(body === undefined || method === 'GET' || method === 'HEAD' ? {} : { body: Uint8Array.from(body) }),
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  } catch {
    // A method or header that `fetch` does not allow.
    return errorResponse(400, 'invalid_request', 'The request is not valid HTTP.');
  }
}

function errorResponse(status: number, code: string, message: string): WireResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    text: JSON.stringify({ error: { code, message } }),
  };
}

function exchangeOf(request: WireRequest, arrivedAt: number) {
  const sentAt = new Date(performance.timeOrigin + arrivedAt).toISOString();
  const milliseconds = Math.round(performance.now() - arrivedAt);
  return { caseId: 'client', purpose: 'valid', request, sentAt, milliseconds } as const;
}
