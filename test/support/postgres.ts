/** What test files get from the run: databases of its cluster, and its templates. Also clusters of a file's own. */
import { jest } from '@jest/globals';
import { Cluster } from './cluster.ts';
import { ending } from './ending.ts';
import type { Surroundings } from './postgres-programs.ts';

/** What this test file undoes when it ends. */
export const testFile: Surroundings = {
  defer: (undo) => ending.defer(undo),
  replacePackage: (name, exports) => void jest.unstable_mockModule(name, () => exports),
};

/** The address of a new database of the shared cluster: an empty one, or one with all tables. It goes when the test file ends. */
export async function newPostgresDatabase(form: 'empty' | 'migrated' = 'empty'): Promise<string> {
  const address = await ask('POST', form);
  ending.defer(async () => void (await ask('DELETE', '', address)));
  return address;
}

/** The path of a SQLite file with all tables, for copies. */
export function sqliteTemplate(): Promise<string> {
  return ask('POST', 'sqlite-template');
}

/** Starts a cluster that the test file may stop or make hang. */
export function startCluster(): Promise<Cluster> {
  return Cluster.start(testFile);
}

async function ask(method: 'POST' | 'DELETE', what: string, body?: string): Promise<string> {
  const run = process.env.TEST_POSTGRES;
  if (!run) throw new Error('TEST_POSTGRES is not set: start the tests with Jest, whose global setup sets it.');
  const response = await fetch(new URL(what, run), { method, ...(body !== undefined && { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
