/** Projects with packages that are installed once for all test files of a run, and publint and attw, which are installed on first use. */
import { join } from 'node:path';
import { type Installed, installPacked } from '../support/packages.ts';
import { type Outcome, run } from '../support/program.ts';
import { installed } from '../support/tools.ts';

/** The workspaces in a project, and other packages. Those of `contracts` run on Node 20 too. */
const projects = {
  server: [['server', 'openapi'], ['@types/node@24.19.2']],
  contracts: [
    ['contracts', 'openapi', 'sdk'],
    ['@types/node@24.19.2', 'undici@7.30.2', '@opentelemetry/api@1.9.1'],
  ],
} as const;
export type ProjectName = keyof typeof projects;

/** A copy of a project in a folder of the test file. */
export function projectWith(name: ProjectName, folder: string): Promise<Installed> {
  const [workspaces, others] = projects[name];
  return installPacked(join(folder, name), workspaces, others);
}

async function tool(command: string): Promise<Outcome> {
  const folder = await installed(['publint@0.3.25', '@arethetypeswrong/cli@0.18.5']);
  return run(join(folder, 'node_modules/.bin', command));
}

/** @param folder an installed package */
export const publint = (folder: string): Promise<Outcome> => tool(`publint run ${folder} --pack false --strict`);

export const attw = (tarball: string, options: string): Promise<Outcome> =>
  tool(`attw ${tarball} --no-emoji --no-color ${options}`);
