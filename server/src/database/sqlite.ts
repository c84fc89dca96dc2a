import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Knex } from 'knex';
import { observed } from './observed.ts';
import { forgetPrepared, runPrepared, type SqliteConnection } from './prepared.ts';
import { Readers } from './readers.ts';

const require = createRequire(import.meta.url);

/** How long a write waits while another process holds the write lock, in milliseconds. */
export const busyLimit = 5000;

/** The longest pause between two attempts to get the write lock, in milliseconds. */
const longestPause = 100;

/**
 * The number of readers, unless libuv has too few threads. Each statement that runs holds a thread, and the writer,
 * files and name look-ups need threads too.
 */
const mostReaders = 8;
const otherThreads = 4;
const defaultThreads = 4;

/** What Knex sends with each write. Prepared, a write takes two turns of libuv's pool less. */
const commit = 'COMMIT;';
const frequent = new Set(['BEGIN IMMEDIATE;', commit]);

/** The parts of Knex's SQLite client that are used here. Its own types do not name them. */
type SqliteClient = new (
  config: Knex.Config,
) => {
  transacting?: boolean;
  transaction(...parameters: unknown[]): SqliteTransaction;
  acquireRawConnection(): Promise<SqliteConnection>;
  destroyRawConnection(connection: SqliteConnection): Promise<void>;
  destroy(callback?: (error?: unknown) => void): Promise<void>;
  _query(connection: SqliteConnection, query: Query): Promise<Query>;
};
interface Query {
  sql: string;
  bindings?: readonly unknown[];
  options?: { name?: string };
  response?: unknown;
}
type Container = (transaction: unknown) => Promise<unknown>;
interface SqliteTransaction {
  readOnly?: boolean;
  trxClient: { query(connection: SqliteConnection, sql: string): Promise<unknown> };
  begin(connection: SqliteConnection): Promise<unknown>;
  _evaluateContainer(config: unknown, container: Container): Promise<unknown>;
}

/** The connection's settings. */
export function sqliteConnection(address: string): { filename: string; flags?: string[] } {
  if (address === ':memory:' || !isImmutable(resolve(address))) return { filename: address };
  return { filename: `${pathToFileURL(resolve(address))}?immutable=1`, flags: ['OPEN_URI'] };
}

/**
 * Whether SQLite can open the file only as immutable: it has no WAL file, and the folder is not writable. SQLite needs a
 * WAL file to read a database in WAL mode.
 */
function isImmutable(path: string): boolean {
  if (!existsSync(path) || existsSync(`${path}-wal`)) return false;
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

/** Runs many statements at once, in a transaction. */
export async function runScript({ client }: Knex.Transaction, sql: string): Promise<void> {
  const connection: SqliteConnection = await client.acquireConnection();
  await promisify(connection.exec.bind(connection))(sql);
}

/** The package of the driver is there, but not its binary. */
export class MissingDriver extends Error {
  override readonly name = 'MissingDriver';

  constructor(cause: unknown) {
    const reason = 'the SQLite driver is not installed, because no install script of the package sqlite3 has run';
    const advice = 'Run `npm rebuild sqlite3`, which takes minutes if it has to compile, or use a postgres:// address';
    super(`${reason}. ${advice}.`, { cause });
  }
}

/**
 * The driver itself, for what Knex does not have: the copy of a database.
 *
 * @throws MissingDriver
 */
export function sqliteDriver(): unknown {
  try {
    return require('sqlite3');
  } catch (error) {
    throw new MissingDriver(error);
  }
}

/**
 * Knex's SQLite client with prepared statements, with readers beside the connection that writes, and with transactions
 * that take the write lock when they begin, unless they only read. After a plain BEGIN, a transaction that reads first
 * would fail at its first write if another process wrote in between.
 */
export function sqliteClient({ statementTimeout }: { statementTimeout: number }): typeof Knex.Client {
  // Knex would tell a user to install the package.
  sqliteDriver();
  const Sqlite = require('knex/lib/dialects/sqlite3/index.js') as SqliteClient;
  return class extends Sqlite {
    /** Absent in a transaction, and before `openReaders`. */
    readers?: Readers;
    /** When waits for the write lock end, as `performance.now()` counts. */
    lockDeadline = Number.POSITIVE_INFINITY;

    /** From now on prepared statements outside of a transaction, and snapshots, run on connections of their own. */
    openReaders(): void {
      const open = async (): Promise<SqliteConnection> => {
        const connection = await this.acquireRawConnection();
        const pragmas = `PRAGMA busy_timeout = ${busyLimit}; PRAGMA query_only = ON;`;
        try {
          await promisify(connection.exec.bind(connection))(pragmas);
        } catch (error) {
          await this.destroyRawConnection(connection);
          throw error;
        }
        return connection;
      };
      const close = (connection: SqliteConnection): Promise<void> => this.destroyRawConnection(connection);
      this.readers = new Readers({ open, close }, { size: readerCount(), longestRun: statementTimeout });
    }

    override _query(connection: SqliteConnection, query: Query): Promise<Query> {
      return observed(this, query.sql, () => this.runQuery(connection, query));
    }

    async runQuery(connection: SqliteConnection, query: Query): Promise<Query> {
      if (query.options?.name === undefined && !frequent.has(query.sql)) return super._query(connection, query);
      try {
        return Object.assign(query, { response: await runPrepared(connection, query.sql, query.bindings ?? []) });
      } catch (error) {
        // SQLite keeps a transaction open whose COMMIT failed, and Knex would begin the next one inside it.
        if (query.sql === commit) await runPrepared(connection, 'ROLLBACK', []).catch(() => {});
        throw error;
      }
    }

    override destroyRawConnection(connection: SqliteConnection): Promise<void> {
      forgetPrepared(connection);
      return super.destroyRawConnection(connection);
    }

    override async destroy(callback?: (error?: unknown) => void): Promise<void> {
      await this.readers?.close();
      return super.destroy(callback);
    }

    override transaction(...parameters: unknown[]): SqliteTransaction {
      const transaction = super.transaction(...parameters);
      // A nested transaction is a savepoint of one that holds the lock.
      if (this.transacting) return transaction;
      const evaluate = transaction._evaluateContainer.bind(transaction);
      transaction.begin = (connection) => begin(transaction, connection);
      transaction._evaluateContainer = (config, container) =>
        untilLocked(
          (watched) => evaluate(config, watched),
          container,
          () => this.lockDeadline,
        );
      return transaction;
    }
  } as unknown as typeof Knex.Client;
}

/** The number of readers for the size of libuv's thread pool, which a program sets before Node starts the pool. */
function readerCount(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE) || defaultThreads;
  return Math.max(Math.min(3, threads - 1), Math.min(mostReaders, threads - otherThreads), 1);
}

/** Begins or rejects. If Knex's own `begin` fails, it resolves and runs the container without a transaction. */
async function begin(transaction: SqliteTransaction, connection: SqliteConnection): Promise<void> {
  if (transaction.readOnly) {
    await transaction.trxClient.query(connection, 'BEGIN;');
    return;
  }
  // SQLite's own wait would block the connection, and with it every read.
  connection.configure('busyTimeout', 0);
  try {
    await transaction.trxClient.query(connection, 'BEGIN IMMEDIATE;');
  } finally {
    connection.configure('busyTimeout', busyLimit);
  }
}

/**
 * Runs a transaction. While another process holds the write lock, it waits without a connection and retries.
 *
 * @param deadline ends the wait early
 */
async function untilLocked(
  evaluate: (container: Container) => Promise<unknown>,
  container: Container,
  deadline: () => number,
): Promise<unknown> {
  const giveUp = performance.now() + busyLimit;
  let failure: unknown;
  let hasBegun = false;
  const watched: Container = async (transaction) => {
    hasBegun = true;
    try {
      return await container(transaction);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  for (let pause = 5; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await evaluate(watched);
    } catch (error) {
      // A full disk has ended the transaction, and Knex would report the ROLLBACK that failed.
      if (hasBegun) throw failure ?? error;
      if ((error as { code?: unknown }).code !== 'SQLITE_BUSY' || performance.now() > Math.min(giveUp, deadline()))
        throw error;
    }
    await setTimeout(pause * (0.5 + Math.random() / 2));
  }
}
