import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './program.ts';

const execute = promisify(execFile);

/** The path of the SDK's tarball, and an empty project that has it installed. */
export interface Installed {
  tarball: string;
  project: string;
}

/** Builds and packs the SDK as for publishing, and installs the tarball and other packages in an empty project. */
export async function installPacked(folder: string, packages: readonly string[] = []): Promise<Installed> {
  const npm = (cwd: string, ...words: string[]) => execute('npm', words, { cwd, maxBuffer: 64 * 1024 * 1024 });
  const build = join(folder, 'build');
  await execute('node', [join(root, 'scripts/build-sdk.ts'), build]);
  const { stdout } = await npm(folder, 'pack', '--silent', build);
  const tarball = join(folder, stdout.trim());

  const project = join(folder, 'project');
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "private": true }\n');
  await npm(project, 'install', '--no-audit', '--no-fund', '--prefer-offline', '--save-exact', tarball, ...packages);
  return { tarball, project };
}
