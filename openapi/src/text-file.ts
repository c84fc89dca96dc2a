/** Text files of users. Every command reads them here, so that each encoding is read or refused everywhere alike. */
import { isUtf8 } from 'node:buffer';

/** A file that is too large, or is not text in UTF-8 or UTF-16. The message names the file, what is wrong and what to do. */
export class UnreadableText extends Error {
  override readonly name = 'UnreadableText';

  constructor(file: string, fault: string, advice = 'Save it as UTF-8.') {
    super(`${file} ${fault}. ${advice}`);
  }
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The first bytes of a file. A mark of UTF-32 LE begins like one of UTF-16 LE, so it stands before that. */
const beginnings: readonly (readonly [RegExp, Encoding | { readonly fault: string }])[] = [
  [/^(?:\xff\xfe\0\0|\0\0\xfe\xff)/, { fault: 'is UTF-32' }],
  [/^\xff\xfe/, 'utf-16le'],
  [/^\xfe\xff/, 'utf-16be'],
  [/^(?:\0[^\0]|[^\0]\0)/, { fault: 'is UTF-16 without a byte order mark' }],
];
const maxMarkBytes = 4;
const utf8Mark = '\xef\xbb\xbf';

function encodingOf(start: Uint8Array, file: string): Encoding {
  const bytes = Buffer.from(start.subarray(0, maxMarkBytes)).toString('latin1');
  const encoding = beginnings.find(([beginning]) => beginning.test(bytes))?.[1] ?? 'utf-8';
  if (typeof encoding === 'string') return encoding;
  throw new UnreadableText(file, encoding.fault);
}

const mebibyte = 1024 * 1024;

export interface TextLimit {
  /** Default 16. What is made of the text takes several times as much memory. */
  readonly maxMiB?: number;
  /** What to do about a file that has more. */
  readonly advice?: string;
}

/**
 * Reads a whole file, and no further than its limit.
 *
 * @throws UnreadableText
 */
export async function readTextFile(
  chunks: AsyncIterable<Buffer>,
  file: string,
  { maxMiB = 16, advice = 'Use a smaller file.' }: TextLimit = {},
): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxMiB * mebibyte) throw new UnreadableText(file, `has more than ${maxMiB} MiB`, advice);
    parts.push(chunk);
  }
  return textOfFile(Buffer.concat(parts), file);
}

/**
 * The text of a file in UTF-8, or in UTF-16 with a byte order mark. The text has no mark.
 *
 * @param file names the file in messages
 * @throws UnreadableText for other bytes
 */
export function textOfFile(bytes: Uint8Array, file: string): string {
  const encoding = encodingOf(bytes, file);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (isUtf8(bytes) || encoding !== 'utf-8') throw asUnreadable(error, file);
    throw new UnreadableText(file, `is not UTF-8 in line ${faultyLine(bytes)}`);
  }
}

/**
 * The same for a file of any size: UTF-8 without a byte order mark. Bytes that are not UTF-8 pass, because the reader of
 * the lines can name theirs.
 *
 * @throws UnreadableText for another encoding
 */
export async function* utf8Of(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  let encoding: Encoding | undefined;
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of withWholeBeginning(chunks)) {
      const isFirst = encoding === undefined;
      encoding ??= encodingOf(chunk, file);
      if (encoding === 'utf-8') yield chunk.subarray(isFirst && chunk.toString('latin1', 0, 3) === utf8Mark ? 3 : 0);
      else {
        decoder ??= new TextDecoder(encoding, { fatal: true });
        yield Buffer.from(decoder.decode(chunk, { stream: true }));
      }
    }
    // Refuses a character that is cut.
    decoder?.decode();
  } catch (error) {
    throw asUnreadable(error, file);
  }
}

/** A pipe may deliver single bytes. */
async function* withWholeBeginning(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (held) held = Buffer.concat([held, chunk]);
    if (held && held.length < maxMarkBytes) continue;
    yield held ?? chunk;
    held = undefined;
  }
  if (held && held.length > 0) yield held;
}

function faultyLine(bytes: Uint8Array): number {
  const newline = 0x0a;
  for (let line = 1, start = 0; ; line += 1) {
    const end = bytes.indexOf(newline, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}

function asUnreadable(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? new UnreadableText(file, 'is not valid UTF-16') : error;
}
