/** Pages and scans while the database cannot store scans. Sending the page matters more than counting the view. */

import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { connect } from '../../server/src/database/connection.ts';
import { ScanRecorder } from '../../server/src/scans/recorder.ts';
import { type Database, type DatabaseKind, databaseKinds, newMigratedDatabase } from '../support/database.ts';
import { ending, makeReadOnly, newFolder } from '../support/files.ts';
import { type Client, type Reply, type Service, startService } from '../support/service.ts';
import { sharedHeaders } from '../support/wire.ts';

const gtin = '4006381333931';

/** A tenant with an active product that was viewed once, on a service with its own database. */
async function openShop(kind: DatabaseKind): Promise<{ address: string; service: Service; client: Client }> {
  const address = await newMigratedDatabase(kind);
  const service = await startService(kind, { on: address });
  const client = await service.newTenant();
  await client.create({ name: 'Tasse', gtin });
  await service.activate(client, 'tasse');
  await view(client);
  return { address, service, client };
}

async function view(client: Client): Promise<Reply & { milliseconds: number }> {
  const started = performance.now();
  const reply = await client.call({ path: `/p/${client.tenant.slug}/tasse`, key: null });
  expect(reply.status).toBe(200);
  expect(reply.text).toContain('Tasse');
  return { ...reply, milliseconds: performance.now() - started };
}

/** The number of lost scans in the log. The server logs the last ones when it stops. */
function lostInLog({ logLines }: Service): number {
  return logLines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'scans were lost')
    .reduce((sum, { lost }) => sum + lost, 0);
}

async function storedIn(database: Database): Promise<number> {
  const rows = await database('scans').count({ count: '*' }).first();
  const counted = await database('scan_counts').sum({ count: 'count' }).first();
  expect(Number(counted?.count)).toBe(Number(rows?.count));
  return Number(rows?.count);
}

/** Another process blocks the storing of scans until the returned function is called. */
async function block(kind: DatabaseKind, address: string, mode = 'IMMEDIATE'): Promise<() => Promise<void>> {
  const other = connect(address);
  ending.defer(() => other.destroy());
  if (kind === 'SQLite') {
    await other.raw(`BEGIN ${mode}`);
    return async () => void (await other.raw('ROLLBACK'));
  }
  const transaction = await other.transaction();
  await transaction.raw('LOCK TABLE scans IN ACCESS EXCLUSIVE MODE');
  return async () => void (await transaction.rollback());
}

describe.each(databaseKinds)('%s', (kind) => {
  const modes = kind === 'SQLite' ? ['IMMEDIATE', 'EXCLUSIVE'] : ['a lock on the table'];
  test.each(modes)('another process blocks writes (%s) for too long: pages are sent after a second', async (mode) => {
    const { address, service, client } = await openShop(kind);
    const release = await block(kind, address, mode);
    const started = performance.now();
    let views = 1;
    while (performance.now() - started < 4500) {
      const replies = await Promise.all([view(client), view(client)]);
      for (const { milliseconds } of replies) expect(milliseconds).toBeGreaterThan(900);
      views += 2;
    }
    await release();
    await view(client);
    await service.stop();
    const stored = await storedIn(service.database);
    // The view before the lock, at least.
    expect(stored).toBeGreaterThanOrEqual(1);
    expect(stored + lostInLog(service)).toBe(views + 1);
    expect(lostInLog(service)).toBeGreaterThan(0);
  });

  test('the commit decides whether a group of scans counts, even after its pages were sent', async () => {
    const { service, client } = await openShop(kind);
    const product = await client.product('tasse');
    const scan = { tenantId: client.tenant.id, productId: product.id, role: 'consumer', address: '192.0.2.1' } as const;
    for (const commits of [true, false]) {
      const warn = jest.fn();
      const before = await storedIn(service.database);
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      const recorder = new ScanRecorder(slowed(service.database, held, commits), { warn });
      const started = performance.now();
      await Promise.all([1, 2, 3].map(() => recorder.record({ ...scan, at: new Date() })));
      expect(performance.now() - started).toBeGreaterThan(900);
      expect(recorder.lost).toBe(0);
      release();
      await recorder.idle();
      expect(recorder.lost).toBe(commits ? 0 : 3);
      expect(await storedIn(service.database)).toBe(commits ? before + 3 : before);
      expect(warn).toHaveBeenCalledTimes(commits ? 0 : 1);
    }
  });

  test('stopping the server does not wait for scans that cannot be stored, and logs them', async () => {
    const { address, service, client } = await openShop(kind);
    const release = await block(kind, address);
    await Promise.all([view(client), view(client), view(client)]);
    await service.stop();
    await release();
    await service.database.destroy();
    const database = connect(address);
    ending.defer(() => database.destroy());
    expect((await storedIn(database)) + lostInLog(service)).toBe(4);
  });
});

/** A database whose transactions wait a moment before they end. */
function slowed(database: Database, held: Promise<void>, commits: boolean): Database {
  const transaction = (work: (transaction: Database) => Promise<unknown>) =>
    database.transaction(async (within) => {
      await work(within);
      await held;
      if (!commits) throw new Error('The commit failed.');
    });
  return new Proxy(database, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  });
}

describe('a read-only database', () => {
  /** Every GET of the contract that needs no special state. */
  const paths = (tenant: string): string[] => [
    '/api/v1/me',
    '/api/v1/products',
    '/api/v1/products?search=TASSE&status=active',
    '/api/v1/products/tasse',
    '/api/v1/products/none',
    '/api/v1/products/tasse/passport',
    '/api/v1/products/tasse/carriers',
    '/api/v1/analytics/scans',
    `/p/${tenant}/tasse`,
    `/p/${tenant}/tasse?zugang=x`,
    `/p/${tenant}/none`,
    `/p/${tenant}/tasse/jsonld`,
    `/01/${gtin}`,
    `/01/${gtin}?linkType=linkset`,
    '/.well-known/gs1resolver',
  ];

  async function responses(client: Client, service: Service): Promise<unknown[]> {
    const all: unknown[] = [];
    for (const path of paths(client.tenant.slug)) {
      const { status, headers, text } = await service.clientOf(client).call({ path });
      all.push({ path, status, headers: sharedHeaders(headers), text });
    }
    return all;
  }

  /** The paths above that are page views. */
  const viewsOfAll = 2;

  /** Copies a SQLite file, also while a server has it open, into a folder where nothing can be written. */
  async function inReadOnlyFolder(address: string): Promise<string> {
    const folder = newFolder();
    const copy = join(folder, "Anna's shop #1.sqlite");
    for (const end of ['', '-wal', '-shm']) {
      if (existsSync(address + end)) await copyFile(address + end, copy + end);
    }
    await makeReadOnly(folder);
    return copy;
  }

  /** Each makes the database read-only, and returns the service that has it. */
  test.each<[string, DatabaseKind, string, (service: Service, address: string) => Promise<Service>]>([
    [
      'its disk full',
      'SQLite',
      'SQLITE_FULL',
      async (service) => {
        await fillSqlite(service.database);
        return service;
      },
    ],
    [
      'a read-only folder after a stop',
      'SQLite',
      'SQLITE_READONLY',
      async (service, address) => {
        const siteUrl = `http://127.0.0.1:${service.port}`;
        await service.stop();
        await service.database.destroy();
        return startService('SQLite', { on: await inReadOnlyFolder(address), siteUrl });
      },
    ],
    [
      'default_transaction_read_only',
      'PostgreSQL',
      '25006',
      async (service, address) => {
        await service.database.raw(
          "DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END$$",
        );
        // The setting applies to new connections only.
        return startService('PostgreSQL', { on: address, siteUrl: `http://127.0.0.1:${service.port}` });
      },
    ],
  ])(
    'SCAN-4 %s on %s: every GET gives the same response, views are lost, writes get 503',
    async (_name, kind, code, refuse) => {
      const { address, service, client } = await openShop(kind);
      await client.write('tasse', [{ field_key: 'x', value: 'y', access_level: 'restricted' }]);
      const before = await responses(client, service);
      const seen = await client.scans();
      const refusing = await refuse(service, address);
      const started = performance.now();
      const now = await responses(client, refusing);
      expect(now.filter((response) => !JSON.stringify(response).includes('analytics'))).toEqual(
        before.filter((response) => !JSON.stringify(response).includes('analytics')),
      );
      expect(await refusing.clientOf(client).scans()).toEqual(seen);
      expect(performance.now() - started).toBeLessThan(5000);
      const body = [{ field_key: 'z', value: 'y'.repeat(10_000) }];
      const write = { method: 'PUT', path: '/api/v1/products/tasse/passport', body };
      const { outcome, headers } = await refusing.clientOf(client).call(write);
      expect(outcome).toBe('503 service_unavailable');
      expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
      await refusing.stop();
      const lost = refusing.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'scans were lost');
      expect(lostInLog(refusing)).toBe(viewsOfAll);
      expect(lost[0]).toMatchObject({ level: 40, err: { code } });
    },
  );

  /** SQLite fails the same way when its disk is full. */
  async function fillSqlite(database: Database): Promise<void> {
    const [{ page_count }] = await database.raw('PRAGMA page_count');
    await database.raw(`PRAGMA max_page_count = ${page_count}`);
    // Fills the free space in existing pages.
    const waste = (size: number) =>
      database('scans').insert({
        tenant_id: 'x',
        product_id: 'x',
        id: `${Math.random()}`,
        scanned_at: '1',
        role: 'consumer',
        visitor_hash: 'x'.repeat(size),
      });
    await database.raw('PRAGMA foreign_keys = OFF');
    for (const size of [3000, 1000, 300, 100, 30, 10, 1])
      while (
        await waste(size).then(
          () => true,
          () => false,
        )
      );
    await database.raw('PRAGMA foreign_keys = ON');
  }
});
