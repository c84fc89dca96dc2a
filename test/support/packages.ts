/** The packed packages, and what else all test files of a run share. */
import { execFile } from 'node:child_process';
import { constants, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './program.ts';

const execute = promisify(execFile);
const npm = (cwd: string, words: string[], environment: Record<string, string> = {}) =>
  execute('npm', words, { cwd, env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 });

/** Requests something that all test files of a run share from `global-setup.ts`. */
export async function askRun(method: 'POST' | 'DELETE', what: string, body?: string): Promise<string> {
  const run = process.env.TEST_RUN;
  if (!run) throw new Error('TEST_RUN is not set: start the tests with Jest, whose global setup sets it.');
  const response = await fetch(new URL(what, run), { method, ...(body !== undefined && { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

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

/** Copies what the run has installed once into a folder of a test file, which may change it. */
export async function installPacked(
  folder: string,
  workspaces: readonly string[],
  packages: readonly string[] = [],
): Promise<Installed> {
  const { tarballs, project }: Installed = JSON.parse(
    await askRun('POST', 'installed', JSON.stringify([workspaces, packages])),
  );
  const own = join(folder, 'project');
  await cp(project, own, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
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
