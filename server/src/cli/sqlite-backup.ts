/** Backups of SQLite: a SQLite file with a checksum after its last page. */

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, stat, truncate } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  checkFile,
  compareSchema,
  copyDatabase,
  dropObjects,
  type SchemaObject,
  UnsoundFile,
} from '../database/copy.ts';
import { OperatorError } from '../operator-error.ts';
import { readFailure } from './input.ts';
import { escaped, Progress, warn } from './output.ts';

/** Whether a file is a SQLite database. Anything else is read as JSON Lines. */
export async function isSqliteFile(path: string): Promise<boolean> {
  const magic = 'SQLite format 3\0';
  try {
    return (await textAt(path, 0, magic.length)) === magic;
  } catch (error) {
    throw readFailure(path, Object.assign(error as Error, { path }));
  }
}

/** Copies a database to an empty file, checks the copy and adds its checksum. */
export async function backUpFile(address: string, temporary: string): Promise<void> {
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
export async function copyBackup(file: string, temporary: string, unverified: boolean): Promise<void> {
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
export async function verifyBackup(file: string): Promise<void> {
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
