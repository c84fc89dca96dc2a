/** Fifty workers share one sandbox at the same time, and none sees anything of another. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setImage } from '../../../server/src/images/store.ts';
import { createApp, openDatabase } from '../../../server/src/index.ts';
import { connectSandbox, type Sandbox, startSandbox } from '../../../server/src/testing.ts';
import { ending } from '../../support/files.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const day = 86_400_000;

test('a reset of one worker in the middle of the work of others removes nothing of theirs', async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => sandbox.createTenant()));
  await Promise.all(
    others.map(({ seed, fault }) => Promise.all([seed([{ name: 'Tasse' }]), fault({ status: 503 }), first?.reset()])),
  );
  for (const { apiKey } of others) {
    const me = () => fetch(`${sandbox.baseUrl}/me`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect((await me()).status).toBe(503);
    expect((await (await me()).json()).products_total).toBe(1);
  }
});

async function started() {
  const database = await openDatabase(':memory:', { sandbox: true });
  ending.defer(() => database.destroy());
  const app = await createApp({ database, sandbox: { controlToken: 'token' } });
  ending.defer(() => app.stop());
  await app.start();
  const baseUrl = `${app.info.uri}/api/v1`;
  const { createTenant } = connectSandbox({ baseUrl, controlToken: 'token' });
  const [tenant, other] = [await createTenant(), await createTenant()];
  await other.seed([{ name: 'Kanne', status: 'active', values: [{ field_key: 'volume', value: 2 }] }]);
  const product = { name: 'Tasse', gtin: '9520001000072', status: 'active' as const };
  await tenant.seed([{ ...product, values: [{ field_key: 'volume', value: 2 }] }, product, product]);
  await tenant.addScans('tasse', [{ daysAgo: 1 }, { daysAgo: 4, count: 2 }]);
  await tenant.createToken({ role: 'recycler', revoked: true });
  // `product image set` also writes into the file of a sandbox.
  const { tenant_id, id: productId } = await database('products').where({ slug: 'tasse' }).first('tenant_id', 'id');
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
  const isOwn = (row: Record<string, unknown>): boolean => (row.tenant_id ?? row.id) === tenant_id;
  return { tenant, rows, isOwn };
}

/** A value after some days: a time or date is that much older, everything else is the same. */
function aged(value: unknown, days: number): unknown {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(?:T.*Z)?$/.test(value)) return value;
  const moved = new Date(Date.parse(value) - days * day).toISOString();
  return moved.slice(0, value.length);
}

test('the clock moves every time of the tenant in every table, and nothing else', async () => {
  const { tenant, rows, isOwn } = await started();
  const before = await rows();
  expect(Object.entries(before).filter(([, found]) => !found.some(isOwn))).toEqual([]);
  await tenant.advanceClock({ days: 3 });
  const moved = (row: Record<string, unknown>) => {
    const columns = Object.entries(row).map(([column, value]) => [column, aged(value, isOwn(row) ? 3 : 0)]);
    return Object.fromEntries(columns);
  };
  const expected = Object.entries(before).map(([name, found]) => [name, found.map(moved)]);
  expect(await rows()).toEqual(Object.fromEntries(expected));
});

test('a reset empties every table of the tenant but its own and that of its keys', async () => {
  const { tenant, rows, isOwn } = await started();
  await tenant.reset();
  const left = Object.entries(await rows()).filter(([, found]) => found.some(isOwn));
  expect(left.map(([name]) => name).toSorted()).toEqual(['api_keys', 'tenants']);
});
