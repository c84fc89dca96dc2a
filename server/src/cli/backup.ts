import { writeFile } from 'node:fs/promises';
import { commandHint, isPostgresAddress } from '../database/address.ts';
import { OperatorError } from '../operator-error.ts';
import { exportText, longSnapshot } from '../transfer/export.ts';
import { RefusedLine } from '../transfer/lines.ts';
import { checkBackup } from '../transfer/restore.ts';
import { argument, type Context, command, flag } from './command.ts';
import { requireFile, withDatabase } from './database.ts';
import { bytesOf } from './input.ts';
import { makeNewFile } from './new-file.ts';
import { escaped, version } from './output.ts';
import { backUpFile, isSqliteFile, verifyBackup } from './sqlite-backup.ts';

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
export function refuseStream(file: string): void {
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
export function named({ row = 'A row', reason }: RefusedLine): string {
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
