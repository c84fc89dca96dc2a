import { open, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Knex } from 'knex';
import { failureOf } from '../command-line/failures.ts';
import { OperatorError } from '../operator-error.ts';
import { commandHint, isPostgresAddress, shownAddress } from './address.ts';
import { connect, type DatabaseOptions, isUnavailable, openReader, snapshot } from './connection.ts';
import type { SqliteConnection } from './knex-clients.ts';
import { sqliteScript } from './migrations/generated/sqlite.ts';
import { migrationNames, migrationsTable } from './migrations/index.ts';
import { shardByShard } from './migrations/table.ts';
import { isPostgres } from './statement.ts';

/**
 * The owner in the header of a SQLite file (`PRAGMA application_id`): "PPK1", "PPKd" for a demo that may be emptied, or
 * "PPKs" for a sandbox.
 */
const applicationIds = { database: 0x50504b31, demo: 0x50504b64, sandbox: 0x50504b73 };
/** PostgreSQL's advisory lock of the migrations. */
const migrationLock = 0x50504b31;

/** A database that this program cannot use. The message says what to do next, and holds no password. */
export class UnusableDatabase extends OperatorError {
  override readonly name = 'UnusableDatabase';

  constructor(address: string, fault: string, options?: ErrorOptions) {
    super(`the database ${shownAddress(address)} ${fault}`, 1, options);
  }
}

export interface OpenOptions extends DatabaseOptions {
  /**
   * Which databases get the missing migrations: every one, only a new or empty SQLite file, or none. Any other database
   * that lacks migrations is refused. Default: `every`.
   */
  migrate?: 'every' | 'new' | 'none';
  /** Receives the names of the migrations that ran, once all have. Not called if there were none. */
  migrated?: (names: string[]) => void;
}

/** For programs that embed the server. The command line checks it before its imports (`cli/main.ts`). */
function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return;
  throw new Error(`@product-passport/server needs Node 22.12 or later, and this is Node ${process.versions.node}.`);
}

/**
 * Opens a database and, by default, runs its missing migrations in one transaction. A new file is created with mode 0600.
 *
 * @param address a file, `:memory:`, or a `postgres://` address
 * @throws UnusableDatabase
 */
export async function openDatabase(address: string, options: OpenOptions = {}): Promise<Knex> {
  requireNode();
  if (options.sandbox && isPostgresAddress(address)) throw notOfSandbox(address);
  if (!isPostgresAddress(address) && address !== ':memory:') await makeFile(address);
  const database = connect(address, options);
  try {
    if (options.sandbox) await claimForSandbox(database, address);
    if (options.demo) await remakeDemo(database, address, options);
    else await prepare(database, address, options);
  } catch (error) {
    await database.destroy();
    throw explained(address, error);
  }
  // Only now: a demo is emptied, and the journal mode set, while no other connection has the file open.
  openReader(database, options);
  return database;
}

/** Creates a file that does not exist. SQLite gives the files next to it the same mode. */
async function makeFile(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new UnusableDatabase(
        path,
        'cannot be created: its folder does not exist. Create the folder first, or name another file.',
      );
    }
    if (code !== 'EEXIST') throw explained(path, error);
    if ((await stat(path)).isDirectory()) throw new UnusableDatabase(path, 'is a folder. Name a file in that folder.');
  }
}

/** Runs the missing migrations, or refuses a database that lacks some and does not change it. */
async function prepare(database: Knex, address: string, options: OpenOptions): Promise<void> {
  const missing = await snapshot(database, (transaction) => missingMigrations(transaction, address), 'read committed');
  const { migrate: which = 'every', migrated, warn } = options;
  const isEmpty = missing.length === migrationNames().length;
  const isFile = !isPostgres(database);
  const isWanted = which === 'every' || (which === 'new' && isFile && isEmpty);
  if (missing.length > 0 && !isWanted) throw incomplete(address, isEmpty);
  if (isFile) await useWriteAheadLog(database);
  if (missing.length === 0) return;
  // Migrations may take longer than a request. A SQLite file has no limit for its writer.
  const unlimited = isFile ? database : connect(address, { unlimited: true, ...(warn && { warn }) });
  try {
    await unlimited.transaction(async (transaction) => {
      // One process at a time. A transaction of SQLite holds the only write lock from its beginning.
      if (!isFile) await transaction.raw('SELECT pg_advisory_xact_lock(?)', [migrationLock]);
      if (!isFile) await transaction.raw(shardByShard);
      // Another process may have run them.
      if ((await missingMigrations(transaction, address)).length === 0) return;
      await runMigrations(transaction);
      await markAs(transaction, applicationIds.database);
    });
  } finally {
    if (!isFile) await unlimited.destroy();
  }
  migrated?.(missing);
}

function incomplete(address: string, isEmpty: boolean): UnusableDatabase {
  const command = commandHint('migrate', address);
  const fault = isEmpty
    ? `has no tables of this program yet${isPostgresAddress(address) ? ', or not in the schemas that this user may read' : ''}. Create them with ${command}.`
    : `was created by an older version of this program. Back it up, then run ${command}.`;
  return new UnusableDatabase(address, fault);
}

/** Runs the missing migrations. On an empty SQLite database they are one script, which takes 5 ms instead of 30. */
async function runMigrations(transaction: Knex.Transaction): Promise<void> {
  if (!isPostgres(transaction) && !(await transaction.schema.hasTable(migrationsTable))) {
    const connection: SqliteConnection = await transaction.client.acquireConnection();
    await promisify(connection.exec.bind(connection))(sqliteScript.statements);
    const migration_time = Date.now();
    const rows = sqliteScript.migrations.map((name) => ({ name, batch: 1, migration_time }));
    await transaction(migrationsTable).insert(rows);
    if (rows.length === migrationNames().length) return;
  }
  await transaction.migrate.latest();
}

/** SQLite fails at once if two processes change the journal mode at the same time. A retry finds it changed. */
async function useWriteAheadLog(database: Knex): Promise<void> {
  const giveUp = Date.now() + 5000;
  for (;;) {
    try {
      return await database.raw('PRAGMA journal_mode = WAL');
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'SQLITE_BUSY' || Date.now() > giveUp) throw error;
      await setTimeout(20 + Math.random() * 50);
    }
  }
}

/** Drops a demo's tables and creates them again, in a file that no other process has open. */
async function remakeDemo(database: Knex, address: string, { migrated }: OpenOptions): Promise<void> {
  const version = await pragma(database, 'schema_version');
  if (!(await isOwnOrEmpty(database, applicationIds.demo))) {
    throw new UnusableDatabase(
      address,
      'is not a demo database, so it was not changed. Move the file, or name another database with --database.',
    );
  }
  const inUse =
    'is in use, probably by a demo that is still running. Stop that demo, or name another database with --database.';
  try {
    // SQLite cannot leave the WAL mode while another process has the file open. Returning to it locks other processes out
    // until this connection ends. If one opened the file in between, the version differs below.
    await database.raw('PRAGMA busy_timeout = 200');
    await database.raw('PRAGMA journal_mode = DELETE');
    await database.raw('PRAGMA journal_mode = WAL');
    await database.raw('PRAGMA busy_timeout = 5000');
  } catch (error) {
    throw (error as { code?: unknown }).code === 'SQLITE_BUSY' ? new UnusableDatabase(address, inUse) : error;
  }
  // With foreign keys off, tables can be dropped in any order. A transaction cannot turn them off.
  await database.raw('PRAGMA foreign_keys = OFF');
  await database.transaction(async (transaction) => {
    if ((await pragma(transaction, 'schema_version')) !== version) throw new UnusableDatabase(address, inUse);
    for (const name of await tablesOf(transaction)) await transaction.schema.dropTable(name);
    await runMigrations(transaction);
    await markAs(transaction, applicationIds.demo);
  });
  await database.raw('PRAGMA foreign_keys = ON');
  migrated?.(migrationNames());
}

/** Marks an empty SQLite database as a sandbox, and refuses any other that no sandbox created. */
async function claimForSandbox(database: Knex, address: string): Promise<void> {
  if (!(await isOwnOrEmpty(database, applicationIds.sandbox))) throw notOfSandbox(address);
  await database.transaction((transaction) => markAs(transaction, applicationIds.sandbox));
}

/** Whether a SQLite file has this owner, or neither an owner nor tables. Nothing may be written before this is known. */
function isOwnOrEmpty(database: Knex, owner: number): Promise<boolean> {
  return snapshot(database, async (transaction) => {
    const id = await pragma(transaction, 'application_id');
    return id === owner || (id === 0 && (await tablesOf(transaction)).length === 0);
  });
}

/** What a database is for. A PostgreSQL database is never a demo that may be emptied, or a sandbox. */
export async function purposeOf(database: Knex): Promise<'database' | 'demo' | 'sandbox'> {
  if (isPostgres(database)) return 'database';
  const id = await pragma(database, 'application_id');
  if (id === applicationIds.demo) return 'demo';
  return id === applicationIds.sandbox ? 'sandbox' : 'database';
}

function notOfSandbox(address: string): UnusableDatabase {
  const fault = isPostgresAddress(address)
    ? 'cannot hold a sandbox, which supports only SQLite.'
    : 'was not created by a sandbox, so it was not changed.';
  return new UnusableDatabase(address, `${fault} Use --database :memory:, or name a new file.`);
}

/** Writes the owner into a SQLite file that has none. */
async function markAs(transaction: Knex.Transaction, applicationId: number): Promise<void> {
  if (!isPostgres(transaction) && (await pragma(transaction, 'application_id')) === 0) {
    await transaction.raw(`PRAGMA application_id = ${applicationId}`);
  }
}

/**
 * The migrations that have not run yet.
 *
 * @param database SQLite needs one snapshot, to see a concurrent migration whole or not at all. PostgreSQL needs READ COMMITTED:
 * if the read waits until the tables are spread, an older snapshot does not see the rows
 * @throws UnusableDatabase if the database belongs to another program, or is newer than this one
 */
export async function missingMigrations(database: Knex.Transaction, address: string): Promise<string[]> {
  const run = (await database.schema.hasTable(migrationsTable)) ? await database(migrationsTable).select('*') : [];
  const names = run.map(({ name }: { name?: unknown }) => String(name));
  const known = migrationNames();
  const isOurs = known.some((name) => names.includes(name));
  if (!isOurs && (names.length > 0 || (await isForeignFile(database)))) throw foreign(address);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new UnusableDatabase(
      address,
      `was created by a newer version of this program (${unknown.join(', ')}). Update this program, or name another database with --database.`,
    );
  }
  return known.filter((name) => !names.includes(name));
}

/** Whether a SQLite file without our migrations belongs to another program. */
async function isForeignFile(database: Knex): Promise<boolean> {
  if (isPostgres(database)) return false;
  const id = await pragma(database, 'application_id');
  if (id !== 0) return !Object.values(applicationIds).includes(id);
  return (await tablesOf(database)).length > 0;
}

async function pragma(database: Knex, name: 'application_id' | 'schema_version'): Promise<number> {
  const [row] = await database.raw(`PRAGMA ${name}`);
  return row[name];
}

async function tablesOf(database: Knex): Promise<string[]> {
  // The tables of a full-text index are of the type `shadow`, and SQLite drops them with it.
  const tables = database('pragma_table_list').where({ schema: 'main' }).whereIn('type', ['table', 'virtual']);
  const names: string[] = await tables.pluck('name');
  return names.filter((name) => !name.startsWith('sqlite_'));
}

function foreign(address: string, cause?: unknown): UnusableDatabase {
  const fault = 'belongs to another program, so it was not changed. Name another database with --database.';
  return new UnusableDatabase(address, fault, { cause });
}

/** The setting of a PostgreSQL address for what the table of failures leaves open. */
const words = { authority: 'sslrootcert in the address', plain: 'an address without sslnegotiation' };

/** Adds the database to an error that means that it cannot be used. */
export function explained(address: string, error: unknown): unknown {
  if (error instanceof OperatorError) return error;
  // A migration could not make a table, because another program's table has its name.
  if ((error as { code?: unknown }).code === '42P07') return foreign(address, error);
  // Node names no file when it reads a folder.
  const isNamed = (error as { path?: unknown }).path !== undefined || !isPostgresAddress(address);
  const file = 'a file of sslrootcert, sslcert or sslkey in the address';
  const failure = failureOf(error, isNamed ? words : { ...words, file });
  return failure ? new UnusableDatabase(address, `cannot be used: ${failure.text}.`, { cause: error }) : error;
}

/** Pauses between two attempts, in milliseconds. */
const firstPause = 250;
const maxPause = 5000;

/**
 * Opens a database, and retries while PostgreSQL is not reachable: it may start at the same time as this program. Other
 * faults, such as a wrong password, are thrown at once.
 *
 * @param wait how long to retry, in milliseconds
 * @param retrying called before each retry
 * @throws UnusableDatabase if the database is not reachable in time
 */
export async function whenReachable<Result>(
  address: string,
  open: () => Promise<Result>,
  wait: number,
  retrying: (about: { err: unknown; retry_in_ms: number; seconds_left: number }) => void,
): Promise<Result> {
  const end = performance.now() + wait;
  for (let pause = firstPause; ; pause = Math.min(pause * 2, maxPause)) {
    try {
      return await open();
    } catch (thrown) {
      const error = thrown instanceof UnusableDatabase ? (thrown.cause ?? thrown) : thrown;
      if (!isPostgresAddress(address) || !isUnavailable(error)) throw thrown;
      const left = end - performance.now();
      if (left <= 0) throw unreachable(address, wait, error);
      const retryIn = Math.min(pause, left);
      retrying({ err: error, retry_in_ms: Math.round(retryIn), seconds_left: Math.round(left / 1000) });
      await setTimeout(retryIn);
    }
  }
}

function unreachable(address: string, wait: number, error: unknown): UnusableDatabase {
  const waited = wait === 0 ? '' : ` after ${wait / 1000} seconds`;
  const { text } = failureOf(error, words) ?? { text: (error as Error).message };
  const fault = `is not available${waited}: ${text}, or wait longer with --database-wait.`;
  return new UnusableDatabase(address, fault, { cause: error });
}
