/** Pages in a real browser. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Result } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { ending } from './files.ts';
import { launchBrowser } from './tools.ts';

/** A browser that is closed when the test file ends. */
export async function startBrowser(): Promise<Browser> {
  return ending.use(await launchBrowser());
}

export type Look = 'light' | 'dark' | 'print';

export async function show(page: Page, width: number, look: Look): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({
    media: look === 'print' ? 'print' : 'screen',
    colorScheme: look === 'dark' ? 'dark' : 'light',
  });
}

/** How much wider the page is than its window, in pixels. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(document.documentElement.scrollWidth - window.innerWidth, 0));

interface Seen {
  /** The URLs that were requested. */
  requests: string[];
  /** Failed requests, errors, and breaches of the content security policy. */
  faults: string[];
}

/** What a page requests, and what the browser reports, from now on. */
export function watch(page: Page): Seen {
  const seen: Seen = { requests: [], faults: [] };
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url())) seen.requests.push(request.url());
  });
  page.on('requestfailed', (request) => seen.faults.push(`failed: ${request.url()}`));
  page.on('console', (message) => {
    if (message.type() !== 'log') seen.faults.push(message.text());
  });
  page.on('pageerror', (error) => seen.faults.push(String(error)));
  return seen;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  // Passed checks are left out: their details, and sending them, take most of the time.
  const found: Result[] = await page.evaluate(
    "axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)",
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

/** Saves a picture of the page in the folder that `SCREENSHOTS` names. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
