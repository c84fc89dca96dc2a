/** Kills, breaks and floods the server, on both databases. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Cluster } from '../../test/support/cluster.ts';
import { root, temporaryFolder } from '../../test/support/program.ts';
import { optionsOf, refuse } from '../options.ts';
import { postgresFaults, runFaults, smallDisk, sqliteFaults } from './faults.ts';
import { runFloods } from './floods.ts';
import { print, type RunRound, roundsOn } from './rounds.ts';
import { Server } from './server.ts';
import { checkScans, checkStored } from './stored.ts';
import { openShop, Random, type Shop, Workload } from './workload.ts';

const usage = `npm run torture -- [options]

  --seed N           repeats a run (default: another one each time)
  --only PARTS       of killed, faults and floods, with commas between them (default: all)
  --database KIND    sqlite, postgres or both (default: both)
  --rounds N         rounds of kills on each database (default: 20)
`;

const { values } = optionsOf(usage, {
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: 'killed,faults,floods' },
    database: { type: 'string', default: 'both' },
    rounds: { type: 'string', default: '20' },
  },
});
const [seed, rounds] = [numberOf('seed'), numberOf('rounds')];
const kinds = values.database === 'both' ? ['sqlite', 'postgres'] : [values.database];
if (!kinds.every((kind) => ['sqlite', 'postgres'].includes(kind))) {
  refuse('--database takes sqlite, postgres or both.', usage);
}

function numberOf(name: 'seed' | 'rounds'): number {
  if (!/^\d+$/.test(values[name])) refuse(`--${name} takes a whole number.`, usage);
  return Number(values[name]);
}

// As npm does for its scripts.
process.env.PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
await using ending = new AsyncDisposableStack();
const defer = (undo: () => Promise<void>): void => void ending.defer(undo);

function newFolder(): string {
  const folder = temporaryFolder('torture');
  defer(() => rm(folder, { recursive: true }));
  return folder;
}

async function newShop(kind: string): Promise<Shop> {
  if (kind === 'sqlite') return openShop(join(newFolder(), 'passports.sqlite'));
  const cluster = await Cluster.start(defer, tmpdir());
  return openShop(await cluster.newDatabase());
}

/** A busy machine needs longer until a round has this many responses. */
const minResponses = 100;

/**
 * Two servers over one database, and a command that moves products, are killed under load. Every second round ends with
 * SIGTERM: then nothing is stored without a response either.
 */
async function killed(kind: string, inRound: RunRound): Promise<void> {
  const shop = await newShop(kind);
  const workload = new Workload(shop, seed);
  let lost = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const signal = round % 2 === 1 ? 'SIGKILL' : 'SIGTERM';
    await inRound(`round ${round}, ended by ${signal}`, async () => {
      const servers = await Promise.all([1, 2].map(() => Server.start(shop.address, '--rate-limit 0')));
      const mover = spawn(process.execPath, [
        join(import.meta.dirname, 'move-products.ts'),
        shop.address,
        shop.moved.id,
      ]);
      let isOver = false;
      const load = workload.run(servers, { isOver: () => isOver });
      const wait = 100 + new Random(seed + round).below(2500);
      const isEnough = setTimeout(wait).then(async () => {
        while (workload.counts.ok < round * minResponses) await setTimeout(10);
      });
      // A client that finds something ends the round early.
      await Promise.race([isEnough, load]);
      isOver = signal === 'SIGKILL';
      mover.kill('SIGKILL');
      const ended = Promise.all(servers.map((server) => server.stop(signal)));
      const [codes] = await Promise.all([ended, once(mover, 'exit'), load]);
      lost += servers.reduce((sum, server) => sum + server.lostScans(), 0);
      if (signal === 'SIGTERM') assert.deepEqual(codes, [0, 0], 'the servers did not end with 0');
      const next = await Server.start(shop.address);
      try {
        const stored = await checkStored(workload, next, { isExact: signal === 'SIGTERM' });
        return `after ${wait} ms, ${stored}, ${await checkScans(workload, lost)}`;
      } finally {
        await next.stop();
      }
    });
  }
}

async function faults(kind: string, inRound: RunRound): Promise<void> {
  const folder = newFolder();
  const disk = smallDisk(folder, kind === 'sqlite' ? 64 : 700, defer) ? folder : undefined;
  if (disk === undefined) print('The fault of the full disk needs root: it is left out.');
  if (kind === 'sqlite') {
    const shop = await openShop(join(folder, 'passports.sqlite'));
    return runFaults(shop, seed, sqliteFaults(disk), inRound);
  }
  const cluster = await Cluster.start(defer, disk ?? tmpdir());
  const shop = await openShop(await cluster.newDatabase());
  return runFaults(shop, seed, postgresFaults(shop.address, cluster, disk), inRound);
}

const parts: Readonly<Record<string, (kind: string, inRound: RunRound) => Promise<void>>> = {
  killed,
  faults,
  floods: async (kind, inRound) => runFloods(await newShop(kind), newFolder(), inRound),
};
const chosen = values.only.split(',');
if (!chosen.every((part) => part in parts)) refuse(`--only takes ${Object.keys(parts).join(', ')}.`, usage);
print(`torture with the seed ${seed}`);
for (const kind of kinds) for (const part of chosen) await parts[part]?.(kind, roundsOn(kind));
if (process.exitCode === 1) print(`A round failed. To repeat it: npm run torture -- --seed ${seed}`);
