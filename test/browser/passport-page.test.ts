/** What axe does not see of passports: focus, forced colours, paper, broken words, and texts from right to left. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { startBrowser } from '../support/browser.ts';
import { type Service, startService } from '../support/service.ts';

const demo: { products: { tenant_slug: string; slug: string; status: string }[] } = JSON.parse(
  readFileSync(new URL('../../server/data/demo_products.json', import.meta.url), 'utf8'),
);
const products = demo.products
  .filter(({ status }) => status === 'active')
  .map(({ tenant_slug, slug }) => `${tenant_slug}/${slug}`);
const battery = 'nordlicht/e-bike-akku-powerdrive-625';

let service: Service;
let browser: Browser;
/** By tenant. */
const inspectors = new Map<string, string>();

beforeAll(async () => {
  service = await startService('SQLite');
  const keys = await fillDemo({ database: service.database, urnNamespace: 'dpp', now: () => new Date() });
  for (const { tenant, role, token } of keys?.access_tokens ?? [])
    if (role === 'inspector') inspectors.set(tenant, token);
  browser = await startBrowser();
});

async function open(page: Page, product: string, role: 'consumer' | 'inspector', language = 'en'): Promise<void> {
  const token = role === 'inspector' ? inspectors.get(product.split('/')[0] ?? '') : undefined;
  const zugang = token ? `&zugang=${token}` : '';
  await page.goto(`http://127.0.0.1:${service.port}/p/${product}?lang=${language}${zugang}`);
}

test('no word of usual length is broken in a table on a phone', async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
  let words = 0;
  for (const product of products) {
    await open(page, product, 'inspector');
    const seen = await page.evaluate(wordsOfTables);
    words += seen.length;
    expect(seen.filter(({ word, lines }) => lines > 1 && word.length <= 12)).toEqual([]);
  }
  expect(words).toBeGreaterThan(50);
});

test.each(['light', 'dark'] as const)('links and explanations have a visible focus, %s', async (colorScheme) => {
  const page = await browser.newPage({ colorScheme });
  await open(page, battery, 'inspector');
  const shown = page.locator('a:visible, summary:visible, button:visible');
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
  await open(page, 'nordlicht/merinopullover-fjord', 'consumer');
  const [fact, border, text] = await page.evaluate(() => {
    const styleOf = (selector: string) => getComputedStyle(document.querySelector(selector) ?? document.body);
    return [styleOf('.key-facts dd').color, styleOf('.key-facts > div').borderTopColor, styleOf('body').color];
  });
  expect([fact, border]).toEqual([text, text]);
});

describe('paper', () => {
  test.each([
    ['consumer', 1],
    ['inspector', 2],
  ] as const)('takes %s one sheet or two; that of a whole battery has one more', async (role, max) => {
    const page = await browser.newPage();
    for (const product of products) {
      await open(page, product, role, 'de');
      const pdf = await page.pdf({ preferCSSPageSize: true });
      const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;
      expect([product, Number(sheets) <= (product.includes('/e-bike-') ? max + 1 : max)]).toEqual([product, true]);
    }
  });

  test('has the whole addresses, the address and the hashes of the passport, and every folded value', async () => {
    const page = await browser.newPage();
    await open(page, battery, 'consumer');
    const isVisible = () =>
      page
        .locator('#identification-values dd')
        .first()
        .evaluate((value) => value.checkVisibility({ contentVisibilityAuto: true }));
    expect(await isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await isVisible()).toBe(true);
    const count = (text: string | RegExp) => page.getByText(text, { exact: true }).filter({ visible: true }).count();
    expect(await count(`http://127.0.0.1:${service.port}/p/${battery}`)).toBe(1);
    expect(await count(/^[0-9a-f]{64}$/)).toBe(2);
    expect([await count('This passport'), await count('Open on another device')]).toEqual([1, 0]);
    const written = await page
      .locator('.documents a, .foot a[rel]')
      .evaluateAll((links) =>
        links.map((link) => [getComputedStyle(link, '::after').content, link.getAttribute('href')]),
      );
    expect(written.length).toBeGreaterThanOrEqual(5);
    for (const [content, href] of written) expect(content).toContain(String(href));
    expect(await page.locator('.foot a:not([rel])').filter({ visible: true }).count()).toBe(0);
  });
});

test.each([
  ['مصباح مكتب', 'Lampen GmbH', 'right'],
  ['Schreibtischlampe', 'شركة المصابيح', 'left'],
])('the maker of %s, %s, stands on the side of the title', async (name, maker, side) => {
  const client = await service.newTenant();
  const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
  const path = await client.publish({ name, product_group: 'other' }, [
    { field_key: 'manufacturer_name', value: maker },
  ]);
  await open(page, path.replace('/p/', ''), 'consumer');
  const sides = await page.evaluate(() =>
    ['h1', '.maker'].map((selector) => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(selector) ?? document.body);
      const { left, right } = range.getBoundingClientRect();
      return left + right > window.innerWidth ? 'right' : 'left';
    }),
  );
  expect(sides).toEqual([side, side]);
});

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
