/**
 * Kills, breaks, overloads and attacks the server, on both databases: `npm run torture -- --seed 7`.
 *
 * Options: `--rounds` of kills (20), `--database sqlite|postgres|both`, `--only killed,faults,load,tenants,floods,hostile`,
 * `--requests` of the hostile part (100000), `--seconds` of the load and of the tenants (60), `--connections` that idle (10000), `--accepted` requests in
 * flight of the load (500), which sends ten times as many.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Cluster, replacePackage } from '../../test/support/cluster.ts';
import { root } from '../../test/support/program.ts';
import { canLock, smallDisk } from './disk.ts';
import { postgresFaults, runFaults, sqliteFaults } from './faults.ts';
import { runFloods } from './floods.ts';
import { runHostile } from './hostile.ts';
import { runLoad } from './load.ts';
import { Report } from './report.ts';
import { Server } from './server.ts';
import { checkScans, checkStored } from './stored.ts';
import { runTenants } from './tenants.ts';
import { openShop, Random, type Shop, Workload } from './workload.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rounds: { type: 'string', default: '20' },
    database: { type: 'string', default: 'both' },
    only: { type: 'string', default: 'killed,faults,load,tenants,floods,hostile' },
    requests: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '60' },
    lock: { type: 'string', default: '30' },
    connections: { type: 'string', default: '10000' },
    accepted: { type: 'string', default: '500' },
  },
});
// As npm does for its scripts.
process.env.PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
const seed = Number(values.seed);
const parts = values.only.split(',');
const kinds = values.database === 'both' ? ['sqlite', 'postgres'] : [values.database];

function refuse(message: string): never {
  process.stderr.write(`torture: ${message}\n`);
  process.exit(2);
}

if (!parts.every((part) => ['killed', 'faults', 'load', 'tenants', 'floods', 'hostile'].includes(part))) {
  refuse('--only takes killed, faults, load, tenants, floods and hostile, with commas between them.');
}
if (!kinds.every((kind) => ['sqlite', 'postgres'].includes(kind))) refuse('--database takes sqlite, postgres or both.');
for (const name of ['seed', 'rounds', 'requests', 'seconds', 'connections', 'lock', 'accepted'] as const) {
  if (!/^\d+$/.test(values[name])) refuse(`--${name} takes a whole number.`);
}

const report = new Report(seed, (line) => void process.stdout.write(`${line}\n`));

await using ending = new AsyncDisposableStack();
const surroundings = { defer: (undo: () => Promise<void>) => void ending.defer(undo), replacePackage };
process.stdout.write(`torture with the seed ${seed}\n`);

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'torture-'));
  surroundings.defer(() => rm(folder, { recursive: true }));
  return folder;
}

/** A PostgreSQL of its own, in a folder. */
async function startCluster(folder: string): Promise<Cluster> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    return await Cluster.start(surroundings, { isDurable: true });
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

async function killed(kind: string): Promise<void> {
  await runKilled({ shop: await openShop(await newDatabase(kind)), kind, rounds: Number(values.rounds), seed }, report);
}

async function faults(kind: string): Promise<void> {
  const folder = await newFolder();
  const size = kind === 'sqlite' ? { megabytes: 64, isFile: true } : { megabytes: 700, isFile: false };
  const disk = (await smallDisk(folder, size, surroundings.defer)) ? folder : undefined;
  if (disk === undefined) process.stdout.write('The fault of the full disk needs root: it is left out.\n');
  if (kind === 'sqlite') {
    const address = join(folder, 'passports.sqlite');
    const locks = await canLock(folder);
    if (!locks) process.stdout.write('The fault of the read-only file needs root and ext4: it is left out.\n');
    const shop = await openShop(address);
    await runFaults(
      { shop, kind, seed, faults: sqliteFaults(address, { disk, canLock: locks, lockSeconds: Number(values.lock) }) },
      report,
    );
    return;
  }
  const cluster = await startCluster(disk ?? tmpdir());
  const address = await cluster.newDatabase();
  const shop = await openShop(address);
  await runFaults({ shop, kind, seed, faults: postgresFaults(address, cluster, disk) }, report);
}

/** The address of an empty database. */
async function newDatabase(kind: string): Promise<string> {
  if (kind === 'sqlite') return join(await newFolder(), 'passports.sqlite');
  return (await startCluster(tmpdir())).newDatabase();
}

async function hostile(kind: string): Promise<void> {
  const address = await newDatabase(kind);
  await runHostile({ address, kind, seed, requests: Number(values.requests) }, report);
}

async function load(kind: string): Promise<void> {
  const shop = await openShop(await newDatabase(kind));
  const sizes = { seconds: Number(values.seconds), connections: Number(values.connections) };
  await runLoad({ shop, kind, seed, ...sizes, accepted: Number(values.accepted) }, report);
}

async function tenants(kind: string): Promise<void> {
  const shop = await openShop(await newDatabase(kind));
  await runTenants({ shop, kind, seed, seconds: Number(values.seconds) }, report);
}

for (const kind of kinds) {
  if (parts.includes('killed')) await killed(kind);
  if (parts.includes('faults')) await faults(kind);
  if (parts.includes('load')) await load(kind);
  if (parts.includes('tenants')) await tenants(kind);
  if (parts.includes('floods')) await runFloods({ shop: await openShop(await newDatabase(kind)), kind }, report);
  if (parts.includes('hostile')) await hostile(kind);
}
report.finish();
process.exitCode = report.failed.length === 0 ? 0 : 1;

export async function runKilled(
  { shop, kind, rounds, seed }: { shop: Shop; kind: string; rounds: number; seed: number },
  report: Report,
): Promise<void> {
  const workload = new Workload(shop, new Random(seed));
  // The order of the writers is not that of another run, but the moments are.
  const moments = new Random(seed);
  let lost = 0;
  for (let round = 1; round <= rounds; round += 1) {
    await report.round('killed', kind, round, async () => {
      const server = await Server.start(shop.address);
      let isKilled = false;
      const ended = workload.run(server, { isOver: () => isKilled, mayRefuse: () => false });
      const wait = 100 + moments.below(2500);
      // A writer that finds something ends the round early.
      await Promise.race([setTimeout(wait), ended]);
      isKilled = true;
      await server.stop('SIGKILL');
      lost += server.lostScans();
      await ended;
      const next = await Server.start(shop.address);
      try {
        const stored = await checkStored(workload, next);
        return `killed after ${wait} ms, ${stored}, ${await checkScans(workload, lost)}`;
      } finally {
        await next.stop();
      }
    });
  }
}
