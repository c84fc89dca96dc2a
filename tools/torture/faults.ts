/** Faults of the database and the disk under load. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect } from '../../server/src/database/connection.ts';
import type { Cluster } from '../../test/support/cluster.ts';
import type { RunRound } from './rounds.ts';
import { Server } from './server.ts';
import { checkScans, checkStored } from './stored.ts';
import { type Shop, Workload } from './workload.ts';

/** How soon after a fault every request succeeds again, in milliseconds. */
const recovery = 5000;

export interface Fault {
  name: string;
  /** How long it lasts, in seconds. */
  seconds: number;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

/** Mounts a small disk of memory in a folder. Only root may do it. */
export function smallDisk(folder: string, megabytes: number, defer: (undo: () => Promise<void>) => void): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=1777`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  defer(async () => void execFileSync('umount', ['-l', folder]));
  return true;
}

/** All faults happen to one server, which nobody restarts. */
export async function runFaults(shop: Shop, seed: number, faults: readonly Fault[], inRound: RunRound): Promise<void> {
  const server = await Server.start(shop.address);
  const workload = new Workload(shop, seed);
  try {
    for (const fault of faults) await inRound(fault.name, () => underLoad(fault, server, workload));
    await inRound('scans after all faults', async () => {
      // Until it ends, it logs losses once a minute.
      assert.equal(await server.stop(), 0, 'the server did not end with 0');
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
  const mayRefuse = (started: number): boolean => started < mayRefuseUntil;
  const load = workload.run([server], { isOver: () => isOver, mayRefuse });
  // A client that finds something ends the wait.
  const wait = (milliseconds: number): Promise<unknown> => Promise.race([setTimeout(milliseconds), load]);
  load.catch(() => undefined);
  try {
    await wait(500);
    mayRefuseUntil = Number.POSITIVE_INFINITY;
    await fault.begin();
    await wait(fault.seconds * 1000);
  } finally {
    await fault.end();
    mayRefuseUntil = performance.now() + recovery;
  }
  await wait(recovery + 1000);
  isOver = true;
  await load;
  assert.ok(!server.hasEnded, 'the server ended');
  const { ok, unavailable, failed, broken } = workload.counts;
  assert.equal(broken, before.broken, 'a connection broke');
  const counts = `${ok - before.ok} ok, ${unavailable - before.unavailable} got 503, ${failed - before.failed} got 500`;
  return `${counts}, ${await checkStored(workload, server)}`;
}

/** Fills the disk of a folder. */
function fullDisk(folder: string): Fault {
  const ballast = join(folder, 'ballast');
  return {
    name: 'disk full',
    seconds: 5,
    async begin() {
      const file = await open(ballast, 'w');
      const fill = async (bytes: Buffer): Promise<void> => {
        while ((await file.write(bytes)).bytesWritten === bytes.length);
      };
      for (const size of [1024 * 1024, 4096, 1]) {
        await fill(Buffer.alloc(size)).catch(({ code }) => assert.equal(code, 'ENOSPC'));
      }
      await file.close();
    },
    end: () => rm(ballast, { force: true }),
  };
}

/** @param disk the folder of the database if it is a small disk */
export function sqliteFaults(disk: string | undefined): Fault[] {
  return disk === undefined ? [] : [fullDisk(disk)];
}

export function postgresFaults(address: string, cluster: Cluster, disk: string | undefined): Fault[] {
  /** PostgreSQL may have stopped without room for its recovery. Then an operator starts it again. */
  async function startStopped(): Promise<void> {
    const database = connect(address);
    const isStopped = await database.raw('SELECT 1').then(
      () => false,
      () => true,
    );
    await database.destroy();
    if (isStopped) await cluster.start();
  }
  const full = fullDisk(disk ?? '');
  return [
    { name: 'crashed', seconds: 3, begin: () => cluster.crash(), end: () => cluster.start() },
    ...(disk === undefined ? [] : [{ ...full, end: () => full.end().then(startStopped) }]),
  ];
}
