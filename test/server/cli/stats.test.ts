/** What `stats` counts, and that it does not read whole tables. */

import { describe, expect, test } from '@jest/globals';
import { lastDays } from '@product-passport/openapi';
import { connect } from '../../../server/src/database/connection.ts';
import { runHere, serveHere } from '../../support/command.ts';
import { databaseKinds, expectRightCounts, newDatabase, newMigratedDatabase } from '../../support/database.ts';
import { startService } from '../../support/service.ts';

const stats = async (address: string, line = '') => {
  const { code, stdout, stderr } = await runHere(`product-passport stats --json ${line}`, {
    PRODUCT_PASSPORT_DATABASE: address,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

describe.each(databaseKinds)('stats on %s', (kind) => {
  test('of the demo agrees with its rows, and prints no secret', async () => {
    const address = await newDatabase(kind);
    const server = await serveHere(`product-passport serve --demo --json --port 0 --database ${address}`, /\}\n/);
    const { base_url, tenants } = JSON.parse(server.said());
    const [{ api_key }] = tenants;
    await fetch(`${base_url}/me`, { headers: { authorization: `Bearer ${api_key}` } });
    await server.stop();
    const shown = await stats(address);
    const database = connect(address);
    const count = async (table: string, where = {}) =>
      Number((await database(table).where(where).count({ n: '*' }).first())?.n);
    const created = await database('products').min({ first: 'created_at' }).max({ last: 'created_at' }).first();
    const expected = {
      tenants: await count('tenants'),
      products: {
        draft: await count('products', { status: 'draft' }),
        active: await count('products', { status: 'active' }),
        archived: await count('products', { status: 'archived' }),
        created,
      },
      passports: await count('products'),
      values: { count: await count('passport_values'), is_estimate: false },
      versions: { count: await count('passport_versions'), is_estimate: false },
      scans: { stored: { count: await count('scans') } },
      keys: {
        ...{ revoked: 1, valid: 3, never_used: 2 },
        items: [{ tenant: tenants[0].slug }, { last_used_at: null }, { last_used_at: null }],
      },
    };
    await database.destroy();
    expect(shown).toMatchObject(expected);
    expect(shown.scans.total).toBeGreaterThanOrEqual(expected.scans.stored.count);
    expect(shown.database_bytes).toBeGreaterThan(100_000);
    expect(shown.keys.items[0].last_used_at).toMatch(/Z$/);
    const text = await runHere('product-passport stats', { PRODUCT_PASSPORT_DATABASE: address });
    expect(text.stdout).toContain(`${expected.products.active} active, ${expected.products.archived} archived\n`);
    const { first, last } = shown.scans.days;
    expect(text.stdout).toContain(`Scan days  ${first} to ${last}\n`);
    expect(text.stdout).not.toMatch(/ppk_/);
    if (kind === 'PostgreSQL') expect(text.stdout + JSON.stringify(shown)).not.toContain(new URL(address).password);
  });

  test('of a large table estimates, and --exact counts', async () => {
    const address = await newMigratedDatabase(kind);
    await runHere(`product-passport demo fill --products 10 --database ${address}`);
    // 200,000 rows may take longer than a request.
    const database = connect(address, { unlimited: true });
    const series =
      kind === 'SQLite'
        ? 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200500)'
        : 'WITH n(i) AS (SELECT generate_series(1, 200500))';
    await database.raw(`INSERT INTO passport_versions (tenant_id, product_id, version, template_version, salt, content_hash, public_hash, created_at)
      ${series} SELECT tenant_id, id, i + 1, 1, 's', 'x', 'p', 'y' FROM products JOIN n ON position = 1`);
    if (kind === 'PostgreSQL') await database.raw('ANALYZE passport_versions');
    await database.destroy();
    const { versions } = await stats(address);
    expect(versions.is_estimate).toBe(true);
    expect(Math.abs(versions.count - 200_510)).toBeLessThan(2_000);
    expect((await stats(address, '--exact')).versions).toEqual({ count: 200_510, is_estimate: false });
  });
});

describe.each(databaseKinds)('demo fill on %s', (kind) => {
  test('adds products that are as if clients had created them', async () => {
    const address = await newMigratedDatabase(kind);
    const command = `product-passport demo fill --database ${address} --tenant shop --urn-namespace acme`;
    const first = await runHere(`${command} --products 30 --scan-counts 800 --values 2`);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Added 30 products to the tenant shop in [\d.]+ seconds\.\n$/);
    const second = await runHere(`${command} --products 10 --json`);
    expect(JSON.parse(second.stdout)).toMatchObject({ tenant: 'shop', products: 10 });

    const service = await startService(kind, { on: address });
    const { key } = JSON.parse(
      (await runHere(`product-passport key create --tenant shop --json --database ${address}`)).stdout,
    );
    const [tenant] = await service.database('tenants').where({ slug: 'shop' });
    const client = service.clientOf({ ...(await service.newTenant()), tenant, key } as never);
    const { items, total } = await client.list({ limit: 200 });
    expect([total, items.length]).toEqual([40, 40]);
    expect(await expectRightCounts(service.database)).toBe(40);
    expect(items.map(({ name }) => name).slice(0, 2)).toEqual(['Wool Hat Red 1', 'Jumper Red 2']);
    expect(items[0]).toMatchObject({
      slug: 'wool-hat-red-1',
      unique_product_identifier: 'urn:acme:shop:wool-hat-red-1',
    });
    expect((await client.list({ search: 'WOOL HAT' })).total).toBe(4);
    const statuses = ['draft', 'active', 'archived'].map(async (status) => (await client.list({ status })).total);
    expect(await Promise.all(statuses)).toEqual([10, 20, 10]);

    // The judge compares every response with the contract.
    expect((await client.passport('wool-hat-red-1')).values).toHaveLength(2);
    expect((await client.passport('mug-yellow-34')).values).toEqual([]);
    expect((await client.call({ path: '/p/shop/jumper-red-2', key: null })).status).toBe(200);
    expect((await client.create('Wool Hat Red 1')).slug).toBe('wool-hat-red-1-2');

    const rows = await service.database('scan_counts').select('date', 'role', 'count');
    expect(rows).toHaveLength(800);
    const { total: scans, per_day, top_products } = await client.scans({ days: 365 });
    expect(scans).toBe(rows.reduce((sum, { count }) => sum + count, 0));
    expect(per_day.map(({ date }) => date)).toEqual(lastDays(new Date(), 365));
    expect(top_products.length).toBeGreaterThan(1);
  });
});
