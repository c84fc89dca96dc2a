/** Files that commands read and write, of which `-` is standard input, and bodies as the API accepts them. */

import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { constants, copyFile, link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  ContractError,
  errorMeanings,
  type OperationId,
  type PassportValueInput,
  readContract,
  readTextFile,
  UnreadableText,
  utf8Of,
} from '@product-passport/openapi';
import type { BodyReader } from '@product-passport/openapi/body';
import { failureOf } from '../command-line/failures.ts';
import { OperatorError } from '../operator-error.ts';

/** The name of an input in messages. */
export function inputName(file: string): string {
  return file === '-' ? 'standard input' : file;
}

function failure(file: string, error: unknown): unknown {
  if (error instanceof UnreadableText) return new OperatorError(error.message, 2);
  return readFailure(file, error, { orInput: true });
}

function streamOf(file: string): AsyncIterable<Buffer> {
  return file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
}

/** @throws OperatorError if the file cannot be read, or is larger than a text that is read at once */
async function textOf(file: string): Promise<string> {
  try {
    return await readTextFile(streamOf(file), inputName(file));
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
  try {
    yield* utf8Of(streamOf(file), inputName(file));
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
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && path === file) {
    const other = orInput ? ', or - for standard input' : '';
    return new OperatorError(`the file ${file} does not exist. Name an existing file${other}.`, 2);
  }
  return fileFailure(path ?? file, error, 2);
}

/** Reads the body of an operation, for commands that do the same. */
export async function contractBody(id: OperationId): Promise<BodyReader> {
  // Imported only here: other commands start quicker.
  const { default: Joi } = await import('joi');
  const { bodyReaderOf } = await import('@product-passport/openapi/body');
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

/** Reads a file with values of a passport. @throws OperatorError if it is not a body of `putPassport` */
export async function readValues(file: string): Promise<PassportValueInput[]> {
  const { ofBytes } = await contractBody('putPassport');
  const bytes = Buffer.from(await textOf(file));
  const headers = { 'content-type': 'application/json' };
  return inContract(inputName(file), () => ofBytes(bytes, headers) as Promise<PassportValueInput[]>);
}

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
    throw writeFailure(path, error);
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
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? taken(path) : writeFailure(path, error);
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

function writeFailure(path: string, error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EEXIST':
      return new OperatorError(
        `the file ${path} already exists. Choose another name, or overwrite the file with --force.`,
      );
    case 'ENOENT':
    case 'ENOTDIR':
      return new OperatorError(
        `the folder of ${path} does not exist. Create the folder first, or choose another one.`,
        2,
      );
    case 'EISDIR':
      return new OperatorError(`${path} is a folder. Name a file in that folder.`, 2);
    default:
      return fileFailure(path, error, 1);
  }
}

function fileFailure(file: string, error: unknown, exitCode: 1 | 2): unknown {
  const failure = failureOf(error, { file: `the file ${file}` });
  return failure?.of === 'file' ? new OperatorError(`${failure.text}.`, exitCode, { cause: error }) : error;
}
