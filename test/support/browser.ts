/** Pages in a real browser. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Result } from 'axe-core';
import { type Browser, chromium as launcher, type Page } from 'playwright-core';
import { installed } from './packages.ts';

/** A browser, also outside of Jest. Whoever launches it closes it. */
export async function launchBrowser(): Promise<Browser> {
  const linux = { args: ['--headless=shell', '--no-sandbox', '--disable-gpu'] };
  for (;;) {
    const own = process.platform === 'linux' ? { ...linux, executablePath: await chromium() } : { channel: 'chrome' };
    try {
      return await launcher.launch(own);
    } catch (error) {
      // Another process still unpacks the program.
      if (!String(error).includes('ETXTBSY')) throw error;
      await setTimeout(100);
    }
  }
}

async function chromium(): Promise<string> {
  const folder = await installed(['@sparticuz/chromium@153.0.0']);
  const { default: binary } = createRequire(join(folder, 'package.json'))('@sparticuz/chromium');
  return binary.executablePath();
}

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
  // Paper has no targets. Passed checks are left out: their details, and sending them, take most of the time.
  const found: Result[] = await page.evaluate(
    "axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: matchMedia('screen').matches } } }).then(({ violations }) => violations)",
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
