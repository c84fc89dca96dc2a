/**
 * What a call through the SDK costs beside the same call through openapi-fetch alone: over a `fetch` that responses at
 * once, and over HTTP to the reference server. Fails when it costs too much. With `--quick` it only checks that all of it
 * runs, in few rounds.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createClient } from '@product-passport/sdk';
import openapiFetch from 'openapi-fetch';
import type { paths } from '../../openapi/src/generated/types.ts';

type Work = () => Promise<unknown>;

const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 3 : 201; // odd, so that there is a middle
const warmUp = isQuick ? 1 : 20;

/**
 * Compares the median time of `sdk` with that of `bare`. In each round both run in turn, so that other load on the machine
 * affects both. The result is the median of the ratios.
 */
async function compare(name: string, limit: number, batch: number, bare: Work, sdk: Work): Promise<void> {
  const time = async (work: Work) => {
    const start = performance.now();
    for (let count = batch; count > 0; count -= 1) await work();
    return ((performance.now() - start) / batch) * 1000;
  };
  const samples: { bare: number; sdk: number; ratio: number }[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const first = await time(round % 2 ? bare : sdk);
    const second = await time(round % 2 ? sdk : bare);
    const [ofBare, ofSdk] = round % 2 ? [first, second] : [second, first];
    if (round >= 0) samples.push({ bare: ofBare, sdk: ofSdk, ratio: ofSdk / ofBare });
  }
  const median = (of: 'bare' | 'sdk' | 'ratio') =>
    samples.map((sample) => sample[of]).sort((a, b) => a - b)[rounds >> 1] ?? NaN;
  const ratio = median('ratio');
  const times = `${median('bare').toFixed(1)} µs bare, ${median('sdk').toFixed(1)} µs SDK`;
  process.stdout.write(`${name}: ${ratio.toFixed(3)} times (at most ${limit}); ${times}\n`);
  const isFailure = isQuick ? Number.isNaN(ratio) : !(ratio <= limit);
  if (isFailure) process.exitCode = 1;
}

/** A client of openapi-fetch that throws errors, as the SDK does. */
function connect(baseUrl: string, key: string, fetch?: (request: Request) => Promise<Response>) {
  const headers = { Authorization: `Bearer ${key}` };
  const api = openapiFetch<paths>({ baseUrl, headers, ...(fetch && { fetch }) });
  return async (slug: string, signal?: AbortSignal) => {
    const { data, error } = await api.GET('/api/v1/products/{slug}', {
      params: { path: { slug } },
      ...(signal && { signal }),
    });
    if (!data) throw error;
    return data;
  };
}

/** Runs the call with a time limit. The timer is cleared after the response. */
async function limited<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), 30_000);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

const product = JSON.stringify({
  id: '019ad0c0-7c00-7000-8000-000000000001',
  name: 'USB-C-Kabel 240 W 2 m',
  slug: 'usb-c-kabel',
  status: 'draft',
  gtin: '9520001000072',
  completeness: 33,
  registry_status: 'none',
  unique_product_identifier: 'urn:dpp:nordlicht:usb-c-kabel',
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
  product_group: 'cable',
  model: 'UC240-2',
  registry_id: null,
});
const fetch = async () => new Response(product, { headers: { 'content-type': 'application/json' } });
const address = 'https://passport.example.com';
const stubbed = connect(address, 'a-key', fetch);
const options = { baseUrl: `${address}/api/v1`, apiKey: 'a-key', fetch };
const endless = createClient({ ...options, timeoutMs: Infinity, deadlineMs: Infinity });
const client = createClient(options);

await compare(
  'stub, no limits',
  1.3,
  300,
  () => stubbed('usb-c-kabel'),
  () => endless.products.get('usb-c-kabel'),
);
await compare(
  'stub, with a time limit',
  1.3,
  300,
  () => limited((signal) => stubbed('usb-c-kabel', signal)),
  () => client.products.get('usb-c-kabel'),
);

const command = ['server/src/cli/main.ts', 'serve', '--demo', '--json', '--port', '0', '--database', ':memory:'];
const server = spawn(process.execPath, [...command, '--rate-limit', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = await once(createInterface(server.stdout), 'line');
  const { base_url: baseUrl, site_url: siteUrl, tenants } = JSON.parse(line);
  const { api_key: apiKey } = tenants[0];
  const bare = connect(siteUrl, apiKey);
  const sdk = createClient({ baseUrl, apiKey });
  const { items } = await sdk.products.list({ limit: 1 });
  const slug = items[0]?.slug ?? '';
  await compare(
    'reference server',
    1.05,
    20,
    () => limited((signal) => bare(slug, signal)),
    () => sdk.products.get(slug),
  );
} finally {
  server.kill();
}
