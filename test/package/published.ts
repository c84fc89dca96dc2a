/** publint and attw ("Are the types wrong?"), which are installed on first use. */
import { join } from 'node:path';
import { type Outcome, run } from '../support/program.ts';
import { installed } from '../support/tools.ts';

async function tool(command: string): Promise<Outcome> {
  const folder = await installed(['publint@0.3.25', '@arethetypeswrong/cli@0.18.5']);
  return run(join(folder, 'node_modules/.bin', command));
}

/** @param folder an installed package */
export const publint = (folder: string): Promise<Outcome> => tool(`publint run ${folder} --pack false --strict`);

export const attw = (tarball: string, options: string): Promise<Outcome> =>
  tool(`attw ${tarball} --no-emoji --no-color ${options}`);
