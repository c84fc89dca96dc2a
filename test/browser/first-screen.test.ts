/** The first screen of a small telephone has the key facts of the product group. */
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { languages } from '../../server/src/languages/languages.ts';
import { templateOf } from '../../server/src/templates/catalogue.ts';
import { startBrowser } from '../support/browser.ts';
import { type Service, startService } from '../support/service.ts';

interface DemoProduct {
  tenant_slug: string;
  slug: string;
  status: string;
  product_group: string;
  values: { field_key: string; access_level: string; is_unknown?: boolean }[];
}

const { products }: { products: DemoProduct[] } = JSON.parse(
  readFileSync(new URL('../../server/data/demo_products.json', import.meta.url), 'utf8'),
);
const active = products.filter(({ status }) => status === 'active');

/** The labels of the facts that a page must show: the first four that have a public value. */
function expectedFacts({ product_group, values }: DemoProduct, language: 'en' | 'de'): string[] {
  const isPublic = new Set(
    values.filter((value) => value.access_level === 'public' && !value.is_unknown).map(({ field_key }) => field_key),
  );
  return templateOf(product_group)
    .facts.filter(({ fields }) => fields.some((key) => isPublic.has(key)))
    .slice(0, 4)
    .map(({ label }) => String(label[language]).replace('CO2', 'CO₂'));
}

/** The words of the key facts that are broken into two lines where they have no place to break. */
function brokenWords(): string[] {
  const texts = document.createTreeWalker(document.querySelector('.key-facts') ?? document, NodeFilter.SHOW_TEXT);
  const broken: string[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(/[^\s/\u00ad\u200b-]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      // After a soft hyphen, a word begins with the hyphen of the line before.
      const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
      if (new Set(tops).size > (node.nodeValue?.[index - 1] === '\u00ad' ? 2 : 1)) broken.push(word);
    }
  }
  return broken;
}

/** How much of the page has moved while it was loaded, in thousandths. Its images are complete, or this fails. */
async function shifts(): Promise<number> {
  for (const image of document.images) await image.decode();
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  // A fraction of a pixel, as it comes with rounding, is less than a thousandth.
  return Math.floor(sum * 1000);
}

let service: Service;
let browser: Browser;

beforeAll(async () => {
  service = await startService('SQLite');
  await fillDemo({ database: service.database, urnNamespace: 'dpp', now: () => new Date() });
  browser = await startBrowser();
});

test.each(['en', 'de'] as const)('every demo product shows its key facts at 360 by 640, %s', async (language) => {
  const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
  // The page is painted before its image arrives.
  await page.route('**/image/*', async (route) => {
    await setTimeout(150);
    await route.continue();
  });
  for (const product of active) {
    await page.goto(`http://127.0.0.1:${service.port}/p/${product.tenant_slug}/${product.slug}?lang=${language}`);
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll('.key-facts > div')].map((fact) => ({
        label: (fact.querySelector('dt')?.textContent ?? '').replaceAll('\u00ad', ''),
        text: fact.querySelector('dd')?.textContent?.trim() ?? '',
        bottom: fact.getBoundingClientRect().bottom,
      })),
    );
    const expected = expectedFacts(product, language);
    // Nothing moves while the page is loaded: what a reader touches stays where it is.
    expect([product.slug, await page.evaluate(shifts)]).toEqual([product.slug, 0]);
    expect(expected.length).toBeGreaterThanOrEqual(3);
    expect([product.slug, shown.map(({ label }) => label)]).toEqual([product.slug, expected]);
    for (const { text, bottom } of shown) {
      expect([product.slug, text]).toEqual([product.slug, expect.stringMatching(/\S/)]);
      expect([product.slug, text, bottom]).toEqual([product.slug, text, Math.min(bottom, 640)]);
    }
    const texts = await page.evaluate(() => document.body.textContent ?? '');
    expect([product.slug, await page.evaluate(brokenWords)]).toEqual([product.slug, []]);
    // A score beside the name could be read as one of sustainability (Directive (EU) 2024/825).
    expect(texts.match(/Completeness|Vollständigkeit/g)).toHaveLength(1);
  }
});

test('the links to the languages are easy to touch on a telephone', async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
  const paths = ['/', '/ns/dpp', ...active.map(({ tenant_slug, slug }) => `/p/${tenant_slug}/${slug}`)];
  for (const path of paths) {
    await page.goto(`http://127.0.0.1:${service.port}${path}`);
    const sizes = await page.evaluate(() =>
      [...document.querySelectorAll('header nav a')].map((link) => {
        const { width, height } = link.getBoundingClientRect();
        return Math.min(width, height);
      }),
    );
    expect([path, sizes.length]).toEqual([path, languages.length]);
    // WCAG 2.2, 2.5.5.
    expect([path, Math.min(...sizes, 44)]).toEqual([path, 44]);
  }
});
