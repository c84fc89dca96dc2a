/** Builds the server as it is published: in the checkout Node removes the types at each start. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../test/support/program.ts';

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
  return join(build, 'server/src/cli/main.js');
}
