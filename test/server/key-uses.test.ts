/** When each API key was last used. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../server/src/index.ts';
import { type ApiKey, createKey, KeyUses, walkKeys } from '../../server/src/tenants/keys.ts';
import { insertTenant } from '../../server/src/tenants/store.ts';
import { ending } from '../support/ending.ts';
import { type Database, databaseKinds, newMigratedDatabase, startService } from '../support/service.ts';

async function keysOf(database: Database, tenantId: string): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for await (const page of walkKeys(database, tenantId)) keys.push(...page);
  return keys;
}

async function opened(kind: (typeof databaseKinds)[number]) {
  const database = await openDatabase(await newMigratedDatabase(kind));
  ending.defer(() => database.destroy());
  const tenant = await insertTenant(database, { slug: 'a', name: 'A', country: 'DE', plan: 'starter' }, new Date());
  if (!tenant) throw new Error('The tenant is there already.');
  const ids: string[] = [];
  for (const label of ['a', 'b', 'c']) ids.push((await createKey(database, tenant.id, label, new Date())).id);
  const stored = async () => (await keysOf(database, tenant.id)).map(({ last_used_at }) => last_used_at);
  return { database, tenantId: tenant.id, ids, stored };
}

/** Repeats an expectation until it holds, for at most five seconds. */
async function until(holds: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await holds().then(
        () => true,
        () => false,
      )
    )
      return;
    await setTimeout(50);
  }
  await holds();
}

/** Counts the transactions that begin. */
function countTransactions(database: Database): () => number {
  let count = 0;
  database.on('query', ({ sql }: { sql: string }) => {
    if (/^BEGIN/.test(sql)) count += 1;
  });
  return () => count;
}

describe.each(databaseKinds)('the last use of a key on %s', (kind) => {
  test('is stored when the server stops, for valid keys only', async () => {
    const service = await startService(kind);
    const client = await service.newTenant();
    const before = new Date().toISOString();
    expect(await client.call({ path: '/api/v1/me' })).toMatchObject({ status: 200 });
    const unused = await service.newKey(client.tenant);
    expect(await keysOf(service.database, client.tenant.id)).toMatchObject([
      { last_used_at: null },
      { last_used_at: null },
    ]);
    await service.stop();
    const [used, other] = await keysOf(service.database, client.tenant.id);
    expect(used?.last_used_at ?? '').toMatch(/Z$/);
    expect((used?.last_used_at ?? '') >= before).toBe(true);
    expect(other).toMatchObject({ id: unused.id, last_used_at: null });
  });

  test('is stored in one transaction for all keys, and once in an interval for each', async () => {
    const { database, tenantId, ids, stored } = await opened(kind);
    const transactions = countTransactions(database);
    const failed = (error: unknown): void => {
      throw error;
    };
    const at = (time: string, interval: number) => {
      const times = { interval, wait: 20 };
      const uses = new KeyUses({ database, now: () => new Date(time), failed, times });
      uses.start();
      return uses;
    };
    const [first = '', second = ''] = ids;
    const [tenth, eleventh] = ['2026-01-10T00:00:00.000Z', '2026-01-11T00:00:00.000Z'];
    const uses = at(tenth, 100_000);
    for (let count = 0; count < 1000; count += 1) for (const id of [first, second]) uses.record(tenantId, id);
    await until(async () => expect(await stored()).toEqual([tenth, tenth, null]));
    for (let count = 0; count < 1000; count += 1) uses.record(tenantId, first);
    await setTimeout(100);
    await uses.stop();
    expect(transactions()).toBe(1);

    const later = at(eleventh, 1);
    later.record(tenantId, second);
    await until(async () => expect(await stored()).toEqual([tenth, eleventh, null]));
    later.record(tenantId, first);
    await until(async () => expect(await stored()).toEqual([eleventh, eleventh, null]));
    await later.stop();
    // Another server has stored a later use.
    const late = at(tenth, 1);
    late.record(tenantId, first);
    await late.stop();
    expect(await stored()).toEqual([eleventh, eleventh, null]);
  });

  test('is stored later if the database fails, and one failure is reported', async () => {
    const { database, tenantId, ids, stored } = await opened(kind);
    const failures: unknown[] = [];
    const uses = new KeyUses({
      database,
      now: () => new Date('2026-01-10T00:00:00Z'),
      failed: (error) => failures.push(error),
      times: { interval: 10_000, wait: 10 },
    });
    uses.start();
    await database.schema.renameTable('api_keys', 'gone');
    uses.record(tenantId, ids[0] ?? '');
    await until(async () => expect(failures).toHaveLength(1));
    await setTimeout(100);
    await database.schema.renameTable('gone', 'api_keys');
    await until(async () => expect(await stored()).toEqual(['2026-01-10T00:00:00.000Z', null, null]));
    await uses.stop();
    expect(failures).toHaveLength(1);
  });
});
