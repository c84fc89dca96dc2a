/** Old scans are deleted, their counts stay, and a clock that jumps deletes nothing. */
import { describe, expect, jest, test } from '@jest/globals';
import { confirmClock, ScanRetention } from '../../../server/src/scans/retention.ts';
import { insertScans } from '../../../server/src/scans/store.ts';
import { type Database, databaseKinds } from '../../support/database.ts';
import { type Service, startService, useService } from '../../support/service.ts';
import { until } from '../../support/time.ts';

const day = 86_400_000;
const noon = new Date('2026-11-20T12:00:00.000Z');
const daysLater = (days: number): Date => new Date(noon.getTime() + days * day);

async function lastDeletion(database: Database): Promise<string | undefined> {
  return (await database('installation').where({ name: 'scans_deleted_at' }).first('value'))?.value;
}

/** A tenant with one active product. */
async function openShop(service: Service) {
  const client = await service.newTenant();
  await client.publish('Tasse');
  const { id: productId } = await client.product('tasse');
  const tenantId = client.tenant.id;
  const rows = (): Promise<{ scanned_at: string }[]> =>
    service.database('scans').where('tenant_id', tenantId).orderBy('scanned_at').select('scanned_at');
  return { client, rows, scan: { tenantId, productId, role: 'consumer', visitorHash: 'x' } as const };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

/** Stores scans of each age in days. */
async function history(database: Database, { scan }: Shop, ages: readonly number[], times = 1): Promise<void> {
  for (const age of ages) await insertScans(database, Array(times).fill({ ...scan, at: daysLater(-age) }));
}

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind, { now: () => noon });

  test.each([
    [0, [0]],
    [2, [2, 1, 0]],
  ])(
    'scans older than %i days are deleted when the server starts, and their counts are kept',
    async (keepScans, kept) => {
      const shops = [await openShop(service), await openShop(service)];
      // The server deletes 1,000 scans at once.
      const times = [400, 1];
      for (const [index, shop] of shops.entries())
        await history(service.database, shop, [200, 4, 3, 2, 1, 0], times[index]);
      const before = await Promise.all(shops.map((shop) => shop.client.scans({ days: 365 })));
      expect(before.map(({ total }) => total)).toEqual([2400, 6]);
      await startService(kind, { on: service.database, now: () => noon, keepScans });
      for (const [index, shop] of shops.entries()) {
        const rows = kept.length * (times[index] ?? 0);
        await until(async () => (await shop.rows()).length, rows);
        const days = new Set((await shop.rows()).map(({ scanned_at }) => scanned_at));
        expect([...days]).toEqual(kept.map((age) => daysLater(-age).toISOString()));
        expect(await shop.client.scans({ days: 365 })).toEqual(before[index]);
      }
    },
  );

  test('scans are deleted again every day, even after a day on which it failed', async () => {
    const { database } = service;
    const shop = await openShop(service);
    jest.useFakeTimers({
      doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask', 'Date', 'performance', 'hrtime'],
    });
    const failures: unknown[] = [];
    const log = { warn: (about: unknown): void => void failures.push(about) };
    const retention = new ScanRetention({ database, now: () => noon, keepDays: 90, log });
    const left = async () => (await shop.rows()).length;
    try {
      await history(database, shop, [91]);
      await confirmClock(database, daysLater(-1));
      retention.start();
      await until(left, 0);
      // The next deletion starts only after the first one has ended.
      await until(() => lastDeletion(database), noon.toISOString());
      await database.schema.renameTable('scans', 'scans_away');
      jest.advanceTimersByTime(day);
      await until(async () => failures.length, 1);
      await database.schema.renameTable('scans_away', 'scans');
      await history(database, shop, [91]);
      jest.advanceTimersByTime(day);
      await until(left, 0);
    } finally {
      await retention.stop();
      expect(jest.getTimerCount()).toBe(0);
      jest.useRealTimers();
    }
    expect((await shop.client.scans({ days: 365 })).total).toBe(2);
  });

  describe('a clock that jumps', () => {
    /** The deletions of a server over a database of its own, whose days the test counts. */
    async function deletions() {
      const other = await startService(kind, { now: () => noon });
      const shop = await openShop(other);
      await other.stop();
      const { database } = other;
      await database('installation').where({ name: 'scans_deleted_at' }).delete();
      const doubts: object[] = [];
      async function start(clock: Date): Promise<void> {
        const before = doubts.length;
        const log = { warn: (about: object): void => void doubts.push(about) };
        const retention = new ScanRetention({ database, now: () => clock, keepDays: 90, log });
        retention.start();
        const isConfirmed = async (): Promise<boolean> => (await lastDeletion(database)) === clock.toISOString();
        await until(async () => doubts.length > before || (await isConfirmed()), true);
        await retention.stop();
      }
      const left = async (): Promise<number> => (await shop.rows()).length;
      return { database, start, left, doubts, insert: (ages: number[]) => history(database, shop, ages) };
    }

    test('by 400 days deletes nothing, until the operator confirms it', async () => {
      const { database, start, left, doubts, insert } = await deletions();
      await insert([0, 1, 2]);
      await start(noon);
      await start(daysLater(400));
      const doubt = { now: daysLater(400).toISOString(), last_deletion: noon.toISOString() };
      expect([await left(), doubts]).toEqual([3, [doubt]]);
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
