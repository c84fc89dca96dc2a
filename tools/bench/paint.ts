/**
 * How soon a passport page shows its largest content, on a slow phone: the processor at a quarter of its speed, 1.6 Mbit/s,
 * and an empty cache. Prints the median of several runs for the heaviest and the middle page of the demo.
 *
 *   npm run bench:paint -- [--runs 9] [--latency 150] [--cpu 4]
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../test/support/tools.ts';
import { startDemo } from './programs.ts';
import { median } from './settings.ts';

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '9' },
    /** Milliseconds between a request and the first byte of its response. */
    latency: { type: 'string', default: '150' },
    cpu: { type: 'string', default: '4' },
  },
});
const runs = Number(options.runs);
const bytesPerSecond = (1.6 * 1_000_000) / 8;

/** What a reader waits for, in milliseconds, and how much the page moved meanwhile. */
interface Paint {
  first: number;
  largest: number;
  shift: number;
  /** Bytes of all responses, as they were sent. */
  bytes: number;
}

async function paintOf(browser: Browser, address: string): Promise<Paint> {
  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: Number(options.latency),
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: Number(options.cpu) });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(address, { waitUntil: 'load' });
  const paint = await page.evaluate(async () => {
    const entries = (type: string) =>
      new Promise<PerformanceEntry[]>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
        observer.observe({ type, buffered: true });
        setTimeout(() => resolve(observer.takeRecords()), 300);
      });
    const largest = await entries('largest-contentful-paint');
    const shifts = (await entries('layout-shift')) as (PerformanceEntry & { value: number })[];
    return {
      first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      largest: largest.at(-1)?.startTime ?? Number.NaN,
      shift: shifts.reduce((sum, { value }) => sum + value, 0),
    };
  });
  await context.close();
  return { ...paint, bytes };
}

/** A prefetch does not count as a scan. */
const prefetch = { headers: { accept: 'text/html', 'sec-purpose': 'prefetch' } };

/** The demo's pages by the bytes of their HTML, lightest first. */
async function pagesOf(host: string): Promise<string[]> {
  const demo: { products: { tenant_slug: string; slug: string; status: string }[] } = JSON.parse(
    await readFile(new URL('../../server/data/demo_products.json', import.meta.url), 'utf8'),
  );
  const active = demo.products.filter(({ status }) => status === 'active');
  const sized: { path: string; bytes: number }[] = [];
  for (const { tenant_slug, slug } of active) {
    const path = `/p/${tenant_slug}/${slug}`;
    // The server listens while it fills the demo.
    let response = await fetch(host + path, prefetch);
    while (response.status === 404) {
      await response.arrayBuffer();
      await new Promise((resolve) => setTimeout(resolve, 100));
      response = await fetch(host + path, prefetch);
    }
    sized.push({ path, bytes: (await response.arrayBuffer()).byteLength });
  }
  return sized.toSorted((a, b) => a.bytes - b.bytes).map(({ path }) => path);
}

const folder = await mkdtemp(join(tmpdir(), 'passport-paint-'));
const program = await startDemo(join(folder, 'demo.sqlite'));
const browser = await launchBrowser();
try {
  const pages = await pagesOf(program.host);
  const print = (path: string, ...cells: (string | number)[]) =>
    process.stdout.write(`${path.padEnd(48)}${cells.map((cell) => String(cell).padStart(13)).join('')}\n`);
  print('page', 'bytes sent', 'first', 'largest', 'from – to', 'shift');
  for (const path of [pages.at(-1), pages[pages.length >> 1]]) {
    if (path === undefined) continue;
    const paints: Paint[] = [];
    // The first run warms up the server and the browser.
    for (let run = -1; run < runs; run += 1) {
      const paint = await paintOf(browser, program.host + path);
      if (run >= 0) paints.push(paint);
    }
    const largest = paints.map((paint) => paint.largest);
    const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2);
    print(
      path,
      median(paints.map(({ bytes }) => bytes)),
      seconds(median(paints.map(({ first }) => first))),
      seconds(median(largest)),
      `${seconds(Math.min(...largest))}–${seconds(Math.max(...largest))}`,
      Math.max(...paints.map(({ shift }) => shift)),
    );
  }
} finally {
  await browser.close();
  await program.stop();
  await rm(folder, { recursive: true });
}
