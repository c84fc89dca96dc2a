import { forbiddenIn } from '@product-passport/openapi';
import { maxLineBytes } from './format.ts';

/** A line of a file that was refused. */
export class RefusedLine extends Error {
  override readonly name = 'RefusedLine';
  readonly line: number;
  readonly reason: string;
  /** A hash does not fit what it covers: `check-hashes` finds it too. */
  readonly isOfHash: boolean;
  /** Names the row, for a person who has the database and not the line. */
  row: string | undefined;

  constructor(line: number, reason: string, { isOfHash = false } = {}) {
    super(`line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
    this.isOfHash = isOfHash;
  }
}

export interface RawLine {
  /** Counts from 1. */
  number: number;
  /** Without the line end. */
  bytes: Buffer;
  /** No newline follows: the file ends with this line. */
  isOpen?: boolean;
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * Splits bytes into lines. The `\r` that Windows adds to a line does not count.
 *
 * @throws RefusedLine as soon as a line is too long, so that the memory is bounded
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawLine> {
  let number = 0;
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const piece = chunk.subarray(start, end);
      number += 1;
      refuseLong(number, size + piece.length);
      const bytes = size === 0 ? piece : Buffer.concat([...waiting, piece]);
      yield { number, bytes: bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes };
      waiting = [];
      size = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    waiting.push(chunk.subarray(start));
    size += chunk.length - start;
    refuseLong(number + 1, size);
  }
  if (size > 0) yield { number: number + 1, bytes: Buffer.concat(waiting), isOpen: true };
}

function refuseLong(number: number, size: number): void {
  if (size > maxLineBytes) throw new RefusedLine(number, `it has more than ${maxLineBytes} bytes.`);
}

const cutInside = 'the file ends inside this line. It was cut: copy the whole file again, or export it again.';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws RefusedLine if the bytes are not JSON in UTF-8, or a number would change */
export function parseLine({ number, bytes, isOpen = false }: RawLine): unknown {
  const refuse = (fault: string): never => {
    throw new RefusedLine(number, fault);
  };
  if (isOpen) refuse(cutInside);
  let text = '';
  let value: unknown;
  try {
    text = decoder.decode(bytes);
  } catch {
    refuse('it is not valid UTF-8.');
  }
  try {
    value = JSON.parse(text);
  } catch {
    refuse(number === 1 ? 'it is not JSON. Name a file that `backup` or `export` wrote.' : 'it is not JSON.');
  }
  const { problem, inexactNumber } = forbiddenIn(text);
  if (problem) refuse(`it ${problem.what}.`);
  if (inexactNumber) refuse('it has a number that no double carries exactly.');
  return value;
}
