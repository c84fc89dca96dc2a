import { open, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Knex } from 'knex';
import { isPostgresAddress, shownAddress } from './address.ts';
import { connect, type DatabaseOptions, isPostgres, readOneMoment } from './connection.ts';
import { migrationNames, migrationsTable } from './migrations/index.ts';

/** Whose a SQLite file is, in its head (`PRAGMA application_id`): "PPK1", and "PPKd" for a demo that may be emptied. */
const applicationIds = { database: 0x50504b31, demo: 0x50504b64 };
/** The advisory lock of PostgreSQL under which one process at a time runs the migrations. */
const migrationLock = 0x50504b31;

/** A database that cannot be used, or not by this program. The message says what to do next, and holds no password. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';

  constructor(address: string, fault: string, options?: ErrorOptions) {
    super(`the database ${shownAddress(address)} ${fault}`, options);
  }
}

/**
 * Opens a database and brings its tables to the newest form, all of it or nothing. A file that does not exist is made,
 * for its owner's eyes only.
 *
 * @param address a file, `:memory:`, or a `postgres://` address
 * @throws UnusableDatabase
 */
export async function openDatabase(address: string, options: DatabaseOptions = {}): Promise<Knex> {
  if (!isPostgresAddress(address) && address !== ':memory:') await makeFile(address);
  const database = connect(address, options);
  try {
    const migrations = options.demo ? await remakeDemo(database, address) : await migrate(database, address);
    if (migrations.length > 0) options.info?.(`migrations ran: ${migrations.join(', ')}`);
  } catch (error) {
    await database.destroy();
    throw explained(address, error);
  }
  return database;
}

/** SQLite gives the files that it makes beside this one the same mode. */
async function makeFile(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new UnusableDatabase(path, 'has no folder. Make the folder first, or name another file.');
    }
    if (code !== 'EEXIST') throw new UnusableDatabase(path, `cannot be made: ${message}`);
    if ((await stat(path)).isDirectory()) throw new UnusableDatabase(path, 'is a folder. Name a file in it.');
  }
}

/** Returns the names of the migrations that ran. */
async function migrate(database: Knex, address: string): Promise<string[]> {
  // Nothing is written, not even the mode of the journal, before it is known whose the database is.
  const complete = await readOneMoment(database, (transaction) => isComplete(transaction, address));
  if (!isPostgres(database)) await useWriteAheadLog(database);
  if (complete) return [];
  return withoutLimits(database, address, (unlimited) =>
    unlimited.transaction(async (transaction) => {
      // A transaction of SQLite holds the one write lock from its beginning.
      if (isPostgres(transaction)) await transaction.raw('SELECT pg_advisory_xact_lock(?)', [migrationLock]);
      // Another process may have been quicker.
      return (await isComplete(transaction, address)) ? [] : runMigrations(transaction, applicationIds.database);
    }),
  );
}

/** Work that may take longer than any request: on PostgreSQL it has a connection of its own. */
async function withoutLimits<Result>(
  database: Knex,
  address: string,
  work: (unlimited: Knex) => Promise<Result>,
): Promise<Result> {
  if (!isPostgres(database)) return work(database);
  const unlimited = connect(address, { unlimited: true });
  try {
    return await work(unlimited);
  } finally {
    await unlimited.destroy();
  }
}

/** SQLite does not wait where two change the mode of one file at once: it fails, and another try finds it changed. */
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

/** Makes the tables of a demo anew, in a file that nobody else has open. */
async function remakeDemo(database: Knex, address: string): Promise<string[]> {
  const { id, version, tables } = await readOneMoment(database, async (transaction) => ({
    id: await pragma(transaction, 'application_id'),
    version: await pragma(transaction, 'schema_version'),
    tables: await tablesOf(transaction),
  }));
  if (id !== applicationIds.demo && (id !== 0 || tables.length > 0)) {
    throw new UnusableDatabase(
      address,
      'is no demo of this program, and is left alone. Move it away, or name another database with --database.',
    );
  }
  const inUse = 'is in use, perhaps by a demo that runs already. Stop that, or name another database with --database.';
  try {
    // Nobody may leave the write-ahead log while another has the file open. From the return to it until this connection
    // ends, that keeps others out of here; who got in before it finds another version below.
    await database.raw('PRAGMA busy_timeout = 200');
    await database.raw('PRAGMA journal_mode = DELETE');
    await database.raw('PRAGMA journal_mode = WAL');
    await database.raw('PRAGMA busy_timeout = 5000');
  } catch (error) {
    throw (error as { code?: unknown }).code === 'SQLITE_BUSY' ? new UnusableDatabase(address, inUse) : error;
  }
  // Off, tables can go in any order. It cannot be changed in a transaction.
  await database.raw('PRAGMA foreign_keys = OFF');
  const migrations = await database.transaction(async (transaction) => {
    if ((await pragma(transaction, 'schema_version')) !== version) throw new UnusableDatabase(address, inUse);
    for (const name of await tablesOf(transaction)) await transaction.schema.dropTable(name);
    return runMigrations(transaction, applicationIds.demo);
  });
  await database.raw('PRAGMA foreign_keys = ON');
  return migrations;
}

/** Knex's own lock is freed first: under ours nobody holds it, but a process that was killed may have left it. */
async function runMigrations(transaction: Knex.Transaction, applicationId: number): Promise<string[]> {
  await transaction.migrate.forceFreeMigrationsLock();
  const [, names]: [number, string[]] = await transaction.migrate.latest();
  if (!isPostgres(transaction) && (await pragma(transaction, 'application_id')) === 0) {
    await transaction.raw(`PRAGMA application_id = ${applicationId}`);
  }
  return names;
}

/**
 * Whether all migrations were run. Only reads, in a transaction, so that one that ends meanwhile is not seen by half.
 *
 * @throws UnusableDatabase where the database is not ours, or newer than this program
 */
async function isComplete(database: Knex.Transaction, address: string): Promise<boolean> {
  const run = (await database.schema.hasTable(migrationsTable)) ? await database(migrationsTable).select('*') : [];
  const names = run.map(({ name }: { name?: unknown }) => String(name));
  const isOurs = migrationNames.some((name) => names.includes(name));
  if (!isOurs && (names.length > 0 || (await isForeignFile(database)))) throw foreign(address);
  const unknown = names.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) {
    throw new UnusableDatabase(
      address,
      `was made by a newer version of this program (${unknown.join(', ')}). Update this one, or name another database with --database.`,
    );
  }
  return names.length === migrationNames.length;
}

/** Whether a SQLite file in which none of our migrations was run belongs to another program. */
async function isForeignFile(database: Knex): Promise<boolean> {
  if (isPostgres(database)) return false;
  const id = await pragma(database, 'application_id');
  if (id !== 0) return !Object.values(applicationIds).includes(id);
  // Knex's own tables are what a start leaves that was killed.
  return (await tablesOf(database)).some((name) => !name.startsWith(migrationsTable));
}

async function pragma(database: Knex, name: 'application_id' | 'schema_version'): Promise<number> {
  const [row] = await database.raw(`PRAGMA ${name}`);
  return row[name];
}

async function tablesOf(database: Knex): Promise<string[]> {
  const names: string[] = await database('sqlite_master').where({ type: 'table' }).pluck('name');
  return names.filter((name) => !name.startsWith('sqlite_'));
}

function foreign(address: string, cause?: unknown): UnusableDatabase {
  const fault = 'belongs to another program, and is left alone. Name another database with --database.';
  return new UnusableDatabase(address, fault, { cause });
}

function explained(address: string, error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: string };
  // The tables were to be made, and one of their names is taken.
  if (code === '42P07') return foreign(address, error);
  if (code === 'SQLITE_NOTADB') {
    return new UnusableDatabase(address, 'is no SQLite database. Name another file with --database.', { cause: error });
  }
  if (code === 'ERR_INVALID_URL') {
    const form = 'is no address. It has the form postgres://user:password@host:port/name, percent-encoded.';
    return new UnusableDatabase(address, form);
  }
  // PostgreSQL: user or password refused, no such database, no right to make tables.
  if (typeof code === 'string' && /^(?:28...|3D000|42501)$/.test(code)) {
    return new UnusableDatabase(address, `cannot be used: ${message}`, { cause: error });
  }
  return error;
}
