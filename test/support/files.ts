/** Folders and files of a test file, and what it undoes when it ends. */
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { run } from './program.ts';

declare global {
  /** `environment.js` defines it. */
  var folderOfFile: () => string;
}

/** Undoes things when the test file ends, the last first, and continues after a failure: `ending.defer(() => …)`. */
export const ending = new AsyncDisposableStack();

afterAll(() => ending.disposeAsync());

/** The path of a new folder. It is deleted after the test file has ended. */
export function newFolder(): string {
  return mkdtempSync(join(globalThis.folderOfFile(), 'folder-'));
}

/** The path of a new file with this text. It is deleted after the test file has ended. */
export function fileWith(text: string, name = 'file'): string {
  const file = join(newFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** Makes a folder and its files read-only. The mode does not bind root, so root uses a mount. It ends with the test file. */
export async function makeReadOnly(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) {
    for (const name of await readdir(folder)) await chmod(join(folder, name), 0o444);
    await chmod(folder, 0o555);
    ending.defer(() => chmod(folder, 0o755));
    return;
  }
  const mounted = await run(`mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder}`);
  ending.defer(async () => void (await run(`umount ${folder}`)));
  if (mounted.code !== 0) throw new Error(`Run this test as a user that is not root: ${mounted.stderr}`);
}

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
