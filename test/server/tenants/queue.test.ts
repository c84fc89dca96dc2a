import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { openDatabase } from '../../../server/src/index.ts';
import { requestQueue, TenantQueue } from '../../../server/src/tenants/queue.ts';
import { type Database, type DatabaseKind, newMigratedDatabase } from '../../support/database.ts';
import { ending } from '../../support/files.ts';
import { rejection } from '../../support/thrown.ts';
import { useFakeTime } from '../../support/time.ts';

describe('the queue of a tenant', () => {
  interface Options {
    tenant?: string;
    slots?: number;
    resource?: string;
    isShort?: boolean;
    isHeavy?: boolean;
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
    for (const name of ['of 3', 'another of 3']) void run(name, { tenant: 'a', slots: 3 });
    for (const name of ['2', '3']) void run(name, { tenant: 'a' });
    expect(begun).toEqual(['1', 'of 3']);
    await end('1');
    expect(begun).toEqual(['1', 'of 3']);
    await end('of 3');
    expect(begun.slice(2)).toEqual(['another of 3', '2']);
    await end('2');
    expect(begun.slice(4)).toEqual(['3']);
    await end('3');
    const tooLate = rejection(() => run('too late', { tenant: 'a', slots: 3 }));
    await setTimeout(200);
    void run('after it', { tenant: 'a' });
    expect(begun.length).toBe(5);
    expect(await tooLate).toMatchObject({ code: 'service_unavailable' });
    expect(begun.slice(5)).toEqual(['after it']);
    await end('after it');
    await end('another of 3');
    // Alone, one of any size runs.
    void run('of 9', { tenant: 'a', slots: 9 });
    expect(begun.at(-1)).toBe('of 9');
    await endAll();
  });

  test.each([
    [
      'all tenants together leave room, and alternate',
      { atOnce: 2, inAll: 3 },
      'aaabbc',
      'aab',
      ['aab', 'aaba', 'aabab', 'aababc'],
    ],
    [
      'some are reserved for tenants that have none running: the slot of d stays free',
      { atOnce: 3, inAll: 5, reserved: 1 },
      'aaaabbcd',
      'cdaa',
      ['aaabc', 'aaabcd', 'aaabcd', 'aaabcda', 'aaabcdab'],
    ],
  ])('%s', async (_what, options, tenants, ended, expected) => {
    const { run, end, begun, endAll } = jobsIn(new TenantQueue(options));
    for (const tenant of tenants) void run(tenant);
    const order = [begun.join('')];
    for (const tenant of ended) {
      await end(tenant);
      order.push(begun.join(''));
    }
    expect(order).toEqual(expected);
    await endAll();
  });

  test('short ones count for their tenant alone', async () => {
    const { run, begun, endAll } = jobsIn(new TenantQueue({ atOnce: 2, inAll: 1 }));
    for (const tenant of ['a', 'b']) void run(tenant);
    for (const tenant of ['c', 'c', 'c', 'a']) void run(tenant, { isShort: true });
    expect(begun).toEqual(['a', 'c', 'c', 'a']);
    await endAll();
  });

  test('jobs that grow wait for more slots without their own', async () => {
    const queue = new TenantQueue({ atOnce: 4, timeout: 50 });
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const grown: string[] = [];
    const growing = (name: string, gate: Promise<void>): Promise<void> =>
      queue.run('a', async (grow) => {
        await setTimeout(1);
        const turn = grow(3);
        grown.push(`${name} ${turn ? 'waits' : 'has them'}`);
        await turn;
        if (grow(3)) throw new Error('It has them already.');
        grown.push(`${name} runs`);
        await gate;
      });
    const [first, second] = gates.map(({ promise }, index) => growing(`${index}`, promise));
    const third = rejection(() => growing('2', Promise.resolve()));
    await setTimeout(10);
    expect(grown.toSorted()).toEqual(['0 runs', '0 waits', '1 waits', '2 waits']);
    gates[0]?.resolve();
    await first;
    await setTimeout(1);
    expect(grown.slice(4)).toEqual(['1 runs']);
    expect(await third).toMatchObject({ code: 'service_unavailable' });
    gates[1]?.resolve();
    await second;
    // The job that was refused gave nothing back twice.
    const { run, begun, endAll } = jobsIn(queue);
    for (const name of ['4 slots', 'one more']) void run(name, { tenant: 'a', slots: name === 'one more' ? 1 : 4 });
    expect(begun).toEqual(['4 slots']);
    await endAll();
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

describe('a heavy job', () => {
  useFakeTime();

  test('lets the next one of its tenant wait for as long as it took; others do not wait', async () => {
    const queue = new TenantQueue({ atOnce: 4, timeout: 500 });
    const begun: string[] = [];
    const start = performance.now();
    const run = (tenant: string, name: string, isHeavy = true): Promise<unknown> =>
      queue.run(
        tenant,
        async () => {
          begun.push(`${name} at ${performance.now() - start}`);
          await new Promise((resolve) => globalThis.setTimeout(resolve, 100));
          if (name === 'a1') throw new Error('A violation.');
        },
        { isHeavy },
      );
    const jobs = Promise.allSettled([
      run('a', 'a1'),
      run('a', 'a2'),
      run('a', 'a3'),
      run('a', 'too late'),
      run('a', 'small', false),
      run('b', 'b1'),
    ]);
    await jest.advanceTimersByTimeAsync(1000);
    expect((await jobs).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    const last = run('a', 'a4');
    await jest.advanceTimersByTimeAsync(1000);
    await last;
    expect(begun).toEqual(['a1 at 0', 'small at 0', 'b1 at 0', 'a2 at 200', 'a3 at 400', 'a4 at 1000']);
  });

  test('that grows stays the only one, and does not wait for its own pause', async () => {
    const queue = new TenantQueue({ atOnce: 4 });
    const begun: string[] = [];
    const start = performance.now();
    const run = (name: string): Promise<void> =>
      queue.run(
        'a',
        async (grow) => {
          await new Promise((resolve) => globalThis.setTimeout(resolve, 100));
          expect(grow(4)).toBeUndefined();
          begun.push(`${name} at ${performance.now() - start}`);
          await new Promise((resolve) => globalThis.setTimeout(resolve, 100));
        },
        { isHeavy: true },
      );
    const jobs = Promise.all([run('first'), run('second')]);
    await jest.advanceTimersByTimeAsync(1000);
    await jobs;
    expect(begun).toEqual(['first at 100', 'second at 500']);
  });
});

describe('waits that share their time', () => {
  useFakeTime();

  test('are together no longer than it', async () => {
    const queue = new TenantQueue({ atOnce: 1 });
    const wait = { milliseconds: 10_000 };
    const ofOther = await queue.turn('a');
    const waiting = queue.turn('a', { wait });
    await jest.advanceTimersByTimeAsync(4000);
    ofOther();
    const end = await waiting;
    expect(wait.milliseconds).toBe(6000);
    // It began at once, and so did not wait.
    end();
    const next = await queue.turn('a', { wait });
    expect(wait.milliseconds).toBe(6000);
    const refused = rejection(async () => queue.turn('a', { wait }));
    await jest.advanceTimersByTimeAsync(6000);
    const last = rejection(async () => queue.turn('a', { wait }));
    await jest.advanceTimersByTimeAsync(1);
    const refusal = { code: 'service_unavailable' };
    expect([await refused, await last]).toMatchObject([refusal, refusal]);
    next();
  });
});

describe('of 100 requests of one tenant a few run at a time,', () => {
  const put = (bytes: number) => ({ operationId: 'putPassport', method: 'PUT', bytes });
  const get = (operationId: string, query?: object) => ({ operationId, method: 'GET', query });

  /** A database with 8 readers, as many as the command line has, or with 10 connections. */
  async function open(kind: DatabaseKind): Promise<Database> {
    process.env.UV_THREADPOOL_SIZE = '12';
    const database = await openDatabase(await newMigratedDatabase(kind)).finally(
      () => delete process.env.UV_THREADPOOL_SIZE,
    );
    ending.defer(() => database.destroy());
    return database;
  }

  const spareProcessors = Math.max(1, availableParallelism() - 1);
  test.each<[DatabaseKind, string, object, number]>([
    ['SQLite', 'writes of 4 kB', put(4000), 32],
    ['SQLite', 'writes of more than 4 KiB', put(4200), 16],
    ['SQLite', 'writes of 20 kB', put(20_000), 6],
    ['SQLite', 'writes of 60 kB', put(60_000), 4],
    [
      'SQLite',
      'searches, which leave a processor free,',
      get('listProducts', { search: 'a' }),
      Math.min(4, spareProcessors),
    ],
    ['SQLite', 'slow reads', get('getScanStatistics'), 4],
    ['SQLite', 'passports', get('getPassport'), 32],
    ['SQLite', 'look-ups', get('getMe'), 100],
    ['SQLite', 'pages of products', get('listProducts'), 100],
    ['SQLite', 'lists of a GTIN', get('listProducts', { gtin: '95200002' }), 4],
    ['SQLite', 'lists of a serial number', get('listProducts', { serial: '' }), 4],
    ['PostgreSQL', 'writes', put(4000), 5],
    ['PostgreSQL', 'reads', get('getMe'), 5],
  ])('on %s: %s', async (kind, _, request, atOnce) => {
    const queueRequest = requestQueue(await open(kind), 32);
    const gate = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await gate.promise;
      running -= 1;
    };
    const one = { query: undefined, bytes: 0, ...request } as Parameters<typeof queueRequest>[0];
    const all = Array.from({ length: 100 }, (_each, index) =>
      queueRequest({ ...one, tenantId: 'a', slug: `p-${index}` }, work),
    );
    expect(running).toBe(atOnce);
    gate.resolve();
    await Promise.all(all);
    expect(most).toBe(atOnce);
  });
});
