/** The clock and the reset reach every table and column of a tenant, also those of a later migration. */
import { expect, test } from '@jest/globals';
import { setImage } from '../../server/src/images/store.ts';
import { createApp, openDatabase } from '../../server/src/index.ts';
import { connectSandbox } from '../../server/src/testing.ts';
import { ending } from '../support/ending.ts';

const day = 86_400_000;

async function started() {
  const database = await openDatabase(':memory:', { sandbox: true });
  ending.defer(() => database.destroy());
  const app = await createApp({ database, sandbox: { controlToken: 'token' } });
  ending.defer(() => app.stop());
  await app.start();
  const baseUrl = `${app.info.uri}/api/v1`;
  const tenant = await connectSandbox({ baseUrl, controlToken: 'token' }).createTenant();
  const product = { name: 'Tasse', gtin: '9520001000072', status: 'active' as const };
  await tenant.seed([{ ...product, values: [{ field_key: 'volume', value: 2 }] }, product, product]);
  await tenant.addScans('tasse', [{ daysAgo: 1 }, { daysAgo: 4, count: 2 }]);
  await tenant.createToken({ role: 'recycler', revoked: true });
  // `product image set` also writes into the file of a sandbox.
  const { tenant_id, id: productId } = await database('products').first('tenant_id', 'id');
  const image = { bytes: Buffer.from('x'), width: 1, height: 1, alt: null };
  await setImage(database, { tenantId: tenant_id, productId }, image, new Date());

  /** The rows of every table that has tenants' rows, in a fixed order. */
  async function rows(): Promise<Record<string, Record<string, unknown>[]>> {
    const names: string[] = await database('sqlite_master').where({ type: 'table' }).pluck('name');
    const found: Record<string, Record<string, unknown>[]> = {};
    for (const name of names) {
      const columns = await database(name).columnInfo();
      if ('tenant_id' in columns || name === 'tenants') found[name] = await database(name).orderBy(1).orderBy(2);
    }
    return found;
  }
  return { tenant, rows };
}

/** A value after some days: a time or date is that much older, everything else is the same. */
function aged(value: unknown, days: number): unknown {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(?:T.*Z)?$/.test(value)) return value;
  const moved = new Date(Date.parse(value) - days * day).toISOString();
  return moved.slice(0, value.length);
}

test('the clock moves every time in every table, and nothing else', async () => {
  const { tenant, rows } = await started();
  const before = await rows();
  expect(Object.entries(before).filter(([, found]) => found.length === 0)).toEqual([]);
  await tenant.advanceClock({ days: 3 });
  const expected = Object.entries(before).map(([name, found]) => [
    name,
    found.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [column, aged(value, 3)]))),
  ]);
  expect(await rows()).toEqual(Object.fromEntries(expected));
});

test('a reset empties every table but those of the tenant and its keys', async () => {
  const { tenant, rows } = await started();
  await tenant.reset();
  const left = Object.entries(await rows()).filter(([, found]) => found.length > 0);
  expect(left.map(([name]) => name).toSorted()).toEqual(['api_keys', 'tenants']);
});
