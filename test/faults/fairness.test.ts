/** One tenant's slow reads and many writes leave room for the others. */
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { settings } from '../../server/src/config/settings.ts';
import { readerOf } from '../../server/src/database/connection.ts';
import { openDatabase } from '../../server/src/index.ts';
import { createProduct } from '../../server/src/lifecycle/create.ts';
import { createKey } from '../../server/src/tenants/keys.ts';
import { TenantQueue } from '../../server/src/tenants/queue.ts';
import { insertTenant } from '../../server/src/tenants/store.ts';
import type { Client } from '../support/client.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../support/database.ts';
import { ending } from '../support/files.ts';
import { start } from '../support/program.ts';
import { startService } from '../support/service.ts';
import { rejection } from '../support/thrown.ts';

/** Later reads of a table take until the time limit of a statement, five seconds. */
async function slowDown(database: Database, table: 'carriers' | 'scan_days'): Promise<void> {
  await database.schema.renameTable(table, `stored_${table}`);
  await database.raw(
    `CREATE VIEW ${table} AS WITH RECURSIVE counting(number) AS (
       SELECT 1 UNION ALL SELECT number + 1 FROM counting WHERE number < 1e10
     ) SELECT stored_${table}.* FROM (SELECT max(number) FROM counting) AS slow CROSS JOIN stored_${table}`,
  );
}

/** One view of today, so that statistics have a row. */
async function countView(database: Database, tenant_id: string): Promise<void> {
  const date = new Date().toISOString().slice(0, 10);
  await database('scan_days').insert({ tenant_id, date, role: 'consumer', count: 1 });
}

/** Gives a tenant many products. */
async function fill(database: Database, { tenant }: Client): Promise<void> {
  const numbers = Array.from({ length: 1500 }, (_, index) => index);
  const time = new Date().toISOString();
  const rows = numbers.map((number) => ({
    tenant_id: tenant.id,
    id: `0193a0a0-0000-7000-8000-${String(number).padStart(12, '0')}`,
    name: `Name ${number}`,
    name_folded: `name ${number}`,
    slug: `name-${number}`,
    status: 'draft',
    completeness: 0,
    registry_status: 'none',
    unique_product_identifier: `urn:dpp:x:name-${number}`,
    position: number + 1,
    created_at: time,
    updated_at: time,
  }));
  for (let start = 0; start < rows.length; start += 100)
    await database('products').insert(rows.slice(start, start + 100));
}

describe.each(databaseKinds)('on %s', (kind) => {
  test('16 slow reads of one tenant: another tenant reads and writes while they run', async () => {
    const service = await startService(kind);
    const [slow, other] = [await service.newTenant(), await service.newTenant()];
    for (const client of [slow, other]) await client.create({ name: 'Tasse', gtin: '09520001000010' });
    await countView(service.database, slow.tenant.id);
    await slowDown(service.database, 'scan_days');
    let ended = 0;
    const reads = Array.from({ length: 16 }, async () => {
      const { outcome } = await slow.call({ path: '/api/v1/analytics/scans' });
      ended += 1;
      return outcome;
    });
    const paths = [
      '/me',
      '/products/tasse',
      '/products/tasse/passport',
      '/products?search=tas',
      '/products/tasse/carriers',
    ];
    for (const path of paths) expect((await other.call({ path: `/api/v1${path}` })).outcome).toBe('200');
    expect((await other.create('Kanne')).slug).toBe('kanne');
    // On a busy machine the first of them may have reached their time limit.
    expect(ended).toBeLessThan(reads.length);
    await service.database.destroy();
    expect(new Set(await Promise.all(reads))).not.toContain('200');
  });
});

test('searches of one tenant in a file leave a processor free', async () => {
  // As many readers as the command line has.
  process.env.UV_THREADPOOL_SIZE = '12';
  const service = await startService('SQLite').finally(() => delete process.env.UV_THREADPOOL_SIZE);
  const client = await service.newTenant();
  await fill(service.database, client);
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

test('a read of the API that takes too long gets 503 with Retry-After, and other reads go on', async () => {
  const service = await startService('SQLite');
  const [slow, other] = [await service.newTenant(), await service.newTenant()];
  for (const client of [slow, other]) await client.create({ name: 'Tasse', gtin: '09520001000010' });
  await slowDown(service.database, 'carriers');
  const path = '/api/v1/products/tasse/carriers';
  const waiting = [slow.call({ path }), slow.call({ path })];
  expect((await other.call({ path: '/api/v1/products/tasse' })).outcome).toBe('200');
  for (const { outcome, headers } of await Promise.all(waiting)) {
    expect(outcome).toBe('503 service_unavailable');
    expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
  }
  expect(service.logLines.join()).toContain('SQLITE_INTERRUPT');
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
  test('run a few at a time, in their order; another tenant does not wait', async () => {
    const queue = new TenantQueue({ atOnce: 2 });
    const begun: number[] = [];
    const end: (() => void)[] = [];
    const works = [0, 1, 2, 3].map((number) =>
      queue.run('a', async () => {
        begun.push(number);
        await new Promise<void>((resolve) => {
          end[number] = resolve;
        });
        if (number === 1) throw new Error('failed');
        return number;
      }),
    );
    const settled = Promise.allSettled(works);
    await queue.run('b', async () => undefined);
    expect(begun).toEqual([0, 1]);
    end[1]?.();
    await setTimeout(1);
    expect(begun).toEqual([0, 1, 2]);
    end[0]?.();
    await setTimeout(1);
    expect(begun).toEqual([0, 1, 2, 3]);
    end[2]?.();
    end[3]?.();
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await queue.run('a', async () => 'again')).toBe('again');
  });

  test('of jobs that need the same resource one runs at a time, in their order, and others overtake them', async () => {
    const queue = new TenantQueue({ atOnce: 3 });
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const run = (name: string, resource?: string, tenant = 'a'): Promise<void> => {
      const job = (): Promise<void> => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      };
      return queue.run(tenant, job, { resource });
    };
    const jobs = [run('1', 'x'), run('2', 'x'), run('3', 'x'), run('4', 'y'), run('5'), run('6', 'x', 'b'), run('7')];
    expect(begun).toEqual(['1', '4', '5', '6']);
    for (const [ended, next] of [
      ['5', '7'],
      ['1', '2'],
      ['2', '3'],
    ] as const) {
      ends.get(ended)?.();
      await setTimeout(1);
      expect(begun.at(-1)).toBe(next);
    }
    for (const end of ends.values()) end();
    await Promise.all(jobs);
  });

  test('a large job counts as several, and small ones do not overtake it', async () => {
    const queue = new TenantQueue({ atOnce: 4, timeout: 500 });
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const run = (name: string, places?: number): Promise<void> => {
      const job = (): Promise<void> => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      };
      return queue.run('a', job, places === undefined ? {} : { places });
    };
    const end = async (name: string): Promise<void> => {
      ends.get(name)?.();
      await setTimeout(1);
    };
    const jobs = [run('1'), run('of 3', 3), run('another of 3', 3), run('2'), run('3')];
    expect(begun).toEqual(['1', 'of 3']);
    await end('1');
    expect(begun).toEqual(['1', 'of 3']);
    await end('of 3');
    expect(begun.slice(2)).toEqual(['another of 3', '2']);
    await end('2');
    expect(begun.slice(4)).toEqual(['3']);
    await end('3');
    const tooLate = rejection(() => run('too late', 3));
    await setTimeout(200);
    const behind = run('behind it');
    expect(begun.length).toBe(5);
    expect(await tooLate).toMatchObject({ code: 'service_unavailable' });
    expect(begun.slice(5)).toEqual(['behind it']);
    await end('behind it');
    await end('another of 3');
    // Alone, one of any size runs.
    const huge = run('of 9', 9);
    await end('of 9');
    expect(begun.at(-1)).toBe('of 9');
    await Promise.all([...jobs, behind, huge]);
  });

  test('all tenants together leave room, and alternate', async () => {
    const queue = new TenantQueue({ atOnce: 2, inAll: 3 });
    const begun: string[] = [];
    const end: (() => void)[] = [];
    const works = ['a', 'a', 'a', 'b', 'b', 'c'].map((tenant) =>
      queue.run(tenant, () => {
        begun.push(tenant);
        return new Promise<void>((resolve) => end.push(resolve));
      }),
    );
    for (const expected of ['aab', 'aaba', 'aabab', 'aababc']) {
      await setTimeout(1);
      if (expected !== 'aab') {
        end.shift()?.();
        await setTimeout(1);
      }
      expect(begun.join('')).toBe(expected);
    }
    for (const each of end) each();
    await Promise.all(works);
  });

  test('some are reserved for tenants that have none running', async () => {
    const queue = new TenantQueue({ atOnce: 3, inAll: 5, reserved: 1 });
    const begun: string[] = [];
    const ends = new Map<string, (() => void)[]>();
    const take = (tenant: string): Promise<void> =>
      queue.run(tenant, () => {
        begun.push(tenant);
        return new Promise((resolve) => ends.set(tenant, [...(ends.get(tenant) ?? []), resolve]));
      });
    const end = async (tenant: string): Promise<void> => {
      ends.get(tenant)?.shift()?.();
      await setTimeout(1);
    };
    const works = ['a', 'a', 'a', 'a', 'b', 'b', 'c', 'd'].map(take);
    expect(begun.join('')).toBe('aaabc');
    await end('c');
    expect(begun.join('')).toBe('aaabcd');
    // The place of `d` stays free.
    await end('d');
    expect(begun.join('')).toBe('aaabcd');
    await end('a');
    expect(begun.join('')).toBe('aaabcda');
    await end('a');
    expect(begun.join('')).toBe('aaabcdab');
    for (const each of [...ends.values()].flat()) each();
    await Promise.all(works);
  });

  test('short ones count for their tenant alone', async () => {
    const queue = new TenantQueue({ atOnce: 2, inAll: 1 });
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const take = (tenant: string, isShort = true): Promise<void> =>
      queue.run(
        tenant,
        () => {
          begun += 1;
          return gate.promise;
        },
        { isShort },
      );
    const works = [take('a', false), take('b', false), take('c'), take('c'), take('c'), take('a')];
    expect(begun).toBe(4);
    gate.resolve();
    await Promise.all(works);
    expect(begun).toBe(6);
  });

  test('the work of one tenant that waits takes half of the requests that it may have in flight', async () => {
    const queue = new TenantQueue({ atOnce: 1 });
    const gate = Promise.withResolvers<void>();
    const work = Array.from({ length: settings.maxRequests.default }, () => queue.run('one', () => gate.promise));
    setImmediate(gate.resolve);
    const done = (await Promise.allSettled(work)).filter(({ status }) => status === 'fulfilled');
    expect(done).toHaveLength(1 + settings.maxRequests.default / 8);
  });

  test('a tenant with too many waiting, or one that waits too long, gets 503', async () => {
    const queue = new TenantQueue({ atOnce: 1, waiting: 1, timeout: 20 });
    let end: (() => void) | undefined;
    const first = queue.run('a', () => {
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    const second = rejection(() => queue.run('a', async () => undefined));
    const third = await rejection(() => queue.run('a', async () => undefined));
    const refusal = { code: 'service_unavailable' };
    expect([third, await second]).toMatchObject([refusal, refusal]);
    end?.();
    await first;
    expect(await queue.run('a', async () => 'again')).toBe('again');
  });
});

const now = (): Date => new Date();

test.each(databaseKinds)('slow reads of two tenants leave turns for a third on %s', async (kind) => {
  const address = await newMigratedDatabase(kind);
  const database = await openDatabase(address);
  const keys: string[] = [];
  for (const slug of ['one', 'two', 'three']) {
    const tenant = await insertTenant(database, { slug, name: slug, country: 'DE', plan: 'business' }, now());
    if (!tenant) throw new Error(`The tenant ${slug} exists already.`);
    keys.push((await createKey(database, tenant.id, 'test', now())).key);
    await createProduct({ database, urnNamespace: 'dpp', now }, tenant, { name: 'Tasse', gtin: '09520001000010' });
    await countView(database, tenant.id);
  }
  await slowDown(database, 'scan_days');
  await database.destroy();
  const program = await start(`product-passport serve --port 0 --database '${address}'`, /http:\S+/);
  ending.defer(async () => void (await program.stop('SIGKILL')));
  const [site] = /http:\/\/[\d.:]+/.exec(program.said()) ?? [];
  const get = async (path: string, key = ''): Promise<number> => {
    const response = await fetch(`${site}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    await response.text();
    return response.status;
  };

  const [one, two, third] = keys;
  let ended = 0;
  const floods = Array.from({ length: 32 }, async (_, index) => {
    await get('/analytics/scans', index < 16 ? one : two).catch(() => undefined);
    ended += 1;
  });
  await setTimeout(500);
  // Each of these takes a turn, unlike a look-up of a key or of a product.
  for (const path of ['/products', '/products?search=tas', '/products?status=draft'])
    expect(await get(path, third)).toBe(200);
  // On a busy machine the first of them may have reached their time limit.
  expect(ended).toBeLessThan(floods.length);
  await program.stop('SIGKILL');
  await Promise.all(floods);
});
