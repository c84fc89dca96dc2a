import { describe, expect, test } from '@jest/globals';
import { fold } from '@product-passport/openapi';
import fc from 'fast-check';
import { observeStatements } from '../../../server/src/database/knex-clients.ts';
import { unsetFields } from '../../../server/src/passports/write.ts';
import { listProducts } from '../../../server/src/products/list.ts';
import { readCounts } from '../../../server/src/products/store.ts';
import { databaseKinds, expectRightCounts, newMigratedDatabase } from '../../support/database.ts';
import { type Client, startService, useService } from '../../support/service.ts';
import { storeProducts } from '../../support/tenant.ts';

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);

  test('products created on two servers at the same time have positions without gaps, and lists follow them', async () => {
    const address = await newMigratedDatabase(kind);
    const one = await startService(kind, { on: address });
    const other = await startService(kind, { on: address });
    const client = await one.newTenant();
    const clients = [client, other.clientOf(client)];
    const many = Array.from({ length: 6 }, (_, index) =>
      clients.map((each, at) => each.create(index % 3 === 0 ? 'Tasse' : `Tasse ${index} ${at}`)),
    );
    const created = await Promise.all(many.flat());
    expect(await expectRightCounts(one.database)).toBe(12);
    const { items, total } = await client.list({ limit: 200 });
    const rows = await one.database('products').orderBy('position').pluck('id');
    expect(items.map(({ id }) => id)).toEqual(rows);
    expect([total, new Set(items.map(({ id }) => id))]).toEqual([12, new Set(created.map(({ id }) => id))]);
    expect((await client.me()).products_total).toBe(12);
  });

  test('counts follow the status while products are created and moved at the same time', async () => {
    const client = await service.newTenant();
    const slugs = Array.from({ length: 12 }, (_, index) => `tasse-${index}`);
    for (const slug of slugs) await client.create({ name: 'Tasse', slug });
    await Promise.all([
      ...slugs.slice(0, 8).map((slug) => service.activate(client, slug)),
      ...slugs.slice(8).map((slug) => service.archive(client, slug)),
      ...slugs.map(() => client.create('Kanne')),
    ]);
    await Promise.all(slugs.slice(0, 3).map((slug) => service.archive(client, slug)));
    await service.activate(client, 'tasse-0');
    await expectRightCounts(service.database);
    const totals = ['draft', 'active', 'archived'].map(async (status) => (await client.list({ status })).total);
    expect(await Promise.all(totals)).toEqual([12, 6, 6]);
  });

  test('active items are counted whatever makes them items, also at the same time', async () => {
    const client = await service.newTenant();
    const slugs = Array.from({ length: 8 }, (_, index) => `akku-${index}`);
    for (const slug of slugs) await client.create({ name: 'Akku', slug });
    const serial = (slug: string, value: string | null) =>
      client.write(slug, [{ field_key: 'serial_number', value, access_level: 'restricted' }]);
    const counts = async (): Promise<number> => {
      await expectRightCounts(service.database);
      return (await readCounts(service.database, client.tenant.id)).active_items;
    };
    for (const slug of slugs.slice(0, 4)) await serial(slug, 'SN');
    expect(await counts()).toBe(0);
    await Promise.all([
      ...slugs.map((slug) => service.activate(client, slug)),
      ...slugs.slice(2, 6).map((slug) => serial(slug, `SN ${slug}`)),
      ...slugs.map(() => client.create('Kanne')),
    ]);
    expect(await counts()).toBe(6);
    await Promise.all([
      ...['akku-0', 'akku-7'].map((slug) => service.archive(client, slug)),
      ...['akku-1', 'akku-2'].map((slug) => serial(slug, null)),
      ...['akku-1', 'akku-3', 'akku-6'].map((slug) => client.write(slug, [{ field_key: 'note', value: slug }])),
    ]);
    expect(await counts()).toBe(3);
    await service.database.transaction((transaction) =>
      unsetFields(transaction, client.tenant, 'akku-3', ['serial_number']),
    );
    expect(await counts()).toBe(2);
    const { items: models, total } = await client.list({ status: 'active', serial: '' });
    expect([total, models.map(({ slug }) => slug).join(' ')]).toEqual([4, 'akku-1 akku-2 akku-3 akku-6']);
    for (const limit of [1, 3])
      for (let offset = 0; offset < 6; offset += 1) {
        const page = await client.list({ status: 'active', serial: '', limit, offset });
        expect(page).toEqual({ items: models.slice(offset, offset + limit), total: 4, limit, offset });
      }
  });

  test('a product that is not stored leaves its position to the next one', async () => {
    const client = await service.newTenant();
    await client.create('Tasse');
    const outcome = await client.call({
      method: 'POST',
      path: '/api/v1/products',
      body: { name: 'Kanne', product_group: 'none' },
    });
    expect(outcome.outcome).toBe('400 unknown_product_group');
    await service.database.schema.renameTable('passport_versions', 'away');
    try {
      expect((await client.call({ method: 'POST', path: '/api/v1/products', body: { name: 'Kanne' } })).status).toBe(
        500,
      );
    } finally {
      await service.database.schema.renameTable('away', 'passport_versions');
    }
    await client.create('Kanne');
    await expectRightCounts(service.database);
    expect((await client.list()).items.map(({ slug }) => slug)).toEqual(['tasse', 'kanne']);
  });

  test('each page of a status is the same part of the whole list, also in the second half', async () => {
    const client = await service.newTenant();
    for (let index = 0; index < 15; index += 1) {
      const { slug } = await client.create(`Tasse ${index}`);
      if (index % 3 > 0) await service.activate(client, slug);
    }
    const { items: all } = await client.list({ status: 'active' });
    expect(all).toHaveLength(10);
    for (const limit of [1, 3, 4, 10, 11])
      for (let offset = 0; offset < 13; offset += 1) {
        const items = all.slice(offset, offset + limit);
        expect(await client.list({ status: 'active', limit, offset })).toEqual({ items, total: 10, limit, offset });
      }
  });

  test('a GTIN in any length, and a serial number, find products of every status', async () => {
    const [shop, other] = [await service.newTenant(), await service.newTenant()];
    const publisher = await service.publisherOf(shop);
    const gtin = '9520001000010';
    for (const [name, own, serial] of [
      ['model', gtin, undefined],
      ['one', gtin, { value: 'SN-1' }],
      ['two', `0${gtin}`, { value: 'SN-2', access_level: 'authority' }],
      ['same', '95200002', { value: 'SN-1' }],
      ['unknown', '95200002', { value: null, is_unknown: true }],
      ['number', gtin, { value: 17 }],
      ['long', gtin, { value: 'x'.repeat(300) }],
      ['none', undefined, undefined],
    ] as const) {
      const { slug } = await shop.create({ name, ...(own && { gtin: own }) });
      if (serial) await shop.write(slug, [{ field_key: 'serial_number', ...serial }]);
    }
    await other.create({ name: 'foreign', gtin });
    await service.activate(shop, 'one');
    await service.activate(shop, 'model');
    await service.archive(shop, 'two');
    const found = async (query: Record<string, string | number>) =>
      (await shop.list(query)).items.map(({ slug }) => slug).join(' ');
    const lines: string[] = [];
    for (const query of [
      ...[{ gtin }, { gtin: '95200002' }, { gtin: '000095200002' }, { gtin: '95200003' }, { serial: '' }],
      ...[{ gtin, serial: 'SN-1' }, { serial: 'SN-1' }, { gtin, serial: 'sn-1' }, { gtin, serial: '' }],
      ...[
        { serial: '17' },
        { serial: 'x'.repeat(200) },
        { serial: 'x'.repeat(300) },
        { serial: 'SN-1\0' },
        { serial: '%' },
      ],
      ...[
        { gtin, status: 'active' },
        { gtin, serial: 'SN-1', status: 'draft' },
        { serial: '', status: 'active' },
      ],
      ...[
        { gtin, search: 'O' },
        { gtin, search: 'odel' },
        { serial: '', search: 'NE' },
        { serial: '', search: 'none' },
      ],
      ...[
        { gtin, limit: 2, offset: 1 },
        { gtin, limit: 2, offset: 9 },
        { serial: '', search: 'one', status: 'active' },
      ],
    ])
      lines.push(
        `${JSON.stringify(query).replaceAll(/x{9,}/g, (text) => `x × ${text.length}`)}: ${await found(query)}`,
      );
    expect(lines.join('\n')).toMatchSnapshot();
    expect((await shop.list({ gtin, limit: 2, offset: 9 })).total).toBe(5);
    const { items } = await publisher.list({ gtin, serial: 'SN-2' });
    expect(items).toMatchObject([{ slug: 'two', serial_number: 'SN-2', status: 'archived' }]);
  });

  test('a hostile query of a list gets 400, or finds nothing', async () => {
    const shop = await service.newTenant();
    const outcome = async (query: string) => (await shop.call({ path: `/api/v1/products?${query}` })).outcome;
    const lines: string[] = [];
    for (const query of [
      ...['gtin=', 'gtin=123456789', 'gtin=9520001000010%00', 'gtin=%EF%BC%99520001000010', 'gtin=952000100001x'],
      ...['gtin=+9520001000010', `gtin=${'9'.repeat(8000)}`, 'gtin=95200002&gtin=95200002', 'serial=a&serial=b'],
      ...[
        'serial=%00',
        'serial=%FF',
        'serial=%ED%A0%80',
        "serial='%20OR%201=1--",
        `serial=${'%F0%9F%A7%A6'.repeat(900)}`,
      ],
      ...['gtin[]=1', 'GTIN=x', 'gtin=x&limit=x', 'serial=%', 'gtin=95200002&serial=%2500', 'serial=__proto__'],
    ])
      lines.push(`${query.slice(0, 40)}: ${await outcome(query)}`);
    expect(lines.join('\n')).toMatchSnapshot();
  });
});

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);

  test('the total of a text that was searched before has the products that were created since', async () => {
    const [shop, other] = [await service.newTenant(), await service.newTenant()];
    const sent: string[] = [];
    observeStatements(service.database, (sql) => sent.push(sql));
    const total = async (of: Client): Promise<number> => (await of.list({ search: 'lampe', limit: 1 })).total;
    // Past the end of a list, the products are counted.
    expect(await shop.list({ search: 'lampe', limit: 1, offset: 50 })).toMatchObject({ items: [], total: 0 });
    for (const name of ['Lampe rot', 'Stuhl', 'Lampe blau']) await shop.create(name);
    expect([await total(shop), await total(other)]).toEqual([2, 0]);
    for (const name of ['Lampe gelb', 'Tisch', 'Stehlampe']) await shop.create(name);
    for (const name of ['Lampe', 'Lampe 2']) await other.create(name);
    expect([await total(shop), await total(other)]).toEqual([4, 2]);
    await shop.create('Tisch 2');
    sent.length = 0;
    expect([await total(shop), await total(other)]).toEqual([4, 2]);
    // On PostgreSQL the count of many matches is what takes time. The products before the last count are not read again.
    const counts = sent.filter((sql) => sql.includes('count(*)::integer'));
    expect(counts.map((sql) => sql.includes('"position" > '))).toEqual(kind === 'PostgreSQL' ? [true, true] : []);
    const { slug } = await shop.create('Lampe weiß');
    await service.activate(shop, slug);
    expect((await shop.list({ search: 'lampe', status: 'active', limit: 1 })).total).toBe(1);
  });

  test('a name that another program changed is found under the new name only', async () => {
    const shop = await service.newTenant();
    for (const name of ['Lampe rot', 'Lampe blau']) await shop.create(name);
    const change = { name: 'Stuhl grün', name_folded: fold('Stuhl grün') };
    await service.database('products').where({ tenant_id: shop.tenant.id, slug: 'lampe-rot' }).update(change);
    const found = async (search: string) => (await shop.list({ search })).items.map(({ slug }) => slug);
    expect([await found('lampe'), await found('STUHL')]).toEqual([['lampe-blau'], ['lampe-rot']]);
  });

  test('SRCH-2 a name of 500 characters that folds to 9,000 is stored, and each part of it finds it', async () => {
    const shop = await service.newTenant();
    await shop.create('\ufdfa'.repeat(500));
    const folded = fold('\ufdfa');
    expect(Array.from(folded)).toHaveLength(18);
    for (const search of [folded, '\ufdfa'.repeat(500), folded.repeat(55), folded.slice(0, 2), '\u00ad'])
      expect([search.length, (await shop.list({ search })).total]).toEqual([search.length, 1]);
    for (const search of ['\ufdfa'.repeat(501), '\ufdfa'.repeat(1001), '\u00ad'.repeat(1001)])
      expect([search.length, (await shop.list({ search })).total]).toEqual([search.length, 0]);
  });

  test('SRCH-3 a search of 1,000 characters finds a name whose folded form contains it; one of 1,001 finds nothing', async () => {
    const long = await service.newTenant();
    await long.create('ﬃ'.repeat(500));
    const contained = 'ffi'.repeat(500);
    for (const [length, total] of [
      [999, 1],
      [1000, 1],
      [1001, 0],
    ] as const)
      expect([length, (await long.list({ search: contained.slice(0, length) })).total]).toEqual([length, total]);
  });
});

const count = 4000;
/** `SEARCHES=10000` takes a minute for each database. */
const searches = Number(process.env.SEARCHES ?? 400);
const statuses = ['draft', 'active', 'archived'] as const;
const statusOf = (index: number) => statuses[index % 3] ?? 'draft';

/** Few characters, so that texts are found: of every fold, of SQL's and FTS5's syntax, and of several UTF-16 units. */
const characters = fc.constantFrom(
  ...'aAbBéÉe\u0301ßẞſSςσΣıİiI\u0307\u0323％＿\u00ad\u200d\u3164%_\\"\'*^():+-{}.,; \t\u00a0ﬃ日本語のД🧵🧑‍🍳\ufffd\ufffe\uffff\u{10ffff}',
  'AND',
  'OR',
  'NOT',
  'NEAR',
  'name',
);
const text = (maxLength: number) => fc.array(characters, { minLength: 1, maxLength }).map((parts) => parts.join(''));

/** The slugs of the products whose folded name contains the folded text, in the order of creation. */
function scan(folded: string[], text: string, status: string | undefined): string[] {
  return folded.flatMap((name, index) =>
    name.includes(text) && (status === undefined || statusOf(index) === status) ? [`p-${index}`] : [],
  );
}

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);

  async function newTenant(names: string[]): Promise<string> {
    const { tenant } = await service.newTenant();
    for (let start = 0; start < names.length; start += 2000) {
      const products = names.slice(start, start + 2000).map((name, index) => ({
        ...{ name, slug: `p-${start + index}` },
        status: statusOf(start + index),
      }));
      await storeProducts(service.database, tenant, products);
    }
    return tenant.id;
  }

  test(`SRCH-2 ${searches} random texts find among ${count} random names what a scan finds`, async () => {
    const seed = 20_261_122;
    const names = fc.sample(text(12), { numRuns: count, seed }).map((name) => name.trim() || 'x');
    const tenantId = await newTenant(names);
    // Other tenants have the same names, before and after.
    await newTenant(names.slice(0, 2000));
    const folded = names.map((name) => fold(name));
    const parts = fc.sample(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 6 }), text(4)), {
      numRuns: searches,
      seed,
    });
    let found = 0;
    const wrong: string[] = [];
    const tryOne = async (run: number): Promise<void> => {
      const [which = 0, from = 0, length = 1, random = ''] = parts[run] ?? [];
      const name = Array.from(names[which % count] ?? '');
      const start = from % name.length;
      const search = run % 3 === 0 ? random : name.slice(start, start + length).join('');
      const status = run % 5 === 0 ? statuses[run % 3] : undefined;
      const slugs = scan(folded, fold(search), status);
      const offset = from % (slugs.length + 2);
      const page = await listProducts(service.database, tenantId, { search, status }, { limit: 5, offset });
      const items: { slug: string }[] = JSON.parse(String(page.items));
      const result = JSON.stringify([page.total, items.map(({ slug }) => slug)]);
      const expected = JSON.stringify([slugs.length, slugs.slice(offset, offset + 5)]);
      if (result !== expected) wrong.push(JSON.stringify({ search, status, offset, result, expected }));
      found += slugs.length;
    };
    for (let run = 0; run < searches; run += 4) await Promise.all([0, 1, 2, 3].map((index) => tryOne(run + index)));
    expect(wrong).toEqual([]);
    expect(found).toBeGreaterThan(searches);
  }, 300_000);
});
