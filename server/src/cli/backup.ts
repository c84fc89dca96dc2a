import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { appendFile, mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Knex } from 'knex';
import type { AuditedRun } from '../audit/store.ts';
import { commandHint, isPostgresAddress, shownAddress } from '../database/address.ts';
import {
  checkFile,
  compareSchema,
  copyDatabase,
  dropObjects,
  inOneFile,
  type SchemaObject,
  UnsoundFile,
} from '../database/copy.ts';
import { openDatabase, UnusableDatabase } from '../database/open.ts';
import { isPostgres } from '../database/statement.ts';
import { productTotals } from '../database/totals.ts';
import { OperatorError } from '../operator-error.ts';
import { countDoubles } from '../passports/unique.ts';
import { countTenants, hasTenants, walkTenants } from '../tenants/store.ts';
import { countTooOpen, exportText, longSnapshot } from '../transfer/export.ts';
import { RefusedLine } from '../transfer/reader.ts';
import { type BackupContent, checkBackup, restoreBackup } from '../transfer/restore.ts';
import { argument, type Context, command, flag } from './command.ts';
import { defaultDatabase, requireFile, withDatabase } from './database.ts';
import { bytesOf, makeNewFile, readFailure } from './files.ts';
import { counted, escaped, Progress, version, warn } from './output.ts';
import { warnOfDoubles, warnOfNotPublic, warnOfTooOpen } from './transfer.ts';

export const commands = command({
  name: 'backup',
  about: 'address',
  progress: 'products',
  description:
    'copy the whole database to a new file while servers use it: a SQLite file as a SQLite file, PostgreSQL as JSON Lines; the file has mode 0600, since it has every secret',
  example: 'backup monday.backup',
  arguments: [argument('<file>', '')],
  options: {
    verify: flag('--verify', 'verify the backup <file> and make none; exits with 1 if it is damaged'),
  },
  prepare: (_options, file) => refuseStream(file),
  async run(context, file) {
    const { options, progress } = context;
    const format = options.verify ? await verify(file) : await backUp(file, context);
    return { file, format, seconds: progress.seconds };
  },
  text({ file, format, seconds }, { options }) {
    if (options.verify) return `${file} is whole: its checksum and its content fit.`;
    const isCopy = format === 'sqlite';
    return [
      `Backed up ${isCopy ? requireFile(options) : 'the database'} to ${file}, and checked the copy, in ${seconds} seconds.`,
      `Restore it with: ${commandHint(`restore ${file}`, 'restored.sqlite')}${isCopy ? '' : ', or name an empty PostgreSQL database.'}`,
    ];
  },
});

/** A backup is checked before it has its name, and a restore reads it twice. */
function refuseStream(file: string): void {
  if (file === '-') throw new OperatorError('a backup is a file, not standard input or output. Name a file.', 2);
}

type Format = 'sqlite' | 'jsonl';

async function backUp(file: string, context: Context): Promise<Format> {
  const address = requireFile(context.options);
  if (isPostgresAddress(address)) {
    await makeNewFile(file, (temporary) => exportAll(temporary, context));
    return 'jsonl';
  }
  await makeNewFile(file, (temporary) => backUpFile(address, temporary));
  return 'sqlite';
}

/** Verifies a backup as `restore` does. */
async function verify(file: string): Promise<Format> {
  if (await isSqliteFile(file)) {
    await verifyBackup(file);
    return 'sqlite';
  }
  await checkBackup(bytesOf(file)).catch((error) => {
    throw error instanceof RefusedLine ? new OperatorError(`${file} is damaged: ${error.message}`) : error;
  });
  return 'jsonl';
}

/** Names the row that was refused: the person has no file with the line. */
function named({ row = 'A row', reason }: RefusedLine): string {
  return `${escaped(row)}: ${reason}`;
}

async function exportAll(temporary: string, { options, progress, hint }: Context): Promise<void> {
  await withDatabase(
    options,
    (database) =>
      longSnapshot(database, (transaction) =>
        writeFile(
          temporary,
          exportText(transaction, {
            secrets: true,
            program: version,
            now: new Date(),
            progress: (done) => progress.report(done),
          }),
        ),
      ),
    { unlimited: true },
  );
  progress.end();
  try {
    await checkBackup(bytesOf(temporary));
  } catch (error) {
    if (!(error instanceof RefusedLine)) throw error;
    const next = error.isOfHash
      ? `List all rows whose hash does not fit with ${hint('check-hashes')}.`
      : 'Correct this row in the database.';
    throw new OperatorError(
      `the database has a row that cannot be restored. ${named(error)} No backup was made. ${next}`,
    );
  }
}

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

/** What was restored, and what is wrong with it. */
interface Restored extends BackupContent {
  /** Values that are more open than their template. */
  too_open: number;
  /** Active products with a unique value of an earlier one. */
  values_in_use: number;
}

export const restore = command({
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
  warn({ not_public_versions, too_open, values_in_use }) {
    warnOfNotPublic(not_public_versions);
    warnOfTooOpen(too_open);
    warnOfDoubles(values_in_use);
  },
  text({ tenants, products, seconds }, { options: { database: address = defaultDatabase } }) {
    return [
      `Restored ${counted(tenants, 'tenant')} with ${counted(products, 'product')} in ${seconds} seconds.`,
      `Check the hashes of ${shownAddress(address)} with: ${commandHint('check-hashes', address)}`,
    ];
  },
});

async function intoFile(source: Source): Promise<Restored> {
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

async function intoPostgres(source: Source): Promise<Restored> {
  const { file, isCopy, unverified, address } = source;
  const restore = (chunks: AsyncIterable<Buffer>): Promise<Restored> =>
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
): Promise<Restored> {
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
      return { ...content, ...(await countFaults(transaction)) };
    });
  } catch (error) {
    if (!(error instanceof RefusedLine)) throw error;
    throw new OperatorError(`${isCopy ? named(error) : error.message} Nothing was restored.`);
  }
}

async function contentOf(database: Knex, { audit }: Source): Promise<Restored> {
  await database.transaction((transaction) => audit.record(transaction));
  const { draft, active, archived } = await productTotals(database);
  return {
    tenants: await countTenants(database),
    products: draft + active + archived,
    // A copy has no other versions than its source.
    not_public_versions: 0,
    ...(await countFaults(database)),
  };
}

async function countFaults(database: Knex): Promise<Omit<Restored, keyof BackupContent>> {
  let values_in_use = 0;
  for await (const tenants of walkTenants(database)) {
    for (const { id } of tenants) values_in_use += await countDoubles(database, id);
  }
  return { too_open: await countTooOpen(database, walkTenants(database)), values_in_use };
}

/** Whether a file is a SQLite database. Anything else is read as JSON Lines. */
async function isSqliteFile(path: string): Promise<boolean> {
  const magic = 'SQLite format 3\0';
  try {
    return (await textAt(path, 0, magic.length)) === magic;
  } catch (error) {
    throw readFailure(path, Object.assign(error as Error, { path }));
  }
}

/** Copies a database to an empty file, checks the copy and adds its checksum. */
async function backUpFile(address: string, temporary: string): Promise<void> {
  try {
    await copyWithProgress(address, temporary);
    await leaveOutForeign(address, temporary);
    await checkFile(temporary);
    await appendFile(temporary, lineOf(await hashOf(temporary, (await stat(temporary)).size)));
  } catch (error) {
    if (!(error instanceof UnsoundFile)) throw error;
    throw new OperatorError(
      `${address} is damaged or is not a SQLite database: ${error.message}. No backup was made. Keep your older backups.`,
    );
  }
}

function copyWithProgress(from: string, to: string): Promise<void> {
  const progress = new Progress('MiB');
  return copyDatabase(from, to, (done, total) => progress.report(done, total)).finally(() => progress.end());
}

/** A restore refuses what this program did not create, so a backup cannot have it. */
async function leaveOutForeign(address: string, temporary: string): Promise<void> {
  const { isOurs, foreign, missing } = await compareSchema(temporary);
  if (!isOurs) {
    throw new OperatorError(
      `${address} has no tables of this program, so no backup was made. Name another database with --database.`,
    );
  }
  if (missing.length > 0) throw new UnsoundFile(`it lacks ${listed(missing)} of this program`);
  if (foreign.length === 0) return;
  await dropObjects(temporary, foreign);
  warn(`${address} has ${listed(foreign)}, which this program did not create. The backup leaves that out.`);
}

/**
 * Copies a backup to a new or an empty file, without its checksum.
 *
 * @param unverified accepts a SQLite file without a checksum or with a wrong one, and copies its write-ahead log too
 * @throws OperatorError if it is not a whole backup of this program
 */
async function copyBackup(file: string, temporary: string, unverified: boolean): Promise<void> {
  try {
    if (unverified) await copyWithProgress(file, temporary);
    else {
      // Verified is the copy, which nobody else changes.
      await pipeline(createReadStream(file), createWriteStream(temporary));
      await requireChecksum(temporary);
      await truncate(temporary, (await stat(temporary)).size - lineLength);
    }
    await requireOwnObjects(temporary);
    await checkFile(temporary);
  } catch (error) {
    throw refusal(file, error, 'Nothing was restored. ');
  }
}

/** @throws OperatorError if it is not a whole backup of this program */
async function verifyBackup(file: string): Promise<void> {
  try {
    await requireChecksum(file);
    await requireOwnObjects(file);
    await checkFile(file);
  } catch (error) {
    throw refusal(file, error);
  }
}

/** A SQLite file that has no checksum. */
class NoChecksum extends UnsoundFile {}

async function requireChecksum(path: string): Promise<void> {
  const size = (await stat(path)).size - lineLength;
  const line = size < 0 ? '' : await textAt(path, size, lineLength);
  const sha256 = /[0-9a-f]{64}(?=\n$)/.exec(line)?.[0] ?? '';
  if (line !== lineOf(sha256)) {
    throw new NoChecksum('it has no checksum at its end: it was cut, or `backup` did not make it');
  }
  if ((await hashOf(path, size)) !== sha256) {
    throw new UnsoundFile('its checksum is wrong: it was changed after the backup');
  }
}

/** @throws UnsoundFile if a SQLite file has other tables, indexes, views or triggers than this program creates */
async function requireOwnObjects(path: string): Promise<void> {
  const { foreign, missing } = await compareSchema(path);
  if (foreign.length > 0) throw new UnsoundFile(`it has ${listed(foreign)}, which this program did not create`);
  if (missing.length > 0) throw new UnsoundFile(`it lacks ${listed(missing)} of this program`);
}

function refusal(file: string, error: unknown, outcome = ''): unknown {
  if (!(error instanceof UnsoundFile)) return error;
  const advice =
    error instanceof NoChecksum
      ? ' If the file is a whole copy that was made by other means, restore it with --unverified.'
      : '';
  return new OperatorError(`${file} is damaged: ${error.message}. ${outcome}Use another backup.${advice}`);
}

/** Objects that a message names. */
const maxListed = 3;

function listed(objects: readonly SchemaObject[]): string {
  const names = objects.slice(0, maxListed).map(({ type, name }) => `the ${type} ${escaped(name)}`);
  return names.join(', ') + (objects.length > maxListed ? ` and ${objects.length - maxListed} more` : '');
}

/** The last line of a SQLite backup, with the SHA-256 of all bytes before it. SQLite reads nothing after its last page. */
const lineOf = (sha256: string): string =>
  `\nproduct-passport backup, SHA-256 of the bytes before this line: ${sha256}\n`;
const lineLength = lineOf('0'.repeat(64)).length;

/** Bytes of a file as text, fewer at its end. */
async function textAt(path: string, start: number, length: number): Promise<string> {
  return (await buffer(createReadStream(path, { start, end: start + length - 1 }))).toString('latin1');
}

const mebibyte = 1024 * 1024;

/** The SHA-256 of the first bytes of a file. */
async function hashOf(path: string, size: number): Promise<string> {
  const hash = createHash('sha256');
  const progress = new Progress('MiB');
  let done = 0;
  try {
    for await (const chunk of createReadStream(path, { end: size - 1, highWaterMark: mebibyte })) {
      hash.update(chunk);
      done += chunk.length / mebibyte;
      progress.report(Math.ceil(done), Math.ceil(size / mebibyte));
    }
  } finally {
    progress.end();
  }
  return hash.digest('hex');
}
