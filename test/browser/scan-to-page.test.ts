/** From the code on a product, or from its name in a list, to its passport, as on a phone. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { texts } from '../../server/src/languages/languages.ts';
import type { ScanStatistics } from '../../server/src/scans/handlers.ts';
import { updatePages } from '../../server/src/tenants/store.ts';
import { launchBrowser, violations, watch } from '../support/browser.ts';
import { newDatabase } from '../support/database.ts';
import { ending, newFolder } from '../support/files.ts';
import { decode, halves, rasterise, sheetsOf } from '../support/pictures.ts';
import { run } from '../support/program.ts';
import { type Service, startService } from '../support/service.ts';

const slug = 'merinopullover-fjord';
let service: Service;
let browser: Browser;
let address = '';
let site = '';
let key = '';
let token = '';

beforeAll(async () => {
  address = await newDatabase('SQLite');
  service = await startService('SQLite', { on: address });
  const { database } = service;
  const now = () => new Date();
  const demo = await fillDemo({ database, urnNamespace: 'dpp', now });
  key = demo?.tenants.find((tenant) => tenant.slug === 'nordlicht')?.api_key ?? '';
  site = `http://127.0.0.1:${service.port}`;
  const isValid = ({ tenant, role, revoked }: { tenant: string; role: string; revoked: boolean }): boolean =>
    tenant === 'nordlicht' && role === 'recycler' && !revoked;
  token = demo?.access_tokens.find(isValid)?.token ?? '';
  browser = ending.use(await launchBrowser());
});

/** The code on the page of the product, as `<svg>`. */
async function codeOfPage(): Promise<Buffer> {
  // A prefetch does not count as a scan.
  const page = await fetch(`${site}/p/nordlicht/${slug}`, { headers: { 'sec-purpose': 'prefetch' } });
  const [, attributes = '', content = ''] =
    /<section class="qr.*?<svg ([^>]*)>(.*?)<\/svg>/s.exec(await page.text()) ?? [];
  const [, size = ''] = /viewBox="0 0 (\d+) /.exec(attributes) ?? [];
  const sized = attributes.replace(/ (?:width|height)="\d+"/g, '');
  return rasterise(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Number(size) * 4}" height="${Number(size) * 4}" ${sized}>${content}</svg>`,
    96,
  );
}

async function scans() {
  const answer = await fetch(`${site}/api/v1/analytics/scans?days=1`, { headers: { authorization: `Bearer ${key}` } });
  const { total, by_view_role, top_products } = (await answer.json()) as ScanStatistics;
  return { total, ...by_view_role, ofProduct: top_products.find((product) => product.slug === slug)?.count ?? 0 };
}

test('the camera fills the field, and opens no address; without it the page has the form', async () => {
  const codes: [string, string][] = [
    ['https://evil.example/01/09520001000011/21/S-1%2F2?x=1#y', '(01)09520001000011(21)S-1/2'],
    ['\u001d010952000100001117270101' + '10B7\u001d21S1', '(01)09520001000011(10)B7(21)S1'],
    ['9520001000011', '(01)9520001000011'],
  ];
  const page = await browser.newPage();
  const seen = watch(page);
  await page.goto(`${site}/?lang=en`);
  expect(await page.locator('#scan').isVisible()).toBe(false);
  for (const [code, filled] of codes) {
    const reader = await browser.newPage();
    await reader.addInitScript((read) => {
      const texts = ['https://evil.example/', 'javascript:alert(1)', read];
      const detect = async () => [{ rawValue: texts.shift() }];
      Object.assign(window, {
        BarcodeDetector: class {
          detect = detect;
        },
      });
      const getUserMedia = async () => document.createElement('canvas').captureStream();
      Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia } });
      HTMLMediaElement.prototype.play = async () => {};
    }, code);
    await reader.goto(`${site}/?lang=en`);
    await reader.click('#scan');
    await reader.locator('#code:focus').waitFor();
    expect([await reader.inputValue('#code'), reader.url()]).toEqual([filled, `${site}/?lang=en`]);
    expect(await reader.locator('video').isVisible()).toBe(false);
    await reader.close();
  }
  expect(seen.faults).toEqual([]);
  const { headers } = await fetch(`${site}/`, { headers: { accept: 'text/html' } });
  expect(headers.get('permissions-policy')).toBe('camera=(self)');
  await page.close();
});

test('CAR-1, GS1-1, SCAN-1 the code on its page opens the passport in a browser, and counts one scan of its role', async () => {
  const [found, ...others] = await decode(await codeOfPage());
  expect(others).toEqual([]);
  expect(found?.text).toMatch(new RegExp(`^${site}/01/\\d{14}$`));
  const link = found?.text ?? '';
  for (const [role, query] of [
    ['consumer', ''],
    ['recycler', `?zugang=${token}`],
  ] as const) {
    const before = await scans();
    const context = await browser.newContext({ locale: 'de' });
    const page = await context.newPage();
    const response = await page.goto(link + query, { waitUntil: 'networkidle' });
    expect(response?.status()).toBe(200);
    const redirect = response?.request().redirectedFrom();
    expect([redirect?.url(), (await redirect?.response())?.status()]).toEqual([link + query, 307]);
    expect(page.url()).toBe(`${site}/p/nordlicht/${slug}${query}`);
    expect(await page.locator('h1').textContent()).toBe('Merinopullover Fjord');
    expect(await page.locator('.role').allTextContents()).toEqual(role === 'consumer' ? [] : [texts.de.roles[role]]);
    expect((await page.locator('.level').count()) > 0).toBe(role === 'recycler');
    await context.close();
    expect(await scans()).toEqual({
      ...before,
      [role]: before[role] + 1,
      total: before.total + 1,
      ofProduct: before.ofProduct + 1,
    });
  }
});

test('a reader searches the list, and opens a passport', async () => {
  const page = await browser.newPage({ locale: 'en' });
  await page.goto(`${site}/p/nordlicht`);
  await page.getByLabel('Name, GTIN or serial number of the product').fill('PULLOVER');
  await page.getByRole('button', { name: 'Search' }).click();
  expect(new URL(page.url()).search).toBe('?lang=en&search=PULLOVER');
  const picture = page.locator('.thumb img');
  expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(480);
  await page.getByRole('link', { name: /Merinopullover/ }).click();
  expect(await page.locator('h1').textContent()).toBe('Merinopullover Fjord');
  await page.close();
});

test('a sheet of labels prints on pages of A4, and every code on it can be read', async () => {
  const client = await service.newTenant({ slug: 'labels', name: 'Labels' });
  const names = ['Kabel', `${'Donaudampfschifffahrt'.repeat(20)}`, '<b>Ball</b> \u202eגלגל'];
  for (const [index, name] of names.entries()) {
    await client.create({ name, slug: `p${index}`, ...(index === 0 ? {} : { gtin: `952000100002${index}` }) });
  }
  const logo = { logo_sha256: 'x', logo_width: 300, logo_height: 100 };
  const bytes = await halves(300, 100).webp().toBuffer();
  await updatePages(service.database, client.tenant.id, { ...logo, logo_bytes: bytes });
  const folder = newFolder();
  const file = join(folder, 'labels.html');
  const outcome = await run(
    `product-passport carrier sheet --tenant labels --all --copies 9 --call --output ${file} --database ${address} --site-url ${site}`,
  );
  expect(outcome).toMatchObject({ code: 0 });
  const page = await browser.newPage({ viewport: { width: 800, height: 1200 } });
  await page.goto(pathToFileURL(file).href);
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ media: 'print' });
  const sheets = sheetsOf(await page.pdf({ preferCSSPageSize: true }));
  expect(sheets.length).toBe(2);
  const links = ['/p/labels/p0', '/01/09520001000021', '/01/09520001000022'];
  const found = await Promise.all(sheets.map((sheet) => decode(rasterise(sheet, 192))));
  const counts = Map.groupBy(found.flat(), ({ text }) => text.replace(site, ''));
  expect(links.map((link) => counts.get(link)?.length)).toEqual([9, 9, 9]);
  // A knife or a printer may be off by 2 mm, and the words leave the quiet zone free.
  const free = await page.locator('.label').evaluateAll((labels) =>
    labels.map((label) => {
      const [edge, code, words] = [label, ...label.querySelectorAll('.code svg:first-child, .words')].map((each) =>
        each.getBoundingClientRect(),
      );
      if (!edge || !code || !words) return Number.NaN;
      const text = label.querySelector('text')?.getBoundingClientRect() ?? code;
      if (text.left < code.left || text.right > code.right || text.bottom > edge.bottom) return Number.NaN;
      const tops = [code.left - edge.left, code.top - edge.top, words.top - edge.top];
      return (
        Math.min(...tops, edge.bottom - code.bottom, edge.bottom - words.bottom, words.left - code.right) / (96 / 25.4)
      );
    }),
  );
  expect(free).toHaveLength(27);
  expect(free.filter((millimetres) => !(millimetres >= 1.99))).toEqual([]);
  await page.close();
});
