import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Knex } from 'knex';

/**
 * The mark of a server that has a SQLite file open (`PRAGMA user_version`, at this place in the header). It goes into the
 * file at once, and not only into the write-ahead log. A file with the mark and without a log is a copy that lacks the
 * log, or its log was deleted: what was written last may be missing, and nothing else shows it.
 */
const openMark = 1;
const markPlace = 60;

/** How long the close of a file waits while another process writes, in milliseconds. */
const lastWait = 1000;

/** What to do about a file that `lacksLog`. */
export const missingLogWarning =
  'has no write-ahead log beside it, although no server closed it. If it is a copy that was made while a server ran, or if the -wal file was deleted, what was written last is missing. ' +
  'Copy a database with `product-passport backup`. If another program opened the file after a crash, nothing is missing.';

/**
 * Whether the write-ahead log of a SQLite file is missing. Call it before the file is opened, which makes a new log.
 *
 * It cannot notice a copy without its log if no server had the file open.
 */
export async function lacksLog(path: string): Promise<boolean> {
  if (existsSync(`${path}-wal`)) return false;
  try {
    const file = await open(path);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, markPlace);
      return bytesRead === 4 && buffer.readUInt32BE() === openMark;
    } finally {
      await file.close();
    }
  } catch {
    // Opening the database reports it.
    return false;
  }
}

/** Marks a SQLite file, and clears the mark when the database is destroyed. A file that is read-only has no mark. */
export async function markOpen(database: Knex): Promise<void> {
  try {
    await setMark(database, openMark);
    await database.raw('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    return;
  }
  aroundDestroy(database, async (destroy) => {
    // The file may be read-only or locked by now. The mark then stays, and the log too.
    await database.raw(`PRAGMA busy_timeout = ${lastWait}`).catch(() => undefined);
    await setMark(database, 0).catch(() => undefined);
    await destroy();
  });
}

/** Clears the mark of a server that was killed, if this process is the last one that closes the file. */
export function clearMarkAtEnd(database: Knex, path: string, reopen: () => Knex): void {
  aroundDestroy(database, async (destroy) => {
    await destroy();
    if (!(await lacksLog(path))) return;
    const again = reopen();
    await setMark(again, 0).catch(() => undefined);
    await again.destroy();
  });
}

async function setMark(database: Knex, mark: number): Promise<void> {
  await database.raw(`PRAGMA user_version = ${mark}`);
}

function aroundDestroy(database: Knex, work: (destroy: () => Promise<void>) => Promise<void>): void {
  const { client } = database;
  const destroy: () => Promise<void> = client.destroy.bind(client);
  let first: Promise<void> | undefined;
  client.destroy = () => {
    first ??= work(destroy);
    return first;
  };
}
