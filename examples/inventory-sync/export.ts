import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { columnOf, languageOf, titleOf } from './columns.ts';
import { type Language, plain } from './kinds.ts';

/** The arguments, the environment or the file are unusable. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The first line of a CSV file. */
export interface Header {
  /** Its names as they are written, up to the last one that is not empty. */
  readonly names: readonly string[];
  /** The column of each name, by its German name; `undefined` if the program does not read it. */
  readonly columns: readonly (string | undefined)[];
  readonly language: Language;
}

/** A record of the CSV file. */
export interface ExportRecord {
  /** The line of the file in which it begins, counted from 1. A quoted cell may span several lines. */
  readonly line: number;
  /** The cells by the German name of their column. */
  readonly cells: Readonly<Record<string, string | undefined>>;
  /** Whether it has as many cells as the header has names. Empty cells after them do not count. */
  readonly isWhole: boolean;
  readonly language: Language;
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number; readonly empty_lines: number };
}

/**
 * Reads a CSV file record by record: the file may be larger than the memory. `onHeader` receives the header before the
 * first record, even if the file has no records.
 */
export async function* readExport(
  file: string,
  onHeader: (header: Header) => void = () => {},
): AsyncGenerator<ExportRecord> {
  let header: Header | undefined;
  let lastLine = 0;
  let emptyLines = 0;
  try {
    const text = textOf(file);
    const { value: beginning = '' } = await text.next();
    const parser = parse({
      delimiter: separatorIn(beginning),
      relax_column_count: true,
      relax_quotes: true, // many systems write `Monitor 24" schwarz` without quotes around it
      skip_empty_lines: true,
      max_record_size: 1_000_000,
      info: true,
    });
    // The parser passes on an error.
    pipeline(withoutSeparatorLine(beginning, text), parser, () => {});
    for await (const { record: cells, info } of parser as AsyncIterable<Parsed>) {
      const line = lastLine + (info.empty_lines - emptyLines) + 1;
      lastLine = info.lines;
      emptyLines = info.empty_lines;
      if (cells.every(isEmpty)) continue;
      if (header) yield recordOf(line, cells, header);
      else {
        header = headerOf(cells);
        onHeader(header);
      }
    }
    if (!header) throw new UsageError(`${file} is empty.`);
  } catch (error) {
    throw explained(error, file, lastLine + 1);
  }
}

/** The lines of a list, without empty ones. */
export async function readList(file: string): Promise<string[]> {
  try {
    let text = '';
    for await (const part of textOf(file)) text += part;
    return text
      .split('\n')
      .map(plain)
      .filter((line) => line !== '');
  } catch (error) {
    throw explained(error, file, 1);
  }
}

function headerOf(cells: readonly string[]): Header {
  const names = cells.slice(0, cells.findLastIndex((cell) => !isEmpty(cell)) + 1);
  const language = languageOf(names);
  const columns = names.map((name) => columnOf(name, language));
  const twice = columns.find((column, index) => column !== undefined && columns.indexOf(column) !== index);
  if (twice !== undefined) throw new UsageError(`The column ${titleOf(twice, language)} is there twice.`);
  return { names, columns, language };
}

function recordOf(line: number, cells: readonly string[], { columns, language }: Header): ExportRecord {
  const named = columns.flatMap((column, index) => (column === undefined ? [] : [[column, cells[index]]]));
  const isWhole = cells.length >= columns.length && cells.slice(columns.length).every(isEmpty);
  return { line, cells: Object.fromEntries(named), isWhole, language };
}

function isEmpty(cell: string): boolean {
  return plain(cell) === '';
}

/** The text with `\n` as line end and without a byte order mark. The parser counts a `\r\n` in a quoted cell twice. */
async function* textOf(file: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let held = '';
  for await (const bytes of createReadStream(file)) {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    const text = held + decoder.decode(bytes, { stream: true });
    held = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - held.length).replaceAll('\r\n', '\n');
  }
  yield held + (decoder?.decode() ?? '');
}

/** Excel writes "Unicode text" in UTF-16. The first character of a header is an ASCII character or a byte order mark. */
function encodingOf([first, second]: Buffer): string {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8';
}

/** A first line such as `sep=;`, which tells Excel the separator. */
const separatorLine = /^"?sep=(.)"?(?=\n|$)/i;

/** What separates the cells: `;` in a German Excel, `,` in an English one, a tab in "Unicode text". */
function separatorIn(text: string): string {
  const [header = ''] = /[^\n]+/.exec(text) ?? [];
  return separatorLine.exec(text)?.[1] ?? [';', '\t', ','].find((separator) => header.includes(separator)) ?? ';';
}

async function* withoutSeparatorLine(beginning: string, text: AsyncIterable<string>): AsyncGenerator<string> {
  yield beginning.replace(separatorLine, '');
  yield* text;
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'cannot be read by this user',
};

function explained(error: unknown, file: string, line: number): unknown {
  if (error instanceof CsvError) {
    return new UsageError(
      `${file} cannot be read on from line ${line}, where a quoted cell has no end: ${error.code}.`,
    );
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new UsageError(
      `${file} is not UTF-8. Most inventory systems write Windows-1252 and can be set to UTF-8. Excel saves it as "CSV UTF-8". ` +
        `Without Excel: iconv -f WINDOWS-1252 -t UTF-8 ${file} > utf-8.csv`,
    );
  }
  const fault = faults[code];
  if (fault !== undefined) return new UsageError(`${file} ${fault}. Name a CSV file.`);
  return error;
}
