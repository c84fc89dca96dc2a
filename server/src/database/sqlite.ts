import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Knex } from 'knex';
import { OperatorError } from '../operator-error.ts';

const require = createRequire(import.meta.url);

/** How often the time of running reads is checked, in milliseconds. */
const checkInterval = 250;

/** Each statement that runs holds a thread of libuv. The writer, files and DNS look-ups need threads too. */
const maxReaders = 8;
const defaultThreads = 4;

/** The parts of the SQLite driver that are used here. */
export interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
  prepare(sql: string, done: (error: Error | null) => void): SqliteStatement;
  interrupt(): void;
  close(done: () => void): void;
  configure(option: 'busyTimeout', milliseconds: number): void;
}

interface SqliteStatement {
  all(bindings: readonly unknown[], done: (error: Error | null, rows: unknown[]) => void): void;
  reset(done: () => void): void;
  finalize(): void;
}

/** A statement of a connection, and the end of its preparation. */
interface Prepared {
  statement: SqliteStatement;
  ready: Promise<void>;
}

/** By connection, then by SQL. The program has a fixed number of statements. */
const preparedBy = new WeakMap<SqliteConnection, Map<string, Prepared>>();

/** Runs a statement on a SQLite connection, which prepares it only once. */
export async function runPrepared(
  connection: SqliteConnection,
  sql: string,
  bindings: readonly unknown[],
): Promise<unknown[]> {
  const { statement, ready } = preparedBy.get(connection)?.get(sql) ?? prepare(connection, sql);
  await ready;
  // Reads all rows: a statement that stops at its first row keeps its snapshot until it runs again. A failed statement
  // counts as running until it is reset: SQLite would not commit a later write, and would undo it at the reset.
  return new Promise((resolve, reject) => {
    statement.all(bindings, (error, rows) => (error ? statement.reset(() => reject(error)) : resolve(rows)));
  });
}

/** Ends the prepared statements of a connection. SQLite does not close a connection that has any. */
export function forgetPrepared(connection: SqliteConnection): void {
  for (const { statement } of preparedBy.get(connection)?.values() ?? []) statement.finalize();
  preparedBy.delete(connection);
}

function prepare(connection: SqliteConnection, sql: string): Prepared {
  const all = preparedBy.get(connection) ?? new Map<string, Prepared>();
  preparedBy.set(connection, all);
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const statement = connection.prepare(sql, (error) => {
    if (!error) return resolve();
    all.delete(sql);
    reject(error);
  });
  const prepared = { statement, ready };
  all.set(sql, prepared);
  return prepared;
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
class MissingDriver extends OperatorError {
  override readonly name = 'MissingDriver';

  constructor(cause: unknown) {
    const reason = 'the SQLite driver is not installed, because no install script of the package sqlite3 has run';
    const advice = 'Run `npm rebuild sqlite3`, which takes minutes if it has to compile, or use a postgres:// address';
    super(`${reason}. ${advice}.`, 1, { cause });
  }
}

/** Checks that the driver can be loaded. Knex would tell a user to install the package. @throws MissingDriver */
export function requireSqliteDriver(): void {
  try {
    require('sqlite3');
  } catch (error) {
    throw new MissingDriver(error);
  }
}

/** The number of readers for the size of libuv's thread pool, which a program sets before Node starts the pool. */
export function readerCount(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE) || defaultThreads;
  return Math.max(1, Math.min(maxReaders, threads - 1));
}

/** Interrupts what a connection runs for longer than a limit, in milliseconds, and everything when the pool ends. */
export function limitRuns({ client: { pool } }: Knex, limit: number): void {
  const running = new Map<SqliteConnection, number>();
  let max = limit;
  const interruptLate = (): void => {
    const latest = performance.now() - max;
    for (const [connection, since] of running) if (since < latest) connection.interrupt();
  };
  // One timer for all statements: a timer for each would cost more than a short statement.
  const timer = setInterval(interruptLate, checkInterval).unref();
  pool.on('acquireSuccess', (_: number, connection: SqliteConnection) => running.set(connection, performance.now()));
  pool.on('release', (connection: SqliteConnection) => running.delete(connection));
  pool.on('poolDestroyRequest', () => {
    max = 0;
    interruptLate();
  });
  pool.on('poolDestroySuccess', () => clearInterval(timer));
}
