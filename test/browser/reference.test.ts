/** The API reference in a browser. `SCREENSHOTS=folder` saves screenshots. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Result } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { ending, newFolder } from '../support/files.ts';
import { run } from '../support/program.ts';
import { type Service, startService } from '../support/service.ts';
import { launchBrowser } from '../support/tools.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const names = [
  'index',
  'all',
  'tenant',
  'products',
  'passports',
  'data-carriers',
  'analytics',
  'public',
  'schemas',
  'fields',
  'fields/battery',
];
let browser: Browser;
let service: Service;
let site = '';

beforeAll(async () => {
  service = await startService('SQLite');
  site = `http://127.0.0.1:${service.port}`;
  browser = ending.use(await launchBrowser());
});

interface Seen {
  hosts: Set<string>;
  faults: string[];
}

/** What a page requests, and what the browser reports: failed requests, errors, breaches of the content security policy. */
function watch(page: Page): Seen {
  const seen: Seen = { hosts: new Set(), faults: [] };
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:') seen.hosts.add(host);
  });
  page.on('requestfailed', (request) => seen.faults.push(`failed: ${request.url()}`));
  page.on('console', (message) => {
    if (message.type() !== 'log') seen.faults.push(message.text());
  });
  page.on('pageerror', (error) => seen.faults.push(String(error)));
  return seen;
}

async function violations(page: Page): Promise<string[]> {
  const found: Result[] = await page.evaluate(
    "axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)",
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(document.documentElement.scrollWidth - window.innerWidth, 0));

/** Where axe looks at each page. It takes most of the time, so it looks at one page everywhere. */
const checked = ['360 dark', '1280 light'];

async function show(page: Page, width: number, look: 'light' | 'dark' | 'print'): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({
    media: look === 'print' ? 'print' : 'screen',
    colorScheme: look === 'dark' ? 'dark' : 'light',
  });
}

describe('the reference', () => {
  test.each(names)('%s is accessible, fits every width, and loads one stylesheet', async (name) => {
    const page = await browser.newPage();
    await page.addInitScript(axe);
    const seen = watch(page);
    await page.goto(name === 'index' ? `${site}/docs` : `${site}/docs/${name}`);
    for (const width of [320, 360, 1280]) {
      for (const look of ['light', 'dark', 'print'] as const) {
        await show(page, width, look);
        expect([width, look, await overflowOf(page)]).toEqual([width, look, 0]);
        await keepPicture(page, `reference-${name.replace('/', '-')}-${width}-${look}`);
        const isChecked = (name === 'products' && width !== 320) || checked.includes(`${width} ${look}`);
        if (isChecked) expect([width, look, await violations(page)]).toEqual([width, look, []]);
      }
    }
    expect(seen.faults).toEqual([]);
    expect(seen.hosts).toEqual(new Set([`127.0.0.1:${service.port}`]));
    await page.close();
  });

  test('the first key press leads past the contents, and the contents on a phone open with the keyboard', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
    await page.goto(`${site}/docs/products`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    expect(await page.locator('.jump .contents').isVisible()).toBe(false);
    await page.locator('.jump summary').focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('.jump .contents').isVisible()).toBe(true);
    await page.locator('.jump').getByRole('link', { name: 'Create a product' }).click();
    expect(page.url()).toBe(`${site}/docs/products#createProduct`);
    await page.close();
  });

  test('the files of `npm run docs` open without a server', async () => {
    const folder = newFolder();
    expect(await run(`node tools/docs.ts --to ${folder}`)).toMatchObject({ code: 0 });
    const page = await browser.newPage();
    const seen = watch(page);
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    await page.getByRole('link', { name: 'List products' }).first().click();
    expect(await page.locator('h1').textContent()).toBe('Products');
    expect(await page.evaluate(() => getComputedStyle(document.body).margin)).toBe('0px');
    await page.locator('main').getByRole('link', { name: 'ProductList', exact: true }).first().click();
    expect(page.url()).toBe(`${pathToFileURL(join(folder, 'schemas.html')).href}#ProductList`);
    await page.locator('.aside').getByRole('link', { name: 'Product groups and fields' }).click();
    await page.locator('main').getByRole('link', { name: 'Cable' }).click();
    expect(page.url()).toBe(pathToFileURL(join(folder, 'fields-cable.html')).href);
    expect(seen).toEqual({ hosts: new Set(['']), faults: [] });
    expect(await readFile(join(folder, 'index.html'), 'utf8')).not.toContain('docs/try');
    await page.close();
  });
});

test('the button of an example copies it', async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const { faults } = watch(page);
  await page.goto(`${site}/docs`);
  await page.getByRole('button', { name: 'Copy curl' }).first().click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(
    /^curl http:\/\/127\.0\.0\.1:\d+\/api\/v1\/me \\\n {2}-H "Authorization: Bearer \$PRODUCT_PASSPORT_KEY"$/,
  );
  expect(faults).toEqual([]);
  await context.close();
});
