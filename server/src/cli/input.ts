/** The files that commands read. `-` is standard input. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { textOfFile, UnreadableText, utf8Of } from '@product-passport/openapi';
import { OperatorError } from '../operator-error.ts';
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
 * The lines of a file, or none without a file.
 *
 * @throws OperatorError if the file cannot be read
 */
export async function linesOf(file: string | undefined): Promise<string[]> {
  return file === undefined ? [] : (await textOf(file)).split(/[\r\n]+/);
}
