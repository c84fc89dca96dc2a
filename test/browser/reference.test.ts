/** The API reference in a browser: its keyboard, its files and its button. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startBrowser, watch } from '../support/browser.ts';
import { newFolder } from '../support/files.ts';
import { run } from '../support/program.ts';
import { type Service, startService } from '../support/service.ts';

let browser: Browser;
let service: Service;
let site = '';

beforeAll(async () => {
  service = await startService('SQLite');
  site = `http://127.0.0.1:${service.port}`;
  browser = await startBrowser();
});

describe('the reference', () => {
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
    expect(seen.faults).toEqual([]);
    expect(seen.requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
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
