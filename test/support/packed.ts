import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './program.ts';
import { askRun } from './run-client.ts';

const execute = promisify(execFile);
const npm = (cwd: string, ...words: string[]) => execute('npm', words, { cwd, maxBuffer: 64 * 1024 * 1024 });

export interface Packed {
  /** The folder with a folder for each workspace, as it is published. */
  build: string;
  /** The path of the tarball of each workspace. */
  tarballs: Record<string, string>;
}

/** Builds and packs all workspaces as for publishing. */
export async function pack(folder: string): Promise<Packed> {
  const build = join(folder, 'build');
  await npm(root, 'run', 'build', '--', '--to', build);
  const workspaces = await readdir(build);
  const { stdout } = await npm(folder, 'pack', '--silent', ...workspaces.map((workspace) => join(build, workspace)));
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

/** Installs the tarballs of workspaces and other packages in an empty project. Default: those of the run. */
export async function installPacked(
  folder: string,
  workspaces: readonly string[],
  packages: readonly string[] = [],
  packed?: Packed,
): Promise<Installed> {
  const { tarballs: all } = packed ?? (await packedByRun());
  const tarballs = workspaces.map((workspace) => all[workspace] ?? '');

  const project = join(folder, 'project');
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "private": true }\n');
  await npm(
    project,
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--save-exact',
    ...tarballs,
    ...packages,
  );
  return { tarballs, project };
}
