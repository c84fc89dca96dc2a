import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { OperatorError } from '../operator-error.ts';
import { columnWidths, gap, wrapped } from './wrap.ts';

/** Rows of a table with a title. */
const maxRows = 50;

/** The name of this program in its messages. */
export const name = 'product-passport';

/** The version of this program. */
export const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

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

/** Text in a style, but plain unless the stream is a terminal with colours. NO_COLOR is respected. */
function styled(style: 'bold' | 'yellow', text: string, stream: NodeJS.WriteStream): string {
  return stream.isTTY ? styleText(style, text, { stream }) : text;
}

/** Whether standard output is a terminal that shows links. One without 256 colours is too old. NO_COLOR is respected. */
export function showsLinks(): boolean {
  return process.stdout.isTTY && process.stdout.hasColors(256);
}

/** A text that leads to an address (OSC 8), for a terminal that shows links. */
export function link(text: string, address: string): string {
  return `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\`;
}

/** Prints one JSON document on one line, for programs. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/**
 * Asks on a terminal before a change that cannot be undone. Elsewhere the command needs `--yes`.
 *
 * @param change what the command would do, as a sentence
 * @throws {OperatorError} if nobody agrees
 */
export async function confirm(change: string, { yes = false }: { yes?: boolean | undefined }): Promise<void> {
  if (yes) return;
  const warning = `${change} This cannot be undone.`;
  if (!process.stdin.isTTY) throw new OperatorError(`${warning} Add --yes if you want it.`, 2);
  await ask(`${warning} Continue?`);
}

/** @throws {OperatorError} unless the reply is yes or y. The end of the input (Ctrl+D) and Ctrl+C are no. */
export async function ask(question: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const reply = await new Promise<string>((resolve) => {
    // Node 22.12 leaves the promise pending at the end of the input.
    terminal.once('close', () => resolve('\n'));
    terminal.question(`${question} (yes/no) `).then(resolve, () => resolve('\n'));
  });
  terminal.close();
  if (reply === '\n') note('');
  if (!/^y(es)?$/i.test(reply.trim())) throw new OperatorError('Nothing was changed.');
}

/** Prints lines for people. */
export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Prints lines for people about a result that a script takes from standard output: `KEY=$(… key create)`. */
export function note(...lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** The reader of a pipe has ended, as `head` does. Node leaves the stream writable. */
let hasReaderEnded = false;
process.stdout.on('error', () => {
  hasReaderEnded = true;
});

/**
 * Prints text of any length, and waits until the reader has taken enough of it, so that it does not fill the memory.
 *
 * @returns whether anybody still reads
 */
export async function printPart(text: string): Promise<boolean> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain').catch(() => undefined);
  return !hasReaderEnded;
}

/** Prints a warning of a command that succeeded. Standard error, so that standard output holds only the JSON. */
export function warn(text: string): void {
  // Clears a line of progress.
  const start = process.stderr.isTTY ? '\r\x1b[K' : '';
  process.stderr.write(`${start}${styled('yellow', 'Warning:', process.stderr)} ${text}\n`);
}

/** Names with their texts, one pair a line. */
export function facts(pairs: readonly (readonly [name: string, text: string])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => name.length)) + gap;
  return pairs.map(([name, text]) => name.padEnd(width) + escaped(text));
}

/** A table after an empty line, with the first rows of a long one below a title. Nothing if it has no rows. */
export function section(header: readonly string[], rows: string[][], title?: string): string[] {
  if (rows.length === 0) return [];
  if (title === undefined) return ['', ...new Table(header).lines(rows)];
  const more = rows.length - maxRows;
  const lines = new Table(header, '  ').lines(rows.slice(0, maxRows));
  return ['', `${title}:`, '', ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** A whole table, as lines. */
export function tableLines(header: readonly string[], cells: string[][], whenEmpty: string): string[] {
  if (cells.length === 0) return [whenEmpty];
  return [...new Table(header).lines(cells), ...totalLines(cells.length)];
}

/** Ends the table of a terminal. Programs that read a table get rows alone. */
function totalLines(rows: number): string[] {
  return rows > 1 && process.stdout.isTTY ? ['', `${rows} in total`] : [];
}

/**
 * A table that is printed in parts. The columns are as wide as the first part needs, and as the terminal allows. Cells may
 * hold text that clients sent, so characters that would control the terminal are printed as escapes.
 */
class Table {
  readonly #header: readonly string[];
  readonly #indent: string;
  #widths: number[] | undefined;

  constructor(header: readonly string[], indent = '') {
    this.#header = header;
    this.#indent = indent;
  }

  /** The lines of the next rows, the first time below the header. */
  lines(cells: string[][]): string[] {
    const rows = cells.map((row) => row.map(escaped));
    const isFirst = this.#widths === undefined;
    if (isFirst) rows.unshift([...this.#header]);
    const widths = this.#widths ?? columnWidths(rows, this.#indent.length);
    this.#widths = widths;
    return rows.flatMap((row, index) => {
      const isHeader = isFirst && index === 0;
      const lines = rowLines(row, widths);
      return lines.map((line) => this.#indent + (isHeader ? styled('bold', line, process.stdout) : line));
    });
  }
}

/** A row whose cells have one or more lines. */
function rowLines(row: string[], widths: readonly number[]): string[] {
  const cells = row.map((cell, column) => wrapped(cell, widths[column]));
  return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line) =>
    cells
      .map((lines, column) => (lines[line] ?? '').padEnd(widths[column] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}

/**
 * Prints rows that arrive in pages, as a table or as one line of JSON with `items`. Memory stays the same for any number
 * of pages.
 */
export async function printPages<Item>(
  pages: AsyncIterable<Item[]> | Iterable<Item[]>,
  {
    json = false,
    header,
    row,
    whenEmpty,
  }: { json?: boolean | undefined; header: readonly string[]; row: (item: Item) => string[]; whenEmpty: string },
): Promise<void> {
  const table = new Table(header);
  let rows = 0;
  if (json) await printPart('{"items":[');
  for await (const page of pages) {
    const items = page.map((item) => JSON.stringify(item)).join();
    const text = json ? `${rows > 0 ? ',' : ''}${items}` : `${table.lines(page.map(row)).join('\n')}\n`;
    rows += page.length;
    if (!(await printPart(text))) return;
  }
  if (json) await printPart(']}\n');
  else if (rows === 0) print(whenEmpty);
  else for (const line of totalLines(rows)) print(line);
}

/** Escapes control characters, line separators and characters that change the writing direction: `\x1b`, `\u202e`. */
export function escaped(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
}

/** A number with its noun: `1 tenant`, `2 tenants`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
