/**
 * Measures the server beside other programs, at a thousand and at a million products, and under attack. Prints tables,
 * and writes them into `docs/performance.md` and its folder.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Cluster } from '../support/cluster.ts';
import { replacePackage } from '../support/postgres-programs.ts';
import { Generator } from './generator.ts';
import type { Settings } from './settings.ts';
import { measureThroughput } from './throughput.ts';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, seconds: { type: 'string' } },
});
await using stack = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'passport-bench-'));
stack.defer(() => rm(folder, { recursive: true }));
let cluster: Promise<Cluster> | undefined;
const settings: Settings = {
  isQuick: options.quick,
  seconds: Number(options.seconds ?? (options.quick ? 0.2 : 3)),
  rounds: options.quick ? 1 : 5,
  folder,
  newPostgres: async () => {
    cluster ??= Cluster.start({ defer: (undo) => stack.defer(undo), replacePackage }, { isDurable: true });
    return (await cluster).newDatabase();
  },
  say: (line) => void process.stdout.write(`${line}\n`),
};
const generator = new Generator();
stack.defer(async () => generator.stop());
const isWanted = (name: string): boolean => options.only === undefined || name === options.only;
const throughput = await measureThroughput(settings, generator, isWanted);
console.log(JSON.stringify(throughput, null, 1));
