import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Resvg } from '@resvg/resvg-js';
import { drawSheet, labelSizes, labelsOnPage } from '../../../server/src/carriers/sheet.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { createProduct } from '../../../server/src/lifecycle/lifecycle.ts';
import { type Outcome, runHere } from '../../support/command.ts';
import { newFolder } from '../../support/files.ts';
import { decode, halves, rasterise } from '../../support/pictures.ts';
import { newTenant } from '../../support/tenant.ts';

const site = 'https://passport.example.com';
const link = `${site}/01/09520001000010`;
const directory = newFolder();
let database = '';
let files = 0;

/** The grey of each pixel, row by row, at this width. */
function greys(svg: string, width: number): number[][] {
  const { pixels } = new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render();
  return Array.from({ length: width }, (_, y) =>
    Array.from({ length: width }, (_, x) => pixels.readUInt8((y * width + x) * 4)),
  );
}

/** The grey of each pixel of a PNG, row by row. */
function greysOfPng(png: Buffer): number[][] {
  const { width } = pngHeader(png);
  const href = `data:image/png;base64,${png.toString('base64')}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}"><image href="${href}" width="${width}" height="${width}" image-rendering="optimizeSpeed"/></svg>`;
  return greys(svg, width);
}

/** Width and height in pixels, and pixels a metre (PNG, 11.2.1 and 11.3.4.3). */
function pngHeader(png: Buffer): { width: number; height: number; perMetre: number[] } {
  const at = png.indexOf('pHYs') + 4;
  return {
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    // The last byte says that the unit is the metre.
    perMetre: png.readUInt8(at + 8) === 1 ? [png.readUInt32BE(at), png.readUInt32BE(at + 4)] : [],
  };
}

beforeAll(async () => {
  database = join(directory, 'shop.sqlite');
  const knex = await openDatabase(database);
  const now = () => new Date();
  const tenant = await newTenant(knex, { slug: 'my-shop', name: 'my-shop' });
  const services = { database: knex, now, urnNamespace: 'dpp' };
  for (const [name, gtin] of [
    ['Pullover', '9520001000010'],
    ['Mütze', '9520001000010'],
    ['Ohne', null],
    ['<img src=x onerror=alert(1)>"&', '09520001000027'],
    ['Eins', '9520001000034'],
    ['Zwei', '9520001000041'],
  ] as const) {
    await createProduct(services, tenant, { name, ...(gtin === null ? {} : { gtin }) });
  }
  await knex.destroy();
});

function command(line: string, environment: Record<string, string> = {}): Promise<Outcome> {
  return runHere(`product-passport carrier ${line}`, {
    PRODUCT_PASSPORT_DATABASE: database,
    PRODUCT_PASSPORT_SITE_URL: site,
    ...environment,
  });
}

async function json(line: string) {
  const outcome = await command(`${line} --json`);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout.trim().split('\n')).toHaveLength(1);
  return JSON.parse(outcome.stdout);
}

function newFile(ending: string): string {
  files += 1;
  return join(directory, `code-${files}.${ending}`);
}

describe('carrier image', () => {
  const product = 'muetze --tenant my-shop';
  const codes = [
    { type: 'qr', found: { text: link, format: 'QRCode', symbology: ']Q1' }, quiet: 4, modules: 37 },
    { type: 'datamatrix', found: { text: link, format: 'DataMatrix', symbology: ']d1' }, quiet: 1, modules: 26 },
  ];

  beforeAll(async () => {
    for (const { type } of codes) await json(`add ${product} --type ${type}`);
  });

  test.each(codes.flatMap((code) => [203, 600].map((dpi) => ({ ...code, dpi }))))(
    'a PNG of type $type at $dpi dpi has whole pixels in each module, and decodes',
    async ({ type, found, quiet, modules, dpi }) => {
      const file = newFile('png');
      const answer = await json(`image ${product} --type ${type} --dpi ${dpi} --output ${file}`);
      const scale = Math.floor(((25 / 25.4) * dpi) / modules);
      const pixels = scale * modules;
      expect(answer).toMatchObject({ format: 'png', modules, quiet_zone_modules: quiet, pixels, dpi });
      expect(answer.size_mm).toBeCloseTo((pixels / dpi) * 25.4, 3);
      expect(answer.size_mm).toBeLessThanOrEqual(25);
      const png = await readFile(file);
      const perMetre = Math.round(dpi / 0.0254);
      expect(pngHeader(png)).toEqual({ width: pixels, height: pixels, perMetre: [perMetre, perMetre] });
      expect(await decode(png)).toEqual([found]);
      const rows = greysOfPng(png);
      const grid = Array.from({ length: modules }, (_, y) =>
        Array.from({ length: modules }, (_, x) => rows[y * scale]?.[x * scale] ?? -1),
      );
      // Every pixel is black or white, and the pixels of a module are equal.
      expect(rows).toEqual(
        rows.map((row, y) => row.map((_, x) => grid[Math.floor(y / scale)]?.[Math.floor(x / scale)])),
      );
      expect(new Set(grid.flat())).toEqual(new Set([0, 255]));
      expectQuietZone(grid, quiet);
      const svg = newFile('svg');
      const sized = await json(`image ${product} --type ${type} --size-mm 22.5 --output ${svg}`);
      expect(sized).toMatchObject({ format: 'svg', size_mm: 22.5, module_mm: Math.round(22_500 / modules) / 1000 });
      const outlines = await readFile(svg, 'utf8');
      expect(outlines).toMatch(
        `<svg xmlns="http://www.w3.org/2000/svg" width="22.5mm" height="22.5mm" viewBox="0 0 ${modules} ${modules}"`,
      );
      expect(greys(outlines, modules)).toEqual(grid);
    },
  );

  test('--hri prints the GTIN below the quiet zone, and changes nothing else', async () => {
    const [plain, readable] = [newFile('svg'), newFile('svg')];
    const answer = await json(`image ${product} --output ${plain}`);
    expect(await json(`image ${product} --hri --output ${readable}`)).toEqual({ ...answer, file: readable });
    const before = await readFile(plain, 'utf8');
    const after = await readFile(readable, 'utf8');
    expect(after).toMatch(/^<svg [^>]*width="25mm" height="28.182mm" viewBox="0 0 37 41.71"/);
    const [, x, y, size, text] =
      /<text x="([\d.]+)" y="([\d.]+)" text-anchor="middle" [^>]*font-size="([\d.]+)">(.*)<\/text>/.exec(after) ?? [];
    expect([x, text]).toEqual(['18.5', '(01) 09520001000010']);
    // The top of the digits is below the 37 modules of the code, and their feet are above the end of the picture.
    expect(Number(y) - Number(size)).toBeGreaterThanOrEqual(37);
    expect(Number(y)).toBeLessThan(41.71);
    const outlinesOf = (svg: string) => /<path fill="#000" [^>]*>/.exec(svg)?.[0];
    expect(outlinesOf(after)).toBe(outlinesOf(before));
    expect(await decode(rasterise(after, 600))).toEqual([codes[0]?.found]);
  });
});

describe('carrier sheet', () => {
  const shop = '--tenant my-shop';
  const labels = (html: string) => [...html.matchAll(/<p class="name" dir="auto">(.*?)<\/p>/g)].map(([, name]) => name);

  test('has a label for each named product, in this order, and nothing to load', async () => {
    const [list, file] = [newFile('txt'), newFile('html')];
    await writeFile(list, 'ohne\n\n zwei \npullover\n');
    const outcome = await command(`sheet eins pullover ${shop} --file ${list} --output ${file}`);
    expect(outcome).toEqual({
      code: 0,
      stdout: `Wrote ${file}: 4 labels of 70x36 mm on 1 page of A4. Print it at 100 %.\n`,
      stderr: expect.stringMatching(
        /^Warning: \d products have no active qr carrier\. Record it with `product-passport carrier add eins --tenant my-shop --type qr .*`\.\n$/,
      ),
    });
    const html = await readFile(file, 'utf8');
    expect(labels(html)).toEqual(['Eins', 'Pullover', 'Ohne', 'Zwei']);
    expect(html).toContain('>(01) 09520001000034</text>');
    // Only those with a GTIN have a text.
    expect(html.match(/>\(01\) \d{14}<\/text>/g)).toHaveLength(3);
    expect(html).not.toMatch(/https?:|<script|<link|<img|url\(/);
  });

  test.each(labelSizes)('the labels of %s stand in the middle of the page', async (size) => {
    const file = newFile('html');
    await command(`sheet pullover ${shop} --labels ${size} --output ${file}`);
    const html = await readFile(file, 'utf8');
    const form =
      /columns: repeat\((\d+), (.+?)mm\); grid-auto-rows: (.+?)mm; column-gap: (.+?)mm; padding: (.+?)mm (.+?)mm 0;/;
    const [columns = 0, width = 0, height = 0, gap = 0, top = 0, left = 0] = (form.exec(html) ?? [])
      .slice(1)
      .map(Number);
    expect(columns * width + (columns - 1) * gap + 2 * left).toBeCloseTo(210);
    expect((labelsOnPage(size) / columns) * height + 2 * top).toBeCloseTo(297);
    expect(Math.min(top, left)).toBeGreaterThanOrEqual(0);
    expect(size).toBe(`${width}x${height}`);
  });

  test('--all has every product that is not archived, --copies repeats and --skip leaves places free', async () => {
    const file = newFile('html');
    const sheet = `sheet ${shop} --all --copies 3 --skip 5 --labels 105x57 --no-hri --output ${file}`;
    const outcome = await command(`${sheet} --json`);
    expect(outcome.code).toBe(0);
    // The address of the page has more characters than a Digital Link: 41 modules.
    const module_mm = Math.round(44_730 / 41) / 1000;
    expect(JSON.parse(outcome.stdout)).toMatchObject({ products: 6, labels: 18, pages: 3, module_mm });
    const html = await readFile(file, 'utf8');
    expect(html.match(/<div class="page">/g)).toHaveLength(3);
    expect(html.match(/<div class="label"><\/div>/g)).toHaveLength(5);
    expect(labels(html).slice(0, 4)).toEqual(['Pullover', 'Pullover', 'Pullover', 'Mütze']);
    expect(labels(html)).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&amp;');
    expect(html).not.toContain('(01)');
    expect(await command(sheet)).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') });
    const knex = await openDatabase(database);
    await knex('products').where({ slug: 'eins' }).update({ status: 'archived' });
    await knex.destroy();
    expect((await command(`${sheet} --force --json`)).stdout).toContain('"products":5');
    expect(html).not.toContain('class="call"');
    await command(`${sheet} --force --call`);
    const called = await readFile(file, 'utf8');
    expect(called.match(/<p class="call">Digitaler Produktpass: scannen<\/p><p class="name"/g)).toHaveLength(15);
  });

  test("each label has the tenant's logo, which is in the file once", async () => {
    const file = newFile('html');
    const [plain, logo] = [`sheet pullover ${shop} --copies 5 --output ${file}`, newFile('png')];
    await command(plain);
    expect(await readFile(file, 'utf8')).not.toContain('logo"');
    await writeFile(logo, await halves(300, 100).png().toBuffer());
    await runHere(`product-passport tenant brand my-shop --logo ${logo}`, { PRODUCT_PASSPORT_DATABASE: database });
    await command(`${plain} --force`);
    const html = await readFile(file, 'utf8');
    expect(html.match(/<image width="300" height="100" href="data:image\/webp;base64,[\w+/=]+"\/>/g)).toHaveLength(1);
    expect(html.match(/<use href="#logo"\/>/g)).toHaveLength(5);
  });

  test.each([
    ['52.5x29.7', '(21)SN-2026-AB12345678', false, 1],
    ['70x36', '(21)SN-2026-AB12345678', true, 1],
    ['63.5x38.1', '(21)SN-2026-AB123456789', false, 2],
    ['63.5x38.1', '(21)WM-WWWWWWWMMMMMMWWWW', false, 1],
  ] as const)('a label of %s with the serial number %s has the logo: %s, and %i lines of the name', async (...row) => {
    const [size, serial, hasLogo, lines] = row;
    const label = { name: 'Motor', link, text: undefined, call: 'Digitaler Produktpass: scannen', serial };
    const logo = { width: 300, height: 100, bytes: Buffer.from('') };
    const { content } = await drawSheet([label], { size, language: 'fr', title: 'T', skip: 0, logo });
    expect([content.includes('#logo'), /clamp: (\d)/.exec(content)?.[1]]).toEqual([hasLogo, String(lines)]);
  });
});

/** Expects a white border of exactly this width. */
function expectQuietZone(grid: number[][], quiet: number): void {
  const last = grid.length - 1;
  const dark = grid.flatMap((row, y) => row.flatMap((grey, x) => (grey < 128 ? [{ x, y }] : [])));
  const bounds = [Math.min, Math.max].flatMap((of) => [of(...dark.map(({ x }) => x)), of(...dark.map(({ y }) => y))]);
  expect(bounds).toEqual([quiet, quiet, last - quiet, last - quiet]);
}

test('the code of a single item has its serial number, on labels too', async () => {
  const serial = 'SN/"<1>';
  const item = `${link}/21/SN%2F%22%3C1%3E`;
  const values = join(directory, 'serial.json');
  const shop = `--tenant my-shop --database ${database}`;
  await writeFile(values, JSON.stringify([{ field_key: 'serial_number', value: serial }]));
  expect(await runHere(`product-passport passport set muetze ${values} ${shop}`)).toMatchObject({ code: 0 });
  const svg = join(directory, 'item.svg');
  const { stdout } = await command(`image muetze --tenant my-shop --hri --output ${svg} --json`);
  expect(JSON.parse(stdout)).toMatchObject({ link: item, gs1_digital_link: link });
  const picture = await readFile(svg, 'utf8');
  expect(picture).toMatch(/>\(01\) 09520001000010<[\s\S]*>\(21\) SN\/"&lt;1>/);
  expect(await decode(rasterise(picture, 600))).toMatchObject([{ text: item }]);
  const html = join(directory, 'items.html');
  await command(`sheet muetze pullover --tenant my-shop --output ${html}`);
  const sheet = await readFile(html, 'utf8');
  expect(sheet.match(/(?<=<p class="serial">)[^<]*/g)).toEqual(['(21) SN/&quot;&lt;1&gt;']);
  const { items } = await json('list muetze --tenant my-shop');
  expect(items.map(({ gs1_digital_link }: { gs1_digital_link: string }) => gs1_digital_link)).not.toContain(item);
});
