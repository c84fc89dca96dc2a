/** The OpenTelemetry example of the server: spans of requests and statements, without what must not leave the server. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newPostgresDatabase } from '../support/postgres.ts';
import { announcement, type Running, root, start } from '../support/program.ts';

const instrumentation = join(root, 'examples/opentelemetry-server/instrumentation.mjs');
let server: Running;

beforeAll(async () => {
  const database = await newPostgresDatabase();
  const program = `node --import ${instrumentation} ${join(root, 'server/src/cli/main.ts')}`;
  const line = `${program} serve --demo --json --port 0 --log-level info --database ${database}`;
  server = await start(line, /^\{"base_url.*\}$/m, { NODE_OPTIONS: '' });
});
afterAll(async () => {
  await server.stop();
});

/** What the console exporter prints of the spans of one trace, once so many of them are requests. */
async function spansOf(traceId: string, requests: number): Promise<string[]> {
  for (let tries = 0; tries < 100; tries += 1) {
    const spans = server
      .said()
      .split(/^(?=\{$)/m)
      .filter((text) => text.includes(`traceId: '${traceId}'`) && text.includes('links:'));
    if (spans.filter((text) => text.includes('instrumentation-http')).length === requests) return spans;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No ${requests} requests of ${traceId}:\n${server.said()}`);
}

test('a request is a span of its caller, with its statements, and the log has the same id', async () => {
  const { base_url, tenants } = announcement(server.said());
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
  for (let waited = 0; !server.logged().includes('traced-7') && waited < 5000; waited += 20)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(server.logged()).toContain('"request_id":"traced-7","operation":"listProducts"');
});

test('no span holds a key, a token, a query, a serial number or an address', async () => {
  const { site_url, base_url, tenants } = announcement(server.said());
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
