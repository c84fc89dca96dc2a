/** What commands read: files, of which `-` is standard input, and bodies as the API accepts them. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import {
  type BodyReader,
  ContractError,
  errorMeanings,
  type OperationId,
  readContract,
  textOfFile,
  UnreadableText,
  utf8Of,
} from '@product-passport/openapi';
import { OperatorError } from '../operator-error.ts';

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

/** The file could not be read; any other error is not about the file. */
export function readFailure(file: string, error: unknown, { orInput = false } = {}): unknown {
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && path === file) {
    const other = orInput ? ', or - for standard input' : '';
    return new OperatorError(`the file ${file} does not exist. Name an existing file${other}.`, 2);
  }
  if (code === 'ERR_FS_FILE_TOO_LARGE' || code === 'ERR_STRING_TOO_LONG') {
    return new OperatorError(`${file} is too large to be read at once.`, 2);
  }
  return ['EACCES', 'EISDIR', 'EPERM'].includes(code ?? '')
    ? new OperatorError(`cannot read ${file}: ${message}`, 2)
    : error;
}

/** Reads the body of an operation, for commands that do the same. */
export async function contractBody(id: OperationId): Promise<BodyReader> {
  // Imported only here: other commands start quicker.
  const { default: Joi } = await import('joi');
  const { bodyReaderOf } = await import('@product-passport/openapi');
  return bodyReaderOf(Joi, readContract(), id);
}

/**
 * Turns an error of the contract into one of the command line.
 *
 * @param source what is wrong: an option or a file
 */
export async function inContract<Result>(source: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const message = error.detail ?? errorMeanings(readContract()).get(error.code)?.message ?? error.code;
    const isSyntax = error.code === 'invalid_json';
    throw new OperatorError(isSyntax ? message.replace('The request body', source) : `${source}: ${message}`, 2);
  }
}
