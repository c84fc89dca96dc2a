/**
 * Every kind of page is accessible, fits each width, and loads nothing from elsewhere. Of the demo's passports every pair
 * of product, role, width and look is shown, and every pair of language, role, width and look: `passport-page.test.ts` opens
 * every product in every language. `SCREENSHOTS=folder` saves pictures.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { setImage } from '../../server/src/images/store.ts';
import { openPublicList, updatePages } from '../../server/src/tenants/store.ts';
import { launchBrowser, violations, watch } from '../support/browser.ts';
import { ending } from '../support/files.ts';
import { type Service, startService } from '../support/service.ts';
import { tokensOfAll } from '../support/tenant.ts';

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
  language: ['en', 'de', 'fr', 'pl'],
  role: ['consumer', 'recycler', 'inspector'],
  width: [360, 1280],
  look: ['light', 'dark', 'print'],
} as const;

type Look = (typeof factors.look)[number];

interface View {
  width: number;
  look: Look;
}

interface Visit {
  path: string;
  language: string;
  /** Where axe looks. */
  views: readonly View[];
  /** What the page loads as well as itself and its images. */
  loads: readonly string[];
  role?: string;
}

const everyView: View[] = factors.width.flatMap((width) => factors.look.map((look) => ({ width, look })));

/** A shift of each factor by the others makes every pair occur. Some consumers come with a token that is refused. */
const passports = factors.product.flatMap((product, p) =>
  factors.role.map((role, r) => {
    const language = factors.language[(r + p) % 4] ?? 'en';
    const width = factors.width[(r + Math.floor(p / 2)) % 2] ?? 360;
    const look = factors.look[(r + Math.floor(p / 4)) % 3] ?? 'light';
    const isRefused = role === 'consumer' && p % 3 === 0;
    return { product, language, role: isRefused ? 'refused' : role, views: [{ width, look }] };
  }),
);

const logoOf = (path: string): string[] =>
  /^\/p\/(?:skellig|nordlicht|atelier-lumiere)\b/.test(path) ? [`/logos/${path.split(/[/?]/)[2]}.webp`] : [];

const lists = ['/p/nordlicht', '/p/nordlicht?search=a', '/p/souk?search=%3Cb%3Enothing%20is%20called%20so'];
const screens = everyView.filter(({ look }) => look !== 'print');
const docs = ['', 'tenant', 'products', 'passports', 'data-carriers', 'analytics', 'public', 'schemas', 'fields'];

const visits: Visit[] = [
  ...passports.map(({ product, ...load }) => ({
    ...{ ...load, path: `/p/${product}` },
    loads: [...(product.endsWith('nothing-here') ? ['/assets/site.css'] : []), ...logoOf(`/p/${product}`)],
  })),
  ...[...lists, '/p/souk/pullover?serial=SN-1&batch=L%2F1'].flatMap((path) =>
    ['en', 'de'].map((language, l) => ({
      ...{ path, language, views: screens.filter((_, at) => (at % 3 === 0) === (l === 0)) },
      loads: [...(path.includes('serial') ? [] : ['/assets/site.css']), ...logoOf(path)],
    })),
  ),
  // The reference is in English, and axe takes long for its pages.
  ...[...docs, 'fields/battery'].map((page) => ({
    ...{ path: `/docs/${page}`, language: 'en', loads: ['/assets/docs.css'] },
    views: everyView.filter(({ look }, at) => at === 1 || at === 3 || (page === 'products' && look === 'print')),
  })),
];

let service: Service;
let page: Page;
let tokens: Awaited<ReturnType<typeof tokensOfAll>>;

beforeAll(async () => {
  service = await startService('SQLite');
  const { database } = service;
  await fillDemo({ database, urnNamespace: 'dpp', now: () => new Date() });
  await addExtremes();
  await addSouk();
  tokens = await tokensOfAll(database);
  page = await ending.use(await launchBrowser()).newPage();
});

/** The path of a URL without fingerprints and colours. */
function pathOf(url: string): string {
  return new URL(url).pathname.replace(/(?:[./](?:[0-9a-f]{16}|[0-9a-f]{6}))+(?=\.)/, '');
}

async function show(page: Page, width: number, look: Look): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({
    media: look === 'print' ? 'print' : 'screen',
    colorScheme: look === 'dark' ? 'dark' : 'light',
  });
}

/** How much wider the page is than its window, in pixels. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(document.documentElement.scrollWidth - window.innerWidth, 0));

const pictures = process.env.SCREENSHOTS;

test.each(visits)('$path $language $role', async ({ path, language, role, views, loads }) => {
  page.removeAllListeners();
  await page.setExtraHTTPHeaders({ 'accept-language': language });
  const seen = watch(page);
  const isError = path.endsWith('nothing-here');
  const token = role === 'refused' ? 'x' : tokens.get(`${path.split('/')[2]} ${role}`);
  const site = `http://127.0.0.1:${service.port}`;
  const response = await page.goto(site + path + (token ? `?zugang=${token}` : ''));
  expect(response?.status()).toBe(isError ? 404 : 200);
  // 320 is also a desktop screen at 400 % zoom.
  for (const width of [320, ...factors.width]) {
    for (const look of ['light', 'print'] as const) {
      await show(page, width, look);
      expect([width, look, await overflowOf(page)]).toEqual([width, look, 0]);
    }
  }
  for (const { width, look } of views) {
    await show(page, width, look);
    const name = [path.replaceAll(/[^\w=]+/g, '-'), language, role, width, look].join('-');
    if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
    expect([width, look, await violations(page)]).toEqual([width, look, []]);
  }
  expect(await page.getAttribute('html', 'lang')).toBe(language);
  expect(await page.locator('h1').textContent()).toMatch(/\S/);
  if (role && !isError) {
    // The completeness and the code of a passport, and the notice that a token is not valid.
    expect(await page.getByText(/^(Completeness|Vollständigkeit|Complétude|Kompletność)\s?: .*\d+/).count()).toBe(1);
    expect(await page.locator('.qr [role=img]').getAttribute('aria-label')).toMatch(/QR/);
    expect(await page.getByRole('status').count()).toBe(role === 'refused' ? 1 : 0);
  }
  const images = /\/image\.webp$/;
  expect(seen.requests.map(pathOf).filter((each) => !images.test(each))).toEqual([path.split('?')[0], ...loads]);
  expect(seen.requests.filter((url) => !url.startsWith(site))).toEqual([]);
  // The browser itself logs a 404.
  expect(seen.faults.filter((fault) => !(isError && fault.includes('status of 404')))).toEqual([]);
});

/** A product with values of extreme length, depth, width and script. */
async function addExtremes(): Promise<void> {
  const client = await service.newTenant({ slug: 'extremes', name: 'x'.repeat(200) });
  const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(5);
  const deep = (depth: number): unknown =>
    depth === 0 ? word : depth % 2 ? [deep(depth - 1), 1] : { [word]: deep(depth - 1) };
  const name = word.repeat(3).slice(0, 500);
  const { id } = await client.create({ name, slug: 'extremes', model: word, product_group: 'textile' });
  const bytes = readFileSync(new URL('../../server/data/demo_images/thermobecher-kaje.webp', import.meta.url));
  const image = { bytes, width: 360, height: 480, alt: null };
  await setImage(service.database, { tenantId: client.tenant.id, productId: id }, image, new Date());
  await updatePages(service.database, client.tenant.id, { color: '#78350f' });
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

/** A tenant with a list, whose texts run from right to left. */
async function addSouk(): Promise<void> {
  const client = await service.newTenant({ slug: 'souk', name: 'سوق الصوف' });
  const arabic = 'سترة صوف';
  const product = { name: arabic, slug: 'pullover', gtin: '9520001000997', product_group: 'textile' };
  await client.publish(product, [{ field_key: 'care_instructions', value: arabic }]);
  await openPublicList(service.database, client.tenant.id, new Date());
}
