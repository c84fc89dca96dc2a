/** Sends requests to the provider exactly as given. It follows no redirect and completes no path. */
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  maxHeaderSize,
  type OutgoingHttpHeaders,
  type RequestOptions,
  request as sendHttp,
} from 'node:http';
import { request as sendHttps, Agent as TlsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import { sideOf } from '@product-passport/openapi';
import { failureOf } from '../../../server/src/command-line/failures.ts';
import type { Addresses } from '../provider.ts';
import { readBody } from './body.ts';
import { hopTo, plainHost, proxyFor, tunnelThrough } from './environment-proxy.ts';
import type { WireRequest, WireResponse } from './exchange.ts';

interface ConnectionOptions {
  /** How long to wait for a response, in milliseconds. */
  readonly timeout: number;
  /** The maximum number of requests per second. Default: no limit. */
  readonly rate?: number | undefined;
}

export interface Connection {
  /** @throws NoResponse when the provider cannot be reached, closes the connection or does not respond in time. */
  send(request: WireRequest): Promise<WireResponse>;
  close(): void;
}

/** The provider did not respond. The message says why, for people. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  /** No connection was made: there is no such name, no open port or no network. */
  readonly isUnreached: boolean;

  constructor(message: string, isUnreached = false) {
    super(message);
    this.isUnreached = isUnreached;
  }
}

/** The maximum number of retries of one request after 429. */
const maxWaits = 5;
/** The maximum wait before one try, and for all waits of a run, in seconds. */
const maxWait = 60;
const maxWaitOfRun = 600;

export function openConnection(addresses: Addresses, { timeout, rate }: ConnectionOptions): Connection {
  const agents = { 'http:': new Agent({ keepAlive: true }), 'https:': new TlsAgent({ keepAlive: true }) };
  let nextAt = 0;
  let waited = 0;

  return {
    async send(request) {
      for (let waits = 0; ; waits += 1) {
        await turn();
        const response = await attempt(request);
        if (response.status !== 429) return response;
        const wait = secondsUntil(response.headers['retry-after']) ?? 2 ** waits;
        if (waits === maxWaits || wait > maxWait || waited + wait > maxWaitOfRun) return response;
        waited += wait;
        await delay(wait * 1000);
      }
    },
    close() {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };

  /** Waits until the rate allows the next request. */
  async function turn(): Promise<void> {
    if (rate === undefined) return;
    const now = performance.now();
    const at = Math.max(now, nextAt);
    nextAt = at + 1000 / rate;
    if (at > now) await delay(at - now);
  }

  function attempt(request: WireRequest): Promise<WireResponse> {
    const { method, path } = request;
    const side = sideOf(path);
    const root = new URL(side.secured ? addresses.baseUrl : addresses.siteUrl);
    const below = side.secured ? path.slice(side.root.length) : path;
    const kept = root.protocol === 'https:' ? agents['https:'] : agents['http:'];
    // A creation is never sent twice, so its connection must be a new one.
    const agent = method === 'POST' ? false : kept;
    return sendTo(root, { ...request, path: `${root.pathname.replace(/\/$/, '')}${below}` }, { timeout, agent });
  }
}

interface SendOptions {
  readonly timeout: number;
  /** `false`: a new connection. */
  readonly agent: Agent | false;
  /** Default: the system's. */
  readonly lookup?: LookupFunction;
  /** Default: that of every body. */
  readonly maxBytes?: number;
  /** Default: UTF-8. */
  readonly decode?: (bytes: Buffer, contentType?: string) => string;
  readonly signal?: AbortSignal;
}

/**
 * Sends one request to a host.
 *
 * @throws NoResponse
 */
export function sendTo(root: URL, request: WireRequest, options: SendOptions): Promise<WireResponse> {
  const { timeout, maxBytes, decode, ...own } = options;
  const { method, path, headers, body } = request;
  const proxy = proxyFor(root);
  const lossOf = (error: unknown) => (proxy ? throughProxy(proxy, noResponse(error).message) : noResponse(error));
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const outgoing = openRequest(root, { ...own, method, path, headers: { ...length, ...headers } });
    const stop = startTimer(timeout, () => {
      const isUnreached = outgoing.socket?.connecting ?? true;
      const what = isUnreached ? 'connection' : 'complete response';
      outgoing.destroy(lossOf(new NoResponse(`no ${what} within ${timeout / 1000} seconds`, isUnreached)));
    });
    let hasResponse = false;
    outgoing.on('close', () => {
      stop();
      // After an upgrade, Node closes the connection without an error.
      if (!hasResponse) reject(lossOf(Object.assign(new Error(), { code: 'ECONNRESET' })));
    });
    outgoing.on('error', (error) => {
      // A request without a connection does not close.
      stop();
      // The provider may close an idle connection at the moment when the next request is sent.
      const isIdle = outgoing.reusedSocket && codeOf(error) === 'ECONNRESET';
      if (isIdle) resolve(sendTo(root, request, { ...options, agent: false }));
      else reject(lossOf(error));
    });
    outgoing.on('response', (incoming) => {
      hasResponse = true;
      if (proxy && isOfProxy(incoming)) {
        incoming.destroy();
        reject(throughProxy(proxy, `it responded with ${incoming.statusCode}`));
        return;
      }
      read(incoming, maxBytes, decode).then(resolve, (error) => reject(lossOf(error)));
    });
    outgoing.end(body);
  });
}

/** Opens a request to a host, without its body. */
export function openRequest(root: URL, options: RequestOptions): ClientRequest {
  const proxy = proxyFor(root);
  const send = root.protocol === 'https:' ? sendHttps : sendHttp;
  const target = { protocol: root.protocol, hostname: plainHost(root.hostname), port: root.port };
  if (!proxy) return send({ ...options, ...target });
  const { agent, lookup: _, ...rest } = options;
  if (root.protocol === 'https:') {
    const opening = new AbortController();
    const createConnection = tunnelThrough(proxy, root, opening.signal);
    return sendHttps({ ...rest, ...target, createConnection }).once('close', () => opening.abort());
  }
  const hop = hopTo(proxy);
  const kept = proxy.protocol === root.protocol ? { agent } : {};
  const headers = { host: root.host, ...hop.login, ...(options.headers as OutgoingHttpHeaders) };
  return hop.send({ ...rest, ...kept, ...hop.target, path: `${root.origin}${options.path}`, headers });
}

/** A loss on the way says nothing about the provider. */
function throughProxy(proxy: URL, message: string): NoResponse {
  return new NoResponse(`through the proxy ${proxy.host} there is no response: ${message}`, true);
}

/** It asks for a login, or could not reach the provider. The errors of a provider are JSON. */
function isOfProxy({ statusCode = 0, headers }: IncomingMessage): boolean {
  const isError = [502, 503, 504].includes(statusCode) && !/json/i.test(headers['content-type'] ?? '');
  return statusCode === 407 || isError;
}

const timerParts = 20;

/**
 * Limits the time for a response. The time of a process that stood still, because the machine was busy or asleep, counts as
 * one part: the response may have come in the meantime.
 *
 * @returns what stops the timer
 */
export function startTimer(milliseconds: number, onEnd: () => void): () => void {
  let left = timerParts;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    onEnd();
  }, milliseconds / timerParts);
  return () => clearInterval(timer);
}

/** The seconds of a valid `Retry-After`: a number or a date. */
function secondsUntil(retryAfter = ''): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const date = /[a-z]/i.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

async function read(
  incoming: IncomingMessage,
  maxBytes?: number,
  decode?: SendOptions['decode'],
): Promise<WireResponse> {
  const headers = headersOf(incoming);
  const encoding = headers['content-encoding']?.toLowerCase();
  const body = await readBody(
    incoming,
    encoding,
    maxBytes,
    decode && ((bytes) => decode(bytes, headers['content-type'])),
  );
  return { status: incoming.statusCode ?? 0, headers, ...body };
}

export function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : `${value}`]),
  );
}

const closed = 'the provider closed the connection without a response';

function noResponse(error: unknown): NoResponse {
  if (error instanceof NoResponse) return error;
  const code = codeOf(error);
  if (code === 'ECONNRESET') return new NoResponse(closed);
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new NoResponse(`the headers of the response have more than ${maxHeaderSize / 1024} KiB`);
  }
  if (code.startsWith('HPE_')) return new NoResponse('the response is not HTTP');
  const failure = failureOf(error);
  return new NoResponse(failure?.text ?? (error as Error).message, failure?.of === 'network' && code !== 'EPIPE');
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? 'UNKNOWN';
}

/** @param siteUrl the root of the addresses that the handler receives */
export function connectInProcess(
  handler: (request: Request) => Promise<Response>,
  siteUrl: string,
  { timeout = 10_000 }: { readonly timeout?: number } = {},
): Connection {
  return {
    async send(request) {
      const asked = requestFor(siteUrl, request);
      if (asked === undefined) return { status: 400, headers: {}, text: '' };
      const { promise, resolve, reject } = Promise.withResolvers<WireResponse>();
      const fail = (reason: string) => reject(new NoResponse(reason));
      const stop = startTimer(timeout, () => fail(`no complete response within ${timeout / 1000} seconds`));
      handler(asked)
        .then(responseOf)
        .then(resolve, () => fail(closed));
      return promise.finally(stop);
    },
    close() {},
  };
}

/** `undefined` for a request that `Request` cannot express. A server would refuse its bytes. */
export function requestFor(siteUrl: string, { method, path, headers, body }: WireRequest): Request | undefined {
  try {
    const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
    return new Request(`${siteUrl}${path}`, {
      method,
      headers,
      redirect: 'manual',
      body: hasBody ? new Uint8Array(body) : null,
    });
  } catch {
    return undefined;
  }
}

async function responseOf(response: Response): Promise<WireResponse> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ...(await readBody(response.body === null ? [] : Readable.fromWeb(response.body as ReadableStream))),
  };
}
