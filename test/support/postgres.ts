/** What test files get from the run: databases of its cluster, and its templates. Also clusters of a file's own. */
import { jest } from '@jest/globals';
import { Cluster, type Surroundings } from './cluster.ts';
import { ending } from './ending.ts';
import { askRun } from './run-client.ts';

/** What this test file undoes when it ends. */
export const testFile: Surroundings = {
  defer: (undo) => ending.defer(undo),
  replacePackage: (name, exports) => void jest.unstable_mockModule(name, () => exports),
};

/**
 * The address of a new database of the shared cluster: an empty one, one with all tables, or a copy of one that nobody has
 * open. It goes when the test file ends.
 */
export async function newPostgresDatabase(form: 'empty' | 'migrated' | { copyOf: string } = 'empty'): Promise<string> {
  const address = await (typeof form === 'string' ? askRun('POST', form) : askRun('POST', 'copy', form.copyOf));
  ending.defer(async () => void (await askRun('DELETE', '', address)));
  return address;
}

/** The path of a SQLite file with all tables, for copies. */
export function sqliteTemplate(): Promise<string> {
  return askRun('POST', 'sqlite-template');
}

/** Starts a cluster that the test file may stop or make hang. */
export function startCluster(): Promise<Cluster> {
  return Cluster.start(testFile);
}
