import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PassportValue } from '@product-passport/openapi';
import { fillDemo } from '../../../server/src/demo/fill.ts';
import { type Language, languages } from '../../../server/src/languages/languages.ts';
import { inLanguage, wordsOf } from '../../../server/src/languages/words.ts';
import { pageBudget, presenterOf } from '../../../server/src/site/values.ts';
import { type TemplateField, templateKeys, templateOf } from '../../../server/src/templates/catalogue.ts';
import { useService } from '../../support/service.ts';

const fieldsOf = (group: string | null) => new Map(templateOf(group).fields.map((field) => [field.key, field]));

/** A value as a page shows it, as JSON. */
function shown(language: Language, field: TemplateField, value: unknown): string {
  const { key: field_key, access_level, unit } = field;
  const stored = { field_key, value, access_level, unit, is_unknown: false, locale: 'de' } as PassportValue;
  return JSON.stringify(presenterOf(language).entry(stored, field, { ...pageBudget }).value).replaceAll(
    /[\u00ad\u200b]/g,
    '',
  );
}

describe.each(languages)('the templates in %s', (language) => {
  const enumerations = templateKeys.flatMap((group) =>
    templateOf(group).fields.flatMap((field) => (field.options ? [[group, field.key, field] as const] : [])),
  );

  test('have 41 enumerations', () => expect(enumerations).toHaveLength(41));

  test.each(enumerations)('%s %s shows words', (_, __, field) => {
    for (const { code, label } of field.options ?? []) {
      const text = inLanguage(label, language);
      expect(shown(language, field, code)).toBe(JSON.stringify({ kind: 'said', text }));
      // A class is its own word. Every other code has words of its own in every language.
      if (!field.scale) expect(text).not.toBe(code);
    }
  });

  test('give every member of a list a label', () => {
    for (const field of templateKeys.flatMap((group) => templateOf(group).fields)) {
      if (['list', 'object'].includes(field.type)) expect(field.items ?? field.members).toBeDefined();
      for (const { key, label } of field.members ?? [])
        expect([key, label[language]]).toEqual([key, expect.any(String)]);
    }
  });
});

/** The texts between the tags of a page, without scripts. */
function textsOf(html: string): string[] {
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .split(/<[^>]*>/)
    .map((text) =>
      text
        .replaceAll(/[\s\u00a0]+/g, ' ')
        .replaceAll(/[\u00ad\u200b]/g, '')
        .trim(),
    )
    .filter((text) => text !== '');
}

describe('the pages of the demo', () => {
  const service = useService('SQLite', { siteUrl: 'https://passport.example.com' });
  const pages: {
    name: string;
    language: Language;
    group: string;
    values: PassportValue[];
    texts: string[];
    html: string;
  }[] = [];

  beforeAll(async () => {
    const keys = await fillDemo({ database: service.database, urnNamespace: 'dpp', now: () => new Date() });
    if (!keys) throw new Error('The database was not empty.');
    const products: { id: string; tenant: string; slug: string; product_group: string }[] = await service
      .database('products')
      .join('tenants', 'tenants.id', 'products.tenant_id')
      .select({ id: 'products.id', tenant: 'tenants.slug', slug: 'products.slug', product_group: 'product_group' });
    // The pages of drafts and archived products have words too.
    await service.database('products').update({ status: 'active' });
    for (const { id, tenant, slug, product_group } of products) {
      const rows: PassportValue[] = await service.database('passport_values').where({ product_id: id });
      const values = rows.map((row) => ({ ...row, value: JSON.parse(String(row.value)) }));
      const { token } = keys.access_tokens.find((found) => found.tenant === tenant && found.role === 'inspector') ?? {};
      for (const language of languages) {
        const path = `/p/${tenant}/${slug}?lang=${language}${token ? `&zugang=${token}` : ''}`;
        const { status, text } = await service.send({ method: 'GET', path, headers: {} });
        expect(status).toBe(200);
        const visible = values.filter(({ access_level }) => token || access_level === 'public');
        pages.push({
          name: `${slug} ${language}`,
          language,
          group: product_group,
          values: visible,
          texts: textsOf(text),
          html: text,
        });
      }
    }
  });

  test('are those of 15 public products, a draft and an archived one, in each language', () =>
    expect(pages).toHaveLength(17 * languages.length));

  test('show no code of an enumeration', () => {
    const codes = pages.flatMap(({ name, language, group, values, texts }) =>
      values.flatMap(({ field_key, value }) => {
        const option = fieldsOf(group)
          .get(field_key)
          ?.options?.find(({ code }) => code === value);
        if (!option) return [];
        expect(texts).toContain(inLanguage(option.label, language));
        return option.label.en !== option.code && texts.includes(option.code) ? [[name, field_key, option.code]] : [];
      }),
    );
    expect(codes).toEqual([]);
    // A code with an underscore is never a word.
    expect(pages.flatMap(({ texts }) => texts.filter((text) => /^[a-z]+(_[a-z]+)+$/.test(text)))).toEqual([]);
  });

  test('show no share without its unit, and no country by its code', () => {
    const members = pages.flatMap(({ name, language, group, values, texts }) =>
      values.flatMap(({ field_key, value }) => {
        const field = fieldsOf(group).get(field_key);
        const rows = (Array.isArray(value) ? value : []).filter((row) => typeof row === 'object');
        return rows.flatMap((row) =>
          (field?.members ?? []).map(({ key, type, unit }) => ({ name, language, texts, value: row[key], type, unit })),
        );
      }),
    );
    const shares = members.filter(({ value, unit }) => typeof value === 'number' && unit === '%');
    expect(shares.length).toBeGreaterThan(20);
    for (const { name, language, texts, value } of shares) {
      const form = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 3 });
      const percent = form.format(Number(value) / 100).replaceAll(/\s/g, ' ');
      expect([name, texts.filter((text) => text === String(value) || text === percent)]).toEqual([
        name,
        expect.not.arrayContaining([String(value)]),
      ]);
      expect(texts).toContain(percent);
    }
    const countries = members.filter(({ type, value }) => type === 'country_code' && typeof value === 'string');
    expect(countries.length).toBeGreaterThanOrEqual(4);
    for (const { texts, value } of countries) expect(texts).not.toContain(value);
    // Addresses end with the name of the country. PP is a plastic.
    for (const { texts } of pages)
      expect(texts.filter((text) => /(^|, )[A-Z]{2}$/.test(text) && text !== 'PP')).toEqual([]);
  });

  test('show no unit twice: not in a value, and not in a value beside a label that has it', () => {
    for (const { name, language, texts } of pages) {
      expect([name, texts.filter((text) => /(?<!\p{L})(\D\S*) \1(\s|$)/u.test(` ${text}`))]).toEqual([name, []]);
      const words = Object.values(wordsOf(language).units).flatMap((forms) =>
        Object.values(forms).map((form) => form.replace('#', '').trim()),
      );
      const pairs = texts.flatMap((text, index) => {
        const next = texts[index + 1] ?? '';
        const doubled = words.filter((word) => has(text, word) && has(next, word));
        return /\d/.test(next) && doubled.length > 0 ? [[name, text, next]] : [];
      });
      expect(pairs).toEqual([]);
    }
  });

  test('have the texts of a tenant in its language, marked on pages in another', () => {
    const locales = new Map(pages.flatMap(({ values }) => values.map(({ locale, value }) => [value, locale] as const)));
    expect(locales.get('Nettoyage à sec uniquement')).toBe('fr');
    expect(locales.get('Altpapier.')).toBe('de');
    const marks = (html: string, text: string) => new RegExp(`<span[^>]* lang="(\\w+)"[^>]*>${text}`).exec(html)?.[1];
    const marked = (product: string, text: string) =>
      pages.filter(({ name }) => name.startsWith(product)).map(({ language, html }) => [language, marks(html, text)]);
    expect(marked('echarpe', 'Nettoyage')).toEqual(
      languages.map((language) => [language, language === 'fr' ? undefined : 'fr']),
    );
    expect(marked('versand', 'Altpapier')).toEqual(
      languages.map((language) => [language, language === 'de' ? undefined : 'de']),
    );
  });

  test('show chemical formulae with subscripts, and negative numbers with a minus sign', () => {
    for (const { name, texts } of pages) {
      expect([name, texts.filter((text) => /CO2|LiFePO4|LiPF6|(^| )-\d/.test(text))]).toEqual([name, []]);
    }
    const all = pages.flatMap(({ texts }) => texts);
    expect(all).toEqual(expect.arrayContaining(['−2%', '−2 %', '18.4 kg CO₂e', '18,4 kg CO₂e']));
    expect(all.filter((text) => text.includes('LiFePO₄')).length).toBeGreaterThan(0);
  });
});

/** Whether a text has the word of a unit: `pH` with its capitals, which are not in "Smartphones". */
function has(text: string, word: string): boolean {
  return word === 'pH' ? text.includes(word) : text.toLowerCase().includes(word.toLowerCase());
}
