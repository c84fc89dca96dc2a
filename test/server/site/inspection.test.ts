import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PassportValue, Schemas } from '@product-passport/openapi';
import { createToken } from '../../../server/src/access/token.ts';
import { contentHash } from '../../../server/src/passports/rules.ts';
import type { Client } from '../../support/client.ts';
import { useService } from '../../support/service.ts';

type Document = Schemas['PassportDocument'];

describe('the view of an access token', () => {
  const service = useService('SQLite');
  let client: Client;
  let path = '';
  const tokens = { consumer: '', recycler: '', inspector: '' };

  beforeAll(async () => {
    client = await service.newTenant();
    const { slug } = await client.create({ name: 'Pullover', product_group: 'textile' });
    await client.write(slug, [
      { field_key: 'care_instructions', value: 'wash by hand', source: 'supplier', needs_review: true },
      {
        field_key: 'disassembly_instructions',
        value: 'https://a.example/unscrew',
        access_level: 'restricted',
        source: 'manual',
      },
      { field_key: 'garment_weight', value: 'heavy', source: 'manual' },
      { field_key: 'recycling_instructions', value: 'Bring it back.', source: 'manual' },
      { field_key: 'test_reports', value: 'https://a.example/Quokka', access_level: 'authority', source: 'manual' },
    ]);
    await service.activate(client, slug);
    await service.database('products').where({ slug }).update({ registry_status: 'registered', registry_id: 'EU-<1>' });
    path = `/p/${client.tenant.slug}/${slug}`;
    for (const role of ['recycler', 'inspector'] as const) {
      const grant = { product_id: null, role, expiresAt: new Date(Date.now() + 60_000) };
      tokens[role] = (await createToken(service.database, client.tenant.id, grant, new Date())).token;
    }
  });

  async function read(role: keyof typeof tokens, end = ''): Promise<string> {
    const query = tokens[role] === '' ? 'lang=en' : `lang=en&zugang=${tokens[role]}`;
    const { status, text } = await client.call({ path: `${path}${end}`, query, key: null });
    expect(status).toBe(200);
    return text;
  }

  /** The lines of the first screen. */
  function findings(page: string): string[] {
    const [list = ''] = /<dl class="findings">[\s\S]*?<\/dl>/.exec(page) ?? [];
    return [...list.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, label, text = '']) =>
      `${label}: ${text.replaceAll(/<[^>]*>/g, '')}`.replace(/\d+ \w+ \d+ at \d\d:\d\d UTC/, 'TIME'),
    );
  }

  const more = 'Recyclers and inspectors may see more with an access link.';

  test('shows an inspector the origin of each value, missing fields and the registry, and says nothing of more', async () => {
    const page = await read('inspector');
    const origins = [...page.matchAll(/<dd class="origin"[^>]*>(.*?)<\/dd>/g)].map(([, text = '']) =>
      text.trim().replace(/\d+ \w+ \d+ at \d\d:\d\d UTC/, 'TIME'),
    );
    expect(origins.sort()).toEqual([
      '<span class="level">deviates from the template</span>',
      'Source: supplier <span class="level">needs review</span>',
    ]);
    expect(findings(page)).toEqual([
      expect.stringMatching(/^Missing \(\d\): .*Manufacturer name/),
      'Deviates from the template (1): Garment weight',
      'Needs review (1): Care instructions',
      'Registry: registered, EU-&lt;1&gt;',
      'Common origin: entered by hand · TIME',
    ]);
    for (const [, id] of page.matchAll(/<a href="#(value-\d+)">/g)) expect(page.split(` id="${id}"`)).toHaveLength(2);
    expect(page).toContain('<a href="#further">2 values of this view are not public</a>');
    expect(page.match(/id="further"/g)).toHaveLength(1);
    expect(page).not.toContain(more);
  });

  test('opens a folded section for an inspector if a value in it has a finding', async () => {
    const folded = (page: string) =>
      Array.from(page.matchAll(/<details><summary><h2 id="(\w+)">/g), ([, section]) => section);
    expect(folded(await read('inspector'))).toEqual(['end_of_life']);
    expect(folded(await read('recycler'))).toContain('use');
  });

  test('shows a recycler the number of further values, and neither origins nor what is missing', async () => {
    const page = await read('recycler');
    expect(page).toContain('<a href="#further">1 value of this view is not public</a>');
    expect(page).not.toContain(more);
    expect(page).not.toMatch(/Source: |Missing|Registry|Common origin|needs review|Quokka/);
  });

  test('has a way back that drops the token, and the public view has nothing of it', async () => {
    for (const role of ['recycler', 'inspector'] as const)
      expect(await read(role)).toContain('<a href="?lang=en">To the public view</a>');
    const page = await read('consumer');
    expect(page).toContain(more);
    expect(page).not.toMatch(/not public|public view<\/a>|Source: |Missing|Registry|EU-/);
  });

  test('lets an inspector recompute the content hash from the document alone', async () => {
    const document: Document = JSON.parse(await read('inspector', '/jsonld'));
    const passport = document.hasDigitalProductPassport;
    const values = document.additionalProperty.map((property) => {
      const value = property.value as { '@type'?: string; '@value'?: unknown } | undefined;
      return {
        access_level: property['dpp:accessLevel'],
        field_key: property.propertyID,
        is_unknown: property['dpp:isUnknown'] ?? false,
        locale: property['dpp:locale'],
        needs_review: property['dpp:needsReview'],
        source: property['dpp:source'],
        unit: property.unitText ?? null,
        value: value?.['@type'] === '@json' ? value['@value'] : (value ?? null),
      } as PassportValue;
    });
    const hash = contentHash(passport['dpp:contentSalt'] ?? '', passport['dpp:templateVersion'], values);
    expect(hash).toBe(passport.identifier.value);
    for (const role of ['consumer', 'recycler'] as const)
      expect(await read(role, '/jsonld')).not.toMatch(/dpp:source|dpp:needsReview|dpp:updatedAt/);
  });
});

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
