/** The fake service over HTTP, with disturbances. It records what it receives. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Contract, isRecord, type Schema, sideOf } from '@product-passport/openapi';
import { createFakeService, type FakeService } from '@product-passport/sdk/testing';
import fc from 'fast-check';
import { operationAt } from '../../judge/operation-at.ts';
import { requestFor } from '../http/connection.ts';
import { type Exchange, jsonIn, type WireRequest, type WireResponse } from '../http/exchange.ts';
import { listen, type Origin } from '../http/listen.ts';
import type { Provider } from '../provider.ts';
import { loadedSuite } from '../verify.ts';
import type { ClientRequest, Disturbance } from './check.ts';

interface Reply extends Pick<ClientRequest, 'fault' | 'isRedirected'> {
  /** Absent if the connection closes without a response. */
  readonly response?: WireResponse;
}

/** The maximum page. The contract's own default is as large, so every provider may have it. */
const pageSize = 50;

/** @param port default: any free port */
export async function openService(kinds: ReadonlySet<Disturbance>, seed: number, port = 0) {
  const { contract } = loadedSuite();
  const requests: ClientRequest[] = [];
  const elsewhere: Exchange[] = [];
  let reply: (request: WireRequest, operationId: string | undefined) => Promise<Reply>;

  // First the one whose port may be in use: a second listener would keep the process alive.
  const origin = await openOrigin(async (request, arrivedAt) => {
    const operationId = operationAt(contract.operations, request.method, request.path)?.operationId;
    const { response, ...disturbed } = await reply(request, operationId);
    const outcome = response === undefined ? { failure: 'the service closed the connection on purpose' } : { response };
    const exchange = { ...exchangeOf(request, arrivedAt), ...outcome };
    const times = { arrivedAt, respondedAt: performance.now() };
    requests.push({ exchange, operationId, ...times, ...disturbed });
    return response;
  }, port);
  const other = await openOrigin(async (request) => {
    const response = errorResponse(
      404,
      'not_found',
      'The service under test has another address: this one was only redirected to.',
    );
    elsewhere.push({ ...exchangeOf(request, performance.now()), response });
    return response;
  });
  const service = createFakeService({ siteUrl: origin.url });
  const add = await addSampleProducts(service);
  reply = replying({ service, add, contract, kinds, seed, otherUrl: other.url });
  return {
    provider: service.provider as Provider,
    requests: requests as readonly ClientRequest[],
    /** What arrived at the other origin, to which the service redirects. */
    elsewhere: elsewhere as readonly Exchange[],
    async close() {
      await Promise.all([origin.close(), other.close()]);
      requests.sort((one, next) => one.arrivedAt - next.arrivedAt);
    },
  };
}

interface Parts {
  readonly service: FakeService;
  readonly add: AddProduct;
  readonly contract: Contract;
  readonly kinds: ReadonlySet<Disturbance>;
  readonly seed: number;
  readonly otherUrl: string;
}

function replying({ service, add, contract, kinds, seed, otherUrl }: Parts) {
  const secondsToWait = createLimiter(seed);
  const isDropped = createDropper(seed);
  let isRedirected = false;
  let hasGrown = false;

  function refused(request: WireRequest): Reply | undefined {
    if (!sideOf(request.path).secured) return undefined;
    if (kinds.has('redirect') && !isRedirected) {
      isRedirected = true;
      const response = { status: 307, headers: { location: `${otherUrl}${request.path}` }, text: '' };
      return { response, isRedirected: true };
    }
    const seconds = kinds.has('limits') ? secondsToWait(performance.now()) : undefined;
    if (seconds === undefined) return undefined;
    const response = errorResponse(429, 'rate_limited', `Too many requests. Wait for ${seconds} seconds.`);
    return {
      response: { ...response, headers: { ...response.headers, 'retry-after': `${seconds}` } },
      fault: { code: 'rate_limited', retryAfter: seconds },
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
    const asked = kinds.has('pages') ? withSmallPage(request, operationId) : request;
    const passed = await passOn(service.fetch, service.provider.site_url, asked);
    if (passed === undefined) return {};
    const { bytes, ...head } = passed;
    const response = { ...head, text: bytes.toString('utf8') };
    if (response.status !== 200) return { response };
    const body = Buffer.from(request.body ?? []).toString('utf8');
    if (operationId === 'createProduct' && kinds.has('drops') && isDropped(body))
      return { fault: { connection: 'lose_response' } };
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

/** A response with the bytes of its body. */
export type Passed = Omit<WireResponse, 'text'> & { readonly bytes: Buffer };

/** @returns `undefined` if the service closes the connection */
export async function passOn(
  handle: (request: Request) => Promise<Response>,
  root: string,
  sent: WireRequest,
): Promise<Passed | undefined> {
  const request = requestFor(root, sent);
  if (request === undefined) {
    const { text, ...refusal } = errorResponse(400, 'invalid_request', 'The request is not valid HTTP.');
    return { ...refusal, bytes: Buffer.from(text) };
  }
  try {
    const response = await handle(request);
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), bytes };
  } catch {
    return undefined;
  }
}

function errorResponse(status: number, code: string, message: string): WireResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    text: JSON.stringify({ error: { code, message } }),
  };
}

export function exchangeOf(request: WireRequest, arrivedAt: number) {
  const sentAt = new Date(performance.timeOrigin + arrivedAt).toISOString();
  const milliseconds = Math.round(performance.now() - arrivedAt);
  return { caseId: 'client', purpose: 'valid', request, sentAt, milliseconds } as const;
}

/** @returns `undefined` to close the connection without a response */
type Handler = (request: WireRequest, arrivedAt: number) => Promise<WireResponse | Passed | undefined>;

/** @param port default: any free port */
export function openOrigin(handle: Handler, port = 0): Promise<Origin> {
  const server = createServer((incoming, outgoing) => {
    exchange(incoming, outgoing, handle).catch(() => outgoing.destroy());
  });
  return listen(server, port);
}

async function exchange(incoming: IncomingMessage, outgoing: ServerResponse, handle: Handler): Promise<void> {
  const arrivedAt = performance.now();
  const { method = 'GET', url = '/' } = incoming;
  const body = await buffer(incoming);
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  const request = { method, path: url, headers, body: body.length > 0 ? body : undefined };
  const response = await handle(request, arrivedAt);
  if (response === undefined) {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(response.status, response.headers);
  outgoing.end(method === 'HEAD' ? undefined : 'bytes' in response ? response.bytes : response.text);
}

/** With the helmet of the fake service, exactly two pages of 50 active products. The list then grows by one. */
const count = 99;

const completeValues = [
  { field_key: 'manufacturer_name', value: 'Skellig Goods Ltd' },
  { field_key: 'country_of_origin', value: 'IE' },
  { field_key: 'product_description', value: 'A sample.' },
  { field_key: 'recycling_instructions', value: 'Take it back to the shop.' },
];

/** Adds a product to a service, as another program of the tenant would. */
type AddProduct = (name: string) => Promise<void>;

export async function addSampleProducts(service: FakeService): Promise<AddProduct> {
  const { base_url, tenants, active_product } = service.provider;
  const headers = { authorization: `Bearer ${tenants[0]?.api_key}`, 'content-type': 'application/json' };
  const send = (method: string, path: string, body: unknown): Promise<Response> =>
    service.fetch(`${base_url}${path}`, { method, headers, body: JSON.stringify(body) });
  const complete = (slug: string): Promise<Response> => send('PUT', `/products/${slug}/passport`, completeValues);
  const add = async (name: string): Promise<void> => {
    const response = await send('POST', '/products', { name, product_group: 'other' });
    const { slug }: { slug: string } = await response.json();
    await complete(slug);
    service.activate(active_product.tenant, slug);
  };
  await complete(active_product.slug);
  for (let number = 1; number <= count; number += 1) await add(`Sample ${String(number).padStart(3, '0')}`);
  return add;
}

/** Longer than the pause of a program that waits a second after any failure. */
const retryAfterSeconds = 2;

/** The maximum number of 429 and of dropped connections in a run. */
const maxTimes = 3;

/** Whether it is time for a disturbance: at call number `first`, and twice more, each after `min` to `max` further calls. */
function createOccasions(seed: number, first: number, [min, max]: readonly [number, number]): () => boolean {
  const gaps = fc.sample(fc.integer({ min, max }), { seed, numRuns: maxTimes - 1 });
  let left = first;
  return () => {
    left -= 1;
    if (left !== 0) return false;
    left = gaps.pop() ?? 0;
    return true;
  };
}

/** Returns the seconds that a request has to wait, or `undefined`. */
export function createLimiter(seed: number): (now: number) => number | undefined {
  const isTime = createOccasions(seed, 1 + Math.abs(seed % 2), [20, 59]);
  let endsAt = 0;
  return (now) => {
    if (now < endsAt) return Math.ceil((endsAt - now) / 1000);
    if (!isTime()) return undefined;
    endsAt = now + retryAfterSeconds * 1000;
    return retryAfterSeconds;
  };
}

/**
 * Whether the response to this creation is lost. The first one never is, so that a program that creates one product and
 * cannot look for it succeeds.
 *
 * @param body a body that was sent before is not lost, because the program may want two equal products
 */
export function createDropper(seed: number): (body: string) => boolean {
  const isTime = createOccasions(seed, 2, [5, 24]);
  const known = new Set<string>();
  return (body) => {
    if (known.has(body)) return false;
    known.add(body);
    return isTime();
  };
}

const addedField = 'added_later';
const addedValue = 'added_later';

/** A program may have sent it, and may compare it with the response. */
const unchanged = new Set(['product_group']);

/** The body with additions. `schema` is that of the response. */
function withAdditions(body: unknown, schema: Schema, kinds: ReadonlySet<Disturbance>): unknown {
  if (Array.isArray(body)) {
    return body.map((element) => (schema.items ? withAdditions(element, schema.items, kinds) : element));
  }
  if (isRecord(body)) return objectWithAdditions(body, schema, kinds);
  const isOpen = schema['x-extensible-enum'] !== undefined && typeof body === 'string';
  return isOpen && kinds.has('values') ? addedValue : body;
}

function objectWithAdditions(
  body: Readonly<Record<string, unknown>>,
  schema: Schema,
  kinds: ReadonlySet<Disturbance>,
): unknown {
  const properties = propertiesOf(schema);
  const names = Object.keys(properties);
  if (names.length === 0) return body;
  const members = Object.entries(body).map(([name, value]): [string, unknown] => {
    const member = properties[name];
    return [name, member === undefined || unchanged.has(name) ? value : withAdditions(value, member, kinds)];
  });
  // A program may add up the numbers of such an object.
  const isTable = Object.values(body).every((value) => typeof value === 'number');
  if (kinds.has('fields') && !isTable) members.unshift([addedField, { since: 'a later version' }]);
  return Object.fromEntries(members);
}

function propertiesOf({ properties = {}, allOf = [] }: Schema): Readonly<Record<string, Schema>> {
  return Object.assign({}, ...allOf.map(propertiesOf), properties);
}

/** A request body without the added fields: a program may send back what it read. */
export function withoutAdditions(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutAdditions);
  if (!isRecord(body)) return body;
  const members = Object.entries(body).filter(([name]) => name !== addedField);
  return Object.fromEntries(members.map(([name, value]) => [name, name === 'value' ? value : withoutAdditions(value)]));
}
