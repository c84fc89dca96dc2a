import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './program.ts';

const execute = promisify(execFile);

/** The paths of the tarballs, in the order of the workspaces, and an empty project that has them installed. */
export interface Installed {
  tarballs: readonly string[];
  project: string;
}

/** Builds and packs workspaces as for publishing. Installs the tarballs and other packages in an empty project. */
export async function installPacked(
  folder: string,
  workspaces: readonly string[],
  packages: readonly string[] = [],
): Promise<Installed> {
  const npm = (cwd: string, ...words: string[]) => execute('npm', words, { cwd, maxBuffer: 64 * 1024 * 1024 });
  const build = join(folder, 'build');
  await execute('node', [join(root, 'scripts/build.ts'), ...workspaces, '--to', build]);
  const { stdout } = await npm(folder, 'pack', '--silent', ...workspaces.map((workspace) => join(build, workspace)));
  const tarballs = stdout
    .trim()
    .split('\n')
    .map((name) => join(folder, name));

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
