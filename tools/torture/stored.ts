/** Compares what a database has with what the server acknowledged. */
import assert from 'node:assert/strict';
import { isPostgresAddress } from '../../server/src/database/address.ts';
import { connect } from '../../server/src/database/connection.ts';
import { walkTenants } from '../../server/src/tenants/store.ts';
import { longSnapshot } from '../../server/src/transfer/export.ts';
import { checkHashes } from '../../server/src/transfer/hashes.ts';
import type { Server } from './server.ts';
import { productSlugs, type Workload } from './workload.ts';

type Database = ReturnType<typeof connect>;

/**
 * Requires that every acknowledged write is there and complete, that versions have no gaps, and that hashes and counts are right.
 *
 * @param isExact nothing else is stored either, because the server ended by itself
 */
export async function checkStored(workload: Workload, server: Server, { isExact = false } = {}): Promise<string> {
  await checkFields(workload, server, isExact);
  const database = connect(workload.shop.address);
  try {
    if (!isPostgresAddress(workload.shop.address)) {
      assert.deepEqual(await database.raw('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
      assert.deepEqual(await database.raw('PRAGMA foreign_key_check'), []);
    }
    const { problems } = await longSnapshot(database, (snapshot) =>
      checkHashes(snapshot, walkTenants(snapshot), () => undefined),
    );
    assert.deepEqual(problems, [], JSON.stringify(problems[0]));
    await checkCounts(database);
    return `${await checkProducts(database, workload, isExact)} products`;
  } finally {
    await database.destroy();
  }
}

async function checkFields({ fields }: Workload, server: Server, isExact: boolean): Promise<void> {
  for (const field of fields) {
    const { tenant, slug, key, acknowledged, unknown } = field;
    const { status, text } = await server.ask({ path: `/api/v1/products/${slug}/passport`, key: tenant.key });
    assert.equal(status, 200, `the passport of ${slug} gets ${status}`);
    const values: { field_key: string; value: unknown }[] = JSON.parse(text).values;
    const valueIn = (name: string) => values.find(({ field_key }) => field_key === name)?.value;
    const stored = Number(valueIn(key) ?? 0);
    const where = `${key} of ${slug}`;
    const isPossible = stored === acknowledged || (!isExact && unknown.includes(stored));
    assert.ok(isPossible, `${where} is ${stored}, but ${acknowledged} was acknowledged, and ${unknown} sent`);
    const too = stored === 0 ? undefined : `${stored} ${tenant.mark}`;
    assert.equal(valueIn(`${key}_too`), too, `${where} is stored in part`);
    field.acknowledged = stored;
    field.unknown = [];
  }
}

async function checkProducts(database: Database, { created, shop }: Workload, isExact: boolean): Promise<number> {
  const rows: { tenant_id: string; name: string }[] = await database('products').select('tenant_id', 'name');
  const stored = Map.groupBy(rows, ({ name }) => name);
  for (const [name, product] of created) {
    const owners = (stored.get(name) ?? []).map(({ tenant_id }) => tenant_id);
    const isPossible =
      owners.length === 1 ? owners[0] === product.tenant.id : owners.length === 0 && !product.isAcknowledged;
    assert.ok(isPossible, `${name} is stored ${owners.length} times, acknowledged: ${product.isAcknowledged}`);
    assert.ok(!isExact || owners.length === Number(product.isAcknowledged), `${name} is stored without a response`);
    product.isAcknowledged = owners.length === 1;
  }
  const others = (shop.tenants.length + 1) * productSlugs.length;
  assert.ok(rows.length <= created.size + others, `${rows.length} products are stored, ${created.size} were sent`);
  return rows.length;
}

/** The stored counts of each status are those of the rows, and positions have no gaps. */
async function checkCounts(database: Database): Promise<void> {
  const count = (status: string) => `SUM(CASE WHEN status = '${status}' THEN 1 ELSE 0 END) AS ${status}`;
  const sums = [
    ...['draft', 'active', 'archived'].map(count),
    "SUM(CASE WHEN status = 'active' AND serial_number IS NOT NULL THEN 1 ELSE 0 END) AS active_items",
    'COUNT(DISTINCT position) AS places',
    'MAX(position) AS last',
  ];
  const rows = await database('products')
    .groupBy('tenant_id')
    .select('tenant_id', database.raw(sums.join(', ')));
  for (const { tenant_id, places, last, ...found } of rows) {
    assert.equal(Number(places), Number(last), 'positions have gaps or repeat');
    const stored = await database('product_counts')
      .where({ tenant_id })
      .first('draft', 'active', 'archived', 'active_items');
    const counted = Object.fromEntries(Object.entries(found).map(([status, number]) => [status, Number(number)]));
    assert.deepEqual({ ...stored }, counted, 'the counts are not those of the products');
  }
}

/**
 * The stored scans, their counts, and the sums of these by day agree. Each served view is stored, or reported as lost.
 *
 * @param lost how many scans the servers reported as lost until they ended
 */
export async function checkScans({ shop, views }: Workload, lost: number): Promise<string> {
  const database = connect(shop.address);
  try {
    const sums = { stored: 0, missing: 0 };
    for (const [tenant_id, { served, sent }] of views) {
      const all = await database('scans').where({ tenant_id }).count({ number: '*' }).first();
      const stored = Number(all?.number);
      for (const table of ['scan_counts', 'scan_days']) {
        const sum = await database(table).where({ tenant_id }).sum({ number: 'count' }).first();
        assert.equal(Number(sum?.number ?? 0), stored, `${table} has another sum than scans`);
      }
      assert.ok(stored <= sent, `there are ${stored} scans, but only ${sent} views were sent`);
      sums.stored += stored;
      sums.missing += Math.max(0, served - stored);
    }
    assert.ok(sums.missing <= lost, `${sums.missing} scans of served pages are missing, ${lost} were reported as lost`);
    return `${sums.stored} scans, ${sums.missing} missing, ${lost} reported as lost`;
  } finally {
    await database.destroy();
  }
}
