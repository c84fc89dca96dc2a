import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { insertScans } from '../../../server/src/scans/store.ts';
import type { Call, Client } from '../../support/client.ts';
import { databaseKinds } from '../../support/database.ts';
import { fileWith } from '../../support/files.ts';
import { startService, useService } from '../../support/service.ts';
import { checkStatements, faultOf, lookups, statementsIn } from '../../support/tenant-statements.ts';
import { rejection } from '../../support/thrown.ts';
import { sharedHeaders } from '../../support/wire.ts';

const gtin = '9520001000010';

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);
  let client: Client;
  let stranger: Client;
  beforeAll(async () => {
    client = await service.newTenant();
    stranger = await service.newTenant();
    await client.create({ name: 'Tasse', gtin });
    await client.write('tasse', [{ field_key: 'farbe', value: 'blau' }]);
    await service.activate(client, 'tasse');
  });

  const withSlug: [string, (slug: string) => Call][] = [
    ['getProduct', (slug) => ({ path: `/api/v1/products/${slug}` })],
    ['HEAD getProduct', (slug) => ({ method: 'HEAD', path: `/api/v1/products/${slug}` })],
    ['getPassport', (slug) => ({ path: `/api/v1/products/${slug}/passport` })],
    ['listCarriers', (slug) => ({ path: `/api/v1/products/${slug}/carriers` })],
    ['putPassport', (slug) => put(slug, [{ field_key: 'farbe', value: 'rot' }])],
    ['putPassport with no values', (slug) => put(slug, [])],
    ['putPassport with invalid JSON', (slug) => put(slug, '{')],
    ['putPassport with an invalid element', (slug) => put(slug, [{}])],
  ];
  test.each(withSlug)(
    'TEN-1 %s on a product of another tenant gives the same response as on an unknown product',
    async (_, call) => {
      const foreign = await stranger.call(call('tasse'));
      const unknown = await stranger.call(call('never-was'));
      expect({ ...foreign, headers: sharedHeaders(foreign.headers), reusedConnection: true }).toEqual({
        ...unknown,
        headers: sharedHeaders(unknown.headers),
        reusedConnection: true,
      });
      expect(foreign.status).toBeGreaterThanOrEqual(400);
      const { values } = await client.passport('tasse');
      expect(values).toMatchObject([{ field_key: 'farbe', value: 'blau' }]);
    },
  );

  test('TEN-2 lists, totals and statistics count only rows of the tenant', async () => {
    const { id } = await client.product('tasse');
    const scan = { at: new Date(), role: 'consumer', visitorHash: 'x' } as const;
    await insertScans(service.database, [{ ...scan, tenantId: client.tenant.id, productId: id }]);
    expect(await client.scans()).toMatchObject({ total: 1, top_products: [{ slug: 'tasse', count: 1 }] });

    expect(await stranger.list()).toMatchObject({ items: [], total: 0 });
    expect(await stranger.list({ search: 'tasse', status: 'active' })).toMatchObject({ items: [], total: 0 });
    const { language: _, ...tenant } = stranger.tenant;
    expect(await stranger.me()).toMatchObject({ tenant, products_total: 0 });
    const scans = await stranger.scans();
    expect(scans).toMatchObject({ total: 0, by_view_role: { consumer: 0 }, top_products: [] });
    expect(scans.per_day.every(({ count }) => count === 0)).toBe(true);
    expect((await client.me()).products_total).toBe(1);
  });

  test('TEN-3 two tenants can use the same slug and GTIN', async () => {
    const third = await service.newTenant();
    const theirs = await third.create({ name: 'Tasse', gtin });
    expect(theirs).toMatchObject({ slug: 'tasse', gtin });
    expect(theirs.unique_product_identifier).toBe(`urn:dpp:${third.tenant.slug}:tasse`);
    await third.write('tasse', [{ field_key: 'farbe', value: 'gelb' }]);
    expect((await client.passport('tasse')).values).toMatchObject([{ value: 'blau' }]);
    expect((await third.passport('tasse')).values).toMatchObject([{ value: 'gelb' }]);
    await service.activate(third, 'tasse');
    const page = await third.call({ path: `/p/${third.tenant.slug}/tasse/jsonld` });
    expect(page.text).toContain('gelb');
    const resolved = await third.call({ path: `/01/${gtin}` });
    expect(resolved.headers.location).toContain(`/p/${client.tenant.slug}/tasse`);
  });

  test('TEN-4 fields that only the server sets are ignored in a create request', async () => {
    const serverFields = {
      name: 'Teller',
      id: '019b0a3c-5e10-7b20-9d21-aa0f5d1e0b01',
      tenant_id: stranger.tenant.id,
      status: 'active',
      completeness: 100,
      registry_status: 'registered',
      registry_id: 'EU-1',
      unique_product_identifier: 'urn:dpp:other:other',
      created_at: '2000-01-01T00:00:00.000Z',
      updated_at: '2000-01-01T00:00:00.000Z',
    };
    const product = await client.create(serverFields);
    expect(product).toMatchObject({ status: 'draft', completeness: 0, registry_status: 'none', registry_id: null });
    expect(product.id).not.toBe(serverFields.id);
    expect(product.created_at > '2026').toBe(true);
    expect(product.unique_product_identifier).toBe(`urn:dpp:${client.tenant.slug}:teller`);
    expect((await stranger.me()).products_total).toBe(0);
  });

  test('TEN-4 fields that only the server sets are ignored in a passport value', async () => {
    const { slug } = await client.create('Schale');
    const serverFields = {
      locale: 'xx',
      updated_at: '2000-01-01T00:00:00.000Z',
      id: '1',
      tenant_id: stranger.tenant.id,
    };
    await client.write(slug, [{ field_key: 'farbe', value: 'blau', ...serverFields }]);
    const [value] = (await client.passport(slug)).values;
    expect(value?.locale).toBe('de');
    expect(value?.updated_at.startsWith('2000')).toBe(false);
  });
});

function put(slug: string, body: unknown): Call {
  return { method: 'PUT', path: `/api/v1/products/${slug}/passport`, body };
}

const from = 'products/store.ts';

test.each([
  'select name from products where tenant_id = ? and id = ?',
  'select p.name from products p join carriers c on c.tenant_id = p.tenant_id and c.product_id = p.id where c.tenant_id = ?',
  'select 1 from products where tenant_id = ? and exists (select 1 from scans where scans.tenant_id = products.tenant_id)',
  'with newest as (select * from scans where tenant_id = ?) select count(*) from newest where role = ?',
  'select * from (select id from products where tenant_id = ? union all select id from carriers where tenant_id = ?) as all_ids',
  'update products set name = ? where tenant_id = ? and id = ?',
  'delete from scans where tenant_id = ? and id in (select id from scans where tenant_id = ? limit ?)',
  'insert into scans (tenant_id, id) values (?, ?), (?, ?) on conflict do nothing',
  'select t.name from api_keys k join tenants t on t.id = k.tenant_id where k.hash = ? and revoked_at is null',
  'select id from tenants where slug = ?',
  'select slug from products where gtin14 = ? and status = ?',
  'select value from installation where name = ?',
])('allows %s', async (sql) => {
  expect(await faultOf({ from, sql })).toBeUndefined();
});

test.each([
  ['products', 'select name from products where id = ?'],
  ['products', 'select name from products where tenant_id = ? or id = ?'],
  ['products', 'select name from products where tenant_id <> ?'],
  ['products', 'select name from products where tenant_id = name'],
  ['carriers', 'select 1 from products p join carriers c on c.product_id = p.id where p.tenant_id = ?'],
  [
    'scans',
    'select 1 from products where tenant_id = ? and exists (select 1 from scans where scans.product_id = products.id)',
  ],
  ['scans', 'with newest as (select * from scans) select * from newest where tenant_id = ?'],
  ['carriers', 'select id from products where tenant_id = ? union all select id from carriers'],
  ['products', 'update products set name = ? where id = ?'],
  ['scans', 'delete from scans where tenant_id = ? or true'],
  ['scans', 'delete from scans where tenant_id = ? and id in (select id from scans where scanned_at < ?)'],
  ['scans', 'insert into scans (id) values (?)'],
  ['scans', 'insert into scan_counts (tenant_id, count) select ?, count(*) from scans'],
  ['passport_values', 'select value from api_keys, passport_values where api_keys.hash = ?'],
  ['tenants', 'select count(*) from tenants'],
])('finds %s of every tenant in %s', async (table, sql) => {
  expect(await faultOf({ from, sql })).toMatch(new RegExp(`reads or writes .*\\b${table}\\b.* of every tenant`));
});

test('finds a statement that reads more than the tenant by its slug', async () => {
  const sql = 'select p.name from tenants t join products p on p.tenant_id = t.id where t.slug = ?';
  expect(await faultOf({ from, sql })).toBe('looks up more than the tenant by its slug');
});

test('a run records what the server sends, and not what a test sends', async () => {
  const service = await startService('PostgreSQL');
  const client = await service.newTenant();
  await client.create('Tasse');
  await client.list();
  await service.database('products').where({ name: 'Tasse' }).select('updated_at');
  const sent = await statementsIn(process.env.STATEMENTS ?? '');
  const of = (file: string): string[] => sent.filter((one) => one.from === file).map(({ sql }) => sql);
  expect(of('products/store.ts').join('\n')).toMatch(/insert into "products"/);
  expect(of('products/list.ts').join('\n')).toMatch(/from "product_counts" as "counts"/);
  expect(of('tenants/keys.ts').join('\n')).toMatch(/"api_keys"."hash" = \?/);
  expect(sent.filter(({ sql }) => sql.startsWith('select "updated_at" from'))).toEqual([]);
});

test('the end of a run fails with the file and the statement', async () => {
  const sql = 'select name from products';
  const file = fileWith(`${JSON.stringify({ from, sql })}\n`, 'one.jsonl');
  const failure = await rejection(() => checkStatements(file.replace(/\/[^/]+$/, '')));
  expect(String(failure)).toContain(`server/src/${from} reads or writes products of every tenant:\n  ${sql}`);
});

test('docs/explanation/scale.md names the three look-ups, and every file with an exception', async () => {
  const page = await readFile(new URL('../../../docs/explanation/scale.md', import.meta.url), 'utf8');
  for (const name of Object.keys(lookups)) expect(page.toLowerCase()).toContain(name.toLowerCase());
  for (const { tables } of Object.values(lookups)) for (const table of tables) expect(page).toContain(`\`${table}\``);
});
