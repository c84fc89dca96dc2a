/** The API reference in a browser: its keyboard, its files and its button. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser, violations, watch } from '../support/browser.ts';
import { ending, newFolder } from '../support/files.ts';
import { run } from '../support/program.ts';
import { type Service, startService } from '../support/service.ts';

let browser: Browser;
let service: Service;
let site = '';

beforeAll(async () => {
  service = await startService('SQLite');
  site = `http://127.0.0.1:${service.port}`;
  browser = ending.use(await launchBrowser());
});

describe('the reference', () => {
  test('the keyboard alone searches, and follows what it finds', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const { faults } = watch(page);
    await page.goto(`${site}/docs`);
    const found = page.locator('.found a');
    const focused = () => page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id);
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await page.keyboard.press('/');
    expect(await focused()).toBe('search');
    await page.keyboard.type('create prod');
    await expect(found.first().textContent()).resolves.toMatch(/^Create a product POST \/api\/v1\/products/);
    expect(await page.locator('.count').textContent()).toMatch(/^Results: \d+$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site}/docs/products#createProduct`);

    await page.keyboard.press('/');
    await page.keyboard.type('importer_name');
    await found.first().waitFor();
    expect(await page.locator('.count').textContent()).toMatch(/^Results: 20 of \d+$/);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toMatch(/^importer_name Batteries$/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe('search');
    await page.keyboard.press('Escape');
    expect([await page.locator('.search input').inputValue(), await page.locator('.found a:visible').count()]).toEqual([
      '',
      0,
    ]);

    for (const [typed, name] of [
      ['SOCE', 'state_of_certified_energy Batteries'],
      ['state of health', 'state_of_certified_energy Batteries'],
      ['certifeid energy', 'state_of_certified_energy Batteries'],
      ['recyclabilty', 'recyclability_grade Packaging'],
      ['lmt', expect.stringMatching(/^Body for lmt /)],
      ['PUT', expect.stringMatching(/^Update a passport PUT /)],
      ['state of helth', 'state_of_certified_energy Batteries'],
      ['soh battery', 'state_of_certified_energy Batteries'],
      ['delete field', expect.stringMatching(/^Publish or archive a product /)],
      ['delete product', expect.stringMatching(/^Publish or archive a product /)],
    ]) {
      await page.keyboard.insertText(String(typed));
      expect(await found.first().textContent()).toEqual(name);
      if (typed === 'delete product')
        expect(await page.locator('.count').textContent()).toBe('Results: 2 for archive product');
      await page.keyboard.press('Escape');
    }

    for (const nothing of ['batch', 'undefined']) {
      await page.keyboard.insertText(nothing);
      expect([nothing, await page.locator('.count').textContent()]).toEqual([nothing, 'Nothing found']);
      await page.keyboard.press('Escape');
    }
    await page.keyboard.type('battery');
    expect(await found.first().textContent()).toBe('battery Product group: Batteries');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);

    await page.evaluate(() => scrollTo(0, 900));
    await page.keyboard.press('/');
    const field = await page.locator('.search input').boundingBox();
    expect([await page.evaluate(() => scrollY), (field?.y ?? 900) < 60]).toEqual([900, true]);
    await page.keyboard.type('Invalid GTIN');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site}/docs#invalid_gtin`);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('the contents mark the operation that the reader follows, and stay on the screen of a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${site}/docs/products`);
    const current = page.locator('.aside [aria-current=location]');
    for (const name of ['Create a product', 'List products']) {
      await page.locator('.aside').getByRole('link', { name, exact: true }).click();
      await page.locator('.aside [aria-current=location]', { hasText: name }).waitFor();
      expect(await current.count()).toBe(1);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2));
    await page.locator('.jump summary').click();
    await page.locator('.jump').getByRole('link', { name: 'Create a product', exact: true }).click();
    const [contents, heading] = await Promise.all(
      ['.jump', '#createProduct'].map((place) => page.locator(place).boundingBox()),
    );
    expect(contents?.height).toBeLessThan(60);
    expect(heading?.y).toBeGreaterThan((contents?.y ?? 800) + (contents?.height ?? 0));
    expect(heading?.y).toBeLessThan(200);
    await page.close();
  });

  test('nothing is missing without a script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await page.goto(`${site}/docs`);
    expect(await page.locator('.search').isVisible()).toBe(false);
    await page.locator('.jump summary').click();
    expect(await page.locator('.jump').getByRole('link', { name: 'Schemas' }).isVisible()).toBe(true);
    await context.close();
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
    await page.keyboard.press('/');
    await page.keyboard.type('ProductList');
    await page.locator('.found a').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('main').getByRole('link', { name: 'ProductList', exact: true }).first().click();
    expect(page.url()).toBe(`${pathToFileURL(join(folder, 'schemas.html')).href}#ProductList`);
    await page.locator('.aside').getByRole('link', { name: 'Product groups and fields' }).click();
    await page.locator('main').getByRole('link', { name: 'Cable' }).click();
    expect(page.url()).toBe(pathToFileURL(join(folder, 'fields-cable.html')).href);
    expect(seen.faults).toEqual([]);
    expect(seen.requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
    await page.close();
  });
});

test('the button of an example or a field copies it, and a screen reader hears so', async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const { faults } = watch(page);
  await page.goto(`${site}/docs`);
  await page.getByRole('button', { name: 'Copy curl' }).first().click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(
    /^curl http:\/\/127\.0\.0\.1:\d+\/api\/v1\/me \\\n {2}-H "Authorization: Bearer \$PRODUCT_PASSPORT_KEY"$/,
  );
  expect(await page.locator('#said').textContent()).toBe('Copied curl');
  // The link opens the section of the field.
  await page.goto(`${site}/docs/fields/cable#manufacturer_name`);
  await page.getByRole('button', { name: 'Copy manufacturer_name', exact: true }).click();
  const element = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(element)).toMatchObject({ field_key: 'manufacturer_name' });
  // A category has its own body, and a refused clipboard gets it too. On a phone the button keeps its one line.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${site}/docs/fields/battery#body-ev`);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
  });
  const button = page.getByRole('button', { name: 'Copy body-ev' });
  await button.click();
  const body: { field_key: string; value: unknown }[] = JSON.parse(
    await page.evaluate(() => navigator.clipboard.readText()),
  );
  expect(body).toContainEqual({ field_key: 'battery_category', value: 'ev' });
  expect((await button.boundingBox())?.height).toBeLessThan(32);
  expect(faults).toEqual([]);
  await context.close();
});
