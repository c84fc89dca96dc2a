/** The first screen of a telephone answers the question of each reader: `server/src/site/sections.ts` has them. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { tokenRoles } from '@product-passport/openapi';
import type { Browser, Page } from 'playwright-core';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { fill, inLanguage, type Language, languages, texts, wordsOf } from '../../server/src/languages/languages.ts';
import { templateOf } from '../../server/src/templates/catalogue.ts';
import { launchBrowser } from '../support/browser.ts';
import { ending } from '../support/files.ts';
import { type Service, startService } from '../support/service.ts';
import { newToken } from '../support/tenant.ts';

interface DemoProduct {
  tenant_slug: string;
  slug: string;
  status: string;
  product_group: string;
  values: { field_key: string; access_level: string; is_unknown?: boolean; value: unknown }[];
}

const { products }: { products: DemoProduct[] } = JSON.parse(
  readFileSync(new URL('../../server/data/demo_products.json', import.meta.url), 'utf8'),
);
const active = products.filter(({ status }) => status === 'active');

const hazardFields = ['hazard_pictograms', 'hazard_statements'];

/** What a recycler must know before the first screw. */
const dismantlingFields = [
  'dismantling_information',
  'disassembly_instructions',
  'safety_measures',
  'hazardous_substances',
];

/** The viewport of the first screen. */
const screenSize = { width: 360, height: 740 };

const substanceFields = ['hazardous_substances', 'substances_of_concern'];

function codesOf({ values }: DemoProduct, key: string): string[] {
  return values.filter(({ field_key }) => field_key === key).flatMap(({ value }) => value as string[]);
}

/** The labels of the facts that a shopper must see: the first four that have a public value, or two with hazards; then disposal. */
function expectedFacts({ product_group, values }: DemoProduct, language: Language): string[] {
  const isPublic = new Set(
    values.filter((value) => value.access_level === 'public' && !value.is_unknown).map(({ field_key }) => field_key),
  );
  const isDangerous = hazardFields.some((key) => isPublic.has(key));
  const facts = templateOf(product_group)
    .facts.filter(({ key }) => key !== 'disposal' && key !== 'sorting')
    .filter(({ fields }) => fields.some((key) => isPublic.has(key)))
    .filter(({ fields }) => !isDangerous || !fields.some((key) => hazardFields.includes(key)))
    .slice(0, isDangerous ? 2 : 4)
    .map(({ label }) => inLanguage(label, language).replace('CO2', 'CO₂'));
  return [...facts, wordsOf(language).facts.disposal ?? ''];
}

interface Shown {
  text: string;
  bottom: number;
}

/** What the page shows on its first screen: texts and lower edges. */
function firstScreen() {
  const all = (selector: string) =>
    [...document.querySelectorAll(selector)].map((each) => ({
      text: (each.textContent ?? '').trim(),
      label: (each.querySelector('dt')?.textContent ?? '').replaceAll('\u00ad', ''),
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
    text: document.body.textContent ?? '',
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
/** By tenant and role. */
const tokens = new Map<string, string>();

beforeAll(async () => {
  service = await startService('SQLite');
  await fillDemo({ database: service.database, urnNamespace: 'dpp', now: () => new Date() });
  for (const { id, slug } of await service.database('tenants').select('id', 'slug')) {
    for (const role of tokenRoles) {
      tokens.set(`${slug} ${role}`, (await newToken(service.database, { id }, role)).token);
    }
  }
  browser = ending.use(await launchBrowser());
  phone = await browser.newPage({ viewport: screenSize });
});

/** The address of a product for a role. */
function addressFor(
  { tenant_slug, slug }: { tenant_slug: string; slug: string },
  role: string,
  language: string,
): string {
  const token = tokens.get(`${tenant_slug} ${role}`);
  return `http://127.0.0.1:${service.port}/p/${tenant_slug}/${slug}?lang=${language}${token ? `&zugang=${token}` : ''}`;
}

/** The key facts of a shopper's page are those of the product group, complete, and on the first screen. */
function expectKeyFacts({ facts, text }: Screen, product: DemoProduct, language: Language): void {
  const expected = expectedFacts(product, language);
  expect(expected.length).toBeGreaterThanOrEqual(3);
  expect(facts.map(({ label }) => label)).toEqual(expected);
  expect([facts.filter(({ answer }) => !answer), below(facts)]).toEqual([[], []]);
  // A score next to the name could be read as one of sustainability (Directive (EU) 2024/825).
  const [completeness = ''] = texts[language].completeness.split(/[:{]/);
  expect(text.split(completeness)).toHaveLength(2);
}

/** What a recycler must know before the first screw is on the first screen: a document by its name, and substances in any case. */
function expectDismantling({ facts, summary }: Screen, product: DemoProduct, language: Language): void {
  const { fields } = templateOf(product.product_group);
  const isGiven = (key: string): boolean =>
    product.values.some(({ field_key, access_level }) => field_key === key && access_level !== 'authority');
  const visible = fields.filter(({ key }) => dismantlingFields.includes(key) && isGiven(key));
  const shown = visible.map(({ label }) =>
    facts.find(({ text }) => text.replaceAll('\u00ad', '').includes(inLanguage(label, language))),
  );
  expect([shown.includes(undefined), below(shown.filter((fact) => fact !== undefined))]).toEqual([false, []]);
  expect(facts.filter(({ text }) => /\b\w+\.example\.com ↗/.test(text))).toEqual([]);
  const substances = fields.filter(({ key }) => substanceFields.includes(key));
  const saysNone = facts.some(({ text }) => text.includes(texts[language].values.noneRecorded));
  expect(saysNone).toBe(substances.length > 0 && summary.length === 0 && !substances.some(({ key }) => isGiven(key)));
}

/** The hazards, the findings and the links of the first screen are there for this reader. */
function expectWays(screen: Screen, product: DemoProduct, role: string, language: Language): void {
  const { summary, pictograms, statements, findings, ways, documents } = screen;
  const hazards = hazardFields.map((key) => codesOf(product, key).length);
  expect([pictograms.length, statements.length]).toEqual(hazards);
  // The line that counts the hazards is always visible. A shopper of the demo sees all of them.
  expect(summary).toHaveLength(pictograms.length + statements.length > 0 ? 1 : 0);
  const all = role === 'consumer' ? [...summary, ...pictograms, ...statements] : summary;
  expect(below([...all, ...findings, ...ways])).toEqual([]);
  // What was found, what is in order, and the registry with the common origin.
  expect(findings.length >= 3).toBe(role === 'inspector');
  // A repairer and a recycler find the documents, an inspector their number, the version and its hash.
  const { documents: title, history, proof } = texts[language];
  if (role !== 'inspector') expect(ways.filter(({ text }) => text === title)).toHaveLength(documents);
  else
    expect(
      ways.map(({ text }) => text.replaceAll(/(?<= )[0-9a-f]{4}(?=…)/g, 'HASH').replace(/\(\d+\)/, '(n)')),
    ).toEqual([
      ...(documents > 0 ? [`${title} (n)`] : []),
      fill(history.version, { version: 2 }),
      fill(proof.hash, { start: 'HASH' }),
    ]);
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

test.each(languages.flatMap((language) => active.map((product, index) => [language, product.slug, index] as const)))(
  'every reader finds the way to the answer at 360 by 740, %s %s',
  async (language, _, index) => {
    const product = active[index] as DemoProduct;
    for (const role of rolesIn(language, index)) {
      await phone.goto(addressFor(product, role, language));
      const screen = await phone.evaluate(firstScreen);
      expectHead(screen, role);
      expect([role, await phone.evaluate(brokenWords)]).toEqual([role, []]);
      if (role === 'consumer') expectKeyFacts(screen, product, language);
      if (role === 'recycler') expectDismantling(screen, product, language);
      expectWays(screen, product, role, language);
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
    await phone.goto(addressFor({ tenant_slug: client.tenant.slug, slug }, 'consumer', language));
    const shown = await phone.evaluate(firstScreen);
    expect([language, shown.pictograms.length, shown.statements.length]).toEqual([language, 9, 12]);
    expect([language, below([...shown.summary, ...shown.pictograms])]).toEqual([language, []]);
    expect(shown.summary[0]?.text).toMatch(/ 9 .* 12 /s);
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
    [screenSize, 'e-bike-akku-powerdrive-625'],
    [{ width: 1280, height: 800 }, 'merinopullover-fjord'],
  ] as const) {
    const page = await browser.newPage({ viewport: size });
    await page.goto(`http://127.0.0.1:${service.port}/p/nordlicht/${product}?lang=de`);
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
    await page.goto(`http://127.0.0.1:${service.port}/p/nordlicht/${product}?lang=de`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(texts.de.skip);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('#values') !== null)).toBe(true);
    await page.close();
  }
});

test('the emergency number is the largest text of its tile, on one line, and so is the signal word', async () => {
  await phone.goto(`http://127.0.0.1:${service.port}/p/nordlicht/holzschutzlasur-eiche-2-5-l?lang=de`);
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
  const paths = ['/', '/ns/dpp', ...active.map(({ tenant_slug, slug }) => `/p/${tenant_slug}/${slug}`)];
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
