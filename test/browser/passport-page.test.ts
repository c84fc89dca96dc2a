/** What axe does not see of passports: focus, forced colours and paper. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { ending } from '../support/files.ts';
import { fillPublicDemo, type Service, startService } from '../support/service.ts';

const battery = 'nordlicht/e-bike-akku-powerdrive-625';

let service: Service;
let browser: Browser;
let products: string[] = [];
/** By tenant. */
const inspectors = new Map<string, string>();

beforeAll(async () => {
  service = await startService('SQLite');
  const demo = await fillPublicDemo(service);
  products = demo.products.map(({ tenant, slug }) => `${tenant}/${slug}`);
  for (const { tenant, role, token } of demo.tokens) if (role === 'inspector') inspectors.set(tenant, token);
  browser = ending.use(await launchBrowser());
});

async function open(page: Page, product: string, role: 'consumer' | 'inspector', language = 'en'): Promise<void> {
  const token = role === 'inspector' ? inspectors.get(product.split('/')[0] ?? '') : undefined;
  const zugang = token ? `&zugang=${token}` : '';
  await page.goto(`http://127.0.0.1:${service.port}/p/${product}?lang=${language}${zugang}`);
}

test.each(['light', 'dark'] as const)('links and explanations have a visible focus, %s', async (colorScheme) => {
  const page = await browser.newPage({ colorScheme });
  await open(page, battery, 'inspector');
  const shown = page.locator('a:visible, summary:visible, button:visible');
  const names = await shown.evaluateAll((all) =>
    all.map((each) => each.getAttribute('aria-label') ?? each.textContent),
  );
  const seen: { text: string; isOutlined: boolean }[] = [];
  for (const _ of names) {
    await page.keyboard.press('Tab');
    seen.push(await page.evaluate(focusRing));
  }
  expect(names.length).toBeGreaterThan(20);
  expect(seen.map(({ text }) => text).sort()).toEqual(names.sort());
  expect(seen.filter(({ isOutlined }) => !isOutlined)).toEqual([]);
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

/** The focused link, and whether it has an outline. `test/server/site/palette.test.ts` computes the contrast. */
function focusRing(): { text: string; isOutlined: boolean } {
  const link = document.activeElement ?? document.body;
  const { outlineStyle, outlineWidth } = getComputedStyle(link);
  return {
    text: link.getAttribute('aria-label') ?? link.textContent ?? '',
    isOutlined: outlineStyle === 'solid' && outlineWidth === '3px',
  };
}
