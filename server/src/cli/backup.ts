import type { Command } from 'commander';
import { commandHint, isPostgresAddress } from '../database/address.ts';
import { warnOfMissingLog } from '../database/open.ts';
import { exportText, longSnapshot } from '../transfer/export.ts';
import { RefusedLine } from '../transfer/lines.ts';
import { checkBackup } from '../transfer/restore.ts';
import { type AdministrationOptions, administrationCommand, requireFile, withDatabase } from './database.ts';
import { writeToFile } from './export.ts';
import { bytesOf } from './input.ts';
import { makeNewFile } from './new-file.ts';
import { CommandFailure, escaped, print, printJson, version, warn } from './output.ts';
import { Progress } from './progress.ts';
import { backUpFile, isSqliteFile, verifyBackup } from './sqlite-backup.ts';

interface BackupOptions extends AdministrationOptions {
  verify?: boolean;
}

export function addBackupCommand(program: Command): void {
  administrationCommand(program.command('backup <file>'))
    .description(
      'copy the whole database to a new file while servers use it: a SQLite file as a SQLite file, PostgreSQL as JSON Lines; the file has mode 0600, since it has every secret',
    )
    .option('--verify', 'verify the backup <file> and make none; exits with 1 if it is damaged')
    .action(async (file: string, options: BackupOptions) => {
      refuseStream(file);
      if (options.verify) return verify(file, options);
      const address = requireFile(options);
      const isPostgres = isPostgresAddress(address);
      const began = new Progress('');
      if (isPostgres) await makeNewFile(file, (temporary) => exportAll(temporary, options));
      else {
        await warnOfMissingLog(address, { warn });
        await makeNewFile(file, (temporary) => backUpFile(address, temporary));
      }
      const format = isPostgres ? 'jsonl' : 'sqlite';
      if (options.json) printJson({ file, format, seconds: began.seconds });
      else {
        print(
          `Backed up ${isPostgres ? 'the database' : address} to ${file}, and checked the copy, in ${began.seconds} seconds.`,
          `Restore it with: ${commandHint(`restore ${file}`, 'restored.sqlite')}${isPostgres ? ', or name an empty PostgreSQL database.' : ''}`,
        );
      }
    });
}

/** A backup is checked before it has its name, and a restore reads it twice. */
export function refuseStream(file: string): void {
  if (file === '-') throw new CommandFailure('a backup is a file, not standard input or output. Name a file.', 2);
}

/** Verifies a backup as `restore` does. */
async function verify(file: string, { json }: BackupOptions): Promise<void> {
  const began = new Progress('');
  const isCopy = await isSqliteFile(file);
  if (isCopy) await verifyBackup(file);
  else {
    await checkBackup(bytesOf(file)).catch((error) => {
      throw error instanceof RefusedLine ? new CommandFailure(`${file} is damaged: ${error.message}`) : error;
    });
  }
  if (json) printJson({ file, format: isCopy ? 'sqlite' : 'jsonl', seconds: began.seconds });
  else print(`${file} is whole: its checksum and its content fit.`);
}

/** Names the row that was refused: the person has no file with the line. */
export function named({ row = 'A row', reason }: RefusedLine): string {
  return `${escaped(row)}: ${reason}`;
}

async function exportAll(temporary: string, options: AdministrationOptions): Promise<void> {
  const progress = new Progress('products');
  await withDatabase(
    options,
    (database) =>
      longSnapshot(database, (transaction) =>
        writeToFile(
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
      ? `List all rows whose hash does not fit with ${commandHint('check-hashes', options.database)}.`
      : 'Correct this row in the database.';
    throw new CommandFailure(
      `the database has a row that cannot be restored. ${named(error)} No backup was made. ${next}`,
    );
  }
}
