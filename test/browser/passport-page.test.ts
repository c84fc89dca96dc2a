/**
 * The pages of the demo as a browser shows them: every product, width, language, medium and role, and every pair of
 * them. `BROWSER_MATRIX=full` takes every combination; `SCREENSHOTS=folder` keeps pictures.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { tokenRoles } from '../../server/src/access/rules.ts';
import { createToken } from '../../server/src/access/token.ts';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { type Service, startService } from '../server/service.ts';
import { startBrowser } from './browser.ts';
import { allCombinations, pairsOf, pairwise } from './pairs.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const demo: { products: { tenant_slug: string; slug: string; status: string }[] } = JSON.parse(
  readFileSync(new URL('../../server/data/demo_products.json', import.meta.url), 'utf8'),
);

const factors = {
  product: [
    ...demo.products
      .filter(({ status }) => status === 'active')
      .map(({ tenant_slug, slug }) => `${tenant_slug}/${slug}`),
    'nordlicht/nothing-here',
    'extremes/extremes',
  ],
  width: ['360', '1280'],
  language: ['en', 'de'],
  medium: ['light', 'dark', 'print'],
  role: ['consumer', 'recycler', 'inspector', 'refused'],
} as const;

const matrix = process.env.BROWSER_MATRIX === 'full' ? allCombinations(factors) : pairwise(factors);

/** A page is loaded once for all widths and media, which it is seen in one after the other: no request tells of them. */
const loads = [
  ...Map.groupBy(matrix, ({ product, language, role }) => [product, language, role].join()).values(),
].flatMap((views) => (views[0] ? [{ ...views[0], views }] : []));

test('every pair of values occurs', () => {
  const all = new Set(allCombinations(factors).flatMap(pairsOf));
  expect(new Set(matrix.flatMap(pairsOf))).toEqual(all);
  expect(matrix.length).toBeLessThan(5 * factors.product.length * (process.env.BROWSER_MATRIX ? 10 : 1));
});

describe('a passport page in a browser', () => {
  let service: Service;
  let browser: Browser;
  /** By tenant and role. */
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    service = await startService('SQLite');
    const { database } = service;
    await fillDemo({ database, urnNamespace: 'dpp', now: () => new Date() });
    await addExtremes(service);
    const expiresAt = new Date(Date.now() + 86_400_000);
    for (const { id, slug } of await database('tenants').select('id', 'slug')) {
      for (const role of tokenRoles) {
        const { token } = await createToken(database, id, { product_id: null, role, expiresAt }, new Date());
        tokens.set(`${slug} ${role}`, token);
      }
      tokens.set(`${slug} refused`, 'x');
    }
    browser = await startBrowser();
  });

  test.each(loads)('$product $language $role: $views.length views', async ({ product, language, role, views }) => {
    const context = await browser.newContext({ locale: language });
    try {
      const page = await context.newPage();
      const seen = watch(page);
      const [tenant] = product.split('/');
      const zugang = role === 'consumer' ? '' : `?zugang=${tokens.get(`${tenant} ${role}`)}`;
      const isError = product === 'nordlicht/nothing-here';
      for (const [index, { width, medium }] of views.entries()) {
        await page.setViewportSize({ width: Number(width), height: 800 });
        await page.emulateMedia({
          media: medium === 'print' ? 'print' : 'screen',
          colorScheme: medium === 'dark' ? 'dark' : 'light',
        });
        if (index === 0) {
          const response = await page.goto(`http://127.0.0.1:${service.port}/p/${product}${zugang}`);
          expect(response?.status()).toBe(isError ? 404 : 200);
          await page.evaluate(axe);
        }
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect([width, medium, Math.max(overflow, 0)]).toEqual([width, medium, 0]);
        await keepPicture(page, [product.replace('/', '-'), width, language, medium, role].join('-'));
        expect([width, medium, await violations(page)]).toEqual([width, medium, []]);
      }
      expect(await page.getAttribute('html', 'lang')).toBe(language);
      expect(await page.locator('h1').textContent()).toMatch(/\S/);
      if (!isError) {
        for (const name of [/^(Completeness|Vollständigkeit): \d+ /, /QR/])
          expect(await page.getByRole('img', { name }).count()).toBe(1);
        expect(await page.getByRole('status').count()).toBe(role === 'refused' ? 1 : 0);
      }
      expect(seen.requests.map((url) => new URL(url).pathname.replace(/\.[0-9a-f]{16}\./, '.'))).toEqual([
        `/p/${product}`,
        '/assets/passport.css',
      ]);
      expect(new Set(seen.requests.map((url) => new URL(url).host))).toEqual(new Set([`127.0.0.1:${service.port}`]));
      expect(seen.failed).toEqual([]);
      // Of a 404 the browser itself tells.
      expect(seen.messages.filter((message) => !(isError && message.includes('status of 404')))).toEqual([]);
    } finally {
      await context.close();
    }
  });

  test('the demo prints on one or two sheets', async () => {
    const page = await browser.newPage();
    for (const product of factors.product.filter((name) => name.startsWith('nordlicht/'))) {
      await page.goto(
        `http://127.0.0.1:${service.port}/p/${product}?lang=de&zugang=${tokens.get('nordlicht inspector')}`,
      );
      const pdf = await page.pdf({ preferCSSPageSize: true });
      const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;
      expect([product, sheets]).toEqual([product, Math.min(sheets ?? 0, 2)]);
    }
  });
});

/** What a page asks for, what fails, and what the browser says about it. */
function watch(page: Page): { requests: string[]; failed: string[]; messages: string[] } {
  const seen = { requests: [] as string[], failed: [] as string[], messages: [] as string[] };
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) seen.requests.push(request.url());
  });
  page.on('requestfailed', (request) => seen.failed.push(request.url()));
  page.on('console', (message) => seen.messages.push(message.text()));
  page.on('pageerror', (error) => seen.messages.push(String(error)));
  return seen;
}

async function violations(page: Page): Promise<string[]> {
  // Without the details of what is in order, which take most of the time.
  const results: AxeResults = await page.evaluate("axe.run({ resultTypes: ['violations'] })");
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** A product whose values are as long, deep, wide and foreign as they may be. */
async function addExtremes(service: Service): Promise<void> {
  const client = await service.newTenant({ slug: 'extremes', name: 'x'.repeat(200) });
  const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(5);
  const deep = (depth: number): unknown =>
    depth === 0 ? word : depth % 2 ? [deep(depth - 1), 1] : { [word]: deep(depth - 1) };
  await client.create({ name: word.repeat(3).slice(0, 500), slug: 'extremes', model: word, product_group: 'textile' });
  await client.write('extremes', [
    { field_key: 'manufacturer_name', value: word },
    { field_key: word.slice(0, 100), value: word, unit: word.slice(0, 50) },
    { field_key: 'deep', value: deep(32) },
    { field_key: 'table', value: [{ [word]: word, b: word, c: word, d: word }] },
    { field_key: 'tags', value: Array.from({ length: 50 }, (_, index) => `tag ${index} ${'y'.repeat(20)}`) },
    { field_key: 'address', value: `https://example.com/${word}` },
    { field_key: 'hebrew', value: 'דרכון מוצר דיגיטלי (DPP) 2026', access_level: 'restricted' },
    { field_key: 'empty', value: { a: [], b: {}, c: null, d: '' }, access_level: 'authority' },
  ]);
  await service.activate(client, 'extremes');
}
