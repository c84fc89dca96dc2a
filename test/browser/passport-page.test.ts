/**
 * The demo's pages in a browser: every pair of product, width, language, medium and role. `BROWSER_MATRIX=full` tests
 * every combination, and `SCREENSHOTS=folder` saves screenshots.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { tokenRoles } from '@product-passport/openapi';
import type { Result } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { createToken } from '../../server/src/access/token.ts';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { setImage } from '../../server/src/images/store.ts';
import { updatePages } from '../../server/src/tenants/store.ts';
import { ending } from '../support/files.ts';
import { type Service, startService } from '../support/service.ts';
import { launchBrowser } from '../support/tools.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const demo: { products: { tenant_slug: string; slug: string; status: string; image_alt?: string }[] } = JSON.parse(
  readFileSync(new URL('../../server/data/demo_products.json', import.meta.url), 'utf8'),
);

/** The products that have an image. */
const pictured = [
  ...demo.products
    .filter(({ image_alt }) => image_alt !== undefined)
    .map(({ tenant_slug, slug }) => `${tenant_slug}/${slug}`),
  'extremes/extremes',
];

const factors = {
  product: [
    ...demo.products
      .filter(({ status }) => status === 'active')
      .map(({ tenant_slug, slug }) => `${tenant_slug}/${slug}`),
    'nordlicht/nothing-here',
    'extremes/extremes',
  ],
  width: ['360', '1280'],
  // As many as there are roles, so that they add no load.
  language: ['en', 'de', 'fr', 'pl'],
  medium: ['light', 'dark', 'print'],
  role: ['consumer', 'recycler', 'inspector', 'refused'],
} as const;

const matrix = process.env.BROWSER_MATRIX === 'full' ? allCombinations(factors) : pairwise(factors);

/** Each page is loaded once and then shown in all widths and media, because no request depends on them. */
const loads = [
  ...Map.groupBy(matrix, ({ product, language, role }) => [product, language, role].join()).values(),
].flatMap((views) => (views[0] ? [{ ...views[0], views }] : []));

type View = (typeof matrix)[number];
type Load = (typeof loads)[number];

const outcomes = new Map(loads.map((load) => [load, Promise.withResolvers<void>()]));

/** The outcome of a load. Its test may come later than a failure, which is not unhandled. */
function outcomeOf(load: Load): PromiseWithResolvers<void> {
  const outcome = outcomes.get(load);
  if (!outcome) throw new Error('Only the loads of this file have an outcome.');
  outcome.promise.catch(() => undefined);
  return outcome;
}

/** The path of a URL without fingerprints and colours. */
function pathOf(url: string): string {
  return new URL(url).pathname.replace(/(?:[./](?:[0-9a-f]{16}|[0-9a-f]{6}))+(?=\.)/, '');
}

/** What the page of a product loads for the look of its tenant, and its image. */
function picturesOf(product: string): string[] {
  if (product === 'nordlicht/nothing-here') return [];
  const [tenant = ''] = product.split('/');
  const logo = tenant === 'extremes' ? [] : [`/logos/${tenant}.webp`];
  return [...logo, ...(pictured.includes(product) ? [`/p/${product}/image.webp`] : [])];
}

async function show(page: Page, width: View['width'], medium: View['medium']): Promise<void> {
  await page.setViewportSize({ width: Number(width), height: 800 });
  await page.emulateMedia({
    media: medium === 'print' ? 'print' : 'screen',
    colorScheme: medium === 'dark' ? 'dark' : 'light',
  });
}

/** The completeness and the code of a passport, and the notice that a token is not valid. */
async function expectParts(page: Page, role: View['role']): Promise<void> {
  expect(await page.getByText(/^(Completeness|Vollständigkeit|Complétude|Kompletność)\s?: .*\d+/).count()).toBe(1);
  expect(await page.getByRole('img', { name: /QR/ }).count()).toBe(1);
  expect(await page.getByRole('status').count()).toBe(role === 'refused' ? 1 : 0);
}

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
    browser = ending.use(await launchBrowser());
    // Two pages of each language work at once. Each shows many loads, because a new page costs as much as a load.
    for (const language of factors.language) {
      const context = await browser.newContext({ locale: language });
      await context.addInitScript(axe);
      const waiting = loads.filter((load) => load.language === language);
      for (let lane = 0; lane < 2; lane += 1) void showAll(await context.newPage(), waiting);
    }
  });

  async function showAll(page: Page, waiting: Load[]): Promise<void> {
    for (let load = waiting.shift(); load; load = waiting.shift()) {
      const { resolve, reject } = outcomeOf(load);
      await showLoad(page, load).then(resolve, reject);
      page.removeAllListeners();
    }
  }

  test.each(loads)('$product $language $role: $views.length views', (load) => outcomeOf(load).promise);

  async function showLoad(page: Page, { product, language, role, views }: Load): Promise<void> {
    const seen = watch(page);
    const [tenant] = product.split('/');
    const zugang = role === 'consumer' ? '' : `?zugang=${tokens.get(`${tenant} ${role}`)}`;
    const isError = product === 'nordlicht/nothing-here';
    for (const [index, { width, medium }] of views.entries()) {
      await show(page, width, medium);
      if (index === 0) {
        const response = await page.goto(`http://127.0.0.1:${service.port}/p/${product}${zugang}`);
        expect(response?.status()).toBe(isError ? 404 : 200);
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect([width, medium, Math.max(overflow, 0)]).toEqual([width, medium, 0]);
      await keepPicture(page, [product.replace('/', '-'), width, language, medium, role].join('-'));
      expect([width, medium, await violations(page)]).toEqual([width, medium, []]);
    }
    expect(await page.getAttribute('html', 'lang')).toBe(language);
    expect(await page.locator('h1').textContent()).toMatch(/\S/);
    if (!isError) await expectParts(page, role);
    const loaded = isError ? ['/assets/site.css'] : picturesOf(product);
    expect(seen.requests.map(pathOf)).toEqual([`/p/${product}`, ...loaded]);
    expect(new Set(seen.requests.map((url) => new URL(url).host))).toEqual(new Set([`127.0.0.1:${service.port}`]));
    expect(seen.failed).toEqual([]);
    // The browser itself logs a 404.
    expect(seen.messages.filter((message) => !(isError && message.includes('status of 404')))).toEqual([]);
  }

  test('every page fits the smallest screen, and a desktop screen at 400 % zoom', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
    for (const product of factors.product) {
      for (const language of factors.language) {
        await page.goto(addressAs(product, 'inspector', language));
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect([product, language, Math.max(overflow, 0)]).toEqual([product, language, 0]);
      }
    }
  });

  test('no word of usual length is broken in a table on a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
    let words = 0;
    for (const product of factors.product.filter((name) => !name.startsWith('extremes/'))) {
      await page.goto(addressAs(product, 'inspector', 'en'));
      const seen = await page.evaluate(wordsOfTables);
      words += seen.length;
      expect(seen.filter(({ word, lines }) => lines > 1 && word.length <= 12)).toEqual([]);
    }
    expect(words).toBeGreaterThan(50);
  });

  test.each(['light', 'dark'] as const)('links and explanations have a visible focus, %s', async (colorScheme) => {
    const page = await browser.newPage({ colorScheme });
    await page.goto(addressAs('nordlicht/e-bike-akku-powerdrive-625', 'inspector', 'en'));
    const shown = page.locator('a:visible, summary:visible');
    const names = await shown.evaluateAll((all) =>
      all.map((each) => each.getAttribute('aria-label') ?? each.textContent),
    );
    const seen: { text: string; contrast: number }[] = [];
    for (const _ of names) {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate(focusRing));
    }
    expect(names.length).toBeGreaterThan(20);
    expect(seen.map(({ text }) => text).sort()).toEqual(names.sort());
    // WCAG 2.2, 1.4.11.
    expect(seen.filter(({ contrast }) => contrast < 3)).toEqual([]);
  });

  test('the key facts are readable in forced colours', async () => {
    const page = await browser.newPage({ forcedColors: 'active' });
    await page.goto(addressAs('nordlicht/merinopullover-fjord', 'consumer', 'en'));
    const [fact, border, text] = await page.evaluate(() => {
      const styleOf = (selector: string) => getComputedStyle(document.querySelector(selector) ?? document.body);
      return [styleOf('.key-facts dd').color, styleOf('.key-facts > div').borderTopColor, styleOf('body').color];
    });
    expect([fact, border]).toEqual([text, text]);
  });

  /** The page of a product in a role and a language. */
  function addressAs(product: string, role: string, language: string): string {
    const token = tokens.get(`${product.split('/')[0]} ${role}`);
    return `http://127.0.0.1:${service.port}/p/${product}?lang=${language}${token ? `&zugang=${token}` : ''}`;
  }

  test('a page of the demo prints on one sheet, or on two for an inspector; that of a whole battery has one more', async () => {
    const page = await browser.newPage();
    for (const product of factors.product.filter((name) => /^(?:nordlicht|atelier-lumiere)\/(?!nothing)/.test(name))) {
      for (const [role, most] of [
        ['consumer', 1],
        ['inspector', 2],
      ] as const) {
        await page.goto(addressAs(product, role, 'de'));
        const pdf = await page.pdf({ preferCSSPageSize: true });
        const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;
        const allowed = product === 'nordlicht/e-bike-akku-powerdrive-625' ? most + 1 : most;
        expect([product, role, sheets]).toEqual([product, role, Math.min(sheets ?? 0, allowed)]);
      }
    }
  });

  test('paper has the whole addresses, the address and the hashes of the passport, and every folded value', async () => {
    const page = await browser.newPage();
    const product = 'nordlicht/e-bike-akku-powerdrive-625';
    await page.goto(addressAs(product, 'consumer', 'en'));
    const folded = page.locator('#identification-values dd').first();
    expect(await folded.evaluate((value) => value.checkVisibility({ contentVisibilityAuto: true }))).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await folded.evaluate((value) => value.checkVisibility({ contentVisibilityAuto: true }))).toBe(true);
    const visible = async (text: string | RegExp) =>
      (await page.getByText(text, { exact: true }).filter({ visible: true }).allTextContents()).length;
    expect(await visible(`http://127.0.0.1:${service.port}/p/${product}`)).toBe(1);
    expect(await visible(/^[0-9a-f]{64}$/)).toBe(2);
    expect([await visible('This passport'), await visible('Open on another device')]).toEqual([1, 0]);
    const written = await page
      .locator('.documents a, .foot a[rel]')
      .evaluateAll((links) =>
        links.map((link) => [getComputedStyle(link, '::after').content, link.getAttribute('href')]),
      );
    expect(written.length).toBeGreaterThanOrEqual(5);
    expect(await page.locator('.foot a:not([rel])').filter({ visible: true }).count()).toBe(0);
    for (const [content, href] of written) expect(content).toContain(String(href));
  });

  test('a maker in another script stands on the side of the title', async () => {
    const client = await service.newTenant();
    const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
    for (const [name, maker] of [
      ['مصباح مكتب', 'Lampen GmbH'],
      ['Schreibtischlampe', 'شركة المصابيح'],
    ] as const) {
      const { slug } = await client.create({ name, product_group: 'other' });
      await client.write(slug, [{ field_key: 'manufacturer_name', value: maker }]);
      await service.activate(client, slug);
      await page.goto(addressAs(`${client.tenant.slug}/${slug}`, 'consumer', 'en'));
      const sides = await page.evaluate(() =>
        ['h1', '.maker'].map((selector) => {
          const range = document.createRange();
          range.selectNodeContents(document.querySelector(selector) ?? document.body);
          const { left, right } = range.getBoundingClientRect();
          return left + right > window.innerWidth ? 'right' : 'left';
        }),
      );
      expect(sides).toEqual(name === 'Schreibtischlampe' ? ['left', 'left'] : ['right', 'right']);
    }
  });
});

/** The requests of a page, its failed requests and the browser's messages. */
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

/** The words in the tables of the page, each with the number of lines that it takes. */
function wordsOfTables(): { word: string; lines: number }[] {
  return [...document.querySelectorAll('td, th')].flatMap((cell) => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const words: { word: string; lines: number }[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(/[^\s/-]+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        words.push({ word, lines: range.getClientRects().length });
      }
    }
    return words;
  });
}

/** The focused link, and the contrast of its outline to the background (WCAG 2.2). */
function focusRing(): { text: string; contrast: number } {
  const link = document.activeElement ?? document.body;
  const luminance = (colour: number[]): number =>
    colour
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, index) => sum + part * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);
  const parts = (colour: string): number[] => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const { outlineColor, outlineStyle } = getComputedStyle(link);
  let ground = link.parentElement;
  while (ground && parts(getComputedStyle(ground).backgroundColor)[3] === 0) ground = ground.parentElement;
  const [low = 0, high = 0] = [outlineColor, getComputedStyle(ground ?? document.body).backgroundColor]
    .map((colour) => luminance(parts(colour).slice(0, 3)))
    .sort((one, other) => one - other);
  return {
    text: link.getAttribute('aria-label') ?? link.textContent ?? '',
    contrast: outlineStyle === 'none' ? 1 : (high + 0.05) / (low + 0.05),
  };
}

async function violations(page: Page): Promise<string[]> {
  // Passed checks are left out: their details, and sending them, take most of the time.
  const found: Result[] = await page.evaluate(
    "axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)",
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** A product with values of extreme length, depth, width and script. */
async function addExtremes(service: Service): Promise<void> {
  const client = await service.newTenant({ slug: 'extremes', name: 'x'.repeat(200) });
  const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(5);
  const deep = (depth: number): unknown =>
    depth === 0 ? word : depth % 2 ? [deep(depth - 1), 1] : { [word]: deep(depth - 1) };
  const { id } = await client.create({
    name: word.repeat(3).slice(0, 500),
    slug: 'extremes',
    model: word,
    product_group: 'textile',
  });
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

/** The values of each factor, by name. */
type Factors = Readonly<Record<string, readonly string[]>>;
type Combination<F extends Factors> = { readonly [Name in keyof F]: F[Name][number] };

/** Every combination of the factors' values. */
function allCombinations<F extends Factors>(factors: F): Combination<F>[] {
  return Object.entries(factors).reduce<Record<string, string>[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((before) => values.map((value) => ({ ...before, [name]: value }))),
    [{}],
  ) as Combination<F>[];
}

/**
 * A small set of combinations in which every pair of values of two factors occurs. Each step adds the combination with
 * the most missing pairs.
 */
function pairwise<F extends Factors>(factors: F): Combination<F>[] {
  const candidates = allCombinations(factors).map((combination) => ({ combination, pairs: pairsOf(combination) }));
  const missing = new Set(candidates.flatMap(({ pairs }) => pairs));
  const chosen: Combination<F>[] = [];
  while (missing.size > 0) {
    const gains = candidates.map(({ pairs }) => pairs.filter((pair) => missing.has(pair)).length);
    const best = candidates[gains.indexOf(Math.max(...gains))];
    if (!best) break;
    for (const pair of best.pairs) missing.delete(pair);
    chosen.push(best.combination);
  }
  return chosen;
}

/** The pairs of values of a combination, each as one text. */
function pairsOf(combination: Readonly<Record<string, string>>): string[] {
  const values = Object.entries(combination).map(([name, value]) => `${name}=${value}`);
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one} ${other}`));
}
