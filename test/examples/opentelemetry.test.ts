/** The OpenTelemetry examples, with OpenTelemetry's own packages. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createFakeService } from '../../sdk/src/testing.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { announcement, type Running, run, start } from '../support/program.ts';
import { serveFetch } from '../support/serve.ts';

/** Gives each value a name by its first occurrence: `trace 1`. */
function numbered(text: string, pattern: RegExp, name: string): string {
  const known: string[] = [];
  return text.replaceAll(pattern, (value) => {
    if (!known.includes(value)) known.push(value);
    return `${name} ${known.indexOf(value) + 1}`;
  });
}

test('the program prints a span for each attempt, whose parent is its own, and the service receives the trace', async () => {
  const service = createFakeService();
  const [{ slug, api_key } = { slug: '', api_key: '' }] = service.provider.tenants;
  service.fault(slug, { code: 'service_unavailable', operation: 'getProduct' });
  const traces: (string | null)[] = [];
  const { url } = await serveFetch((request) => {
    traces.push(request.headers.get('traceparent'));
    return service.fetch(request);
  });
  const access = { PRODUCT_PASSPORT_URL: `${url}/api/v1`, PRODUCT_PASSPORT_KEY: api_key, NODE_OPTIONS: '' };
  const { code, stdout, stderr } = await run('npm start -w examples/opentelemetry', access);
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain(api_key);
  const received = traces.map((trace) => trace?.split('-').slice(1, 3));
  const spans = `${stdout.slice(stdout.indexOf('{'))}${JSON.stringify(received, null, 2)}`
    .replaceAll(/\b(timestamp|duration|pause_ms): [\d.]+/g, '$1: N')
    .replaceAll(/\bat: .*|time: \[.*\]/g, 'time: N')
    .replaceAll(/ {2}(?:resource|instrumentationScope): \{.*?^ {2}\},\n/gms, '');
  const named = numbered(spans, /request-\d+/g, 'request');
  expect(numbered(numbered(named, /\b[\da-f]{32}\b/g, 'trace'), /\b[\da-f]{16}\b/g, 'span')).toMatchSnapshot();
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

/** What the console exporter prints of the spans of one trace, once it has this number of requests. */
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
  await fetch(`${site_url}/01/09520001200045/21/canary?zugang=canary`, { headers, redirect: 'manual' });
  await fetch(`${site_url}/p/skellig/merino-jumper-inis?zugang=canary`, { headers });
  await fetch(`${base_url}/me?x=canary`, { headers: { ...headers, authorization: `Bearer ${api_key}` } });
  const text = (await spansOf(traceId, 3)).join('');
  expect(text).toContain("'url.path': '/01/…'");
  expect(text).not.toMatch(/canary|ppk_|203\.0\.113/);
});
