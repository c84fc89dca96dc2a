import { createRequire } from 'node:module';
import knex, { type Knex } from 'knex';
import { isPostgresAddress } from './address.ts';
import { migrationSource, migrationsTable } from './migrations/index.ts';

const require = createRequire(import.meta.url);

/** SQLite errors of a database that somebody else holds, or whose disk is full or gone. */
const sqliteUnavailable = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_CANTOPEN']);
/** PostgreSQL: connection lost, too many connections, shutting down, serialization failure, deadlock. */
const postgresUnavailable = /^(?:08...|53...|57P0.|40001|40P01)$/;
const networkUnavailable = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE']);

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
  /** Receives which migrations ran. Default: nothing. */
  info?: (message: string) => void;
}

/** Opens a database as it is. */
export function connect(
  address: string,
  { demo = false, warn = (message) => process.emitWarning(message) }: DatabaseOptions = {},
): Knex {
  const migrations = { migrationSource, tableName: migrationsTable };
  // Compiled into the message of an error, the SQL would bring what clients sent into the log.
  const common = { migrations, log: logger(warn), acquireConnectionTimeout: 10_000, compileSqlOnError: false };
  if (isPostgresAddress(address)) {
    const pool = { min: 0, max: 10 };
    return knex({
      client: 'pg',
      connection: { connectionString: address },
      pool,
      ...common,
    });
  }
  return knex({
    client: immediateSqlite(),
    connection: { filename: address },
    useNullAsDefault: true,
    ...common,
    pool: {
      // One connection: writes wait for each other here, in the order they came, and not in SQLite's busy loop.
      min: 1,
      max: 1,
      idleTimeoutMillis: 2_147_483_647,
      afterCreate(connection: SqliteConnection, done: (error: Error | null, connection: SqliteConnection) => void) {
        const pragmas = `PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; PRAGMA synchronous = ${demo ? 'OFF' : 'FULL'};`;
        connection.exec(pragmas, (error) => done(error, connection));
      },
    },
  });
}

interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
}

/** What of Knex's SQLite client is used here. Its own types do not name it. */
type SqliteClient = new (config: Knex.Config) => { transaction(...parameters: unknown[]): SqliteTransaction };
interface SqliteTransaction {
  readOnly?: boolean;
  begin(connection: unknown): Promise<unknown>;
  query(connection: unknown, sql: string): Promise<unknown>;
}

/**
 * Knex's SQLite client, whose transactions take the write lock when they begin, unless they only read. With a plain BEGIN a transaction that
 * reads first fails at its first write, without waiting, if another process wrote in between.
 */
function immediateSqlite(): typeof Knex.Client {
  const Sqlite = require('knex/lib/dialects/sqlite3/index.js') as SqliteClient;
  return class extends Sqlite {
    override transaction(...parameters: unknown[]): SqliteTransaction {
      const transaction = super.transaction(...parameters);
      transaction.begin = (connection) =>
        transaction.query(connection, transaction.readOnly ? 'BEGIN;' : 'BEGIN IMMEDIATE;');
      return transaction;
    }
  } as unknown as typeof Knex.Client;
}

/** Whether a database is PostgreSQL. */
export function isPostgres(database: Knex): boolean {
  return database.client.config.client === 'pg';
}

/** Reads in one transaction that sees one moment: a write in between is not seen by half. */
export function readOneMoment<Result>(
  database: Knex,
  read: (transaction: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  // A transaction of SQLite sees one moment; of PostgreSQL it must be asked for.
  const isolation = isPostgres(database) ? ({ isolationLevel: 'repeatable read' } as const) : {};
  return database.transaction(read, { ...isolation, readOnly: true });
}

/** Whether an error says that the database cannot be reached now, and that another try may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof knex.KnexTimeoutError) return true;
  const code = (error as { code?: unknown } | null)?.code;
  return (
    typeof code === 'string' &&
    (sqliteUnavailable.has(code) || networkUnavailable.has(code) || postgresUnavailable.test(code))
  );
}
