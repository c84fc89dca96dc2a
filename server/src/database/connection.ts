import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import knex, { type Knex } from 'knex';
import { failureOf } from '../command-line/failures.ts';
import { OperatorError } from '../operator-error.ts';
import {
  addressFault,
  connectTimeoutOf,
  databaseLimits,
  driverAddress,
  isPostgresAddress,
  preparesStatements,
} from './address.ts';
import {
  endedConnection,
  limitReads,
  lockTimeout,
  postgresClient,
  type SqliteConnection,
  sqliteClient,
} from './knex-clients.ts';
import { migrationSource, migrationsTable } from './migrations/index.ts';
import { OpenFile } from './open-file.ts';
import { DatabaseState } from './state.ts';
import { isPostgres, readerOf } from './statement.ts';

const require = createRequire(import.meta.url);

/** Warnings that Knex also throws as errors. The caller reports those. */
const thrownAsWell = /^(?:Acquire connection error|migration )/;

/** Knex would print to standard output, which belongs to the results of commands. It also throws its errors. */
const logger = (warn: (message: string) => void): Knex.Logger => ({
  error: () => {},
  debug: () => {},
  warn: (message) => {
    if (!thrownAsWell.test(String(message))) warn(String(message));
  },
  deprecate: (method, alternative) => warn(`${method} is deprecated: use ${alternative}.`),
});

export interface DatabaseOptions {
  /**
   * Empties the SQLite file when it is opened, and may lose the last writes in a power cut. Never for real data. Default
   * false.
   */
  demo?: boolean;
  /**
   * Accepts only a SQLite database that a sandbox created, or an empty one. May lose the last writes in a power cut.
   * Default false.
   */
  sandbox?: boolean;
  /** Receives Knex's warnings. Default: a warning of the process. */
  warn?: (message: string) => void;
  /** Max connections to PostgreSQL. Default 10. */
  pool?: number;
  /** How long a statement may run, in milliseconds. Default 5,000. */
  statementTimeout?: number;
  /** How long a PostgreSQL statement waits for a lock, in milliseconds. Default 3,000. */
  lockTimeout?: number;
  /** How old a connection to PostgreSQL gets, in milliseconds. Default 600,000. */
  maxAge?: number;
  /** Removes the time limits of statements, for migrations and for commands that read whole tables. Default false. */
  unlimited?: boolean;
}

/**
 * Opens a database without migrations.
 *
 * @throws OperatorError if the address is wrong
 */
export function connect(
  address: string,
  {
    demo = false,
    sandbox = false,
    unlimited = false,
    warn = (message) => process.emitWarning(message),
    pool = databaseLimits.pool,
    statementTimeout = databaseLimits.statementTimeout,
    lockTimeout: postgresLockTimeout = databaseLimits.lockTimeout,
    maxAge = databaseLimits.maxAge,
  }: DatabaseOptions = {},
): Knex {
  const fault = addressFault(address);
  if (fault !== undefined) throw new OperatorError(fault, 2);
  const migrations = { migrationSource, tableName: migrationsTable };
  // Compiled SQL in an error message would carry client input into the log.
  const common = { migrations, log: logger(warn), compileSqlOnError: false };
  if (isPostgresAddress(address)) {
    const connectTimeout = connectTimeoutOf(address) ?? defaultConnectTimeout;
    const acquireTimeout = connectTimeout + 2000;
    return knex({
      client: postgresClient({ unlimited, prepares: preparesStatements(address), maxAge }),
      // Without it, Knex queries the version first. Its SQL is the same for every supported version.
      version: '14',
      connection: postgresConnection(address, { statementTimeout, lockTimeout: postgresLockTimeout, connectTimeout }),
      pool: { min: 0, max: pool, createTimeoutMillis: acquireTimeout },
      acquireConnectionTimeout: acquireTimeout,
      ...common,
    });
  }
  requireSqliteDriver();
  const state = new DatabaseState();
  return knex({
    client: sqliteClient(state, new OpenFile(address, state)),
    connection: sqliteConnection(address),
    useNullAsDefault: true,
    acquireConnectionTimeout: 10_000,
    ...common,
    // With one connection, writes wait here in their order, and not in SQLite's busy loop.
    pool: sqlitePool({ min: 1, max: 1 }, `foreign_keys = ON; PRAGMA synchronous = ${demo || sandbox ? 'OFF' : 'FULL'}`),
  });
}

function sqlitePool(size: { min: number; max: number }, pragmas: string): Knex.PoolConfig {
  return {
    ...size,
    // They stay open.
    idleTimeoutMillis: 2_147_483_647,
    afterCreate(connection: SqliteConnection, done: (error: Error | null, connection: SqliteConnection) => void) {
      connection.exec(`PRAGMA busy_timeout = ${lockTimeout}; PRAGMA ${pragmas};`, (error) => {
        // Knex leaves the connection open if this fails.
        if (error) connection.close(() => done(error, connection));
        else done(null, connection);
      });
    },
  };
}

/**
 * Opens a second Knex for a SQLite file. Its connections only read: in WAL mode they do not wait for the one that writes.
 * Statements outside of a transaction and snapshots then run there. Other databases have no second Knex.
 */
export function openReader(
  { client }: Knex,
  { unlimited = false, statementTimeout = databaseLimits.statementTimeout }: DatabaseOptions,
): void {
  if (client.driverName === 'pg' || client.connectionSettings.filename === ':memory:') return;
  const reader = knex({ ...client.config, pool: sqlitePool({ min: 0, max: readerCount() }, 'query_only = ON') });
  limitReads(reader, unlimited ? Number.POSITIVE_INFINITY : statementTimeout);
  client.reader = reader;
  client.pool.on('poolDestroyRequest', client.file.watch(client.connectionSettings.flags !== undefined));
}

/**
 * Ends waits for the write lock of a SQLite file after a time, in milliseconds. Later writes do not wait at all.
 * PostgreSQL has its own limit.
 */
export function endLockWaits(database: Knex, after: number): void {
  if (!isPostgres(database)) database.client.lockDeadline = performance.now() + after;
}

/** The open connections of each pool, and the work that waits for one. A SQLite file has the pool `readers`, too. */
export function poolUse(database: Knex): { pool: string; used: number; free: number; waiting: number }[] {
  const useOf = (name: string, { client: { pool, waitingForTurn = 0 } }: Knex) => ({
    pool: name,
    used: pool?.numUsed() ?? 0,
    free: pool?.numFree() ?? 0,
    waiting: (pool?.numPendingAcquires() ?? 0) + waitingForTurn,
  });
  const reader = readerOf(database);
  return [useOf('main', database), ...(reader === database ? [] : [useOf('readers', reader)])];
}

/**
 * Runs reads in one transaction that sees a single snapshot, so that a concurrent write is seen whole or not at all. Keep it
 * short: SQLite's WAL file grows as long as a snapshot is open.
 *
 * @param isolationLevel of PostgreSQL. With `read committed` each statement has a snapshot of its own
 */
export function snapshot<Result>(
  database: Knex,
  read: (transaction: Knex.Transaction) => Promise<Result>,
  isolationLevel: 'repeatable read' | 'read committed' = 'repeatable read',
): Promise<Result> {
  // SQLite's transactions always read a snapshot.
  const isolation = isPostgres(database) ? { isolationLevel } : {};
  return readerOf(database).transaction(read, { ...isolation, readOnly: true });
}

/** Whether an error means that the wait for the database, or for a connection to it, timed out. */
export function isBusy(error: unknown): boolean {
  if (error instanceof knex.KnexTimeoutError) return true;
  return (error as { code?: unknown } | null)?.code === 'SQLITE_BUSY';
}

/** Whether an error means that the database cannot be reached now. A retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  return isBusy(error) || endedConnection(error) !== undefined || failureOf(error)?.mayPass === true;
}

/** Each statement that runs holds a thread of libuv. The writer, files and DNS look-ups need threads too. */
const maxReaders = 8;
const defaultThreads = 4;

/** The connection's settings. */
function sqliteConnection(address: string): { filename: string; flags?: string[] } {
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

/**
 * Checks that the driver can be loaded. Its package may be there without its binary. Knex would tell a user to install the
 * package.
 *
 * @throws OperatorError
 */
export function requireSqliteDriver(): void {
  try {
    require('sqlite3');
  } catch (cause) {
    const reason = 'the SQLite driver is not installed, because no install script of the package sqlite3 has run';
    const advice = 'Run `npm rebuild sqlite3`, which takes minutes if it has to compile, or use a postgres:// address';
    throw new OperatorError(`${reason}. ${advice}.`, 1, { cause });
  }
}

/** The number of readers for the size of libuv's thread pool, which a program sets before Node starts the pool. */
function readerCount(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE) || defaultThreads;
  return Math.max(1, Math.min(maxReaders, threads - 1));
}

/** How long a transaction may be idle, in milliseconds. */
const idleTimeout = 10_000;
/** How much longer than PostgreSQL the client waits for the end of a statement, in milliseconds. */
const clientMargin = 1000;
const defaultConnectTimeout = 3000;

/** The connection's settings. Times are in milliseconds. */
function postgresConnection(
  address: string,
  {
    statementTimeout,
    lockTimeout,
    connectTimeout,
  }: Record<'statementTimeout' | 'lockTimeout' | 'connectTimeout', number>,
): object {
  return {
    connectionString: driverAddress(address),
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Parameters with the same names in the address take precedence.
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: idleTimeout,
    // Measured by the client, because a PostgreSQL that hangs does not end statements.
    query_timeout: statementTimeout + clientMargin,
  };
}
