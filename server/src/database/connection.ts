import knex, { type Knex } from 'knex';
import { isPostgresAddress } from './address.ts';
import { migrationSource, migrationsTable } from './migrations/index.ts';
import { postgresClient, postgresConnection } from './postgres.ts';
import { busyLimit, type SqliteConnection, sqliteClient, sqliteConnection } from './sqlite.ts';

/** SQLite errors of a database that another process holds, that is read-only, or whose disk is full or gone. */
const sqliteUnavailable = new Set([
  'SQLITE_LOCKED',
  'SQLITE_READONLY',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_PROTOCOL',
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

/** What Knex warns of and then throws: whoever called tells it. */
const thrownAsWell = /^(?:Acquire connection error|migration )/;

/** Knex would print to standard output, which belongs to answers. What fails is thrown as well, and told by the caller. */
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
   * A SQLite file that is emptied when it is opened, and gives up the last moments before a power cut for speed. Never
   * for real data. Default false.
   */
  demo?: boolean;
  /** Is told what Knex warns of and goes on. Default: a warning of the process. */
  warn?: (message: string) => void;
  /** Whether statements of PostgreSQL may take as long as they need, as migrations do. Default false. */
  unlimited?: boolean;
}

/** Opens a database as it is. */
export function connect(
  address: string,
  { demo = false, unlimited = false, warn = (message) => process.emitWarning(message) }: DatabaseOptions = {},
): Knex {
  const migrations = { migrationSource, tableName: migrationsTable };
  // Compiled into the message of an error, the SQL would bring what clients sent into the log.
  const common = { migrations, log: logger(warn), compileSqlOnError: false };
  if (isPostgresAddress(address)) {
    return knex({
      client: postgresClient({ unlimited }),
      connection: postgresConnection(address),
      pool: { min: 0, max: 10 },
      acquireConnectionTimeout: 5000,
      ...common,
    });
  }
  return knex({
    client: sqliteClient(),
    connection: sqliteConnection(address),
    useNullAsDefault: true,
    acquireConnectionTimeout: 10_000,
    ...common,
    pool: {
      // One connection: writes wait for each other here, in the order they came, and not in SQLite's busy loop.
      min: 1,
      max: 1,
      idleTimeoutMillis: 2_147_483_647,
      afterCreate(connection: SqliteConnection, done: (error: Error | null, connection: SqliteConnection) => void) {
        const pragmas = `PRAGMA busy_timeout = ${busyLimit}; PRAGMA foreign_keys = ON; PRAGMA synchronous = ${demo ? 'OFF' : 'FULL'};`;
        connection.exec(pragmas, (error) => {
          // Knex leaves a connection open that could not be made ready.
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

/** Runs reads in one transaction that sees a single snapshot, so that a concurrent write is seen whole or not at all. */
export function readSnapshot<Result>(
  database: Knex,
  read: (transaction: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  // SQLite's transactions always read a snapshot. PostgreSQL's do in this isolation level.
  const isolation = isPostgres(database) ? ({ isolationLevel: 'repeatable read' } as const) : {};
  return database.transaction(read, { ...isolation, readOnly: true });
}

/** Whether an error says that the time ran out in which the database, or a connection to it, was used by others. */
export function isBusy(error: unknown): boolean {
  return error instanceof knex.KnexTimeoutError || (error as { code?: unknown } | null)?.code === 'SQLITE_BUSY';
}

/** Whether an error says that the database cannot be reached now, and that another try may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (isBusy(error)) return true;
  const code = (error as { code?: unknown } | null)?.code;
  return (
    typeof code === 'string' &&
    (sqliteUnavailable.has(code) || networkUnavailable.has(code) || postgresUnavailable.test(code))
  );
}
