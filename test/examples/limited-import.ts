/**
 * An import under a rate limit. Starts the reference server with `--rate-limit`, calls `products.ensure` for every product
 * with `eachInOrder`, and then reads the whole list. Fails if a product is missing, is there twice, or could not be created.
 * Prints how long it took, and how long the limit alone requires.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Attempt, createClient } from '@product-passport/sdk';
import { eachInOrder, toArray } from '@product-passport/sdk/bulk';

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '1500' },
    'rate-limit': { type: 'string', default: '6000' },
    concurrency: { type: 'string', default: '8' },
  },
});
const [products, rateLimit, concurrency] = [values.products, values['rate-limit'], values.concurrency].map((text) => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new RangeError(`"${text}" must be a whole number of at least 1`);
  return number;
}) as [number, number, number];

const minute = 60_000;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** The server starts a minute with its first request, and allows the whole limit in it at once. */
const idealMs = (requests: number) => (Math.ceil(requests / rateLimit) - 1) * minute;

const main = fileURLToPath(new URL('../../server/src/cli/main.ts', import.meta.url));
const options = ['--json', '--port', '0', '--database', ':memory:', '--rate-limit', String(rateLimit)];
const server = spawn(process.execPath, [main, 'serve', '--demo', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = await once(createInterface(server.stdout), 'line');
  const { base_url: baseUrl, tenants } = JSON.parse(line);
  await run(baseUrl, tenants[0].api_key);
} finally {
  server.kill();
}

async function run(baseUrl: string, apiKey: string): Promise<void> {
  let [sent, refused, reported] = [0, 0, 0];
  const onAttempt = ({ status }: Attempt) => {
    sent += 1;
    if (status === 429) refused += 1;
  };
  const client = createClient({ baseUrl, apiKey, onAttempt });
  const items = Array.from({ length: products }, (_, index) => ({ slug: `sync-${index}`, name: `Sync ${index}` }));

  const began = performance.now();
  const onProgress = ({ succeeded, failed }: { succeeded: number; failed: number }) => {
    const tenths = Math.floor((10 * (succeeded + failed)) / products);
    if (tenths === reported) return;
    reported = tenths;
    process.stderr.write(`${seconds(performance.now() - began)}: ${succeeded} of ${products}, ${failed} failed\n`);
  };
  const failures: string[] = [];
  let created = 0;
  const work = (item: (typeof items)[number]) => client.products.ensure(item);
  for await (const outcome of eachInOrder(items, work, { concurrency, onProgress })) {
    if (!outcome.ok) failures.push(`${outcome.item.slug}: ${outcome.error}`);
    else if (outcome.value.created) created += 1;
  }
  const took = performance.now() - began;
  const ideal = idealMs(sent - refused);
  const requests = `${sent - refused} requests and ${refused} refused ones`;

  const stored = (await toArray(client.products.list({ limit: 200 }))).filter(({ slug }) => slug.startsWith('sync-'));
  const slugs = new Set(stored.map(({ slug }) => slug));
  const lost = items.filter(({ slug }) => !slugs.has(slug)).length;
  const repeated = stored.length - new Set(stored.map(({ name }) => name)).size;

  process.stdout.write(
    `${created} created, ${failures.length} failed, ${lost} lost, ${repeated} repeated; ${requests}\n`,
  );
  const ratio = ideal > 0 ? `, ${(took / ideal).toFixed(3)} times as long` : '';
  process.stdout.write(`${seconds(took)}; the limit of ${rateLimit} a minute requires ${seconds(ideal)}${ratio}\n`);
  for (const failure of failures.slice(0, 10)) process.stderr.write(`${failure}\n`);
  if (created !== products || failures.length + lost + repeated > 0) process.exitCode = 1;
}
