/**
 * The first screen of a telephone answers the question of each reader: `server/src/site/sections.ts` has them. Below are what
 * axe does not see of passports: focus, forced colours and paper.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { type Language, languages, texts } from '../../server/src/languages/languages.ts';
import { launchBrowser } from '../support/browser.ts';
import { ending } from '../support/files.ts';
import { decode, rasterise, sheetsOf } from '../support/pictures.ts';
import { type Service, startService } from '../support/service.ts';
import { tokensOfAll } from '../support/tenant.ts';

/** The viewport of the first screen. */
const screenSize = { width: 360, height: 740 };

const demo: { products: { tenant_slug: string; slug: string; status: string }[] } = JSON.parse(
  readFileSync(new URL('../../server/data/demo_products.json', import.meta.url), 'utf8'),
);
const active = demo.products.filter(({ status }) => status === 'active');
const products = active.map(({ tenant_slug, slug }) => `${tenant_slug}/${slug}`);
const battery = 'nordlicht/e-bike-akku-powerdrive-625';

interface Shown {
  text: string;
  bottom: number;
}

/** What the page shows on its first screen: texts and lower edges. */
function firstScreen() {
  const all = (selector: string) =>
    [...document.querySelectorAll(selector)].map((each) => ({
      text: (each.textContent ?? '').trim(),
      answer: each.querySelector('dd')?.textContent?.trim(),
      bottom: each.getBoundingClientRect().bottom,
    }));
  return {
    facts: all('.key-facts > div'),
    header: document.querySelector('header')?.getBoundingClientRect().height,
    role: all('.role'),
    emblem: all('.pictured > :first-child'),
    summary: all('.hazards > p'),
    pictograms: all('.hazards .pictograms svg'),
    statements: all('.hazards > ul:not(.pictograms) > li'),
    findings: all('.findings > div'),
    ways: all('.first > .ways a'),
    documents: document.querySelectorAll('section.documents').length,
    width: document.documentElement.scrollWidth,
  };
}

type Screen = ReturnType<typeof firstScreen>;

/** The texts that are below the first screen. */
function below(shown: Shown[]): string[] {
  return shown.filter(({ bottom }) => bottom > screenSize.height).map(({ text }) => text);
}

/** The words of the key facts, and English ones of usual length in tables, that are in two lines without a place to break. */
function brokenWords(): string[] {
  const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  const broken: string[] = [];
  const places = document.documentElement.lang === 'en' ? '.key-facts, td, th' : '.key-facts';
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (!node.parentElement?.closest(places)) continue;
    const maxLength = node.parentElement.closest('td, th') ? 12 : Number.POSITIVE_INFINITY;
    const text = String(node.nodeValue);
    for (const { 0: word, index } of text.matchAll(/[^\s/\u00ad\u200b-]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      // After a soft hyphen, a word begins with the hyphen of the line before.
      const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
      const isBroken = new Set(tops).size > (text[index - 1] === '\u00ad' ? 2 : 1);
      if (isBroken && word.length <= maxLength) broken.push(word);
    }
  }
  return broken;
}

let service: Service;
let browser: Browser;
let phone: Page;
let tokens: Awaited<ReturnType<typeof tokensOfAll>>;

beforeAll(async () => {
  service = await startService('SQLite');
  await fillDemo({ database: service.database, urnNamespace: 'dpp', now: () => new Date() });
  tokens = await tokensOfAll(service.database);
  browser = ending.use(await launchBrowser());
  phone = await browser.newPage({ viewport: screenSize });
});

async function open(page: Page, product: string, role: string, language = 'en'): Promise<void> {
  const token = tokens.get(`${product.split('/')[0]} ${role}`);
  const query = `lang=${language}${token ? `&zugang=${token}` : ''}`;
  await page.goto(`http://127.0.0.1:${service.port}/p/${product}?${query}`);
}

/** What the reader asks for is complete, and on the first screen. Other tests read it: the snapshots of whole pages. */
function expectAnswers(screen: Screen, role: string, language: Language): void {
  const { facts, summary, pictograms, statements, findings, ways, documents } = screen;
  if (role === 'consumer') expect(facts.length).toBeGreaterThanOrEqual(3);
  expect(facts.filter(({ answer }) => !answer)).toEqual([]);
  // The line that counts the hazards is always visible. A shopper of the demo sees all of them.
  expect(summary).toHaveLength(pictograms.length + statements.length > 0 ? 1 : 0);
  const own = role === 'consumer' ? [...facts, ...pictograms, ...statements] : findings;
  expect(below([...own, ...summary, ...ways])).toEqual([]);
  // What was found, what is in order, and the registry with the common origin.
  expect(findings.length >= 3).toBe(role === 'inspector');
  // A repairer and a recycler find the documents, an inspector their number, the version and its hash.
  if (role === 'inspector') expect(ways).toHaveLength(documents > 0 ? 3 : 2);
  else expect(ways.filter(({ text }) => text === texts[language].documents)).toHaveLength(documents);
}

/** One row with logo, mark and language; a picture or a sign; whose view it is, unless it is everybody's. */
function expectHead({ header, role: shown, emblem, width }: Screen, role: string): void {
  expect([header, width, emblem.length, shown.length]).toEqual([56, 360, 1, role === 'consumer' ? 0 : 1]);
  expect(below([...emblem, ...shown])).toEqual([]);
}

/** Shoppers read every page. German has the longest words, and the other languages share the pages of the other readers. */
function rolesIn(language: Language, product: number): string[] {
  const others = languages.filter((each) => each !== 'de');
  return language === 'de' || language === others[product % others.length]
    ? ['consumer', 'recycler', 'inspector']
    : ['consumer'];
}

test.each(languages.flatMap((language) => products.map((product, index) => [language, product, index] as const)))(
  'every reader finds the way to the answer at 360 by 740, %s %s',
  async (language, product, index) => {
    for (const role of rolesIn(language, index)) {
      await open(phone, product, role, language);
      const screen = await phone.evaluate(firstScreen);
      expectHead(screen, role);
      expect([role, await phone.evaluate(brokenWords)]).toEqual([role, []]);
      expectAnswers(screen, role, language);
    }
  },
);

test('nine pictograms and twelve statements are all on the page, below a line that counts them', async () => {
  // No lawful label has all nine: this tests the layout only.
  const client = await service.newTenant();
  const codes = Array.from({ length: 9 }, (_, index) => `GHS0${index + 1}`);
  const statements = 'H200 H225 H271 H280 H301 H304 H314 H317 H334 H350 H400 H410'.split(' ');
  const slug = 'reiniger';
  await client.publish({ name: 'Reiniger', slug, product_group: 'chemical' }, [
    { field_key: 'signal_word', value: 'danger' },
    { field_key: 'hazard_pictograms', value: codes },
    { field_key: 'hazard_statements', value: statements },
    { field_key: 'storage_conditions', value: 'Kühl lagern. '.repeat(200) },
    { field_key: 'density', value: 1.2, unit: 'g/cm3' },
    { field_key: 'safety_data_sheet', value: 'https://docs.example.com/sds' },
  ]);
  for (const language of languages) {
    await open(phone, `${client.tenant.slug}/${slug}`, 'consumer', language);
    const shown = await phone.evaluate(firstScreen);
    expect([language, shown.pictograms.length, shown.statements.length]).toEqual([language, 9, 12]);
    expect([language, below([...shown.summary, ...shown.pictograms])]).toEqual([language, []]);
    expect(shown.summary[0]?.text).toMatch(/ 12 /s);
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await phone.locator('.hazards > p > a').click();
    expect(await phone.evaluate(() => document.querySelector('#safety')?.getBoundingClientRect().top)).toBeLessThan(
      320,
    );
    // The links to the sections stay on the screen of a long page, and open a folded section.
    await phone.mouse.wheel(0, 600);
    await phone.waitForFunction(() => document.querySelector('.jump')?.getBoundingClientRect().top === 0);
    await phone.locator('.jump a[href="#performance-values"]').click();
    expect(await phone.locator('#performance-values').isVisible()).toBe(true);
  }
});

test('an inspector sees all findings on the first screen, whatever their number', async () => {
  const client = await service.newTenant();
  const wrong = ['rated_capacity', 'nominal_voltage', 'minimum_voltage', 'expected_lifetime_cycles', 'battery_weight'];
  const path = await client.publish(
    { name: 'Akku', product_group: 'battery' },
    wrong.map((field_key) => ({ field_key, value: 'heavy', needs_review: true })),
  );
  const token = await client.token('inspector');
  for (const language of languages) {
    await phone.goto(`http://127.0.0.1:${service.port}${path}?lang=${language}&zugang=${token}`);
    const { findings } = await phone.evaluate(firstScreen);
    expect([language, findings.length, below(findings)]).toEqual([language, 5, []]);
    const folded = phone.locator('.findings details').nth(1);
    expect(await folded.locator('a').count()).toBe(wrong.length - 2);
    expect(await folded.locator('a').first().isVisible()).toBe(false);
    await folded.locator('summary').click();
    expect(await folded.locator('a').last().isVisible()).toBe(true);
  }
});

test('a link to a section shows its heading below the bar, and the first stop leads to the values', async () => {
  for (const [size, product] of [
    [screenSize, battery],
    [{ width: 1280, height: 800 }, 'nordlicht/merinopullover-fjord'],
  ] as const) {
    const page = await browser.newPage({ viewport: size });
    await open(page, product, 'consumer', 'de');
    for (const link of await page.locator('.jump a').all()) {
      await link.click();
      const covered = await page.evaluate(() => {
        const target = document.querySelector(':target');
        const heading = target?.matches('h2') ? target : target?.closest('section')?.querySelector('h2');
        const bar = document.querySelector('.jump')?.getBoundingClientRect();
        return (heading?.getBoundingClientRect().top ?? 0) < (bar?.bottom ?? 0);
      });
      expect([await link.textContent(), covered]).toEqual([await link.textContent(), false]);
    }
    await open(page, product, 'consumer', 'de');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(texts.de.skip);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('#values') !== null)).toBe(true);
    await page.close();
  }
});

test('the emergency number is the largest text of its tile, on one line, and so is the signal word', async () => {
  await open(phone, 'nordlicht/holzschutzlasur-eiche-2-5-l', 'consumer', 'de');
  const found = await phone.evaluate(() => {
    const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
    return ['.key-facts a[href^="tel:"]', '.hazards strong'].map((selector) => {
      const element = document.querySelector(selector) as HTMLElement;
      const tile = element.closest('.key-facts > div, .hazards') as HTMLElement;
      const others = [...tile.querySelectorAll('*')].filter(
        (each) => !element.contains(each) && !each.contains(element),
      );
      const isOneLine = element.getClientRects().length === 1 && element.offsetHeight < 2 * sizeOf(element);
      return [isOneLine, others.every((each) => sizeOf(each) < sizeOf(element))];
    });
  });
  expect(found).toEqual([
    [true, true],
    [true, true],
  ]);
});

test('the links to the languages are easy to touch on a telephone, and Escape closes them', async () => {
  // The header is the same on all pages of a tenant.
  const ofTenants = new Map(products.map((product) => [product.split('/')[0], `/p/${product}`])).values();
  const paths = ['/', '/ns/dpp', ...ofTenants];
  for (const path of paths) {
    await phone.goto(`http://127.0.0.1:${service.port}${path}`);
    await phone.click('header nav button');
    const sizes = await phone.evaluate(() =>
      [...document.querySelectorAll('header nav :is(button, a)')].map((link) => {
        const { width, height, left, right } = link.getBoundingClientRect();
        return left < 0 || right > window.innerWidth ? 0 : Math.min(width, height);
      }),
    );
    expect([path, sizes.length]).toEqual([path, languages.length + 1]);
    // WCAG 2.2, 2.5.5.
    expect([path, Math.min(...sizes, 44)]).toEqual([path, 44]);
    await phone.keyboard.press('Escape');
    const closed = await phone.evaluate(() => [
      document.querySelector('.languages')?.checkVisibility(),
      document.activeElement?.matches('header nav button'),
    ]);
    expect([path, ...closed]).toEqual([path, false, true]);
  }
});

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
  /** An A4 sheet without its margins. */
  const paper = { width: 703, height: 1060 };

  test.each([
    ['consumer', 1],
    ['inspector', 2],
  ] as const)('takes %s one sheet or two, with a code that a phone reads and no heading alone', async (role, max) => {
    const page = await browser.newPage({ viewport: paper });
    await page.emulateMedia({ media: 'print' });
    for (const product of products) {
      await open(page, product, role, 'de');
      const sheets = sheetsOf(await page.pdf({ preferCSSPageSize: true }));
      expect([product, sheets.length >= 1, sheets.length <= max]).toEqual([product, true, true]);
      expect([product, await page.evaluate(aloneHeadings)]).toEqual([product, []]);
      if (product !== battery) continue;
      // A pixel is 0.35 mm: finer modules are not read.
      const codes = await Promise.all(sheets.map((sheet) => decode(rasterise(sheet, 72))));
      expect(codes.flat()).toMatchObject([{ text: await page.locator('.qr .code').first().textContent() }]);
    }
  });

  test('has a long list on one sheet, from below its heading over two columns', async () => {
    const client = await service.newTenant();
    const warning = 'Keep away from fire, water and wind, and do not leave a child alone with it. '.repeat(2);
    const path = await client.publish({ name: 'Kleber', product_group: 'chemical' }, [
      { field_key: 'precautionary_statements', value: Array(20).fill(warning) },
    ]);
    const page = await browser.newPage({ viewport: paper });
    await page.goto(`http://127.0.0.1:${service.port}${path}`);
    expect(sheetsOf(await page.pdf({ preferCSSPageSize: true }))).toHaveLength(1);
  });

  test('has no text over a symbol or beyond the sheet', async () => {
    const page = await browser.newPage({ viewport: paper });
    await page.emulateMedia({ media: 'print' });
    for (const role of ['consumer', 'inspector']) {
      await open(page, battery, role, 'de');
      const { width, over } = await page.evaluate(() => {
        const signs = [...document.querySelectorAll('.key-facts .sign')].map((sign) => [
          sign.getBoundingClientRect().right,
          sign.nextElementSibling?.getBoundingClientRect().left,
        ]);
        return {
          width: document.documentElement.scrollWidth,
          over: signs.filter(([end = 0, start = 0]) => end > start),
        };
      });
      expect([width, over]).toEqual([paper.width, []]);
    }
    await page.close();
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

/** The headings at the end of a column whose first value stands in the next one. */
function aloneHeadings(): string[] {
  return [...document.querySelectorAll('.values h2')]
    .filter((heading) => {
      const first = heading.closest('section')?.querySelector('dl > div, li, tr');
      return Number(first?.getBoundingClientRect().top) < heading.getBoundingClientRect().top;
    })
    .map((heading) => String(heading.textContent));
}

/** The focused link, and whether it has an outline. `test/server/site/palette.test.ts` computes the contrast. */
function focusRing(): { text: string; isOutlined: boolean } {
  const link = document.activeElement ?? document.body;
  const { outlineStyle, outlineWidth } = getComputedStyle(link);
  return {
    text: link.getAttribute('aria-label') ?? link.textContent ?? '',
    isOutlined: outlineStyle === 'solid' && outlineWidth === '3px',
  };
}

test('a text from right to left begins next to its label, and at its own edge once it fills the line', async () => {
  const arabic = 'سترة صوف';
  /** It fills several lines. */
  const long = `${'جواز سفر المنتج الرقمي '.repeat(20)}.`;
  const client = await service.newTenant({ slug: 'souk', name: 'سوق الصوف' });
  await client.publish({ name: arabic, slug: 'pullover', model: arabic, product_group: 'textile' }, [
    { field_key: 'manufacturer_name', value: arabic },
    { field_key: 'care_instructions', value: long },
    { field_key: 'model_identifier', value: arabic },
    { field_key: 'list', value: [long, arabic, 'Latin'] },
  ]);
  const page = await browser.newPage({ locale: 'en', viewport: { width: 1280, height: 800 } });
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await open(page, 'souk/pullover', 'consumer');
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
