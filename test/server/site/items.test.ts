/** Passports of single items: a scan with a serial number opens the passport of that item. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { drawOutlines } from '../../../server/src/carriers/image.ts';
import { isPostgres } from '../../../server/src/database/statement.ts';
import { languages } from '../../../server/src/languages/languages.ts';
import { unsetFields } from '../../../server/src/passports/write.ts';
import { findActiveByGtin, findActiveItem, findForeignActiveByGtin } from '../../../server/src/products/store.ts';
import { type Database, type DatabaseKind, databaseKinds } from '../../support/database.ts';
import { type Client, useService } from '../../support/service.ts';
import { storeProducts } from '../../support/tenant.ts';

const siteUrl = 'https://passport.example.com';
const link = '/01/09520001000010';

/** A tenant with a model and its items, of one GTIN. */
async function addItems(client: Client, serials: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [slug, serial] of Object.entries(serials)) {
    const values = serial === undefined ? [] : [{ field_key: 'serial_number', value: serial }];
    await client.publish({ name: slug, slug, gtin: '9520001000010', product_group: 'battery' }, values);
  }
}

describe.each(databaseKinds)('on %s', (kind: DatabaseKind) => {
  const service = useService(kind, { siteUrl });
  let client: Client;
  const resolve = (rest: string, headers = {}) =>
    client.call({ path: `${link}${rest}`, headers, key: null, operationId: 'resolveGtin' });
  /** The path of the target, without the name of the tenant. */
  const target = async (rest: string, headers = {}) =>
    (await resolve(rest, headers)).headers.location?.replace(`${siteUrl}/p/${client.tenant.slug}/`, '');

  beforeAll(async () => {
    client = await service.newTenant();
    const serials = { one: 'SN-1', two: 'SN-2', twin: 'SN-2', slash: 'SN/%"', lower: 'sn-1', digits: 123, dots: '..' };
    await addItems(client, { model: undefined, ...serials });
  });

  test('a serial number leads to the passport of its item, anything else to that of the model', async () => {
    const lines: string[] = [];
    for (const rest of [
      ...['', '/10/L', '/21/SN-1', '/21/sn-1', '/21/SN%2D1', '/21/SN-2', '/21/SN%2F%25%22', '/21/SN', '/21/SN_1'],
      ...['/21/123', '/10/L/21/SN-1', '/21/SN-1?17=271231&lang=de', '/21/SN-1?linkType=gs1:dpp', '/235/SN-1'],
    ])
      lines.push(`${rest} → ${await target(rest)}`);
    expect(lines.join('\n')).toMatchSnapshot();
    expect(await target('/21/SN-1', { accept: 'application/ld+json' })).toBe('one/jsonld');
    const short = await client.call({ path: '/01/9520001000010/21/SN-1', key: null, operationId: 'resolveGtin' });
    expect(short.headers.location).toBe(`${siteUrl}/p/${client.tenant.slug}/one?serial=SN-1`);
  });

  test('the linkset agrees: the links of the item, then those of its product', async () => {
    const { text } = await resolve('/21/SN-1', { accept: 'application/linkset+json' });
    expect(JSON.parse(text)).toMatchSnapshot();
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
    await addItems(client, { changing: 'C-1' });
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
    await addItems(other, { fake: 'SN-1', more: 'F-1' });
    expect(await target('/21/SN-1')).toBe('one?serial=SN-1');
    expect(await target('/21/F-1')).toBe('model?serial=F-1');
  });

  test('a thousand items of one GTIN are found by their serial numbers, by the index', async () => {
    const many = await service.newTenant();
    const gtin = '9520001000027';
    const slugs = Array.from({ length: 1000 }, (_, index) => `item-${index}`);
    const products = slugs.map((slug) => ({ name: slug, slug, gtin, status: 'active' as const }));
    await storeProducts(service.database, many.tenant, products);
    const serials = { serial_number: service.database.ref('slug') };
    await service.database('products').where({ tenant_id: many.tenant.id }).update(serials);
    for (const slug of slugs.slice(-20)) {
      const path = `/01/${gtin}/21/${slug}`;
      const { headers } = await many.call({ path, key: null, operationId: 'resolveGtin' });
      expect(headers.location).toBe(`${siteUrl}/p/${many.tenant.slug}/${slug}?serial=${slug}`);
    }
    const owner = { tenant_id: many.tenant.id, tenant_slug: '', slug: '', name: '' };
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
  beforeAll(async () => {
    client = await service.newTenant();
    await addItems(client, { one: 'SN-1', tag: '"<b>&', hidden: undefined });
    await client.write('hidden', [{ field_key: 'serial_number', value: 'H-1', access_level: 'restricted' }]);
    for (const product_group of ['toy', 'textile', null]) {
      const slug = `a-${product_group}`;
      await client.publish({ name: slug, slug, product_group }, [{ field_key: 'serial_number', value: 'X1' }]);
    }
  });

  test('says whose passport it is, and what was scanned', async () => {
    const asked = [
      ...languages.map((lang) => ['one', `serial=SN-1&batch=L&lang=${lang}`] as const),
      ...['a-toy', 'a-textile', 'a-null'].map((slug) => [slug, 'serial=X1&lang=en'] as const),
      ['one', 'serial=SN-2&lang=en'] as const,
      ['hidden', 'serial=H-1&lang=en'] as const,
      ['tag', `serial=${encodeURIComponent('"<b>&')}&lang=en`] as const,
      ['one', 'lang=en'] as const,
    ];
    const lines: string[] = [];
    for (const [slug, query] of asked) {
      const { text, headers } = await client.call({ path: `/p/mandant-1/${slug}`, query, key: null });
      const notice = /<p class="notice scanned">(.*?)<\/p>/.exec(text)?.[1]?.replaceAll(/<[^>]+>/g, '');
      lines.push(`${slug}?${query}: ${notice}`);
      const isPrivate = headers['cache-control'] === 'private, no-store' && headers.etag === undefined;
      expect([query, isPrivate]).toEqual([query, query.includes('serial')]);
    }
    expect(lines.join('\n')).toMatchSnapshot();
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
