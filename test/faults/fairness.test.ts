/** One tenant's slow reads and many writes leave room for the others. */
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { settings } from '../../server/src/config/settings.ts';
import { readerOf } from '../../server/src/database/connection.ts';
import { openDatabase } from '../../server/src/index.ts';
import { TenantQueue } from '../../server/src/tenants/queue.ts';
import type { Client } from '../support/client.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../support/database.ts';
import { ending } from '../support/files.ts';
import { announcement, start } from '../support/program.ts';
import { startService } from '../support/service.ts';
import { storeProducts } from '../support/tenant.ts';
import { rejection } from '../support/thrown.ts';

/** Later statistics take until the time limit of a statement, five seconds. */
async function slowDown(database: Database): Promise<void> {
  await database.schema.renameTable('scan_days', 'stored_scan_days');
  await database.raw(
    `CREATE VIEW scan_days AS WITH RECURSIVE counting(number) AS (
       SELECT 1 UNION ALL SELECT number + 1 FROM counting WHERE number < 1e10
     ) SELECT stored_scan_days.* FROM (SELECT max(number) FROM counting) AS slow CROSS JOIN stored_scan_days`,
  );
}

test('searches of one tenant in a file leave a processor free', async () => {
  // As many readers as the command line has.
  process.env.UV_THREADPOOL_SIZE = '12';
  const service = await startService('SQLite').finally(() => delete process.env.UV_THREADPOOL_SIZE);
  const client = await service.newTenant();
  const numbers = Array.from({ length: 1500 }, (_, index) => index);
  const products = numbers.map((number) => ({
    name: `Name ${number}`,
    slug: `name-${number}`,
    status: 'draft' as const,
  }));
  await storeProducts(service.database, client.tenant, products);
  const reader = readerOf(service.database).client;
  const run = reader._query.bind(reader);
  let running = 0;
  let most = 0;
  reader._query = async (connection: object, query: { sql: string }) => {
    if (!query.sql.includes('product_names')) return run(connection, query);
    running += 1;
    most = Math.max(most, running);
    return run(connection, query).finally(() => {
      running -= 1;
    });
  };
  const search = () => client.call({ path: '/api/v1/products?search=nam&limit=5' });
  const pages = await Promise.all(Array.from({ length: 12 }, search));
  expect(new Set(pages.map(({ outcome }) => outcome))).toEqual(new Set(['200']));
  expect(most).toBe(Math.min(4, Math.max(1, availableParallelism() - 1)));
});

test.each([
  [32, 'of 4 kB', 4000],
  [16, 'of more than 4 KiB', 4200],
  [6, 'of 20 kB', 20_000],
  [4, 'of 60 kB', 60_000],
  [1, 'of 100 kB', 100_000],
])('%i writes %s of one tenant run at a time', async (most, _, size) => {
  const address = await newMigratedDatabase('SQLite');
  let begun = 0;
  const now = (): Date => {
    begun += 1;
    return new Date();
  };
  const service = await startService('SQLite', { on: address, now });
  const client = await service.newTenant();
  const slugs = Array.from({ length: 40 }, (_element, index) => `p-${index}`);
  for (const slug of slugs) await client.create(slug);
  const other = await openDatabase(address);
  const locked = Promise.withResolvers<void>();
  const unlock = Promise.withResolvers<void>();
  const holding = other.transaction(async () => {
    locked.resolve();
    await unlock.promise;
  });
  await locked.promise;
  begun = 0;
  const body = JSON.stringify([{ field_key: 'a', value: 'x'.repeat(size - 32) }]);
  const writes = slugs.map((slug) => client.writing(slug, body));
  // Those that run wait for the lock of the file, for 5 seconds at most.
  while (begun < most) await setTimeout(10);
  await setTimeout(300);
  const running = begun;
  unlock.resolve();
  await holding;
  await other.destroy();
  expect(running).toBe(most);
  expect(new Set(await Promise.all(writes))).toEqual(new Set(['200']));
});

describe('the queue of a tenant', () => {
  interface Options {
    tenant?: string;
    places?: number;
    resource?: string;
    isShort?: boolean;
  }

  /** Jobs that run until they are ended, in the order in which they began. */
  function jobsIn(queue: TenantQueue) {
    const begun: string[] = [];
    const ends = new Map<string, (() => void)[]>();
    const jobs: Promise<void>[] = [];
    let isOver = false;
    return {
      begun,
      run(name: string, { tenant = name, ...options }: Options = {}): Promise<void> {
        const job = queue.run(
          tenant,
          () => {
            begun.push(name);
            if (isOver) return Promise.resolve();
            return new Promise<void>((resolve) => ends.set(name, [...(ends.get(name) ?? []), resolve]));
          },
          options,
        );
        jobs.push(job);
        return job;
      },
      /** Ends the first job of this name. */
      async end(name: string): Promise<void> {
        ends.get(name)?.shift()?.();
        await setTimeout(1);
      },
      /** Ends all jobs, also those that wait. Returns how many ran. */
      async endAll(): Promise<number> {
        isOver = true;
        for (const end of [...ends.values()].flat()) end();
        return (await Promise.allSettled(jobs)).filter(({ status }) => status === 'fulfilled').length;
      },
    };
  }

  test('runs a few at a time, in their order; a failed one makes room, and another tenant does not wait', async () => {
    const queue = new TenantQueue({ atOnce: 2 });
    const failing = Promise.withResolvers<void>();
    const failed = rejection(() => queue.run('a', () => failing.promise));
    const { run, end, begun, endAll } = jobsIn(queue);
    for (const name of ['1', '2', '3']) void run(name, { tenant: 'a' });
    await queue.run('b', async () => undefined);
    expect(begun).toEqual(['1']);
    failing.reject(new Error('failed'));
    expect(await failed).toMatchObject({ message: 'failed' });
    await setTimeout(1);
    expect(begun).toEqual(['1', '2']);
    await end('1');
    expect(begun).toEqual(['1', '2', '3']);
    await endAll();
    expect(await queue.run('a', async () => 'again')).toBe('again');
  });

  test('of jobs that need the same resource one runs at a time, in their order, and others overtake them', async () => {
    const { run, end, begun, endAll } = jobsIn(new TenantQueue({ atOnce: 3 }));
    for (const name of ['1', '2', '3']) void run(name, { tenant: 'a', resource: 'x' });
    void run('4', { tenant: 'a', resource: 'y' });
    void run('5', { tenant: 'a' });
    void run('6', { tenant: 'b', resource: 'x' });
    void run('7', { tenant: 'a' });
    expect(begun).toEqual(['1', '4', '5', '6']);
    for (const [ended, next] of [
      ['5', '7'],
      ['1', '2'],
      ['2', '3'],
    ] as const) {
      await end(ended);
      expect(begun.at(-1)).toBe(next);
    }
    await endAll();
  });

  test('a large job counts as several, and small ones do not overtake it', async () => {
    const { run, end, begun, endAll } = jobsIn(new TenantQueue({ atOnce: 4, timeout: 500 }));
    void run('1', { tenant: 'a' });
    for (const name of ['of 3', 'another of 3']) void run(name, { tenant: 'a', places: 3 });
    for (const name of ['2', '3']) void run(name, { tenant: 'a' });
    expect(begun).toEqual(['1', 'of 3']);
    await end('1');
    expect(begun).toEqual(['1', 'of 3']);
    await end('of 3');
    expect(begun.slice(2)).toEqual(['another of 3', '2']);
    await end('2');
    expect(begun.slice(4)).toEqual(['3']);
    await end('3');
    const tooLate = rejection(() => run('too late', { tenant: 'a', places: 3 }));
    await setTimeout(200);
    void run('after it', { tenant: 'a' });
    expect(begun.length).toBe(5);
    expect(await tooLate).toMatchObject({ code: 'service_unavailable' });
    expect(begun.slice(5)).toEqual(['after it']);
    await end('after it');
    await end('another of 3');
    // Alone, one of any size runs.
    void run('of 9', { tenant: 'a', places: 9 });
    expect(begun.at(-1)).toBe('of 9');
    await endAll();
  });

  test('all tenants together leave room, and alternate', async () => {
    const { run, end, begun, endAll } = jobsIn(new TenantQueue({ atOnce: 2, inAll: 3 }));
    for (const tenant of ['a', 'a', 'a', 'b', 'b', 'c']) void run(tenant);
    const order = [begun.join('')];
    for (const tenant of ['a', 'a', 'b']) {
      await end(tenant);
      order.push(begun.join(''));
    }
    expect(order).toEqual(['aab', 'aaba', 'aabab', 'aababc']);
    await endAll();
  });

  test('some are reserved for tenants that have none running', async () => {
    const { run, end, begun, endAll } = jobsIn(new TenantQueue({ atOnce: 3, inAll: 5, reserved: 1 }));
    for (const tenant of ['a', 'a', 'a', 'a', 'b', 'b', 'c', 'd']) void run(tenant);
    const order = [begun.join('')];
    for (const tenant of ['c', 'd', 'a', 'a']) {
      await end(tenant);
      order.push(begun.join(''));
    }
    // The place of `d` stays free.
    expect(order).toEqual(['aaabc', 'aaabcd', 'aaabcd', 'aaabcda', 'aaabcdab']);
    await endAll();
  });

  test('short ones count for their tenant alone', async () => {
    const { run, begun, endAll } = jobsIn(new TenantQueue({ atOnce: 2, inAll: 1 }));
    for (const tenant of ['a', 'b']) void run(tenant);
    for (const tenant of ['c', 'c', 'c', 'a']) void run(tenant, { isShort: true });
    expect(begun).toEqual(['a', 'c', 'c', 'a']);
    await endAll();
  });

  test('the work of one tenant that waits takes half of the requests that it may have in flight', async () => {
    const { run, endAll } = jobsIn(new TenantQueue({ atOnce: 1 }));
    for (let count = 0; count < settings.maxRequests.default; count += 1) void run('one').catch(() => undefined);
    expect(await endAll()).toBe(1 + settings.maxRequests.default / 8);
  });

  test('a tenant with too many waiting, or one that waits too long, gets 503', async () => {
    const queue = new TenantQueue({ atOnce: 1, waiting: 1, timeout: 20 });
    const { run, endAll } = jobsIn(queue);
    void run('a');
    const second = rejection(() => run('a'));
    const third = await rejection(() => run('a'));
    const refusal = { code: 'service_unavailable' };
    expect([third, await second]).toMatchObject([refusal, refusal]);
    await endAll();
    expect(await queue.run('a', async () => 'again')).toBe('again');
  });
});

test.each(databaseKinds)('slow reads of two tenants leave turns for a third on %s', async (kind) => {
  const address = await newMigratedDatabase(kind);
  const service = await startService(kind, { on: address });
  const [one, two, third] = [await service.newTenant(), await service.newTenant(), await service.newTenant()];
  for (const client of [one, two, third]) {
    await client.create({ name: 'Tasse', gtin: '09520001000010' });
    const day = { date: new Date().toISOString().slice(0, 10), role: 'consumer', count: 1 };
    await service.database('scan_days').insert({ tenant_id: client.tenant.id, ...day });
  }
  await slowDown(service.database);
  await service.stop();
  const program = await start(`product-passport serve --json --port 0 --database '${address}'`, /\}\n/);
  ending.defer(async () => void (await program.stop('SIGKILL')));
  const { base_url } = announcement(program.said());
  const ask = async (path: string, { key }: Client, init: RequestInit = {}): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(base_url + path, { ...init, headers });
    await response.text();
    return response.status;
  };

  let ended = 0;
  const floods = Array.from({ length: 32 }, async (_, index) => {
    await ask('/analytics/scans', index < 16 ? one : two).catch(() => undefined);
    ended += 1;
  });
  await setTimeout(500);
  const paths = ['/me', '/products?search=tas', '/products?status=draft', '/products/tasse/passport'];
  for (const path of [...paths, '/products/tasse/carriers']) expect(await ask(path, third)).toBe(200);
  expect(await ask('/products', third, { method: 'POST', body: '{"name":"Kanne"}' })).toBe(200);
  // On a busy machine the first of them may have reached their time limit.
  expect(ended).toBeLessThan(floods.length);
  await program.stop('SIGKILL');
  await Promise.all(floods);
});
