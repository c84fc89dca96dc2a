import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OperatorError } from '../operator-error.ts';

const require = createRequire(import.meta.url);

/** Each statement that runs holds a thread of libuv. The writer, files and DNS look-ups need threads too. */
const maxReaders = 8;
const defaultThreads = 4;

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
export function readerCount(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE) || defaultThreads;
  return Math.max(1, Math.min(maxReaders, threads - 1));
}
