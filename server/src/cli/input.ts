/** The files that commands read. `-` is standard input. */
import { createReadStream, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { textOfFile, UnreadableText, utf8Of } from '@product-passport/openapi';
import { OperatorError } from '../operator-error.ts';
import { RefusedLine, splitLines } from '../transfer/lines.ts';
import { readFailure } from './output.ts';

/** The name of an input in messages. */
export function inputName(file: string): string {
  return file === '-' ? 'standard input' : file;
}

function failure(file: string, error: unknown): unknown {
  if (error instanceof UnreadableText) return new OperatorError(error.message, 2);
  return readFailure(file, error, { orInput: true });
}

/** @throws OperatorError if the file cannot be read */
export async function textOf(file: string): Promise<string> {
  try {
    return textOfFile(await (file === '-' ? buffer(process.stdin) : readFile(file)), inputName(file));
  } catch (error) {
    throw failure(file, error);
  }
}

/**
 * A file of any size, as UTF-8. It is opened when the first bytes are read.
 *
 * @throws OperatorError if the file cannot be read
 */
export async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
  try {
    yield* utf8Of(stream, inputName(file));
  } catch (error) {
    throw failure(file, error);
  }
}

/**
 * The lines of a file of any size, or none without a file. A file is checked to its end before its first line is used.
 * Standard input and other pipes can be read only once, and end at a line that is wrong.
 *
 * @throws OperatorError if the file cannot be read
 */
export async function linesOf(file: string | undefined): Promise<AsyncIterable<string> | Iterable<string>> {
  if (file === undefined) return [];
  if (!(await isPipe(file))) {
    for await (const _ of linesIn(file)) {
      // The reader throws.
    }
  }
  return linesIn(file);
}

/** Whether a file can be read only once. */
export async function isPipe(file: string): Promise<boolean> {
  const isStream = (stats: Stats) => !stats.isFile() && !stats.isDirectory();
  return file === '-' || (await stat(file).then(isStream, () => false));
}

async function* linesIn(file: string): AsyncGenerator<string> {
  const name = inputName(file);
  try {
    for await (const { bytes, number } of splitLines(bytesOf(file))) {
      yield* textOfFile(bytes, name, number).split('\r');
    }
  } catch (error) {
    throw error instanceof RefusedLine ? new OperatorError(`${name}, ${error.message}`, 2) : failure(file, error);
  }
}
