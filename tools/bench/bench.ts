/**
 * Measures the server beside other programs, at a thousand and at a million products, and beside clients that load it.
 * Prints tables. A whole run also writes `README.md`, `results.json` and `growth.svg` beside it.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Cluster, replacePackage } from '../../test/support/cluster.ts';
import { root } from '../../test/support/program.ts';
import { Generator } from './generator.ts';
import { measureGrowth } from './growth.ts';
import { limitNames, measureLimits } from './limits.ts';
import { useBuilt } from './programs.ts';
import { growthPlot, type Results, tables, withTables } from './report.ts';
import type { Settings } from './settings.ts';
import { measureThroughput, throughputNames } from './throughput.ts';

const usage = `npm run bench -- [options]

  --quick         only check that everything runs: short rounds, few rows, nothing is written
  --only NAME     one part: throughput, growth or limits. Or one measurement, which is only printed:
                  ${[...throughputNames, ...limitNames].join(', ')}
  --seconds N     length of one round of load (default 2)
  --out FOLDER    write results.json and growth.svg there, and do not change docs/
`;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    seconds: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
/** The parts, each with its measurements. */
const parts: Record<string, readonly string[]> = {
  throughput: throughputNames,
  growth: ['growth'],
  limits: limitNames,
};
const names = [...Object.keys(parts), ...Object.values(parts).flat()];
const seconds = Number(options.seconds ?? (options.quick ? 0.2 : 2));
if (options.help) say(usage);
else if (!(seconds > 0) || (options.only !== undefined && !names.includes(options.only))) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else await main();

async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'passport-bench-'));
  stack.defer(() => rm(folder, { recursive: true }));
  let cluster: Promise<Cluster> | undefined;
  const settings: Settings = {
    isQuick: options.quick,
    seconds,
    rounds: options.quick ? 1 : 5,
    folder,
    newPostgres: async () => {
      cluster ??= Cluster.start({ defer: (undo) => stack.defer(undo), replacePackage }, { isDurable: true });
      return (await cluster).newDatabase();
    },
    say: (line) => say(`${elapsed()} ${line}`),
  };
  // The quick check leaves it out: it takes as long as all the rest.
  if (!options.quick) {
    settings.say('builds the server');
    useBuilt(await buildServer(folder));
  }
  const generator = new Generator();
  stack.defer(async () => generator.stop());
  const { only } = options;
  const isWanted = (name: string): boolean =>
    only === undefined || name === only || parts[only]?.includes(name) === true;
  const throughput = await measureThroughput(settings, generator, isWanted);
  const growth = isWanted('growth') ? await measureGrowth(settings) : [];
  const limits = await measureLimits(settings, generator, isWanted);
  await report({ machine: machine(), throughput, growth, limits });
}

/** Minutes and seconds since the start. */
function elapsed(): string {
  const seconds = Math.floor(performance.now() / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function machine(): Results['machine'] {
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim();
  const [processor] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    commit,
    processor: processor?.model.trim() ?? 'unknown processor',
    cores: cpus().length,
    node: process.versions.node,
  };
}

async function report(measured: Results): Promise<void> {
  say(`\n${Object.values(tables(measured)).filter(Boolean).join('\n\n')}`);
  if (options.quick || (options.only !== undefined && !Object.hasOwn(parts, options.only))) return;
  const last: Results = JSON.parse(await readFile(join(import.meta.dirname, 'results.json'), 'utf8'));
  const isMeasured = ([, figures]: [string, unknown]): boolean => !Array.isArray(figures) || figures.length > 0;
  const results: Results = { ...last, ...Object.fromEntries(Object.entries(measured).filter(isMeasured)) };
  const content = tables(results);
  const target = options.out ?? import.meta.dirname;
  await writeFile(join(target, 'results.json'), `${JSON.stringify(results, undefined, 2)}\n`);
  await writeFile(join(target, 'growth.svg'), growthPlot(results.growth));
  if (options.out !== undefined) return;
  const page = join(import.meta.dirname, 'README.md');
  await writeFile(page, withTables(await readFile(page, 'utf8'), content));
}

/** @returns the file of the command line */
export async function buildServer(folder: string): Promise<string> {
  const build = join(folder, 'build');
  await promisify(execFile)('npm', ['run', 'build', '--', '--to', build, 'openapi', 'server'], { cwd: root });
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@product-passport'), { recursive: true });
  await symlink(join(build, 'openapi'), join(modules, '@product-passport/openapi'));
  // The libraries of the checkout. Its own packages are links to sources.
  const libraries = await readdir(join(root, 'node_modules'));
  for (const name of libraries.filter((each) => !each.startsWith('.') && each !== '@product-passport')) {
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  // Those whose version is not that of other packages.
  await symlink(join(root, 'server/node_modules'), join(build, 'server/node_modules'));
  return join(build, 'server/bundle/main.js');
}
