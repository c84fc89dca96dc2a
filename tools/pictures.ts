/** `node tools/pictures.ts` makes the pictures in `docs/pictures`: passport pages of the demo, and conformance reports. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { reportOf } from '../contracts/conformance/report/report.ts';
import { writeReports } from '../contracts/conformance/report/write.ts';
import { together } from '../contracts/mutants/provider/change.ts';
import { tenancy } from '../contracts/mutants/provider/families/access.ts';
import { paging, search } from '../contracts/mutants/provider/families/lists.ts';
import { responses } from '../contracts/mutants/provider/families/responses.ts';
import { verifyChanged } from '../contracts/mutants/provider/run.ts';
import { createApp, localAddress } from '../server/src/app.ts';
import { openDatabase } from '../server/src/database/open.ts';
import { fillDemo } from '../server/src/demo/fill.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { installed } from '../test/support/packages.ts';

const { values: options } = parseArgs({
  options: { to: { type: 'string', default: 'docs/pictures' } },
});

interface Picture {
  name: string;
  width: number;
  height: number;
  medium?: 'dark' | 'print';
}

interface PassportPicture extends Picture {
  product: string;
  language: string;
  /** Default: a reader without an access token. */
  role?: 'recycler' | 'inspector';
}

const wide = { width: 1280, height: 880 };
const phone = { width: 390, height: 880 };
const battery = 'skellig/e-bike-battery-sprint-625';
const jumper = 'skellig/merino-jumper-inis';

const pictures: PassportPicture[] = [
  { name: 'passport-page', product: jumper, language: 'en', ...wide },
  { name: 'passport-page-phone', product: battery, language: 'de', medium: 'dark', ...phone },
  { name: 'passport-page-recycler', product: battery, language: 'en', role: 'recycler', ...phone },
  { name: 'passport-page-print', product: jumper, language: 'en', medium: 'print', width: 783, height: 1070 },
];

/** What is wrong with the provider of the first report. */
const mistakes = ['total-of-page', 'reads-foreign-passport', 'search-case-sensitive', 'null-as-false'];

/** The reports on a wrong provider and on the demo's server, which takes half a minute. */
async function reportPictures(): Promise<(Picture & { address: string })[]> {
  const folder = await mkdtemp(join(tmpdir(), 'reports-'));
  const rows = [...paging, ...search, ...tenancy, ...responses].filter(({ id }) => mistakes.includes(id));
  const wrong = await verifyChanged(together(rows.map(({ change }) => change)), { claims: ['core', 'public'] });
  writeReports(join(folder, 'wrong'), reportOf(wrong, wrong.provider), wrong.created);
  const start = 'node server/src/cli/main.ts serve --demo --json --port 0 --database :memory:';
  const claims = ['--claim', 'core,public,digital-link,reference'];
  const command = ['contracts/conformance/cli/main.ts', 'verify', '--start', start, ...claims];
  execFileSync(process.execPath, [...command, '--report', join(folder, 'right')]);
  const addressOf = (name: string) => pathToFileURL(join(folder, name, 'report.html')).href;
  return [
    { name: 'conformance-report', width: 1280, height: 1180, address: addressOf('wrong') },
    { name: 'conformance-report-phone', width: 360, height: 840, medium: 'dark', address: addressOf('right') },
  ];
}

/** The same letters on every machine: the pages have the font of the reader's system. */
async function fontStyle(): Promise<string> {
  const folder = await installed(['@fontsource-variable/inter@5.2.8']);
  const file = join(folder, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
  const source = `data:font/woff2;base64,${await readFile(file, 'base64')}`;
  return `@font-face { font-family: Common; font-weight: 100 900; src: url(${source}) } body { font-family: Common, sans-serif }`;
}

async function take(page: Page, address: string, { name, width, height, medium }: Picture): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({
    colorScheme: medium === 'dark' ? 'dark' : 'light',
    media: medium === 'print' ? 'print' : 'screen',
  });
  await page.goto(address);
  // A sheet of paper has a margin.
  await page.addStyleTag({ content: medium === 'print' ? `${font} html { padding: 40px }` : font });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const { data } = await sharp(await page.screenshot())
    .webp({ quality: 85 })
    .toBuffer({ resolveWithObject: true });
  await writeFile(join(options.to, `${name}.webp`), data);
  process.stdout.write(`${name}.webp: ${data.length} bytes\n`);
}

const font = await fontStyle();
const database = await openDatabase(':memory:');
const demo = await fillDemo({ database, urnNamespace: 'dpp', now: () => new Date() });
const app = await createApp({ database, siteUrl: 'https://passport.example.com' });
await app.start();
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ bypassCSP: true });
  for (const picture of pictures) {
    const token = demo?.access_tokens.find(
      (each) => each.role === picture.role && each.product === null && !each.revoked,
    )?.token;
    const query = new URLSearchParams({ lang: picture.language, ...(token && { zugang: token }) });
    await take(page, `${localAddress(app)}/p/${picture.product}?${query}`, picture);
  }
  for (const { address, ...picture } of await reportPictures()) await take(page, address, picture);
} finally {
  await browser.close();
  await app.stop();
  await database.destroy();
}
