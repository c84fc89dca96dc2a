/** Which views count, how they are written, and what is stored of a visitor. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { secret } from '../../../server/src/database/installation.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { Metrics } from '../../../server/src/metrics/metrics.ts';
import { ScanRecorder, visitorHash } from '../../../server/src/scans/recorder.ts';
import { insertScans } from '../../../server/src/scans/store.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { type Call, startService, useService } from '../../support/service.ts';
import { newToken } from '../../support/tenant.ts';
import { day, Shop } from './shop.ts';

const noon = new Date('2026-11-20T12:00:00.000Z');
const at = noon;

/** The number of transactions that store scans during an action. */
async function writesDuring(database: Database, act: () => Promise<unknown>): Promise<number> {
  let writes = 0;
  const listen = ({ sql }: { sql: string }): void => {
    if (/^INSERT INTO .scan_counts. /.test(sql)) writes += 1;
  };
  database.on('query', listen);
  await act();
  database.removeListener('query', listen);
  return writes;
}

/** A scan is lost if a busy machine takes more than a second to begin its write. */
async function lostScans(metrics: Metrics): Promise<number> {
  return Number(/^product_passport_scans_lost_total (\d+)/m.exec(await metrics.text())?.[1] ?? 0);
}

/** All rows of all tables as text. */
async function everything(database: Database): Promise<string> {
  const names: { name: string }[] =
    database.client.driverName === 'pg'
      ? await database('pg_tables').where({ schemaname: 'public' }).select({ name: 'tablename' })
      : await database('sqlite_master').where({ type: 'table' }).whereNot('name', 'product_names').select('name');
  expect(names.length).toBeGreaterThan(9);
  return JSON.stringify(await Promise.all(names.map(({ name }) => database(name).select())));
}

describe.each(databaseKinds)('%s', (kind) => {
  const now = noon;
  const metrics = new Metrics();
  const service = useService(kind, { now: () => now, metrics });
  const newShop = (): Promise<Shop> => Shop.open(service);

  describe('SCAN-1', () => {
    let shop: Shop;
    beforeAll(async () => {
      shop = await newShop();
      await shop.client.create('Entwurf');
      await shop.client.publish('Alt');
      await service.archive(shop.client, 'alt');
    });

    test('a view counts as one of a consumer without a valid token', async () => {
      const own = await newShop();
      const expiresAt = new Date(now.getTime() - day);
      const { token } = await newToken(service.database, own.client.tenant, 'inspector', { expiresAt, now });
      for (const query of ['view=inspector', `zugang=${token}`, 'zugang=x']) await own.view({ query });
      const { by_view_role } = await own.client.scans({ days: 1 });
      expect(by_view_role).toEqual({ consumer: 3, inspector: 0, recycler: 0 });
    });

    const page = '/p/{tenant}/tasse';
    const headers = (name: string, value: string): [number, Omit<Call, 'path'>] => [0, { headers: { [name]: value } }];

    test.each<[number, Partial<Call>]>([
      [1, { path: `${page}/` }],
      [1, { headers: { purpose: 'preview', 'sec-purpose': 'navigate' } }],
      headers('Sec-Purpose', 'prefetch;prerender'),
      headers('sec-purpose', 'prefetch ; anonymous-client-ip'),
      headers('purpose', 'Prefetch'),
      headers('x-moz', 'prefetch'),
      ...[{ method: 'OPTIONS' }, { method: 'POST' }].map((call): [number, Partial<Call>] => [0, call]),
      ...['/p/{tenant}/teller', '/p/{tenant}/entwurf', '/p/{tenant}/alt', '/p/niemand/tasse', '/01/123'].map(
        (path): [number, Partial<Call>] => [0, { path }],
      ),
    ])('counts as %i scans: %j', async (counted, { path = page, ...call }) => {
      const [total, rows] = [await shop.total(), await shop.rows(service.database)];
      await shop.view({ ...call, path: path.replace('{tenant}', shop.client.tenant.slug) });
      expect(await shop.total()).toBe(total + counted);
      expect(await shop.rows(service.database)).toHaveLength(rows.length + counted);
    });
  });

  describe('writes', () => {
    test('a group of scans has a maximum size, and each scan keeps its day and role', async () => {
      const shop = await newShop();
      const recorder = new ScanRecorder(service.database, { warn() {} });
      // One more than the maximum. The second write must begin within a second.
      const scans = Array.from({ length: 501 }, (_, index) => ({
        ...{ ...shop.scan, address: '192.0.2.1', role: index < 100 ? ('inspector' as const) : ('consumer' as const) },
        at: index % 2 === 0 ? now : new Date(now.getTime() - day),
      }));
      const record = () => Promise.all(scans.map((scan) => recorder.record(scan)));
      expect(await writesDuring(service.database, record)).toBe(2);
      expect(await shop.client.scans({ days: 2 })).toMatchObject({
        total: 501,
        per_day: [{ count: 250 }, { count: 251 }],
        by_view_role: { consumer: 401, inspector: 100, recycler: 0 },
      });
    });

    test('every group adds to the counts and to the sums of days in the same order, so that servers do not deadlock', async () => {
      const shops = [await newShop(), await newShop(), await newShop()];
      const roles = ['recycler', 'inspector', 'consumer'] as const;
      const days = [noon, new Date(noon.getTime() - day)];
      const scans = shops.flatMap(({ scan }) => roles.flatMap((role) => days.map((at) => ({ ...scan, at, role }))));
      // The sums of days have no product: their order is another one than that of the counts.
      const { client, scan } = await newShop();
      for (const role of roles) {
        const { id: productId } = await client.create(`Of ${role}`);
        scans.push({ ...scan, productId, at, role });
      }
      const sent: Record<string, string>[][] = [];
      const listen = ({ sql, bindings }: { sql: string; bindings: string[] }): void => {
        if (/^INSERT INTO .scan_(?:counts|days). /.test(sql)) sent.push(JSON.parse(bindings.at(-1) ?? ''));
      };
      service.database.on('query', listen);
      for (const group of [scans, scans.toReversed()]) await insertScans(service.database, group);
      service.database.removeListener('query', listen);
      const orders = sent.map((rows) => rows.map(({ count: _, ...key }) => Object.values(key).join(' ')));
      expect(orders.map(({ length }) => length)).toEqual([21, 21, 21, 21]);
      expect(orders).toEqual(orders.map((keys) => keys.toSorted()));
    });

    test('concurrent scans on several servers are all counted once', async () => {
      const shop = await newShop();
      const [other, before] = [new Metrics(), await lostScans(metrics)];
      const second = await startService(kind, { on: service.database, now: () => now, metrics: other });
      const clients = [shop.client, second.clientOf(shop.client)];
      const path = `/p/${shop.client.tenant.slug}/tasse`;
      await Promise.all(Array.from({ length: 100 }, (_, index) => clients[index % 2]?.call({ path, key: null })));
      expect((await shop.total()) + (await lostScans(metrics)) + (await lostScans(other)) - before).toBe(100);
    });

    const scan = { tenantId: 't', productId: 'p', at, role: 'consumer', address: '192.0.2.1' } as const;

    test('the recorder pauses between two tries while the database says at once that it is locked', async () => {
      let tries = 0;
      const locked = (() => {
        tries += 1;
        throw Object.assign(new Error('SQLITE_BUSY: database is locked'), { code: 'SQLITE_BUSY' });
      }) as unknown as Database;
      const recorder = new ScanRecorder(locked, { warn() {} });
      await recorder.record(scan);
      expect(recorder.lost).toBe(1);
      await recorder.idle();
      expect(tries).toBeGreaterThan(1);
      expect(tries).toBeLessThanOrEqual(52);
    });

    test('all waiting scans are lost immediately if the write cannot begin', async () => {
      const database = await openDatabase(await newMigratedDatabase(kind));
      await secret(database, 'scan_secret');
      const recorder = new ScanRecorder(database, { warn() {} });
      await database.destroy();
      await Promise.all([1, 2, 3].map(() => recorder.record(scan)));
      // A recorder that tries again knows of none.
      expect(recorder.lost).toBe(3);
      await recorder.idle();
    });
  });

  describe('SCAN-3', () => {
    const [client, proxy] = ['203.0.113.77', '198.51.100.42'];

    test('no response, table or log has the address of a client', async () => {
      const behind = await startService(kind, {
        now: () => now,
        trustProxy: 1,
        siteUrl: 'https://passport.example.com',
      });
      const shop = await Shop.open(behind);
      const headers = { 'x-forwarded-for': client };
      const replies = [await shop.view({ headers })];
      await behind.database.schema.renameTable('scan_counts', 'scan_counts_away');
      replies.push(await shop.view({ headers }));
      await behind.database.schema.renameTable('scan_counts_away', 'scan_counts');
      expect(behind.logLines).toHaveLength(1);
      const held = JSON.stringify(replies) + (await everything(behind.database)) + behind.logLines.join('');
      const salt = await secret(behind.database, 'scan_secret');
      expect(held).toContain(visitorHash(salt, now, client));
      expect(held).not.toContain(client);
      expect(held).not.toContain('127.0.0.1');
    });

    test.each([
      [0, `${client}`, '127.0.0.1'],
      [1, undefined, '127.0.0.1'],
      [1, client, client],
      [1, `${proxy}, ${client}`, client],
      [2, `192.0.2.66, ${client},${proxy}`, client],
      [2, client, client],
      [1, `${client}, unknown`, '127.0.0.1'],
      [1, '2001:DB8::7', '2001:db8::7'],
    ])('the client address after %i proxies with X-Forwarded-For %s is %s', async (trustProxy, forwarded, address) => {
      const shop = await newShop();
      const behind = await startService(kind, { on: service.database, now: () => now, trustProxy });
      const headers = { 'x-forwarded-for': forwarded };
      await behind.clientOf(shop.client).call({ path: `/p/${shop.client.tenant.slug}/tasse`, key: null, headers });
      const salt = await secret(service.database, 'scan_secret');
      expect(await shop.rows(service.database)).toMatchObject([{ visitor_hash: visitorHash(salt, now, address) }]);
    });
  });
});
