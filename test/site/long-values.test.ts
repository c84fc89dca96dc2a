import { beforeAll, expect, test } from '@jest/globals';
import { createToken } from '../../server/src/access/token.ts';
import type { Client } from '../support/client.ts';
import { useService } from '../support/service.ts';

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
    expect(page).not.toContain('xy');
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
