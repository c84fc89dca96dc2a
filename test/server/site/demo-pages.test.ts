/** The pages of the demo in every language, for an inspector: words, units, links and weight. */
import { beforeAll, expect, test } from '@jest/globals';
import type { PassportValue } from '@product-passport/openapi';
import { fillDemo } from '../../../server/src/demo/fill.ts';
import { inLanguage, type Language, languages, wordsOf } from '../../../server/src/languages/languages.ts';
import { templateOf } from '../../../server/src/templates/catalogue.ts';
import { useService } from '../../support/service.ts';

interface DemoPage {
  name: string;
  language: Language;
  group: string;
  /** The values that the page shows. */
  values: PassportValue[];
  /** The texts between its tags. */
  texts: string[];
  html: string;
}

const service = useService('SQLite', { siteUrl: 'https://passport.example.com' });
const pages: DemoPage[] = [];

beforeAll(async () => {
  const keys = await fillDemo({ database: service.database, urnNamespace: 'dpp', now: () => new Date() });
  const products: { id: string; tenant: string; slug: string; product_group: string }[] = await service
    .database('products')
    .join('tenants', 'tenants.id', 'products.tenant_id')
    .select({ id: 'products.id', tenant: 'tenants.slug', slug: 'products.slug', product_group: 'product_group' });
  // The pages of drafts and archived products have words too.
  await service.database('products').update({ status: 'active' });
  for (const { id, tenant, slug, product_group: group } of products) {
    const rows: PassportValue[] = await service.database('passport_values').where({ product_id: id });
    const { token } = keys?.access_tokens.find((each) => each.tenant === tenant && each.role === 'inspector') ?? {};
    const values = rows
      .filter(({ access_level }) => token || access_level === 'public')
      .map((row) => ({ ...row, value: JSON.parse(String(row.value)) }));
    for (const language of languages) {
      const path = `/p/${tenant}/${slug}?lang=${language}${token ? `&zugang=${token}` : ''}`;
      const { status, text: html } = await service.send({ method: 'GET', path, headers: {} });
      expect(status).toBe(200);
      pages.push({ name: `${slug} ${language}`, language, group, values, texts: textsOf(html), html });
    }
  }
});

function textsOf(html: string): string[] {
  const texts = html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').split(/<[^>]*>/);
  return texts
    .map((text) =>
      text
        .replaceAll(/[\s\u00a0]+/g, ' ')
        .replaceAll(/[\u00ad\u200b]/g, '')
        .trim(),
    )
    .filter((text) => text !== '');
}

const fieldOf = (group: string, key: string) => templateOf(group).fields.find((field) => field.key === key);

/** What a check finds on the pages, each with the name of its page. */
const found = (check: (page: DemoPage) => readonly unknown[]): unknown[] =>
  pages.flatMap((page) => check(page).map((finding) => [page.name, finding]));

test('22 public products, two drafts and two archived ones have a page in each language', () =>
  expect(pages).toHaveLength(26 * languages.length));

test('each link within a page has its target', () => {
  const dead = found(({ html }) => {
    const ids = new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
    return Array.from(html.matchAll(/ href="#([^"]+)"/g), ([, id]) => id).filter((id) => !ids.has(id));
  });
  expect(dead).toEqual([]);
});

test('a page is smaller than 78 kB, with its style and without the links to each language', () => {
  const links = /<link rel="alternate" hreflang[^>]*>|<a [^>]*hreflang.*?<\/a>/gs;
  expect(found(({ html }) => (Buffer.byteLength(html.replaceAll(links, '')) < 78_000 ? [] : ['heavy']))).toEqual([]);
});

test('no page shows the code of an enumeration', () => {
  const codes = found(({ language, group, values, texts }) =>
    values.flatMap(({ field_key, value }) => {
      const option = fieldOf(group, field_key)?.options?.find(({ code }) => code === value);
      if (!option) return [];
      expect(texts).toContain(inLanguage(option.label, language));
      return option.label.en !== option.code && texts.includes(option.code) ? [option.code] : [];
    }),
  );
  expect(codes).toEqual([]);
  // A code with an underscore is never a word.
  expect(found(({ texts }) => texts.filter((text) => /^[a-z]+(_[a-z]+)+$/.test(text)))).toEqual([]);
});

test('no page shows a unit twice: in a value, or in a value and its label', () => {
  expect(found(({ texts }) => texts.filter((text) => /(?<!\p{L})(\D\S*) \1(\s|$)/u.test(` ${text}`)))).toEqual([]);
  /** `pH` has its capitals, which are not in "Smartphones". */
  const has = (text: string, word: string) =>
    word === 'pH' ? text.includes(word) : text.toLowerCase().includes(word.toLowerCase());
  const doubled = found(({ language, texts }) => {
    const forms = Object.values(wordsOf(language).units).flatMap((unit) => Object.values(unit));
    const words = forms.map((form) => form.replace('#', '').trim());
    return texts.flatMap((text, index) => {
      const next = texts[index + 1] ?? '';
      return /\d/.test(next) && words.some((word) => has(text, word) && has(next, word)) ? [[text, next]] : [];
    });
  });
  expect(doubled).toEqual([]);
});
