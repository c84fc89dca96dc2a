import knex, { type Knex } from 'knex';
import { isPostgresAddress, preparesStatements } from './address.ts';
import { databaseLimits } from './limits.ts';
import { migrationSource, migrationsTable } from './migrations/index.ts';
import { isStalePlan, postgresClient, postgresConnection } from './postgres.ts';
import type { SqliteConnection } from './prepared.ts';
import type { Readers } from './readers.ts';
import { busyLimit, sqliteClient, sqliteConnection } from './sqlite.ts';
import { Overload, TenantQueue } from './tenant-queue.ts';

/** SQLite errors if another process holds the database, it is read-only, or its disk is full or missing. */
const sqliteUnavailable = new Set([
  'SQLITE_LOCKED',
  'SQLITE_READONLY',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_PROTOCOL',
  // A reader's statement ran too long.
  'SQLITE_INTERRUPT',
]);
/**
 * PostgreSQL: connection lost, too many connections or disk full, shutting down, read-only, serialization failure,
 * deadlock, limit of a lock, of a statement, of a transaction.
 */
const postgresUnavailable = /^(?:08...|53...|57P0.|25006|40001|40P01|55P03|57014|25P03)$/;
const networkUnavailable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);

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
  /** Most connections to PostgreSQL. Default 10. */
  pool?: number;
  /** How long a statement may run, in milliseconds. Default 5,000. */
  statementTimeout?: number;
  /** How long a PostgreSQL statement waits for a lock, in milliseconds. Default 3,000. */
  lockTimeout?: number;
  /** Removes the time limits of statements, for migrations and for commands that read whole tables. Default false. */
  unlimited?: boolean;
}

/** Opens a database without migrations. */
export function connect(
  address: string,
  {
    demo = false,
    sandbox = false,
    unlimited = false,
    warn = (message) => process.emitWarning(message),
    pool = databaseLimits.pool,
    statementTimeout = databaseLimits.statementTimeout,
    lockTimeout = databaseLimits.lockTimeout,
  }: DatabaseOptions = {},
): Knex {
  const migrations = { migrationSource, tableName: migrationsTable };
  // Compiled SQL in an error message would carry client input into the log.
  const common = { migrations, log: logger(warn), compileSqlOnError: false };
  if (isPostgresAddress(address)) {
    return knex({
      client: postgresClient({ unlimited, prepares: preparesStatements(address) }),
      connection: postgresConnection(address, { statementTimeout, lockTimeout }),
      pool: { min: 0, max: pool },
      acquireConnectionTimeout: 5000,
      ...common,
    });
  }
  return knex({
    client: sqliteClient({ statementTimeout: unlimited ? Number.POSITIVE_INFINITY : statementTimeout }),
    connection: sqliteConnection(address),
    useNullAsDefault: true,
    acquireConnectionTimeout: 10_000,
    ...common,
    pool: {
      // With one connection, writes queue here in their order, not in SQLite's busy loop.
      min: 1,
      max: 1,
      idleTimeoutMillis: 2_147_483_647,
      afterCreate(connection: SqliteConnection, done: (error: Error | null, connection: SqliteConnection) => void) {
        const pragmas = `PRAGMA busy_timeout = ${busyLimit}; PRAGMA foreign_keys = ON; PRAGMA synchronous = ${demo || sandbox ? 'OFF' : 'FULL'};`;
        connection.exec(pragmas, (error) => {
          // Knex leaves the connection open if this fails.
          if (error) connection.close();
          done(error, connection);
        });
      },
    },
  });
}

/** Whether a database is PostgreSQL. */
export function isPostgres(database: Knex): boolean {
  return database.client.driverName === 'pg';
}

/** Opens connections that read a SQLite file beside the one that writes. Other databases need none. */
export function openReaders(database: Knex): void {
  if (!isPostgres(database) && database.client.connectionSettings.filename !== ':memory:')
    database.client.openReaders();
}

/**
 * Ends waits for the write lock of a SQLite file after a time, in milliseconds. Later writes do not wait at all.
 * PostgreSQL has its own limit.
 */
export function endLockWaits(database: Knex, after: number): void {
  if (!isPostgres(database)) database.client.lockDeadline = performance.now() + after;
}

/** The open connections of a pool, and the work that waits for one. */
export interface PoolUse {
  /** `main`; a SQLite file has `readers` beside it. */
  pool: 'main' | 'readers';
  used: number;
  free: number;
  waiting: number;
}

export function poolUse({ client }: Knex): PoolUse[] {
  const { pool, readers }: { pool?: Record<string, () => number>; readers?: Readers } = client;
  const main = {
    used: pool?.numUsed?.() ?? 0,
    free: pool?.numFree?.() ?? 0,
    waiting: pool?.numPendingAcquires?.() ?? 0,
  };
  return [{ pool: 'main', ...main }, ...(readers ? [{ pool: 'readers' as const, ...readers.use }] : [])];
}

/** The reads of each tenant, by Knex's client. */
const readQueues = new WeakMap<object, TenantQueue>();

/**
 * Runs a read through the queue of its tenant: one tenant takes at most half of the connections, and a quarter is left
 * for tenants without running reads. A transaction has its connection already.
 *
 * @throws Overload
 */
export function queueRead<Result>(database: Knex, tenantId: string, read: () => Promise<Result>): Promise<Result> {
  const { client } = database;
  if (client.transacting) return read();
  let queue = readQueues.get(client);
  if (!queue) {
    const connections: number = client.readers?.size ?? client.pool.max;
    // One connection stays free for the look-ups of keys, which do not queue here. On SQLite those of products do not either.
    queue = new TenantQueue({
      atOnce: Math.max(Math.floor(connections / 2), 1),
      inAll: Math.max(connections - 1, 1),
      // Two tenants that send many searches do not take every place.
      reserved: Math.floor(connections / 4),
    });
    readQueues.set(client, queue);
  }
  return queue.run(tenantId, read);
}

/**
 * Runs reads of a tenant in one transaction that sees a single snapshot, so that a concurrent write is seen whole or not
 * at all. On a SQLite file it has a reader. Keep it short: the WAL file grows as long as a snapshot is open.
 */
export function readSnapshot<Result>(
  database: Knex,
  tenantId: string,
  read: (transaction: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  return queueRead(database, tenantId, () => snapshot(database, read));
}

/** The most writes of one tenant at a time. Each holds a connection to PostgreSQL. On SQLite all share one: no bound. */
export function mostWrites(database: Knex): number {
  return isPostgres(database) ? Math.max(1, Math.floor(database.client.pool.max / 2)) : Number.POSITIVE_INFINITY;
}

/** Runs reads in one transaction that sees a single snapshot. */
export async function snapshot<Result>(
  database: Knex,
  read: (transaction: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  // SQLite's transactions always read a snapshot. PostgreSQL's do in this isolation level.
  const isolation = isPostgres(database) ? ({ isolationLevel: 'repeatable read' } as const) : {};
  const config = { ...isolation, readOnly: true };
  const readers: Readers | undefined = database.client.readers;
  if (!readers) return withFreshPlans(database, () => database.transaction(read, config));
  const connection = await readers.acquireConnection();
  try {
    return await database.transaction(read, { ...config, connection });
  } finally {
    readers.releaseConnection(connection);
  }
}

/** Runs a transaction, and repeats it once if a statement's plan was stale, which undoes it. It changes nothing else. */
export async function withFreshPlans<Result>(database: Knex, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (database.client.transacting || !isStalePlan(error)) throw error;
    return run();
  }
}

/** Whether an error means that the wait for the database, or for a connection to it, timed out. */
export function isBusy(error: unknown): boolean {
  if (error instanceof Overload || error instanceof knex.KnexTimeoutError) return true;
  return (error as { code?: unknown } | null)?.code === 'SQLITE_BUSY';
}

/** Whether an error means that the database cannot be reached now. A retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (isBusy(error)) return true;
  const code = (error as { code?: unknown } | null)?.code;
  return (
    typeof code === 'string' &&
    (sqliteUnavailable.has(code) || networkUnavailable.has(code) || postgresUnavailable.test(code))
  );
}
