/** Passports of single items: a scan with a serial number opens the passport of that item. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { drawOutlines } from '../../../server/src/carriers/image.ts';
import { isPostgres } from '../../../server/src/database/connection.ts';
import { createPassports } from '../../../server/src/passports/create.ts';
import { unsetFields } from '../../../server/src/passports/unset.ts';
import { writePassport } from '../../../server/src/passports/write.ts';
import {
  findActiveByGtin,
  findActiveItem,
  findForeignActiveByGtin,
  insertProducts,
} from '../../../server/src/products/store.ts';
import type { Client } from '../../support/client.ts';
import { type Database, type DatabaseKind, databaseKinds } from '../../support/database.ts';
import { useService } from '../../support/service.ts';

const siteUrl = 'https://passport.example.com';
const link = '/01/09520001000010';

/** A tenant with a model and its items, of one GTIN. */
async function addItems(
  service: ReturnType<typeof useService>,
  client: Client,
  serials: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const [slug, serial] of Object.entries(serials)) {
    await client.create({ name: slug, slug, gtin: '9520001000010', product_group: 'battery' });
    if (serial !== undefined) await client.write(slug, [{ field_key: 'serial_number', value: serial }]);
    await service.activate(client, slug);
  }
}

describe.each(databaseKinds)('on %s', (kind: DatabaseKind) => {
  const service = useService(kind, { siteUrl });
  let client: Client;
  const resolve = (rest: string, headers = {}, method = 'GET') =>
    client.call({ path: `${link}${rest}`, method, headers, key: null, operationId: 'resolveGtin' });
  /** The path of the target, without the name of the tenant. */
  const target = async (rest: string, headers = {}, method = 'GET') =>
    (await resolve(rest, headers, method)).headers.location?.replace(`${siteUrl}/p/${client.tenant.slug}/`, '');

  beforeAll(async () => {
    client = await service.newTenant();
    const serials = { one: 'SN-1', two: 'SN-2', twin: 'SN-2', slash: 'SN/%"', lower: 'sn-1', digits: 123, dots: '..' };
    await addItems(service, client, { model: undefined, ...serials });
  });

  test.each([
    ['', 'model'],
    ['/10/L', 'model?batch=L'],
    ['/21/SN-1', 'one?serial=SN-1'],
    ['/21/sn-1', 'lower?serial=sn-1'],
    ['/21/SN%2D1', 'one?serial=SN-1'],
    ['/21/SN-2', 'two?serial=SN-2'],
    ['/21/SN%2F%25%22', 'slash?serial=SN%2F%25%22'],
    ['/21/SN', 'model?serial=SN'],
    ['/21/SN_1', 'model?serial=SN_1'],
    ['/21/123', 'model?serial=123'],
    ['/10/L/21/SN-1', 'one?batch=L&serial=SN-1'],
    ['/21/SN-1?17=271231&lang=de', 'one?serial=SN-1&17=271231&lang=de'],
    ['/21/SN-1?linkType=gs1:dpp', 'one/jsonld'],
    ['/235/SN-1', 'model'],
  ])('%s leads to %s, also for HEAD', async (rest, expected) => {
    const found = [await target(rest), await target(rest, {}, 'HEAD')];
    expect(found.map((each) => each?.replace('?tpx=SN-1', ''))).toEqual([expected, expected]);
  });

  test('every length of the GTIN leads there, and JSON-LD is that of the item', async () => {
    const reply = await client.call({ path: '/01/9520001000010/21/SN-1', key: null, operationId: 'resolveGtin' });
    expect(reply.headers.location).toBe(`${siteUrl}/p/${client.tenant.slug}/one?serial=SN-1`);
    expect(reply.headers['cache-control']).toBe('private, no-store');
    expect(await target('/21/SN-1', { accept: 'application/ld+json' })).toBe('one/jsonld');
  });

  test('the linkset agrees: the links of the item, then those of its product', async () => {
    const { json } = await resolve('/21/SN-1', { accept: 'application/linkset+json' });
    const { linkset } = json as { linkset: Record<string, [{ href: string }]>[] };
    const page = `${siteUrl}/p/${client.tenant.slug}`;
    expect(
      linkset.map((one) => [
        one.anchor,
        one.itemDescription,
        ...['defaultLink', 'pip', 'dpp'].map((type) => one[`https://ref.gs1.org/voc/${type}`]?.[0].href),
      ]),
    ).toEqual([
      ...[
        [
          `${siteUrl}${link}/21/SN-1`,
          'one',
          `${page}/one?serial=SN-1`,
          `${page}/one?serial=SN-1`,
          `${page}/one/jsonld`,
        ],
      ],
      [`${siteUrl}${link}`, 'model', `${page}/model`, `${page}/model`, `${page}/model/jsonld`],
    ]);
  });

  test('the API keeps the link of the GTIN, and the code of the page has the serial number', async () => {
    const { items } = await client.carriers('one');
    expect(items.map(({ gs1_digital_link }) => gs1_digital_link)).toEqual([`${siteUrl}${link}`]);
    expect(await client.product('one')).not.toHaveProperty('serial_number');
    for (const [slug, code] of Object.entries({ one: '/21/SN-1', slash: '/21/SN%2F%25%22', dots: '', model: '' })) {
      const { text } = await client.call({ path: `/p/${client.tenant.slug}/${slug}`, key: null });
      expect(text).toContain((await drawOutlines(`${siteUrl}${link}${code}`, 'qr')).path);
    }
  });

  test('what the passport says of the serial number decides, at once', async () => {
    await addItems(service, client, { changing: 'C-1' });
    const write = (value: object) => client.write('changing', [{ field_key: 'serial_number', ...value }]);
    const found: unknown[] = [];
    const look = async (): Promise<void> => {
      const targets = [await target('/21/C-1'), await target('/21/C-2')];
      found.push(targets.map((one) => one?.split('?')[0]));
    };
    await look();
    await write({ value: 'C-2' });
    await look();
    for (const hidden of [{ access_level: 'restricted' }, { is_unknown: true }, { access_level: 'authority' }]) {
      await write({ value: 'C-1', ...hidden });
      await look();
      await write({ value: 'C-1', access_level: 'public', is_unknown: false });
      await look();
    }
    await service.archive(client, 'changing');
    await look();
    await service.activate(client, 'changing');
    await look();
    await service.database.transaction((on) => unsetFields(on, client.tenant, 'changing', ['serial_number']));
    await look();
    const [first, second, none] = [
      ['changing', 'model'],
      ['model', 'changing'],
      ['model', 'model'],
    ];
    expect(found).toEqual([first, second, none, first, none, first, none, first, none, first, none]);
  });

  test('a draft is not found, and the serial number is there when it is activated', async () => {
    await client.create({ name: 'draft', slug: 'draft', gtin: '9520001000010' });
    await client.write('draft', [{ field_key: 'serial_number', value: 'D-1' }]);
    expect(await target('/21/D-1')).toBe('model?serial=D-1');
    await service.activate(client, 'draft');
    expect(await target('/21/D-1')).toBe('draft?serial=D-1');
  });

  test('another tenant takes over neither the link of the GTIN nor those of its items', async () => {
    const other = await service.newTenant();
    await addItems(service, other, { fake: 'SN-1', more: 'F-1' });
    expect(await target('/21/SN-1')).toBe('one?serial=SN-1');
    expect(await target('/21/F-1')).toBe('model?serial=F-1');
  });

  test('a thousand items of one GTIN are each found by their serial numbers, by the index', async () => {
    const many = await service.newTenant();
    const products = Array.from({ length: 1000 }, (_, index) => {
      return { name: `item-${index}`, slug: `item-${index}`, gtin: '9520001000027', status: 'active' as const };
    });
    await service.database.transaction(async (transaction) => {
      const urnOf = (slug: string) => `urn:${slug}`;
      const inserted = await insertProducts(transaction, many.tenant.id, products, urnOf, new Date());
      await createPassports(transaction, many.tenant.id, inserted);
    });
    const services = { database: service.database, now: () => new Date() };
    const found: unknown[] = [];
    for (let from = 0; from < 1000; from += 20) {
      const some = products.slice(from, from + 20);
      await Promise.all(
        some.map(({ slug }) =>
          writePassport(services, many.tenant, slug, [{ field_key: 'serial_number', value: slug }]),
        ),
      );
      const scans = some.map(({ slug }) =>
        many.call({ path: `/01/9520001000027/21/${slug}`, key: null, operationId: 'resolveGtin' }),
      );
      found.push(...(await Promise.all(scans)).map(({ headers }) => headers.location));
    }
    const page = `${siteUrl}/p/${many.tenant.slug}`;
    expect(found).toEqual(products.map(({ slug }) => `${page}/${slug}?serial=${slug}`));
    const owner = { tenant_id: many.tenant.id, tenant_slug: '', slug: '', name: '' };
    const gtin = '9520001000027';
    const lookUps: [index: string, read: (database: Database) => Promise<unknown>][] = [
      ['products_items', (database) => findActiveItem(database, owner, gtin, 'item-1')],
      ['products_gtin14_status_activated_at_id_index', (database) => findActiveByGtin(database, gtin)],
      ['products_gtins', (database) => findForeignActiveByGtin(database, many.tenant.id, gtin)],
    ];
    for (const [index, read] of lookUps) {
      const plan = await planOf(service.database, read);
      expect(plan).toContain(index);
      expect(plan).not.toMatch(/TEMP B-TREE|Sort|Seq Scan on products/i);
    }
  });
});

describe('the page', () => {
  const service = useService('SQLite', { siteUrl });
  let client: Client;
  const said = async (slug: string, query: string, headers = {}) => {
    const { text, headers: got } = await client.call({ path: `/p/mandant-1/${slug}`, query, key: null, headers });
    const notice = /<p class="notice scanned">(.*?)<\/p>/.exec(text)?.[1]?.replaceAll(/<[^>]+>/g, '');
    return { notice, etag: got.etag, cache: got['cache-control'] };
  };

  beforeAll(async () => {
    client = await service.newTenant();
    await addItems(service, client, { one: 'SN-1', tag: '"<b>&', hidden: undefined });
    await client.write('hidden', [{ field_key: 'serial_number', value: 'H-1', access_level: 'restricted' }]);
    for (const product_group of ['toy', 'textile', null]) {
      const slug = `a-${product_group}`;
      await client.create({ name: slug, slug, product_group });
      await client.write(slug, [{ field_key: 'serial_number', value: 'X1' }]);
      await service.activate(client, slug);
    }
  });

  test.each([
    ['en', 'This is the passport of battery SN-1.'],
    ['de', 'Dies ist der Pass der Batterie SN-1.'],
    ['fr', 'Ceci est le passeport de la batterie SN-1.'],
    ['es', 'Este es el pasaporte de la batería SN-1.'],
    ['it', 'Questo è il passaporto della batteria SN-1.'],
    ['nl', 'Dit is het paspoort van de batterij SN-1.'],
    ['pl', 'To jest paszport baterii SN-1.'],
  ])('%s: %s', async (lang, notice) => {
    const shown = { notice, etag: undefined, cache: 'private, no-store' };
    expect(await said('one', `serial=SN-1&lang=${lang}`)).toEqual(shown);
    expect(await said('one', `batch=L&serial=SN-1&lang=${lang}`)).toEqual(shown);
  });

  test.each([
    ['one', 'serial=SN-2', 'You scanned serial number SN-2. This passport is for the model.'],
    ['hidden', 'serial=H-1', 'You scanned serial number H-1. This passport is for the model.'],
    ['tag', `serial=${encodeURIComponent('"<b>&')}`, 'This is the passport of battery &quot;&lt;b&gt;&amp;.'],
    ['a-toy', 'serial=X1', 'This is the passport of toy X1.'],
    ['a-textile', 'serial=X1', 'This is the passport of the item with serial number X1.'],
    ['a-null', 'serial=X1', 'This is the passport of the item with serial number X1.'],
    ['one', '', undefined],
  ])('%s?%s: %s', async (slug, query, notice) => {
    expect((await said(slug, query, { 'accept-language': 'en' })).notice).toBe(notice);
  });
});

/** How the database runs the first statement of a look-up. */
async function planOf(database: Database, read: (database: Database) => Promise<unknown>): Promise<string> {
  await database.raw('ANALYZE products');
  let sent = { sql: '', bindings: [] as string[] };
  return database.transaction(async (transaction) => {
    transaction.once('query', ({ sql, bindings }) => {
      sent = { sql, bindings };
    });
    await read(transaction);
    const explain = isPostgres(database) ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
    return JSON.stringify(await transaction.raw(`${explain} ${sent.sql.replaceAll(/\$\d/g, '?')}`, sent.bindings));
  });
}
