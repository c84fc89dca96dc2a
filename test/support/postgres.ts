/** PostgreSQL for test files: databases of the cluster that the run shares, and clusters of a file's own. */
import { jest } from '@jest/globals';
import { Cluster } from './cluster.ts';
import { ending } from './ending.ts';
import type { Surroundings } from './postgres-programs.ts';

/** What this test file undoes when it ends. */
export const testFile: Surroundings = {
  defer: (undo) => ending.defer(undo),
  replacePackage: (name, exports) => void jest.unstable_mockModule(name, () => exports),
};

/** The address of a new, empty database of the shared cluster. It goes when the test file ends. */
export async function newPostgresDatabase(): Promise<string> {
  const address = await ask('POST');
  ending.defer(async () => void (await ask('DELETE', address)));
  return address;
}

/** Starts a cluster that the test file may stop or make hang. */
export function startCluster(): Promise<Cluster> {
  return Cluster.start(testFile);
}

async function ask(method: 'POST' | 'DELETE', body?: string): Promise<string> {
  const run = process.env.TEST_POSTGRES;
  if (!run) throw new Error('TEST_POSTGRES is not set: start the tests with Jest, whose global setup sets it.');
  const response = await fetch(run, { method, ...(body !== undefined && { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
