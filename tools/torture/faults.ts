/** Faults of the database, the disk and the clock under load. */
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect } from '../../server/src/database/connection.ts';
import type { Cluster } from '../../test/support/cluster.ts';
import { lockFiles, unlockFiles } from './disk.ts';
import { expectThat, Finding, type Report } from './report.ts';
import { type Ask, Server } from './server.ts';
import { checkScans, checkStored } from './stored.ts';
import { Random, type Shop, type Tenant, Workload } from './workload.ts';

/** The server's answers are right again this long after a fault, in milliseconds. */
const recovery = 5000;

export interface Fault {
  name: string;
  /** How long it lasts, in seconds. */
  seconds: number;
  /** A fault that no client may notice. */
  isHidden?: boolean;
  begin(server: Server): Promise<void>;
  end(server: Server): Promise<void>;
}

export async function runFaults(
  { shop, kind, seed, faults }: { shop: Shop; kind: string; seed: number; faults: readonly Fault[] },
  report: Report,
): Promise<void> {
  const preload = new URL('moved-clock.ts', import.meta.url).pathname;
  // One server for all faults: nobody restarts it.
  const server = await Server.start(shop.address, '', { NODE_OPTIONS: `--import=${preload}` });
  const workload = new Workload(shop, new Random(seed));
  try {
    for (const [index, fault] of faults.entries()) {
      await report.round(fault.name, kind, index + 1, () => underLoad(fault, server, workload));
    }
    await report.round('scans after all faults', kind, faults.length + 1, async () => {
      // Until it ends, it logs losses once a minute.
      expectThat((await server.stop()) === 0, () => 'the server did not end with 0');
      return checkScans(workload, server.lostScans());
    });
  } finally {
    if (!server.hasEnded) await server.stop('SIGKILL');
  }
}

async function underLoad(fault: Fault, server: Server, workload: Workload): Promise<string> {
  let mayRefuseUntil = 0;
  let isOver = false;
  const before = { ...workload.counts };
  const load = workload.run(server, {
    isOver: () => isOver,
    mayRefuse: (started) => !fault.isHidden && started < mayRefuseUntil,
  });
  load.catch(() => undefined);
  const wait = (milliseconds: number): Promise<unknown> => Promise.race([setTimeout(milliseconds), load]);
  try {
    await wait(500);
    mayRefuseUntil = Number.POSITIVE_INFINITY;
    await fault.begin(server);
    await wait(fault.seconds * 1000);
  } finally {
    await fault.end(server);
    mayRefuseUntil = performance.now() + recovery;
  }
  const ended = performance.now();
  const [tenant] = workload.shop.tenants;
  if (!tenant) throw new Error('There is no tenant.');
  const took = await untilRight(server, tenant, ended);
  await wait(recovery + 1000 - (performance.now() - ended));
  isOver = true;
  await load;
  expectThat(!server.hasEnded, () => 'the server ended');
  expectThat(workload.counts.broken === before.broken, () => 'a connection broke');
  const { ok, unavailable, failed } = workload.counts;
  const counts = `${ok - before.ok} ok, ${unavailable - before.unavailable} got 503, ${failed - before.failed} got 500`;
  const stored = await checkStored(workload, server);
  return `right after ${Math.round(took)} ms, ${counts}, ${stored}`;
}

/** Asks until every kind of request succeeds. */
async function untilRight(server: Server, { slug, key }: Tenant, ended: number): Promise<number> {
  const path = '/api/v1/products/tasse-a/passport';
  const asks: Ask[] = [
    { path: '/api/v1/me', key },
    { path: '/api/v1/products', key },
    { path: '/p/none/none' },
    { path: `/p/${slug}/tasse-a/jsonld` },
    { method: 'PUT', path, key, json: [{ field_key: 'danach', value: ended }] },
  ];
  for (;;) {
    const replies = await Promise.all(asks.map((ask) => server.ask(ask)));
    const took = performance.now() - ended;
    if (replies.every(({ status }) => status < 500)) {
      expectThat(took <= recovery, () => `the responses were right only after ${Math.round(took)} ms`);
      return took;
    }
    if (took > 60_000) throw new Finding('the responses are not right after a minute');
    await setTimeout(50);
  }
}

const clock: Fault = {
  name: 'clock an hour back',
  seconds: 2,
  isHidden: true,
  begin: async (server) => void process.kill(server.pid, 'SIGUSR2'),
  end: async (server) => void process.kill(server.pid, 'SIGUSR2'),
};

/** Fills the disk of a folder. */
function fullDisk(folder: string, seconds: number): Fault {
  const ballast = join(folder, 'ballast');
  return {
    name: 'disk full',
    seconds,
    async begin() {
      const file = await open(ballast, 'w');
      for (const size of [1024 * 1024, 4096, 1]) {
        const bytes = Buffer.alloc(size);
        await (async () => {
          for (;;) if ((await file.write(bytes)).bytesWritten < size) return;
        })().catch(({ code }) => expectThat(code === 'ENOSPC', () => String(code)));
      }
      await file.close();
    },
    end: () => rm(ballast, { force: true }),
  };
}

/**
 * @param disk a folder on a small disk of its own, with the database; `undefined` if there is none
 * @param canLock whether the files of the database can become read-only under the server
 */
export function sqliteFaults(
  address: string,
  { disk, canLock, lockSeconds }: { disk: string | undefined; canLock: boolean; lockSeconds: number },
): Fault[] {
  let other: ReturnType<typeof connect> | undefined;
  const locked: Fault = {
    name: `locked for ${lockSeconds} s`,
    seconds: lockSeconds,
    async begin() {
      other = connect(address);
      await other.raw('BEGIN IMMEDIATE');
    },
    async end() {
      await other?.raw('ROLLBACK');
      await other?.destroy();
    },
  };
  // The kernel would end a process that writes to a read-only shared memory.
  const files = [address, `${address}-wal`];
  const readOnly: Fault = {
    name: 'read-only file',
    seconds: 3,
    begin: () => lockFiles(files),
    end: () => unlockFiles(files),
  };
  return [locked, clock, ...(disk === undefined ? [] : [fullDisk(disk, 5)]), ...(canLock ? [readOnly] : [])];
}

export function postgresFaults(address: string, cluster: Cluster, disk: string | undefined): Fault[] {
  const administrator = (sql: string) => async (): Promise<void> => {
    const database = connect(address);
    await database.raw(sql).finally(() => database.destroy());
  };
  const cut = administrator(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
  );
  let cutting: Promise<void> | undefined;
  let isCutting = false;
  const readOnly = (value: string) => async (): Promise<void> => {
    await administrator(
      `ALTER DATABASE ${new URL(address).pathname.slice(1)} SET default_transaction_read_only = ${value}`,
    )();
    await cut();
  };
  return [
    { name: 'stopped', seconds: 4, begin: () => cluster.stop(), end: () => cluster.start() },
    { name: 'crashed', seconds: 3, begin: () => cluster.crash(), end: () => cluster.start() },
    { name: 'hanging', seconds: 8, begin: () => cluster.hang(), end: () => cluster.resume() },
    {
      name: 'connections cut',
      seconds: 3,
      async begin() {
        isCutting = true;
        cutting = (async () => {
          while (isCutting) {
            await cut();
            await setTimeout(100);
          }
        })();
      },
      async end() {
        isCutting = false;
        await cutting;
      },
    },
    {
      name: 'read-only',
      seconds: 3,
      begin: readOnly('on'),
      async end() {
        await administrator(
          `BEGIN READ WRITE; ALTER DATABASE ${new URL(address).pathname.slice(1)} RESET default_transaction_read_only; COMMIT`,
        )();
        await cut();
      },
    },
    clock,
    ...(disk === undefined ? [] : [thenStarted(fullDisk(disk, 5), address, cluster)]),
  ];
}

/** PostgreSQL stops without room for its recovery. Then an operator starts it again. */
function thenStarted(fault: Fault, address: string, cluster: Cluster): Fault {
  return {
    ...fault,
    async end(server) {
      await fault.end(server);
      const database = connect(address);
      const isRefused = await database.raw('SELECT 1').then(
        () => false,
        ({ code }) => code === 'ECONNREFUSED',
      );
      await database.destroy();
      if (isRefused) await cluster.start();
    },
  };
}
