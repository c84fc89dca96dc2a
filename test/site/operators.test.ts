import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../support/client.ts';
import { useService } from '../support/service.ts';

const service = useService('SQLite');
let client: Client;

beforeAll(async () => {
  client = await service.newTenant();
});

async function block(values: { field_key: string; value: unknown; access_level?: string }[], id: string) {
  const { slug } = await client.create({ name: 'Stuhl', product_group: 'furniture' });
  await client.write(slug, values);
  await service.activate(client, slug);
  const page = (await client.call({ path: `/p/${client.tenant.slug}/${slug}`, query: 'lang=en', key: null })).text;
  return { page, block: page.split(`<h2 id="${id}">`)[1]?.split('</section>')[0] ?? '' };
}

describe('who answers for a product', () => {
  test('manufacturer and importer are in one card, with links that open mail and a web page', async () => {
    const { page, block: card } = await block(
      [
        { field_key: 'manufacturer_name', value: 'Möbel <AG>' },
        { field_key: 'manufacturer_address', value: 'Hafen 1\n24103 Kiel' },
        { field_key: 'manufacturer_contact', value: 'hilfe@moebel.example' },
        { field_key: 'importer_name', value: 'Import GmbH' },
        { field_key: 'importer_contact', value: 'www.import.example' },
      ],
      'operators',
    );
    expect(card).toMatch(
      /<dt>Manufacturer<\/dt>[\s\S]*Möbel &lt;AG&gt;[\s\S]*Hafen 1\n24103 Kiel[\s\S]*<dt>Importer<\/dt>/,
    );
    expect([...card.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      'mailto:hilfe@moebel.example',
      'https://www.import.example/',
    ]);
    expect(page).not.toContain('id="economic_operator"');
    expect(page.match(/Hafen 1\n/g)).toHaveLength(1);
  });

  test('a page without companies has no empty card', async () => {
    const { page } = await block([{ field_key: 'warranty_months', value: 3 }], 'operators');
    expect(page).not.toContain('id="operators"');
  });
});

describe('the documents of a product', () => {
  test('are in one block, with words and their host', async () => {
    const { page, block: list } = await block(
      [
        { field_key: 'repair_instructions', value: 'https://docs.example.com/fix?a=1' },
        {
          field_key: 'manuals',
          value: [{ url: 'https://a.example/m.pdf', title: 'Handbuch <1>' }, 'https://b.example/'],
        },
        { field_key: 'note', value: ['https://c.example/', 'and a word'] },
      ],
      'documents',
    );
    expect([...list.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      'https://docs.example.com/fix?a=1',
      'https://a.example/m.pdf',
      'https://b.example/',
    ]);
    expect(
      list
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('\u00ad', '')
        .match(/\S.*↗ \S+/g),
    ).toEqual(['Repair information ↗ docs.example.com', 'Handbuch &lt;1&gt; ↗ a.example', 'Manuals ↗ b.example']);
    // Links beside other texts stay in their section.
    expect(page).toContain('href="https://c.example/"');
  });
});
