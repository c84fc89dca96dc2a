/** The OpenTelemetry example, with OpenTelemetry's own packages and the real server. */

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { type ClientOptions, createClient } from '../../sdk/src/index.ts';
import { startServer, type TestServer } from '../../server/src/testing.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { announcement, type Running, root, run, start } from '../support/program.ts';

// A path as text, because the example is JavaScript without types.
const { tracing }: { tracing: Pick<ClientOptions, 'fetch' | 'onAttemptStart'> } = await import(
  join(root, 'examples/opentelemetry/tracing.mjs')
);

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = trace.getTracer('test');

let server: TestServer;
/** A service that reports a fault once, and then gives an empty object. */
let faulty: Server;
let received: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  provider.register();
  server = await startServer();
  faulty = createServer(({ headers }, response) => {
    received.push(headers);
    response.writeHead(received.length === 1 ? 503 : 200, { 'x-request-id': `r-${received.length}` }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(faulty, 'listening');
});
afterEach(() => {
  exporter.reset();
  received = [];
});
afterAll(async () => {
  await provider.shutdown();
  await server.stop();
  faulty.closeAllConnections();
  faulty.close();
});

/** The spans that ended, once there are so many. The hook runs after the call has resolved. */
async function spans(count: number): Promise<ReadableSpan[]> {
  while (exporter.getFinishedSpans().length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  return exporter.getFinishedSpans();
}

test('each attempt of ensure is a span of its caller, and the expected 404 is not an error', async () => {
  const client = createClient({ baseUrl: server.baseUrl, apiKey: server.apiKey, ...tracing });
  const parents = await Promise.all(
    ['one', 'other'].map((slug) =>
      tracer.startActiveSpan(`sync ${slug}`, async (span) => {
        await client.products.ensure({ slug, name: slug });
        span.end();
        return { slug, ...span.spanContext() };
      }),
    ),
  );
  const all = await spans(6);
  for (const { slug, traceId, spanId } of parents) {
    const own = all.filter(({ parentSpanContext }) => parentSpanContext?.spanId === spanId);
    expect(own.map(({ name }) => name)).toEqual(['getProduct', 'createProduct']);
    expect(own.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([404, 200]);
    expect(own.map(({ status }) => status.code)).toEqual([SpanStatusCode.UNSET, SpanStatusCode.UNSET]);
    expect(own[0]?.attributes).toEqual({
      'http.request.method': 'GET',
      'server.address': '127.0.0.1',
      'url.path': `/api/v1/products/${slug}`,
      'http.response.status_code': 404,
      'product_passport.request_id': expect.stringMatching(/^[\da-f-]{36}$/),
    });
    for (const span of own) {
      expect(span.spanContext().traceId).toBe(traceId);
      expect(span.duration[0] + span.duration[1]).toBeGreaterThan(0);
    }
  }
});

test('a failed attempt and its repetition are two spans, and the service receives the trace', async () => {
  const { port } = faulty.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}/api/v1`, apiKey: 'a-key', ...tracing });
  await tracer.startActiveSpan('whole', async (span) => {
    await client.me.get();
    span.end();
  });
  const all = await spans(3);
  const whole = all.find(({ name }) => name === 'whole');
  const [failed, repeated] = all.filter(({ name }) => name === 'getMe');
  expect(failed?.status.code).toBe(SpanStatusCode.ERROR);
  expect(failed?.attributes).toMatchObject({
    'error.type': 'unexpected_response',
    'http.response.status_code': 503,
    'product_passport.request_id': 'r-1',
  });
  expect(failed?.events).toMatchObject([{ name: 'retry', attributes: { pause_ms: expect.any(Number) } }]);
  expect(repeated?.attributes).toMatchObject({ 'http.request.resend_count': 1, 'http.response.status_code': 200 });
  const { traceId, spanId } = whole?.spanContext() ?? {};
  expect(received.map(({ traceparent }) => traceparent)).toEqual(Array(2).fill(`00-${traceId}-${spanId}-01`));
  expect(JSON.stringify(all.map(({ attributes, events }) => [attributes, events]))).not.toContain('a-key');
});

test('the program prints its spans', async () => {
  const access = { PRODUCT_PASSPORT_URL: server.baseUrl, PRODUCT_PASSPORT_KEY: server.apiKey, NODE_OPTIONS: '' };
  const program = `node ${join(root, 'examples/opentelemetry/traced.mjs')}`;
  const { code, stdout, stderr } = await run(program, access);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const names = Array.from(stdout.matchAll(/^ {2}name: '(.*)',$/gm), ([, name]) => name);
  expect(names.filter((name) => name === 'getProduct')).toHaveLength(2);
  expect(names.filter((name) => name === 'createProduct')).toHaveLength(2);
  expect(names.filter((name) => name === 'sync')).toHaveLength(1);
  expect(stdout).not.toContain(server.apiKey);
});

let observed: Running;

beforeAll(async () => {
  const database = await newPostgresDatabase();
  const program = 'npm start -w examples/opentelemetry-server';
  const line = `${program} -- --json --port 0 --log-level info --database ${database}`;
  observed = await start(line, /^\{"base_url.*\}$/m, { NODE_OPTIONS: '' });
});
afterAll(async () => {
  await observed.stop();
});

/** What the console exporter prints of the spans of one trace, once so many of them are requests. */
async function spansOf(traceId: string, requests: number): Promise<string[]> {
  for (let tries = 0; tries < 100; tries += 1) {
    const spans = observed
      .said()
      .split(/^(?=\{$)/m)
      .filter((text) => text.includes(`traceId: '${traceId}'`) && text.includes('links:'));
    if (spans.filter((text) => text.includes('instrumentation-http')).length === requests) return spans;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No ${requests} requests of ${traceId}:\n${observed.said()}`);
}

test('a request is a span of its caller, with its statements, and the log has the same id', async () => {
  const { base_url, tenants } = announcement(observed.said());
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = {
    authorization: `Bearer ${tenants[0].api_key}`,
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    'x-request-id': 'traced-7',
    'user-agent': 'canary',
  };
  const response = await fetch(`${base_url}/products?search=canary`, { headers });
  expect(response.status).toBe(200);
  const spans = await spansOf(traceId, 1);
  const request = spans.find((text) => text.includes("'http.request.method': 'GET'")) ?? '';
  expect(request).toContain("'url.path': '/api/v1/products'");
  expect(request).toContain("'http.response.status_code': 200");
  expect(request).toContain("'product_passport.request_id': 'traced-7'");
  const [, spanId] = /^ {2}id: '(\w+)'/m.exec(request) ?? [];
  const statements = spans.filter((text) => text.includes('instrumentation-pg'));
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.join('')).toContain(`spanId: '${spanId}'`);
  // Lines of the log are written together, at most 20 ms later.
  for (let waited = 0; !observed.logged().includes('traced-7') && waited < 5000; waited += 20)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(observed.logged()).toContain('"request_id":"traced-7","operation":"listProducts"');
});

test('no span holds a key, a token, a query, a serial number or an address', async () => {
  const { site_url, base_url, tenants } = announcement(observed.said());
  const traceId = '1af7651916cd43dd8448eb211c80319c';
  const headers = {
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    'user-agent': 'canary',
    'x-forwarded-for': '203.0.113.9',
  };
  const { api_key } = tenants[0];
  await fetch(`${site_url}/01/09520001000072/21/canary?zugang=canary`, { headers, redirect: 'manual' });
  await fetch(`${site_url}/p/nordlicht/merinopullover-fjord?zugang=canary`, { headers });
  await fetch(`${base_url}/me?x=canary`, { headers: { ...headers, authorization: `Bearer ${api_key}` } });
  const text = (await spansOf(traceId, 3)).join('');
  expect(text).toContain("'url.path': '/01/…'");
  expect(text).not.toMatch(/canary|ppk_|203\.0\.113/);
});
