import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { constants, copyFile, link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from '../operator-error.ts';

/**
 * Writes a file completely or not at all, by a temporary file in the same folder.
 *
 * @param replace overwrites an existing file
 * @throws OperatorError if the file exists, or its folder does not exist or is not writable
 */
export async function writeNewFile(path: string, content: string | Buffer, { replace = false } = {}): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, content, { flag: 'wx', flush: true });
    // A link would fail on a memory card.
    await (replace ? rename(temporary, path) : copyFile(temporary, path, constants.COPYFILE_EXCL));
  } catch (error) {
    throw failure(path, error);
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Makes a file with mode 0600 completely or not at all, also if the machine loses power. A file that exists is not
 * replaced. A process that is killed leaves a file that ends in `.tmp`.
 *
 * @param fill writes the content to a temporary file in the same folder, which exists and is empty
 * @throws OperatorError if the file exists, or its folder does not exist or is not writable
 */
export async function makeNewFile<Result>(path: string, fill: (temporary: string) => Promise<Result>): Promise<Result> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    // Early, because filling may take long.
    if (existsSync(path)) throw taken(path);
    await (await open(temporary, 'wx', 0o600)).close();
    const result = await fill(temporary);
    await flush(temporary);
    // Unlike a rename, it fails if the name is taken.
    await link(temporary, path);
    await rm(temporary);
    await flush(dirname(path));
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? taken(path) : failure(path, error);
  }
}

function taken(path: string): OperatorError {
  return new OperatorError(`the file ${path} already exists, and was not replaced. Choose another name.`);
}

async function flush(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function failure(path: string, error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EEXIST':
      return new OperatorError(
        `the file ${path} already exists. Choose another name, or overwrite the file with --force.`,
      );
    case 'ENOENT':
    case 'ENOTDIR':
      return new OperatorError(`the folder of ${path} does not exist. Create the folder first, or choose another one.`);
    case 'EISDIR':
      return new OperatorError(`${path} is a folder. Name a file in that folder.`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOSPC':
      return new OperatorError(`cannot write ${path}: ${(error as Error).message}`);
    default:
      return error;
  }
}
