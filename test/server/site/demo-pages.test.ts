import { beforeAll, describe, expect, test } from '@jest/globals';
import { createToken } from '../../../server/src/access/token.ts';
import { groupPages } from '../../../server/src/docs/templates.ts';
import { languages } from '../../../server/src/languages/languages.ts';
import type { Client } from '../../support/client.ts';
import { fillPublicDemo } from '../../support/public-demo.ts';
import { useService } from '../../support/service.ts';

const languageLinks = /<link rel="alternate" hreflang[^>]*>|<a [^>]*hreflang.*?<\/a>/gs;

function weightOf(page: string): number {
  return Buffer.byteLength(page.replaceAll(languageLinks, ''));
}

describe('the pages of the demo', () => {
  const service = useService('SQLite', { siteUrl: 'https://passport.example.com' });
  const pages: { path: string; text: string }[] = [];

  const get = async (path: string): Promise<{ status: number; text: string }> =>
    service.send({ method: 'GET', path, headers: {} });

  beforeAll(async () => {
    const { tokens, products } = await fillPublicDemo(service);
    for (const { tenant, slug } of products) {
      const zugang = tokens.filter((token) => token.tenant === tenant).map(({ token }) => `&zugang=${token}`);
      for (const lang of ['en', 'de']) {
        for (const role of ['', ...zugang]) {
          const path = `/p/${tenant}/${slug}?lang=${lang}${role}`;
          const { status, text } = await get(path);
          expect(status).toBe(200);
          pages.push({ path, text });
        }
      }
    }
  });

  test('are complete in number', () => {
    expect(pages).toHaveLength(13 * 2 * 4 + 2 * 2);
  });

  test('have a target for each link within the page', () => {
    for (const { path, text } of pages) {
      const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
      const targets = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
      expect([path, targets.filter((id) => !ids.has(id))]).toEqual([path, []]);
    }
    expect(pages.filter(({ text }) => text.includes('href="#further"')).length).toBeGreaterThan(10);
  });

  test('are smaller than 75 kB, with their style and without the links to each language', () => {
    const weights = pages.map(({ text }) => weightOf(text));
    expect(pages[0]?.text.match(languageLinks)?.length).toBeGreaterThan(2 * languages.length);
    expect(Math.max(...weights)).toBeLessThan(75_000);
  });
});

const siteUrl = 'https://passport.example.com';
const service = useService('SQLite', { siteUrl });
let client: Client;
beforeAll(async () => {
  client = await service.newTenant();
});

/** The path of the page of an active product with these values. */
async function publish(values: readonly object[], product: object = {}): Promise<string> {
  const { slug } = await client.create({ name: 'Tasse', ...product });
  await client.write(slug, values);
  await service.activate(client, slug);
  return `/p/${client.tenant.slug}/${slug}`;
}

async function html(path: string, query = 'lang=en'): Promise<string> {
  const { status, text } = await client.call({ path, query, key: null });
  expect(status).toBe(200);
  return text;
}

test("an inspector's page with every field, nine pictograms and twelve statements is smaller than 60 kB without pictures", async () => {
  const [chemical] = groupPages(siteUrl, String, '2026-12-01').filter(({ key }) => key === 'chemical');
  const dangers = new Map<string, unknown>([
    ['hazard_pictograms', Array.from({ length: 9 }, (_, index) => `GHS0${index + 1}`)],
    ['hazard_statements', 'H200 H225 H271 H280 H301 H304 H314 H317 H334 H350 H400 H410'.split(' ')],
  ]);
  const values = (chemical?.sections ?? []).flatMap(({ fields }) => fields).map(({ example }) => JSON.parse(example));
  const path = await publish(
    values.map((value) => ({ ...value, value: dangers.get(value.field_key) ?? value.value })),
    { product_group: 'chemical' },
  );
  const grant = { product_id: null, role: 'inspector', expiresAt: new Date(Date.now() + 86_400_000) } as const;
  const { token } = await createToken(service.database, client.tenant.id, grant, new Date());
  for (const language of languages) {
    const page = await html(path, `lang=${language}&zugang=${token}`);
    expect(new Set(page.match(/GHS0\d/g)).size).toBe(9);
    expect(page).toContain('<a href="#safety">');
    const drawn = page.replace(/<symbol [\s\S]*<\/symbol>/, '');
    expect(weightOf(drawn)).toBeLessThan(75_000);
  }
});

test('a long value is shortened, with a link to the document with the full value', async () => {
  const long = { field_key: 'long', value: `<${'x'.repeat(9999)}y` };
  const path = await publish([long, { field_key: 'rows', value: Array.from({ length: 501 }, () => 0) }]);
  const grant = { product_id: null, role: 'recycler', expiresAt: new Date(Date.now() + 86_400_000) } as const;
  const { token: zugang } = await createToken(service.database, client.tenant.id, grant, new Date());
  for (const [query, document] of [
    ['lang=en', '/jsonld'],
    [`lang=en&zugang=${zugang}`, `/jsonld?zugang=${zugang}`],
  ] as const) {
    const page = await html(path, query);
    expect(page).toContain(`&lt;${'x'.repeat(9999)}…</span>`);
    expect(page).not.toContain('xxy');
    expect(page.match(/<li>/g)).toHaveLength(500);
    const link = `<a href="${siteUrl}${path}${document}" type="application/ld+json">Shortened. The full value is in the machine-readable passport.</a>`;
    expect(page.split(link)).toHaveLength(3);
  }
  expect(await html(path, 'lang=de')).toContain('Gekürzt. Der vollständige Wert steht im maschinenlesbaren Pass.');
  const { json } = await client.call({ path: `${path}/jsonld`, key: null });
  expect(JSON.stringify(json)).toContain(long.value);
});

test('only a page without a shortened value has a data block', async () => {
  const shortened = await publish([{ field_key: 'long', value: 'x'.repeat(10_001) }]);
  expect(await html(shortened)).not.toContain('<script');
  const whole = await publish([{ field_key: 'long', value: 'x'.repeat(10_000) }]);
  const page = await html(whole);
  expect(page).not.toContain('Shortened');
  const [, block] = /<script type="application\/ld\+json">([^<]*)</.exec(page) ?? [];
  expect(block).toContain('x'.repeat(10_000));
});

test('the first fields of the template are shown in full if the page cannot show all', async () => {
  const text = 'x'.repeat(10_000);
  const values = Array.from({ length: 60 }, (_, index) => ({ field_key: `a${index}`, value: text }));
  const all = [...values, { field_key: 'care_instructions', value: text }];
  const path = await publish(all, { product_group: 'textile' });
  const page = await html(path);
  expect(page.split(text)).toHaveLength(51);
  expect(page).toMatch(new RegExp(`Care instructions</dt><dd>\\s*<span[^>]*>${text}</span>`));
});

test('a long manufacturer name is cut among the facts', async () => {
  const path = await publish([{ field_key: 'manufacturer_name', value: 'ä'.repeat(501) }]);
  expect((await html(path)).split(`>${'ä'.repeat(500)}…<`)).toHaveLength(3);
});
