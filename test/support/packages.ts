/** The packed packages, projects that have them installed, and the tools of single tests. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { askRun, root } from './program.ts';

const execute = promisify(execFile);
const npm = (cwd: string, words: string[], environment: Record<string, string> = {}) =>
  execute('npm', words, { cwd, env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 });

export interface Packed {
  /** The folder with a folder for each workspace, as it is published. */
  build: string;
  /** The path of the tarball of each workspace. */
  tarballs: Record<string, string>;
}

/** Builds and packs all workspaces as for publishing. */
export async function pack(folder: string): Promise<Packed> {
  const build = join(folder, 'build');
  await npm(root, ['run', 'build', '--', '--to', build]);
  const workspaces = await readdir(build);
  const { stdout } = await npm(folder, ['pack', '--silent', ...workspaces.map((workspace) => join(build, workspace))]);
  const names = stdout.trim().split('\n');
  return { build, tarballs: Object.fromEntries(workspaces.map((each, at) => [each, join(folder, names[at] ?? '')])) };
}

/** The packages of this run, for test files. They only read them. */
export async function packedByRun(): Promise<Packed> {
  return JSON.parse(await askRun('POST', 'packed'));
}

/** The paths of the tarballs, in the order of the workspaces, and an empty project that has them installed. */
export interface Installed {
  tarballs: readonly string[];
  project: string;
}

/** The workspaces in a project, and other packages. The packages of `contracts` run on Node 20, too. */
const projects = {
  server: [['server', 'openapi'], ['@types/node@24.19.2']],
  contracts: [
    ['contracts', 'openapi', 'sdk'],
    ['@types/node@24.19.2', 'undici@7.30.2', '@opentelemetry/api@1.9.1'],
  ],
} as const;

/** Copies a project that the run has installed once into a folder of a test file, which may change it. */
export function installPacked(folder: string, name: keyof typeof projects): Promise<Installed> {
  const [workspaces, others] = projects[name];
  return installWith(folder, workspaces, others);
}

/** The same with other packages. */
export async function installWith(
  folder: string,
  workspaces: readonly string[],
  packages: readonly string[],
): Promise<Installed> {
  const { tarballs, project }: Installed = JSON.parse(
    await askRun('POST', 'installed', JSON.stringify([workspaces, packages])),
  );
  const own = join(folder, 'project');
  await mkdir(folder, { recursive: true });
  // Node's own `cp` takes five times as long.
  await execute('cp', ['-R', project, own]);
  return { tarballs, project: own };
}

/** Installs the tarballs of workspaces and other packages in an empty project. */
export async function install(
  folder: string,
  packed: Packed,
  workspaces: readonly string[],
  packages: readonly string[] = [],
): Promise<Installed> {
  const tarballs = workspaces.map((workspace) => packed.tarballs[workspace] ?? '');
  const project = join(folder, 'project');
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "private": true }\n');
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--save-exact'];
  await npm(project, ['install', ...options, ...tarballs, ...packages], {
    npm_config_sqlite3_local_prebuilds: await prebuiltSqlite(folder),
  });
  return { tarballs, project };
}

/**
 * Packs the SQLite driver of the checkout as the prebuilt one that its installation looks for first. If it has another
 * name, the driver is downloaded or compiled.
 *
 * @returns the folder
 */
async function prebuiltSqlite(folder: string): Promise<string> {
  const driver = join(root, 'node_modules/sqlite3');
  const { version, binary } = JSON.parse(await readFile(join(driver, 'package.json'), 'utf8'));
  const napi = Math.max(...binary.napi_versions);
  const name = `sqlite3-v${version}-napi-v${napi}-${process.platform}-${process.arch}.tar.gz`;
  await execute('tar', ['-czf', join(folder, name), '-C', driver, 'build/Release/node_sqlite3.node']);
  return folder;
}

const cache = join(tmpdir(), 'product-passport-runtimes');

/**
 * Installs a tool of single tests, which is no dependency of the checkout: on first use, and for later runs too.
 *
 * @param packages names with exact versions, as in `bun@1.4.5`
 * @param before called before an installation
 */
export async function installed(packages: readonly string[], before: () => void = () => {}): Promise<string> {
  const folder = join(cache, packages.join('+').replaceAll(/[^\w.@+-]/g, '-'));
  if (existsSync(join(folder, 'installed'))) return folder;
  before();
  await mkdir(cache, { recursive: true });
  const own = await mkdtemp(join(cache, 'new-'));
  const names = packages.map((each) => each.slice(0, each.lastIndexOf('@')));
  const allowScripts = Object.fromEntries(names.map((name) => [name, true]));
  await writeFile(join(own, 'package.json'), JSON.stringify({ private: true, allowScripts }));
  await execute('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], { cwd: own });
  await writeFile(join(own, 'installed'), 'yes');
  try {
    await rename(own, folder);
  } catch (error) {
    // Another run was quicker, or an older one was interrupted.
    if (existsSync(join(folder, 'installed'))) await rm(own, { recursive: true });
    else throw error;
  }
  return folder;
}
