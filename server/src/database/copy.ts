import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { migrationsTable } from './migrations/index.ts';
import { sqliteDriver } from './sqlite.ts';

/** Pages in one step. Between two steps other work of the process gets a thread. */
const pagesAtOnce = 2000;
const mebibyte = 1024 * 1024;

/** The parts of the SQLite driver that are used here. */
interface RawDatabase {
  exec(sql: string, done: (error: Error | null) => void): void;
  get(sql: string, done: (error: Error | null, row?: Record<string, unknown>) => void): void;
  all(sql: string, done: (error: Error | null, rows: Record<string, unknown>[]) => void): void;
  backup(path: string, done: (error: Error | null) => void): RawBackup;
  close(done: (error: Error | null) => void): void;
}
interface RawBackup {
  readonly remaining: number;
  readonly pageCount: number;
  step(pages: number, done: (error: Error | null, isDone?: boolean) => void): void;
  finish(done?: (error: Error | null) => void): void;
}
interface Driver {
  Database: new (path: string, mode: number, done: (error: Error | null) => void) => RawDatabase;
  OPEN_READONLY: number;
  OPEN_READWRITE: number;
  OPEN_URI: number;
}

/** A file that is not a sound SQLite database. */
export class UnsoundFile extends Error {
  override readonly name = 'UnsoundFile';
}

/**
 * Copies a SQLite database with SQLite's online backup, as it is at this moment, also while servers write to it. The copy
 * is one file without a write-ahead log beside it.
 *
 * A read transaction stays open during the copy. Without it, SQLite would begin again with each write of another process,
 * and would never end under load. `VACUUM INTO` would make a smaller file, but it builds every index anew and reports no
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
  await withFile(from, async (source) => {
    const exec = promisify(source.exec.bind(source));
    await exec('PRAGMA busy_timeout = 5000; BEGIN;');
    const [row] = await promisify(source.all.bind(source))('PRAGMA page_size');
    const pageSize = Number(row?.page_size);
    // The transaction gets its snapshot with its first read.
    await promisify(source.all.bind(source))('SELECT COUNT(*) FROM sqlite_master');
    const backup = await new Promise<RawBackup>((resolve, reject) => {
      const made = source.backup(to, (error) => (error ? reject(error) : resolve(made)));
    });
    for (let isDone = false; !isDone; ) {
      isDone = await step(backup);
      const { pageCount, remaining } = backup;
      progress(toMebibytes((pageCount - remaining) * pageSize), toMebibytes(pageCount * pageSize));
    }
    await new Promise<void>((resolve) => backup.finish(() => resolve()));
    await exec('COMMIT');
  });
  await inOneFile(to);
}

/**
 * Leaves the mode in which SQLite keeps a write-ahead log beside the file, and removes the mark of a server that has it open
 * (`missing-log.ts`). A server returns to that mode when it opens the file.
 */
export async function inOneFile(path: string): Promise<void> {
  const pragmas = 'PRAGMA journal_mode = DELETE; PRAGMA user_version = 0;';
  await withFile(path, (database) => promisify(database.exec.bind(database))(pragmas));
}

function toMebibytes(bytes: number): number {
  return Math.round(bytes / mebibyte);
}

function step(backup: RawBackup): Promise<boolean> {
  return new Promise((resolve, reject) => {
    backup.step(pagesAtOnce, (error, isDone) => {
      if (!error) return resolve(isDone === true);
      // The step did nothing and can be repeated.
      if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return resolve(false);
      reject(error);
    });
  });
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
export async function objectsIn(path: string): Promise<{ objects: SchemaObject[]; migrations: string[] }> {
  return readFile(path, async (database) => {
    const all = promisify(database.all.bind(database));
    const objects = (await all(
      'SELECT type, name, tbl_name AS "table", sql FROM sqlite_master',
    )) as unknown as SchemaObject[];
    const isMigrated = objects.some(({ type, name }) => type === 'table' && name === migrationsTable);
    const rows = isMigrated ? await all(`SELECT * FROM ${migrationsTable}`) : [];
    return { objects, migrations: rows.map(({ name }) => String(name)) };
  });
}

/** The order in which objects are dropped. A virtual table takes its own tables along. */
const dropOrder = ['trigger', 'view', 'index', 'table'];

/** Drops objects of a SQLite file that nobody else has open. */
export async function dropObjects(path: string, objects: readonly SchemaObject[]): Promise<void> {
  const rank = ({ type, sql }: SchemaObject): number =>
    dropOrder.indexOf(type) + (/^CREATE VIRTUAL/i.test(sql ?? '') ? -0.5 : 0);
  await withFile(path, async (database) => {
    const exec = promisify(database.exec.bind(database));
    for (const { type, name } of objects.toSorted((a, b) => rank(a) - rank(b))) {
      if (!name.startsWith('sqlite_')) await exec(`DROP ${type} IF EXISTS "${name.replaceAll('"', '""')}"`);
    }
  });
}

/**
 * Checks every page, index and reference of a SQLite file that nobody else has open.
 *
 * @throws UnsoundFile
 */
export async function checkFile(path: string): Promise<void> {
  await readFile(path, async (database) => {
    const all = promisify(database.all.bind(database));
    const faults = await all('PRAGMA integrity_check(3)');
    const [first] = faults;
    if (first?.integrity_check !== 'ok') throw new UnsoundFile(String(first?.integrity_check));
    const [reference] = await all('PRAGMA foreign_key_check');
    if (reference) throw new UnsoundFile(`a row of ${reference.table} refers to a row that does not exist`);
  });
}

/** Reads a SQLite file that nobody else has open, and does not change it. */
function readFile<Result>(path: string, work: (database: RawDatabase) => Promise<Result>): Promise<Result> {
  const { OPEN_READONLY, OPEN_URI } = sqliteDriver() as Driver;
  return withOpened(`${pathToFileURL(resolve(path))}?immutable=1`, OPEN_READONLY | OPEN_URI, work);
}

function withFile<Result>(path: string, work: (database: RawDatabase) => Promise<Result>): Promise<Result> {
  return withOpened(path, (sqliteDriver() as Driver).OPEN_READWRITE, work);
}

async function withOpened<Result>(
  path: string,
  mode: number,
  work: (database: RawDatabase) => Promise<Result>,
): Promise<Result> {
  const { Database } = sqliteDriver() as Driver;
  const database = await new Promise<RawDatabase>((resolve, reject) => {
    const made = new Database(path, mode, (error) => (error ? reject(error) : resolve(made)));
  });
  try {
    return await work(database);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(code ?? '') ? new UnsoundFile(message) : error;
  } finally {
    await promisify(database.close.bind(database))();
  }
}
