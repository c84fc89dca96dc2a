import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

/** A line of an export, as a test changes it. */
export type AnyLine = Record<string, unknown> & { type: string };

export async function readLines(file: string): Promise<AnyLine[]> {
  const text = await readFile(file, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Writes lines, with a trailer that fits them in place of the last one. */
export async function writeLines(file: string, lines: readonly (AnyLine | string | Buffer)[]): Promise<void> {
  const written = lines.slice(0, -1).map((line) => {
    if (Buffer.isBuffer(line)) return Buffer.concat([line, Buffer.from('\n')]);
    return Buffer.from(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  });
  const sha256 = createHash('sha256').update(Buffer.concat(written)).digest('hex');
  const trailer = Buffer.from(`${JSON.stringify({ type: 'trailer', lines: written.length, sha256 })}\n`);
  await writeFile(file, Buffer.concat([...written, trailer]));
}
