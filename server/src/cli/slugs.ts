/** Slugs that a command reads from a file or from standard input, one a line. */
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { CommandFailure } from './output.ts';

/** Begins to read lines. A reader that waits for its loop would lose them. */
type Lines = () => AsyncIterable<string> | Iterable<string>;

/** Slugs that are remembered, so that a product named twice counts once. */
const mostRemembered = 10_000;

/**
 * The lines of a file, or none without a file.
 *
 * @param file `-` for standard input
 * @throws CommandFailure if the file cannot be read
 */
export async function linesOf(file: string | undefined): Promise<Lines> {
  if (file === undefined) return () => [];
  if (file === '-') return () => createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const unreadable = (error: Error): never => {
    throw new CommandFailure(`the file ${file} cannot be read: ${error.message}.`, 2);
  };
  const handle: FileHandle = await open(file).catch(unreadable);
  if ((await handle.stat()).isDirectory()) {
    await handle.close();
    throw new CommandFailure(`${file} is a folder. Name a file with one slug a line.`, 2);
  }
  return () => handle.readLines();
}

/** The named slugs, then those of the lines. */
export async function* namedSlugs(named: readonly string[], lines: Lines): AsyncGenerator<string> {
  yield* named;
  for await (const text of lines()) if (text.trim() !== '') yield text.trim();
}

export async function* unrepeated(slugs: AsyncIterable<string>): AsyncGenerator<string> {
  const seen = new Set<string>();
  for await (const slug of slugs) {
    if (seen.has(slug)) continue;
    yield slug;
    seen.add(slug);
    const [oldest] = seen;
    if (seen.size > mostRemembered && oldest !== undefined) seen.delete(oldest);
  }
}
