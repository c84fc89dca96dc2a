import { describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../server/src/index.ts';
import { lastDays } from '../../server/src/scans/rules.ts';
import { runHere } from '../support/command.ts';
import { ending } from '../support/ending.ts';
import { databaseKinds, newMigratedDatabase, startService } from '../support/service.ts';
import { expectRightCounts } from '../support/tables.ts';

describe.each(databaseKinds)('demo fill on %s', (kind) => {
  test('adds products that are as if clients had created them', async () => {
    const address = await newMigratedDatabase(kind);
    const command = `product-passport demo fill --database ${address} --tenant shop --urn-namespace acme`;
    const first = await runHere(`${command} --products 30 --scan-counts 800 --values 2`);
    expect(first).toMatchObject({ code: 0, stderr: '30 of 30 products\n' });
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
    expect(items.map(({ name }) => name).slice(0, 2)).toEqual(['Wollmütze rot 1', 'Pullover rot 2']);
    expect(items[0]).toMatchObject({
      slug: 'wollmuetze-rot-1',
      unique_product_identifier: 'urn:acme:shop:wollmuetze-rot-1',
    });
    expect((await client.list({ search: 'WOLLMÜTZE' })).total).toBe(4);
    const statuses = ['draft', 'active', 'archived'].map(async (status) => (await client.list({ status })).total);
    expect(await Promise.all(statuses)).toEqual([10, 20, 10]);

    // The judge compares every response with the contract.
    expect((await client.passport('wollmuetze-rot-1')).values).toHaveLength(2);
    expect((await client.passport('becher-gelb-34')).values).toEqual([]);
    expect((await client.call({ path: '/p/shop/pullover-rot-2', key: null })).status).toBe(200);
    expect((await client.create('Wollmütze rot 1')).slug).toBe('wollmuetze-rot-1-2');

    const rows = await service.database('scan_counts').select('date', 'role', 'count');
    expect(rows).toHaveLength(800);
    const { total: scans, per_day, top_products } = await client.scans({ days: 365 });
    expect(scans).toBe(rows.reduce((sum, { count }) => sum + count, 0));
    expect(per_day.map(({ date }) => date)).toEqual(lastDays(new Date(), 365));
    expect(top_products.length).toBeGreaterThan(1);
  });

  test('refuses a tenant that has one of the names, and stores nothing', async () => {
    const address = await newMigratedDatabase(kind);
    const service = await startService(kind, { on: address });
    const client = await service.newTenant();
    await client.create('Becher rot 4');
    const { tenant } = client;
    const refused = await runHere(
      `product-passport demo fill --products 5 --tenant ${tenant.slug} --database ${address}`,
    );
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`the tenant ${tenant.slug} already has a product with one of the names`);
    const database = await openDatabase(address);
    ending.defer(() => database.destroy());
    expect(await expectRightCounts(database)).toBe(1);
  });
});

test.each(['x', '-1', '1.5', '10000001'])('demo fill --products %s is refused', async (products) => {
  const { code, stderr } = await runHere(`product-passport demo fill --products=${products} --database /none/x.sqlite`);
  expect(code).toBe(2);
  expect(stderr).toContain('Use a whole number from 0 to 10000000.');
});
