/**
 * What the log and the metrics cost: servers that differ only in them, with the same load in turn. Prints the
 * processor time of each server for a request, and its ratio to the server without log and metrics.
 *
 *   npm run bench:seen -- [--rounds 41] [--requests 400] [--only getMe]
 */
import { copyFile, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildShop, type Shop } from './data.ts';
import { Generator } from './generator.ts';
import type { Load } from './load.ts';
import { type Program, startServer } from './programs.ts';
import { median } from './settings.ts';

const logged = ['--log-level', 'info'];
const measured = ['--admin-port', '0'];
/**
 * Options of each server. The first is the one that the others are compared with. `again` has the same options: its ratio
 * shows how far the machine's other work can move the others.
 */
const variants = { quiet: [], again: [], log: logged, metrics: measured, both: [...logged, ...measured] };
type Variant = keyof typeof variants;
const names = Object.keys(variants) as Variant[];

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '41' },
    requests: { type: 'string', default: '400' },
    only: { type: 'string' },
  },
});
const rounds = Number(options.rounds);
const until = { requests: Number(options.requests) };

function loads({ slug, product, key, gtin, drafts }: Shop): Record<string, Omit<Load, 'host' | 'until'>> {
  const secured = { authorization: `Bearer ${key}` };
  const values = Array.from({ length: 26 }, (_, index) => ({ field_key: `field_${index}`, value: '[<id>]' }));
  const writes = drafts.map((draft) => ({ path: `/api/v1/products/${draft}/passport`, body: JSON.stringify(values) }));
  const common = { method: 'GET', connections: 32 } as const;
  return {
    getMe: { ...common, headers: secured, requests: [{ path: '/api/v1/me' }] },
    getProduct: { ...common, headers: secured, requests: [{ path: `/api/v1/products/${product}` }] },
    resolver: { ...common, headers: {}, requests: [{ path: `/01/${gtin}` }] },
    page: { ...common, headers: { accept: 'text/html' }, requests: [{ path: `/p/${slug}/${product}` }] },
    putPassport: {
      ...common,
      method: 'PUT',
      headers: { ...secured, 'content-type': 'application/json' },
      requests: writes,
    },
  };
}

const folder = await mkdtemp(join(tmpdir(), 'passport-seen-'));
const generator = new Generator();
const programs = new Map<Variant, Program>();
try {
  const original = join(folder, 'shop.sqlite');
  const shop = await buildShop(original);
  for (const name of names) {
    const file = join(folder, `${name}.sqlite`);
    await copyFile(original, file);
    const log = await open(join(folder, `${name}.log`), 'w');
    programs.set(name, await startServer(file, { words: variants[name], stderr: log.fd }));
    await log.close();
  }
  for (const [operation, load] of Object.entries(loads(shop))) {
    if (options.only !== undefined && options.only !== operation) continue;
    const samples = new Map(names.map((name) => [name, [] as number[]]));
    // The first round warms up. Each round begins with another server.
    for (let round = -1; round < rounds; round += 1) {
      for (const name of [...names, ...names].slice((round + 1) % names.length).slice(0, names.length)) {
        const cpu = await cpuOf(name, load);
        if (round >= 0) samples.get(name)?.push(cpu);
      }
    }
    const quiet = samples.get('quiet') ?? [];
    const cells = names.map((name) => {
      const own = samples.get(name) ?? [];
      // Within a round, other programs load the machine alike.
      const ratio = median(own.map((cpu, round) => cpu / (quiet[round] ?? Number.NaN)));
      return `${name} ${Math.round(median(own))} µs${name === 'quiet' ? '' : ` (× ${ratio.toFixed(3)})`}`;
    });
    process.stdout.write(`${operation.padEnd(12)} ${cells.join('   ')}\n`);
  }
} finally {
  for (const program of programs.values()) await program.stop();
  generator.stop();
  await rm(folder, { recursive: true });
}

/** Processor time of a server for one request, in microseconds. */
async function cpuOf(name: Variant, load: Omit<Load, 'host' | 'until'>): Promise<number> {
  const program = programs.get(name);
  if (!program) throw new Error(`${name} was not started.`);
  const before = await program.probe();
  const { total } = await generator.run({ ...load, host: program.host, until });
  const after = await program.probe();
  return ((after.cpu - before.cpu) / total) * 1000;
}
