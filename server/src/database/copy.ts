import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import knex, { type Knex } from 'knex';
import { connect, requireSqliteDriver } from './connection.ts';
import { migrationNames, migrationsTable } from './migrations/index.ts';

/** Pages of one step. Between two steps other work of the process gets a thread. */
const pagesOfStep = 2000;
const mebibyte = 1024 * 1024;

/** The part of the SQLite driver that Knex does not have. */
interface BackupConnection {
  backup(path: string, done: (error: Error | null) => void): Backup;
}
interface Backup {
  readonly remaining: number;
  readonly pageCount: number;
  step(pages: number, done: (error: Error | null, isDone: boolean) => void): void;
  finish(done: (error: Error | null) => void): void;
}

/** A file that is not a sound SQLite database. */
export class UnsoundFile extends Error {
  override readonly name = 'UnsoundFile';
}

/**
 * Copies a SQLite database with SQLite's online backup, as it is at this moment, also while servers write to it. The copy
 * is one file, without a write-ahead log next to it.
 *
 * A read transaction stays open during the copy. Without it, SQLite would start again with each write of another process,
 * and would never end under load. `VACUUM INTO` would make a smaller file, but it builds every index again and reports no
 * progress.
 *
 * @param to a file that is empty
 * @param progress receives the copied and the whole size in MiB
 */
export async function copyDatabase(
  from: string,
  to: string,
  progress: (done: number, total: number) => void,
): Promise<void> {
  await withFile(from, 'rw', async (source) => {
    await source.raw('PRAGMA busy_timeout = 5000');
    await source.raw('BEGIN');
    const [{ page_size }] = await source.raw('PRAGMA page_size');
    // The transaction gets its snapshot with its first read.
    await source('sqlite_master').count();
    const connection: BackupConnection = await source.client.acquireConnection();
    try {
      const backup = await new Promise<Backup>((resolve, reject) => {
        const made = connection.backup(to, (error) => (error ? reject(error) : resolve(made)));
      });
      const toMebibytes = (pages: number): number => Math.round((pages * page_size) / mebibyte);
      for (let isDone = false; !isDone; ) {
        isDone = await step(backup);
        progress(toMebibytes(backup.pageCount - backup.remaining), toMebibytes(backup.pageCount));
      }
      await promisify(backup.finish.bind(backup))();
    } finally {
      source.client.releaseConnection(connection);
    }
    await source.raw('COMMIT');
  });
  await inOneFile(to);
}

/** Leaves the mode in which SQLite keeps a write-ahead log next to the file. A server returns to that mode. */
export async function inOneFile(path: string): Promise<void> {
  await withFile(path, 'rw', (database) => database.raw('PRAGMA journal_mode = DELETE'));
}

async function step(backup: Backup): Promise<boolean> {
  try {
    return await promisify(backup.step.bind(backup))(pagesOfStep);
  } catch (error) {
    // The step did nothing and can be repeated.
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return false;
    throw error;
  }
}

/** A table, an index, a view or a trigger. */
export interface SchemaObject {
  type: string;
  name: string;
  /** The table that it belongs to. */
  table: string;
  /** `null`: an index that SQLite made for a key. */
  sql: string | null;
}

/**
 * What a SQLite file has, and the migrations that ran on it. Runs nothing that the file defines.
 *
 * @throws UnsoundFile
 */
async function objectsIn(path: string): Promise<{ objects: SchemaObject[]; migrations: string[] }> {
  return withFile(path, 'ro', async (database) => {
    const objects: SchemaObject[] = await database('sqlite_master').select('type', 'name', 'tbl_name as table', 'sql');
    const isMigrated = objects.some(({ type, name }) => type === 'table' && name === migrationsTable);
    const rows: { name: unknown }[] = isMigrated ? await database(migrationsTable).select('*') : [];
    return { objects, migrations: rows.map(({ name }) => String(name)) };
  });
}

/** The order in which objects are dropped. A virtual table takes its own tables along. */
const dropOrder = ['trigger', 'view', 'index', 'table'];

/** Drops objects of a SQLite file that nobody else has open. */
export async function dropObjects(path: string, objects: readonly SchemaObject[]): Promise<void> {
  const rank = ({ type, sql }: SchemaObject): number =>
    dropOrder.indexOf(type) + (/^CREATE VIRTUAL/i.test(sql ?? '') ? -0.5 : 0);
  await withFile(path, 'rw', async (database) => {
    for (const { type, name } of objects.toSorted((a, b) => rank(a) - rank(b))) {
      if (!name.startsWith('sqlite_')) await database.raw(`DROP ${type} IF EXISTS ??`, [name]);
    }
  });
}

/**
 * Checks every page, index and reference of a SQLite file that nobody else has open.
 *
 * @throws UnsoundFile
 */
export async function checkFile(path: string): Promise<void> {
  await withFile(path, 'ro', async (database) => {
    const [first] = await database.raw('PRAGMA integrity_check(3)');
    if (first?.integrity_check !== 'ok') throw new UnsoundFile(String(first?.integrity_check));
    const [reference] = await database.raw('PRAGMA foreign_key_check');
    if (reference) throw new UnsoundFile(`a row of ${reference.table} refers to a row that does not exist`);
  });
}

/** Opens a file that exists. `ro` reads a file that nobody else has open. */
async function withFile<Result>(
  path: string,
  mode: 'ro' | 'rw',
  work: (database: Knex) => Promise<Result>,
): Promise<Result> {
  requireSqliteDriver();
  const filename = `${pathToFileURL(resolve(path))}?mode=${mode}${mode === 'ro' ? '&immutable=1' : ''}`;
  const database = knex({
    client: 'sqlite3',
    connection: { filename, flags: ['OPEN_URI'] },
    useNullAsDefault: true,
    pool: { min: 0, max: 1 },
    compileSqlOnError: false,
    // Knex would print to standard output what it also throws.
    log: { warn: () => {} },
  });
  try {
    return await work(database);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Knex puts the statement before the message.
    const reason = message.slice(message.indexOf('SQLITE_'));
    throw ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(code ?? '') ? new UnsoundFile(reason) : error;
  } finally {
    await database.destroy();
  }
}

/** The tables of SQLite's ANALYZE. */
const statistics = new Set(['sqlite_stat1', 'sqlite_stat4']);

/**
 * Compares the tables, indexes, views and triggers of a SQLite file with those that its migrations create. A file of a
 * newer version has migrations that this program does not have. It is not compared, because it cannot be opened either.
 *
 * @returns whether a migration of this program ran there, what this program did not create, and what is missing
 */
export async function compareSchema(
  path: string,
): Promise<{ isOurs: boolean; foreign: SchemaObject[]; missing: SchemaObject[] }> {
  const { objects, migrations } = await objectsIn(path);
  if (migrations.some((name) => !migrationNames().includes(name))) return { isOurs: true, foreign: [], missing: [] };
  const expected = await objectsOf(migrations);
  const [found, known] = [objects, expected].map((list) => new Set(list.map(formOf))) as [Set<string>, Set<string>];
  return {
    isOurs: migrations.length > 0,
    foreign: objects.filter((object) => !known.has(formOf(object)) && !statistics.has(object.name)),
    missing: expected.filter((object) => !found.has(formOf(object))),
  };
}

/** A comparable form of an object. SQLite keeps the statement as it was typed, and Knex may quote and space it differently. */
function formOf({ type, name, table, sql }: SchemaObject): string {
  return JSON.stringify([type, name, table, sql?.replace(/[\s`"]+/g, '').toLowerCase()]);
}

/** What migrations create in an empty database. */
async function objectsOf(migrations: readonly string[]): Promise<SchemaObject[]> {
  const database = connect(':memory:', { unlimited: true });
  try {
    for (const name of migrations) await database.migrate.up({ name } as object);
    return await database('sqlite_master').select('type', 'name', 'tbl_name as table', 'sql');
  } finally {
    await database.destroy();
  }
}
