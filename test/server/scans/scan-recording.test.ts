import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createToken } from '../../../server/src/access/token.ts';
import { secret } from '../../../server/src/database/installation.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { ScanRecorder } from '../../../server/src/scans/recorder.ts';
import { confirmClock, ScanRetention } from '../../../server/src/scans/retention.ts';
import { visitorHash } from '../../../server/src/scans/rules.ts';
import { insertScans } from '../../../server/src/scans/store.ts';
import type { Call, Client, Reply } from '../../support/client.ts';
import {
  type Database,
  databaseKinds,
  newMigratedDatabase,
  type Service,
  startService,
  useService,
} from '../../support/service.ts';

const day = 86_400_000;
const noon = new Date('2026-11-20T12:00:00.000Z');

/** A new tenant for each test, with one active product. */
class Shop {
  readonly client: Client;
  readonly productId: string;

  private constructor(client: Client, productId: string) {
    this.client = client;
    this.productId = productId;
  }

  static async open(service: Service): Promise<Shop> {
    const client = await service.newTenant();
    const { id, slug } = await client.create({ name: 'Tasse', gtin: '4006381333931' });
    await service.activate(client, slug);
    return new Shop(client, id);
  }

  get page(): string {
    return `/p/${this.client.tenant.slug}/tasse`;
  }

  view(call: Partial<Call> = {}): Promise<Reply> {
    return this.client.call({ path: this.page, key: null, ...call });
  }

  viewAtOnce(times: number): Promise<Reply[]> {
    return Promise.all(Array.from({ length: times }, () => this.view()));
  }

  async total(): Promise<number> {
    return (await this.client.scans({ days: 365 })).total;
  }

  rows(database: Database): Promise<{ scanned_at: string; role: string; visitor_hash: string }[]> {
    return database('scans').where('tenant_id', this.client.tenant.id).orderBy('scanned_at').select();
  }
}

/** The number of transactions that store scans during an action. */
async function writesDuring(database: Database, act: () => Promise<unknown>): Promise<number> {
  let writes = 0;
  const listen = ({ sql }: { sql: string }): void => {
    if (/^INSERT INTO scan_counts /.test(sql)) writes += 1;
  };
  database.on('query', listen);
  await act();
  database.removeListener('query', listen);
  return writes;
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

async function lastDeletion(database: Database): Promise<string | undefined> {
  return (await database('installation').where({ name: 'scans_deleted_at' }).first('value'))?.value;
}

async function eventually(reached: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await reached())) {
    if (Date.now() > deadline) throw new Error('The condition did not become true in 10 seconds.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe.each(databaseKinds)('%s', (kind) => {
  let now = noon;
  const service = useService(kind, { now: () => now });
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open(service);
  });

  describe('SCAN-1', () => {
    test('a page view counts once, under the role whose view was shown', async () => {
      const token = async (role: 'recycler' | 'inspector', expiresAt = new Date(now.getTime() + day)) =>
        (await createToken(service.database, shop.client.tenant.id, { product_id: null, role, expiresAt }, now)).token;
      const views = [
        '',
        'view=inspector',
        `zugang=${await token('recycler')}`,
        `zugang=${await token('inspector')}`,
        `zugang=${await token('inspector')}`,
        `zugang=${await token('inspector')}`,
        `zugang=${await token('inspector', new Date(now.getTime() - day))}`,
        'zugang=x',
      ];
      for (const [index, query] of views.entries()) {
        expect((await shop.view({ query })).status).toBe(200);
        expect(await shop.total()).toBe(index + 1);
      }
      expect(await shop.client.scans({ days: 1 })).toEqual({
        days: 1,
        total: 8,
        per_day: [{ date: '2026-11-20', count: 8 }],
        by_view_role: { consumer: 4, inspector: 3, recycler: 1 },
        top_products: [{ slug: 'tasse', name: 'Tasse', count: 8 }],
      });
      expect((await shop.rows(service.database)).map(({ role }) => role).sort()).toEqual([
        ...Array(4).fill('consumer'),
        ...Array(3).fill('inspector'),
        'recycler',
      ]);
    });

    const page = '/p/{tenant}/tasse';
    let counting: Shop;
    beforeAll(async () => {
      counting = await Shop.open(service);
      await counting.client.create('Entwurf');
      await counting.client.create('Alt');
      await service.activate(counting.client, 'alt');
      await service.archive(counting.client, 'alt');
    });

    test.each<[string, number, number, Omit<Call, 'path'> & { path?: string }]>([
      ['a GET', 1, 200, {}],
      ['a trailing slash', 1, 200, { path: `${page}/` }],
      ['another purpose', 1, 200, { headers: { purpose: 'preview', 'sec-purpose': 'navigate' } }],
      ['HEAD', 0, 200, { method: 'HEAD' }],
      ['OPTIONS', 0, 204, { method: 'OPTIONS' }],
      ['POST', 0, 405, { method: 'POST' }],
      ['an unknown product', 0, 404, { path: '/p/{tenant}/teller' }],
      ['a draft', 0, 404, { path: '/p/{tenant}/entwurf' }],
      ['an archived product', 0, 404, { path: '/p/{tenant}/alt' }],
      ['an unknown tenant', 0, 404, { path: '/p/niemand/tasse' }],
      ['JSON-LD', 0, 200, { path: `${page}/jsonld` }],
      ['the resolver', 0, 307, { path: '/01/04006381333931' }],
      ['an invalid query', 0, 400, { path: '/01/123' }],
      ['Sec-Purpose: prefetch', 0, 200, { headers: { 'sec-purpose': 'prefetch' } }],
      ['Sec-Purpose: prefetch;prerender', 0, 200, { headers: { 'Sec-Purpose': 'prefetch;prerender' } }],
      ['Sec-Purpose with space', 0, 200, { headers: { 'sec-purpose': 'prefetch ; anonymous-client-ip' } }],
      ['Purpose: prefetch', 0, 200, { headers: { purpose: 'prefetch' } }],
      ['Purpose: Prefetch', 0, 200, { headers: { purpose: 'Prefetch' } }],
      ['X-Moz: prefetch', 0, 200, { headers: { 'x-moz': 'prefetch' } }],
    ])('%s counts as %i scans', async (_name, counted, status, { path = page, ...call }) => {
      const [total, rows] = [await counting.total(), await counting.rows(service.database)];
      const reply = await counting.view({ ...call, path: path.replace('{tenant}', counting.client.tenant.slug) });
      expect(reply.status).toBe(status);
      expect(await counting.total()).toBe(total + counted);
      expect(await counting.rows(service.database)).toHaveLength(rows.length + counted);
    });

    test('32 concurrent readers cause one write, besides the one in progress', async () => {
      const own = await Shop.open(service);
      await own.viewAtOnce(32);
      let views: Promise<Reply[]> | undefined;
      const writes = await writesDuring(service.database, async () => {
        // No write starts before all requests have arrived: SQLite has one connection that writes, PostgreSQL waits for a
        // lock.
        await service.database.transaction(async (transaction) => {
          if (kind === 'PostgreSQL') await transaction.raw('lock table scan_counts in exclusive mode');
          let arrived = 0;
          const arrive = (): void => {
            arrived += 1;
          };
          service.app.listener.on('request', arrive);
          views = own.viewAtOnce(32);
          await eventually(async () => arrived === 32);
          service.app.listener.off('request', arrive);
          // Time for the reads before the write.
          await new Promise((resolve) => setTimeout(resolve, 500));
        });
        await views;
      });
      expect(writes).toBeGreaterThan(0);
      // Both read while the lock is held; on a busy machine some readers arrive late.
      expect(writes).toBeLessThanOrEqual(4);
      expect(await own.total()).toBe(64);
      expect(await own.rows(service.database)).toHaveLength(64);
    });

    test('a single reader does not wait for others', async () => {
      const own = await Shop.open(service);
      expect(await writesDuring(service.database, () => own.view())).toBe(1);
    });

    test('a group of scans has a maximum size, and each scan keeps its day and role', async () => {
      const own = await Shop.open(service);
      const recorder = new ScanRecorder(service.database, { warn() {} });
      const scan = { tenantId: own.client.tenant.id, productId: own.productId, address: '192.0.2.1' };
      const writes = await writesDuring(service.database, () =>
        Promise.all(
          // One more than the maximum. The second write must begin within a second.
          Array.from({ length: 501 }, (_, index) =>
            recorder.record({
              ...scan,
              at: index % 2 === 0 ? now : new Date(now.getTime() - day),
              role: index < 100 ? 'inspector' : 'consumer',
            }),
          ),
        ),
      );
      expect(writes).toBe(2);
      expect(await own.client.scans({ days: 2 })).toMatchObject({
        total: 501,
        per_day: [{ count: 250 }, { count: 251 }],
        by_view_role: { consumer: 401, inspector: 100, recycler: 0 },
      });
    });

    test('every group adds to the counts and to the sums of days in the same order, so that servers do not deadlock', async () => {
      const others = [shop, await Shop.open(service), await Shop.open(service)];
      const scans = others.flatMap(({ client, productId }) =>
        (['recycler', 'consumer', 'inspector'] as const).flatMap((role) =>
          [noon, new Date(noon.getTime() - day)].map((at) => {
            return { tenantId: client.tenant.id, productId, at, role, visitorHash: 'x' };
          }),
        ),
      );
      // The sums of days have no product: their order is another one than that of the counts.
      const { client } = await Shop.open(service);
      for (const role of ['recycler', 'inspector', 'consumer'] as const) {
        const { id: productId } = await client.create(`Of ${role}`);
        scans.push({ tenantId: client.tenant.id, productId, at: noon, role, visitorHash: 'x' });
      }
      const sent: Record<string, string>[][] = [];
      const listen = ({ sql, bindings }: { sql: string; bindings: string[] }): void => {
        if (/^INSERT INTO scan_(?:counts|days) /.test(sql)) sent.push(JSON.parse(bindings[0] ?? ''));
      };
      service.database.on('query', listen);
      for (const group of [scans, scans.toReversed()]) await insertScans(service.database, group);
      service.database.removeListener('query', listen);
      const orders = sent.map((rows) => rows.map(({ count: _, ...key }) => Object.values(key).join(' ')));
      expect(orders.map(({ length }) => length)).toEqual([21, 21, 21, 21]);
      expect(orders).toEqual(orders.map((keys) => keys.toSorted()));
    });

    test('concurrent scans on several servers are all counted once', async () => {
      const own = await Shop.open(service);
      const second = await startService(kind, { on: service.database, now: () => now });
      const beside = second.clientOf(own.client);
      const views = Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? own.client : beside).call({ path: own.page, key: null }),
      );
      expect((await Promise.all(views)).map(({ status }) => status)).toEqual(Array(100).fill(200));
      expect(await own.total()).toBe(100);
    });
  });

  describe('a scan that cannot be stored', () => {
    test('does not prevent its page, and its whole group does not count', async () => {
      const own = await Shop.open(service);
      await service.database.schema.renameTable('scan_counts', 'scan_counts_away');
      try {
        for (const reply of await own.viewAtOnce(5)) {
          expect(reply.status).toBe(200);
          expect(reply.text).toContain('Tasse');
        }
        expect((await own.view({ method: 'HEAD' })).status).toBe(200);
      } finally {
        await service.database.schema.renameTable('scan_counts_away', 'scan_counts');
      }
      expect(await own.rows(service.database)).toEqual([]);
      expect((await own.view()).status).toBe(200);
      expect(await own.total()).toBe(1);
      expect(await own.rows(service.database)).toHaveLength(1);
    });

    test('pauses between two tries while the database says at once that it is locked', async () => {
      let tries = 0;
      const locked = (() => {
        tries += 1;
        throw Object.assign(new Error('SQLITE_BUSY: database is locked'), { code: 'SQLITE_BUSY' });
      }) as unknown as ConstructorParameters<typeof ScanRecorder>[0];
      const recorder = new ScanRecorder(locked, { warn() {} });
      await recorder.record({ tenantId: 't', productId: 'p', at: now, role: 'consumer', address: '192.0.2.1' });
      expect(recorder.lost).toBe(1);
      await recorder.idle();
      expect(tries).toBeGreaterThan(1);
      expect(tries).toBeLessThanOrEqual(52);
    });

    test('is lost immediately, with all waiting scans, if the write cannot begin', async () => {
      const database = await openDatabase(await newMigratedDatabase(kind));
      await secret(database, 'scan_secret');
      const recorder = new ScanRecorder(database, { warn() {} });
      await database.destroy();
      const scan = { tenantId: 't', productId: 'p', at: now, role: 'consumer', address: '192.0.2.1' } as const;
      await Promise.all([1, 2, 3].map(() => recorder.record(scan)));
      // A recorder that tries again knows of none.
      expect(recorder.lost).toBe(3);
      await recorder.idle();
    });
  });

  describe('SCAN-2', () => {
    test('the statistics are consistent while scans arrive', async () => {
      const own = await Shop.open(service);
      const times = 120;
      let viewed = 0;
      const views = Promise.all(
        Array.from({ length: 6 }, async () => {
          for (let index = 0; index < times / 6; index += 1) {
            await own.view();
            viewed += 1;
          }
        }),
      );
      let last = 0;
      while (last < times) {
        const before = viewed;
        const { total, per_day, by_view_role, top_products } = await own.client.scans();
        expect(total).toBeGreaterThanOrEqual(Math.max(before, last));
        expect(per_day.reduce((sum, { count }) => sum + count, 0)).toBe(total);
        expect(by_view_role).toEqual({ consumer: total, inspector: 0, recycler: 0 });
        expect(top_products.reduce((sum, { count }) => sum + count, 0)).toBe(total);
        last = total;
      }
      await views;
      expect(await own.total()).toBe(times);
    });

    test('a day ends at midnight UTC, and the statistics include days without scans', async () => {
      const own = await Shop.open(service);
      const views = ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z', '2026-12-01T00:00:00.001Z'];
      try {
        for (const moment of views) {
          now = new Date(moment);
          await own.view();
        }
        expect(await own.client.scans({ days: 3 })).toMatchObject({
          total: 3,
          per_day: [
            { date: '2026-11-29', count: 0 },
            { date: '2026-11-30', count: 1 },
            { date: '2026-12-01', count: 2 },
          ],
        });
        expect(await own.client.scans({ days: 1 })).toMatchObject({ total: 2, top_products: [{ count: 2 }] });
        now = new Date('2026-12-02T00:00:00.000Z');
        expect(await own.client.scans({ days: 1 })).toEqual({
          days: 1,
          total: 0,
          per_day: [{ date: '2026-12-02', count: 0 }],
          by_view_role: { consumer: 0, inspector: 0, recycler: 0 },
          top_products: [],
        });
        expect(await own.client.scans({ days: 2 })).toMatchObject({ total: 2 });
        expect(await own.client.scans({ days: 3 })).toMatchObject({ total: 3 });
      } finally {
        now = noon;
      }
    });
  });

  describe('SCAN-3', () => {
    const [client, proxy] = ['203.0.113.77', '198.51.100.42'];

    test('no response, table or log has the address of a client', async () => {
      const siteUrl = 'https://passport.example.com';
      const behind = await startService(kind, { now: () => now, trustProxy: 1, siteUrl });
      const own = await Shop.open(behind);
      const headers = { 'x-forwarded-for': client };
      const replies = [await own.view({ headers })];
      await behind.database.schema.renameTable('scan_counts', 'scan_counts_away');
      replies.push(await own.view({ headers }));
      await behind.database.schema.renameTable('scan_counts_away', 'scan_counts');
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(behind.logLines).toHaveLength(1);

      const held = JSON.stringify(replies) + (await everything(behind.database)) + behind.logLines.join('');
      const salt = await secret(behind.database, 'scan_secret');
      expect(held).toContain(visitorHash(salt, now, client));
      expect(held).not.toContain(client);
      expect(held).not.toContain('127.0.0.1');
    });

    test('the hash of an address changes every day', async () => {
      const own = await Shop.open(service);
      await own.view();
      await own.view();
      now = new Date(noon.getTime() + day);
      await own.view();
      now = noon;
      const [first, second, third] = (await own.rows(service.database)).map(({ visitor_hash }) => visitor_hash);
      expect(first).toMatch(/^[0-9a-f]{64}$/);
      expect(second).toBe(first);
      expect(third).not.toBe(first);
    });

    /** The services behind each number of proxies, over the same database. */
    const behind = new Map<number, Service>();
    beforeAll(async () => {
      for (const trustProxy of [0, 1, 2])
        behind.set(trustProxy, await startService(kind, { on: service.database, now: () => now, trustProxy }));
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
    ])('the client address behind %i proxies with X-Forwarded-For %s is %s', async (trustProxy, forwarded, address) => {
      const own = await Shop.open(service);
      const headers = { 'x-forwarded-for': forwarded };
      await behind.get(trustProxy)?.clientOf(own.client).call({ path: own.page, key: null, headers });
      const salt = await secret(service.database, 'scan_secret');
      expect(await own.rows(service.database)).toMatchObject([{ visitor_hash: visitorHash(salt, now, address) }]);
    });
  });

  describe('scans', () => {
    async function history(
      own: Shop,
      ages: readonly number[],
      times: number,
      database = service.database,
    ): Promise<void> {
      const scan = {
        tenantId: own.client.tenant.id,
        productId: own.productId,
        role: 'consumer',
        visitorHash: 'x',
      } as const;
      for (const age of ages)
        await insertScans(database, Array(times).fill({ ...scan, at: new Date(noon.getTime() - age * day) }));
    }

    test.each([
      [0, [0]],
      [2, [2, 1, 0]],
    ])('older than %i days are deleted when the server starts, and their counts are kept', async (keepScans, kept) => {
      const shops = [await Shop.open(service), await Shop.open(service)];
      // The server deletes 1,000 scans at once.
      const times = [400, 1];
      for (const [index, own] of shops.entries()) await history(own, [200, 4, 3, 2, 1, 0], times[index] ?? 0);
      const before = await Promise.all(shops.map((own) => own.client.scans({ days: 365 })));
      await startService(kind, { on: service.database, now: () => now, keepScans });
      for (const [index, own] of shops.entries()) {
        const rows = kept.length * (times[index] ?? 0);
        await eventually(async () => (await own.rows(service.database)).length === rows);
        const days = new Set((await own.rows(service.database)).map(({ scanned_at }) => scanned_at));
        expect([...days]).toEqual(kept.map((age) => new Date(noon.getTime() - age * day).toISOString()));
        expect(await own.client.scans({ days: 365 })).toEqual(before[index]);
        expect(before[index]).toMatchObject({ total: 6 * (times[index] ?? 0) });
      }
    });

    test('are deleted again every day, even after a day on which it failed', async () => {
      const own = await Shop.open(service);
      const others = [
        'setTimeout',
        'setImmediate',
        'nextTick',
        'queueMicrotask',
        'Date',
        'performance',
        'hrtime',
      ] as const;
      jest.useFakeTimers({ doNotFake: [...others] });
      const failures: unknown[] = [];
      const log = { warn: (about: unknown): void => void failures.push(about) };
      const retention = new ScanRetention({
        database: service.database,
        now: () => now,
        keepDays: 90,
        log,
      });
      try {
        const gone = async (): Promise<boolean> => (await own.rows(service.database)).length === 0;
        await history(own, [91], 1);
        await confirmClock(service.database, new Date(now.getTime() - day));
        retention.start();
        await eventually(gone);
        // The next deletion starts only after the first one has ended.
        await eventually(async () => (await lastDeletion(service.database)) === now.toISOString());
        await service.database.schema.renameTable('scans', 'scans_away');
        jest.advanceTimersByTime(day);
        await eventually(async () => failures.length === 1);
        await service.database.schema.renameTable('scans_away', 'scans');
        await history(own, [91], 1);
        jest.advanceTimersByTime(day);
        await eventually(gone);
        await retention.stop();
        await history(own, [91], 1);
        jest.advanceTimersByTime(day);
        expect(jest.getTimerCount()).toBe(0);
      } finally {
        await retention.stop();
        jest.useRealTimers();
      }
      expect(await own.total()).toBe(3);
    });

    describe('with a clock that jumps', () => {
      /** The deletions of a server over a database of its own, whose days the test counts. */
      async function deletions() {
        const other = await startService(kind, { now: () => noon });
        const own = await Shop.open(other);
        await other.stop();
        await other.database('installation').where({ name: 'scans_deleted_at' }).delete();
        const doubts: object[] = [];
        async function start(clock: Date): Promise<void> {
          const before = doubts.length;
          const log = { warn: (about: object): void => void doubts.push(about) };
          const retention = new ScanRetention({
            database: other.database,
            now: () => clock,
            keepDays: 90,
            log,
          });
          retention.start();
          const isConfirmed = async (): Promise<boolean> =>
            (await lastDeletion(other.database)) === clock.toISOString();
          await eventually(async () => doubts.length > before || (await isConfirmed()));
          await retention.stop();
        }
        const left = async (): Promise<number> => (await own.rows(other.database)).length;
        return {
          own,
          database: other.database,
          start,
          left,
          doubts,
          insert: (ages: number[]) => history(own, ages, 1, other.database),
        };
      }
      const daysLater = (days: number): Date => new Date(noon.getTime() + days * day);

      test('by 400 days deletes nothing, until the operator confirms it', async () => {
        const { database, start, left, doubts, insert } = await deletions();
        await insert([0, 1, 2]);
        await start(noon);
        await start(daysLater(400));
        expect([await left(), doubts]).toEqual([
          3,
          [{ now: daysLater(400).toISOString(), last_deletion: noon.toISOString() }],
        ]);
        await confirmClock(database, daysLater(399));
        await start(daysLater(400));
        expect(await left()).toBe(0);
      });

      test('before the first deletion is measured from the newest scan, and later scans do not confirm it', async () => {
        const { start, left, doubts, insert } = await deletions();
        await insert([0, 1]);
        await start(daysLater(400));
        await insert([-400]);
        await start(daysLater(401));
        expect([await left(), doubts.length]).toEqual([3, 2]);
      });

      test('by 31 days at a time still deletes, also without visitors and after a jump back', async () => {
        const { start, left, doubts, insert } = await deletions();
        await insert([0]);
        for (const days of [0, 31, 62, 90]) {
          await start(daysLater(days));
          expect([days, await left()]).toEqual([days, 1]);
        }
        await start(daysLater(91));
        await start(daysLater(60));
        expect([await left(), doubts]).toEqual([0, []]);
      });
    });
  });
});
