import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { CommandFailure } from './output.ts';

/**
 * Writes a whole file or none: beside its place first, and then into it. A file that is there is left alone, unless it
 * is to be replaced.
 *
 * @throws CommandFailure where the file is there, or its folder is not or may not be written to
 */
export async function writeNewFile(path: string, content: string | Buffer, { replace = false } = {}): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`;
  let claimed = false;
  try {
    if (!replace) {
      // Takes the name: asking first whether it is free would let two ask at once.
      await (await open(path, 'wx')).close();
      claimed = true;
    }
    await writeFile(beside, content, { flag: 'wx', flush: true });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    if (claimed) await rm(path, { force: true });
    throw failure(path, error);
  }
}

function failure(path: string, error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EEXIST':
      return new CommandFailure(`there is a file ${path} already. Choose another name, or replace it with --force.`);
    case 'ENOENT':
    case 'ENOTDIR':
      return new CommandFailure(`there is no folder for ${path}.`);
    case 'EISDIR':
      return new CommandFailure(`${path} is a folder. Name a file in it.`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOSPC':
      return new CommandFailure(`${path} cannot be written: ${(error as Error).message}`);
    default:
      return error;
  }
}
