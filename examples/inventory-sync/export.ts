import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { UsageError } from './configuration.ts';

/** A record of the CSV file. */
export interface ExportRecord {
  /** The line of the file in which it begins, counted from 1. A quoted cell may span several lines. */
  readonly line: number;
  /** The cells by the name of their column. */
  readonly cells: Readonly<Record<string, string | undefined>>;
  /** Whether it has as many cells as the file has columns. */
  readonly isWhole: boolean;
}

/**
 * Reads a CSV file in UTF-8, with `;` between the cells, record by record: the file may be larger than the memory.
 * `onHeader` receives the names of the columns before the first record, even if the file has no records.
 */
export async function* readExport(
  file: string,
  onHeader: (names: readonly string[]) => void = () => {},
): AsyncGenerator<ExportRecord> {
  let columns = 0;
  let lastLine = 1;
  let emptyLines = 0;
  const parser = parse({
    delimiter: ';',
    columns: (header: string[]) => {
      columns = header.length;
      const names = checkedHeader(header);
      onHeader(names);
      return names;
    },
    relax_column_count: true,
    relax_quotes: true, // many systems write `Monitor 24" schwarz` without quotes around it
    skip_empty_lines: true,
    max_record_size: 1_000_000,
    on_record: (cells: Record<string, string>, { lines, empty_lines, error }): ExportRecord | null => {
      const line = lastLine + (empty_lines - emptyLines) + 1;
      lastLine = lines;
      emptyLines = empty_lines;
      if (Object.values(cells).every((cell) => cell.trim() === '')) return null;
      return { line, cells, isWhole: error === undefined };
    },
  });
  pipeline(textOf(file), parser, () => {}); // the parser passes on an error
  try {
    yield* parser as AsyncIterable<ExportRecord>;
    if (columns === 0) throw new UsageError(`${file} is empty.`);
  } catch (error) {
    throw explained(error, file, lastLine + 1);
  }
}

/** The text with `\n` as line end and without a byte order mark. The parser counts a `\r\n` in a quoted cell twice. */
async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let held = '';
  for await (const bytes of createReadStream(file)) {
    const text = held + decoder.decode(bytes, { stream: true });
    held = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - held.length).replaceAll('\r\n', '\n');
  }
  yield held + decoder.decode();
}

function checkedHeader(header: readonly string[]): string[] {
  const names = header.map((name) => name.trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`The column ${twice || '(without a name)'} is there twice.`);
  return names;
}

function explained(error: unknown, file: string, line: number): unknown {
  if (error instanceof CsvError) {
    return new UsageError(
      `${file} cannot be read on from line ${line}, where a quoted cell has no end: ${error.code}.`,
    );
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new UsageError(`${file} is not UTF-8. In Excel save it as "CSV UTF-8".`);
  }
  if (code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES') return new UsageError(message);
  return error;
}
