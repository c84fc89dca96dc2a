import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../../server/src/index.ts';
import { type ApiKey, KeyUses, revokeKey, walkKeys } from '../../../server/src/tenants/keys.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { ending } from '../../support/files.ts';
import { type Client, startService, useService } from '../../support/service.ts';
import { newKey, newTenant } from '../../support/tenant.ts';
import { until } from '../../support/time.ts';

const me = '/api/v1/me';

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
    await client.create({ name: 'Tasse', gtin: '9520001000010' });
    await service.activate(client, 'tasse');
  });

  test('AUTH-3 revoking a key twice, or a key of another tenant, changes nothing', async () => {
    const other = await service.newTenant();
    expect(await revokeKey(service.database, other.tenant.id, client.keyId, new Date())).toBeUndefined();
    expect((await client.call({ path: me })).outcome).toBe('200');
    const { id } = await service.newKey(other.tenant);
    const first = await revokeKey(service.database, other.tenant.id, id, new Date('2026-01-01'));
    expect(await revokeKey(service.database, other.tenant.id, id, new Date('2026-02-01'))).toEqual(first);
  });

  test('AUTH-6 the database does not store the key', async () => {
    const rows = JSON.stringify(await service.database('api_keys'));
    expect(rows).not.toContain(client.key);
    expect(rows).not.toContain(client.key.slice(4));
  });
});

async function keysOf(database: Database, tenantId: string): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for await (const page of walkKeys(database, tenantId)) keys.push(...page);
  return keys;
}

async function opened(kind: (typeof databaseKinds)[number]) {
  const database = await openDatabase(await newMigratedDatabase(kind));
  ending.defer(() => database.destroy());
  const tenant = await newTenant(database);
  const ids: string[] = [];
  for (const label of ['a', 'b', 'c']) ids.push((await newKey(database, tenant, label)).id);
  const stored = async () => (await keysOf(database, tenant.id)).map(({ last_used_at }) => last_used_at);
  return { database, tenantId: tenant.id, ids, stored };
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
  test('is stored at once if it is the first one; a later one is not', async () => {
    const { database, tenantId, ids, stored } = await opened(kind);
    let now = new Date('2026-01-10T00:00:00Z');
    const log = { warn: (about: unknown) => Promise.reject(about) };
    const uses = new KeyUses({ database, now: () => now, log });
    for (let count = 0; count < 100; count += 1) uses.record(tenantId, ids[0] ?? '', true);
    await until(stored, ['2026-01-10T00:00:00.000Z', null, null]);
    now = new Date('2026-01-11T00:00:00Z');
    uses.record(tenantId, ids[0] ?? '');
    await setTimeout(100);
    expect((await stored())[0]).toBe('2026-01-10T00:00:00.000Z');
    await uses.stop();
    expect((await stored())[0]).toBe('2026-01-11T00:00:00.000Z');
  });

  test('is stored while the server runs, for valid keys only; a later one when it stops', async () => {
    const service = await startService(kind);
    const client = await service.newTenant();
    const before = new Date().toISOString();
    expect(await client.call({ path: '/api/v1/me' })).toMatchObject({ status: 200 });
    const unused = await service.newKey(client.tenant);
    const usedAt = async () => (await keysOf(service.database, client.tenant.id))[0]?.last_used_at ?? '';
    await until(async () => (await usedAt()) >= before, true);
    const [, other] = await keysOf(service.database, client.tenant.id);
    expect(other).toMatchObject({ id: unused.id, last_used_at: null });
    const [first, later] = [await usedAt(), new Date().toISOString()];
    expect(await client.call({ path: '/api/v1/me' })).toMatchObject({ status: 200 });
    expect(await usedAt()).toBe(first);
    await service.stop();
    expect((await usedAt()) >= later).toBe(true);
  });

  test('is stored in one transaction for all keys, and never replaces a later use', async () => {
    const { database, tenantId, ids, stored } = await opened(kind);
    const transactions = countTransactions(database);
    const [first = '', second = ''] = ids;
    const [tenth, eleventh] = ['2026-01-10T00:00:00.000Z', '2026-01-11T00:00:00.000Z'];
    let now = new Date(tenth);
    const log = { warn: (about: unknown) => Promise.reject(about) };
    const uses = new KeyUses({ database, now: () => now, log, interval: 50 });
    uses.start();
    for (let count = 0; count < 1000; count += 1) for (const id of [first, second]) uses.record(tenantId, id);
    await until(stored, [tenth, tenth, null]);
    await setTimeout(200);
    expect(transactions()).toBe(1);
    now = new Date(eleventh);
    uses.record(tenantId, second);
    await until(stored, [tenth, eleventh, null]);
    // Another server has stored a later use.
    now = new Date(tenth);
    uses.record(tenantId, second);
    await uses.stop();
    expect(await stored()).toEqual([tenth, eleventh, null]);
  });

  test('is stored later if the database fails, and each failure is logged', async () => {
    const { database, tenantId, ids, stored } = await opened(kind);
    const failures: unknown[] = [];
    const log = { warn: (about: unknown): void => void failures.push(about) };
    const uses = new KeyUses({ database, now: () => new Date('2026-01-10T00:00:00Z'), log, interval: 20 });
    uses.start();
    await database.schema.renameTable('api_keys', 'gone');
    uses.record(tenantId, ids[0] ?? '');
    await until(async () => failures.length > 1, true);
    await database.schema.renameTable('gone', 'api_keys');
    await until(stored, ['2026-01-10T00:00:00.000Z', null, null]);
    await uses.stop();
  });
});
