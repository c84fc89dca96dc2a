import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { AuditedRun } from '../audit/store.ts';
import { commandHint, isPostgresAddress, shownAddress } from '../database/address.ts';
import { checkFile, inOneFile } from '../database/copy.ts';
import { openDatabase, UnusableDatabase } from '../database/open.ts';
import { isPostgres } from '../database/statement.ts';
import { productTotals } from '../database/totals.ts';
import { OperatorError } from '../operator-error.ts';
import { countTenants, hasTenants } from '../tenants/store.ts';
import { exportText, longSnapshot } from '../transfer/export.ts';
import { RefusedLine } from '../transfer/lines.ts';
import { type BackupContent, restoreBackup } from '../transfer/restore.ts';
import { named, refuseStream } from './backup.ts';
import { argument, command, flag } from './command.ts';
import { defaultDatabase } from './database.ts';
import { bytesOf } from './input.ts';
import { makeNewFile } from './new-file.ts';
import { counted, type Progress, version } from './output.ts';
import { copyBackup, isSqliteFile } from './sqlite-backup.ts';

/** A backup to restore. */
interface Source {
  file: string;
  isCopy: boolean;
  unverified: boolean;
  /** Of the database to restore into. */
  address: string;
  audit: AuditedRun;
  progress: Progress;
}

export const commands = command({
  name: 'restore',
  about: 'address',
  progress: 'products',
  description:
    'restore a backup into a new SQLite file, or into a PostgreSQL database without tenants; a backup of either kind fits both',
  example: 'restore monday.backup --database restored.sqlite',
  arguments: [argument('<file>', '')],
  options: { unverified: flag('--unverified', 'restore a SQLite file whose checksum is missing or wrong') },
  prepare: (_options, file) => refuseStream(file),
  async run({ options, audit, progress }, file) {
    const { database: address = defaultDatabase, unverified = false } = options;
    const source = { file, isCopy: await isSqliteFile(file), unverified, address, audit, progress };
    const restored = await (isPostgresAddress(address) ? intoPostgres(source) : intoFile(source));
    return { ...restored, seconds: progress.seconds };
  },
  text({ tenants, products, seconds }, { options: { database: address = defaultDatabase } }) {
    return [
      `Restored ${counted(tenants, 'tenant')} with ${counted(products, 'product')} in ${seconds} seconds.`,
      `Check the hashes of ${shownAddress(address)} with: ${commandHint('check-hashes', address)}`,
    ];
  },
});

async function intoFile(source: Source): Promise<BackupContent> {
  const { file, isCopy, unverified, address } = source;
  if (address === ':memory:') throw new OperatorError('name a file with --database: a database in memory is lost.', 2);
  refuseLeftLog(address);
  return makeNewFile(address, async (temporary) => {
    if (isCopy) await copyBackup(file, temporary, unverified);
    const content = await withNew(temporary, (database) =>
      isCopy ? contentOf(database, source) : restoreLines(database, bytesOf(file), source),
    ).catch((error: unknown) => {
      // The name of the temporary file says nothing to a person.
      if (error instanceof UnusableDatabase) throw new OperatorError(error.message.replaceAll(temporary, file));
      throw error;
    });
    await inOneFile(temporary);
    await checkFile(temporary);
    return content;
  });
}

/** SQLite would write the log of an older database of this name into the restored one, and damage it. */
function refuseLeftLog(address: string): void {
  const left = ['-wal', '-shm', '-journal'].map((ending) => `${address}${ending}`).find((path) => existsSync(path));
  if (left === undefined || existsSync(address)) return;
  throw new OperatorError(
    `the file ${left} belongs to another database and would damage the restored one. Nothing was restored. Stop every ` +
      `server, move ${left} next to its database, or restore to another name with --database.`,
  );
}

async function intoPostgres(source: Source): Promise<BackupContent> {
  const { file, isCopy, unverified, address } = source;
  const restore = (chunks: AsyncIterable<Buffer>): Promise<BackupContent> =>
    withNew(address, (database) => restoreLines(database, chunks, source));
  if (!isCopy) return restore(bytesOf(file));
  // A copy of the copy, because an older one has to be migrated.
  const folder = await mkdtemp(join(tmpdir(), 'product-passport-'));
  try {
    const copy = join(folder, 'copy.sqlite');
    await copyBackup(file, copy, unverified);
    return await withNew(copy, (copied) =>
      longSnapshot(copied, (transaction) =>
        restore(bytes(exportText(transaction, { secrets: true, program: version, now: new Date() }))),
      ),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function* bytes(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of text) yield Buffer.from(piece);
}

/** Opens a database, and brings it to the newest form. */
async function withNew<Result>(address: string, work: (database: Knex) => Promise<Result>): Promise<Result> {
  const database = await openDatabase(address, { unlimited: true });
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

async function restoreLines(
  database: Knex,
  chunks: AsyncIterable<Buffer>,
  { address, audit, isCopy, progress }: Source,
): Promise<BackupContent> {
  try {
    return await database.transaction(async (transaction) => {
      if (isPostgres(transaction)) await transaction.raw('LOCK TABLE tenants IN SHARE ROW EXCLUSIVE MODE');
      if (await hasTenants(transaction)) {
        throw new OperatorError(
          `the database ${shownAddress(address)} has tenants already, so it was not changed. Name an empty database with --database.`,
        );
      }
      const content = await restoreBackup(transaction, chunks, (done) => progress.report(done));
      await audit.record(transaction);
      return content;
    });
  } catch (error) {
    if (!(error instanceof RefusedLine)) throw error;
    throw new OperatorError(`${isCopy ? named(error) : error.message} Nothing was restored.`);
  }
}

async function contentOf(database: Knex, { audit }: Source): Promise<BackupContent> {
  await database.transaction((transaction) => audit.record(transaction));
  const { draft, active, archived } = await productTotals(database);
  return { tenants: await countTenants(database), products: draft + active + archived };
}
