/** The search of a public list, and texts from right to left, in a browser. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { launchBrowser } from '../support/browser.ts';
import { ending } from '../support/files.ts';
import { type Service, startService } from '../support/service.ts';

const arabic = 'سترة صوف';
/** It fills several lines. */
const long = `${'جواز سفر المنتج الرقمي '.repeat(20)}.`;

let service: Service;
let browser: Browser;

beforeAll(async () => {
  service = await startService('SQLite');
  await fillDemo({ database: service.database, urnNamespace: 'dpp', now: () => new Date() });
  const client = await service.newTenant({ slug: 'souk', name: 'سوق الصوف' });
  await client.publish({ name: arabic, slug: 'pullover', model: arabic, product_group: 'textile' }, [
    { field_key: 'manufacturer_name', value: arabic },
    { field_key: 'care_instructions', value: long },
    { field_key: 'model_identifier', value: arabic },
    { field_key: 'list', value: [long, arabic, 'Latin'] },
  ]);
  browser = ending.use(await launchBrowser());
});

test('a reader searches the list, and opens a passport', async () => {
  const page = await browser.newPage({ locale: 'en' });
  await page.goto(`http://127.0.0.1:${service.port}/p/nordlicht`);
  await page.getByLabel('Name or GTIN of the product').fill('PULLOVER');
  await page.getByRole('button', { name: 'Search' }).click();
  expect(new URL(page.url()).search).toBe('?lang=en&search=PULLOVER');
  const picture = page.locator('.thumb img');
  expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(480);
  await page.getByRole('link', { name: /Merinopullover/ }).click();
  expect(await page.locator('h1').textContent()).toBe('Merinopullover Fjord');
  await page.close();
});

test('a text from right to left begins beside its label, and at its own edge once it fills the line', async () => {
  const page = await browser.newPage({ locale: 'en', viewport: { width: 1280, height: 800 } });
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`http://127.0.0.1:${service.port}/p/souk/pullover`);
    const boxes = await page.evaluate(boxesOfArabic);
    expect(boxes.length).toBeGreaterThanOrEqual(8);
    expect(boxes.map(({ name }) => name)).toEqual(expect.arrayContaining(['H1', 'DD', 'SPAN']));
    for (const box of boxes) {
      expect(box.direction).toBe('rtl');
      // A short text is as wide as its letters, and its box begins where the column begins.
      if (box.lines === 1 && box.name !== 'H1') expect([box.text, Math.round(box.start)]).toEqual([box.text, 0]);
      // A title, and the last line of a long text, end at the right edge of their box.
      else expect([box.text, Math.round(box.lastLineEnd)]).toEqual([box.text, 0]);
    }
    expect(boxes.some(({ lines }) => lines > 1)).toBe(true);
    // The maker stands on the side of the title.
    const title = await page.locator('h1').boundingBox();
    const maker = await page.locator('.maker bdi').boundingBox();
    const edges = [title, maker].map((box) => Math.round((box?.x ?? 0) + (box?.width ?? 0)));
    expect(edges[1]).toBe(edges[0]);
  }
  await page.close();
});

interface Box {
  name: string;
  text: string;
  direction: string;
  lines: number;
  /** From the start of the column to the start of the letters, in pixels. */
  start: number;
  /** From the right edge of the last line to that of the box, in pixels. */
  lastLineEnd: number;
}

/** The Arabic texts of the page, and where they stand in the block around them. */
function boxesOfArabic(): Box[] {
  return [...document.querySelectorAll('[dir=auto]')]
    .filter((each) => /^[\u0600-\u06ff]/.test(each.textContent ?? ''))
    .map((each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      // A line has a box for each piece of text of one direction.
      const lines = [...Map.groupBy(range.getClientRects(), ({ top }) => Math.round(top / 8)).values()];
      const own = each.getBoundingClientRect();
      const around = (each.parentElement ?? each).getBoundingClientRect();
      const style = getComputedStyle(each.parentElement ?? each);
      const column = Number.parseFloat(style.paddingInlineStart) + Number.parseFloat(style.borderInlineStartWidth);
      const isInGrid = style.display === 'grid';
      const begin = isInGrid ? own.left : around.left + column;
      return {
        name: each.tagName,
        text: (each.textContent ?? '').slice(0, 20),
        direction: getComputedStyle(each).direction,
        lines: lines.length,
        start: Math.min(...(lines[0] ?? []).map(({ left }) => left)) - begin,
        lastLineEnd: own.right - Math.max(...(lines.at(-1) ?? []).map(({ right }) => right)),
      };
    });
}
