import { promisify } from 'node:util';
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
  OPEN_READWRITE: number;
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

/**
 * Checks every page, index and reference of a SQLite file that nobody else has open.
 *
 * @throws UnsoundFile
 */
export async function checkFile(path: string): Promise<void> {
  await withFile(path, async (database) => {
    const all = promisify(database.all.bind(database));
    const faults = await all('PRAGMA integrity_check(3)');
    const [first] = faults;
    if (first?.integrity_check !== 'ok') throw new UnsoundFile(String(first?.integrity_check));
    const [reference] = await all('PRAGMA foreign_key_check');
    if (reference) throw new UnsoundFile(`a row of ${reference.table} refers to a row that does not exist`);
  });
}

async function withFile<Result>(path: string, work: (database: RawDatabase) => Promise<Result>): Promise<Result> {
  const { Database, OPEN_READWRITE } = sqliteDriver() as Driver;
  const database = await new Promise<RawDatabase>((resolve, reject) => {
    const opened = new Database(path, OPEN_READWRITE, (error) => (error ? reject(error) : resolve(opened)));
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
