import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, open, stat, truncate } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** The last line of a SQLite backup, with the SHA-256 of all bytes before it. SQLite does not read behind its last page. */
const lineOf = (sha256: string): string =>
  `\nproduct-passport backup, SHA-256 of the bytes before this line: ${sha256}\n`;
const lineLength = lineOf('0'.repeat(64)).length;

/** `absent`: the last line is not a checksum. `wrong`: the bytes before it are others. */
export type ChecksumState = 'right' | 'wrong' | 'absent';

/** Appends the checksum to a SQLite file. */
export async function addChecksum(path: string): Promise<void> {
  const { size } = await stat(path);
  await appendFile(path, lineOf(await hashOf(path, size)));
}

export async function checksumState(path: string): Promise<ChecksumState> {
  const size = (await stat(path)).size - lineLength;
  const line = size < 0 ? '' : await readLine(path, size);
  const sha256 = /[0-9a-f]{64}(?=\n$)/.exec(line)?.[0] ?? '';
  if (line !== lineOf(sha256)) return 'absent';
  return (await hashOf(path, size)) === sha256 ? 'right' : 'wrong';
}

/** Cuts the checksum off, whatever it is. */
export async function removeChecksum(path: string): Promise<void> {
  await truncate(path, (await stat(path)).size - lineLength);
}

async function readLine(path: string, start: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(lineLength), 0, lineLength, start);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function hashOf(path: string, size: number): Promise<string> {
  const hash = createHash('sha256');
  if (size > 0) await pipeline(createReadStream(path, { end: size - 1, highWaterMark: 1024 * 1024 }), hash);
  else hash.end();
  return hash.digest('hex');
}
