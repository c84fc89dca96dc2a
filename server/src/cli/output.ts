import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { isPrinted } from '../command-line/streams.ts';
import { OperatorError } from '../operator-error.ts';

/** The name of this program in its messages. */
export const name = 'product-passport';

/** The version of this program. */
export const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** Text in a style, but plain unless the stream is a terminal with colours. NO_COLOR is respected. */
function styled(style: 'bold' | 'yellow', text: string, stream: NodeJS.WriteStream): string {
  return stream.isTTY ? styleText(style, text, { stream }) : text;
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

/**
 * Prints lines for people or one JSON document, and waits until they are written.
 *
 * @returns whether they are
 */
export function printed(...lines: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.write(`${lines.join('\n')}\n`, (error) => resolve(!error));
  });
}

/**
 * Prints text of any length, and waits until the reader has taken enough of it, so that it does not fill the memory.
 *
 * @returns whether everything so far is written
 */
export async function printPart(text: string): Promise<boolean> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain').catch(() => undefined);
  return isPrinted();
}

/** Prints a warning of a command that succeeded. Standard error, so that standard output holds only the JSON. */
export function warn(text: string): void {
  // Clears a line of progress.
  const start = process.stderr.isTTY ? '\r\x1b[K' : '';
  process.stderr.write(`${start}${styled('yellow', 'Warning:', process.stderr)} ${text}\n`);
}

/** Warnings of one kind that people read. */
const maxWarnings = 100;

/** Warns of the first 100 cases of a kind, and at the end of their number. */
export class Warnings {
  readonly #what: string;
  count = 0;

  /** @param what for example `rows were refused` */
  constructor(what: string) {
    this.#what = what;
  }

  add(sentence: string): void {
    this.count += 1;
    if (this.count <= maxWarnings) warn(escaped(sentence));
  }

  end(): void {
    if (this.count > maxWarnings) warn(`${this.count} ${this.#what}. The first ${maxWarnings} are named above.`);
  }
}

/** Escapes control characters, line separators and characters that change the writing direction: `\x1b`, `\u202e`. */
export function escaped(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
}

/** A line of comma-separated values. */
export function csvLine(cells: readonly unknown[]): string {
  return cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join();
}

/** A number with its noun: `1 tenant`, `2 tenants`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Time between two reports, in milliseconds. */
const reportInterval = 500;

/**
 * Shows on a terminal how far a long command has come, and how fast, in one line of standard error. Writes nothing to a
 * file or a pipe.
 */
export class Progress {
  readonly #unit: string;
  readonly #began = performance.now();
  #nextReport = 0;
  #isShown = false;

  /** @param unit as in `products` */
  constructor(unit: string) {
    this.#unit = unit;
  }

  report(done: number, total?: number): void {
    const now = performance.now();
    if (!process.stderr.isTTY || now < this.#nextReport) return;
    this.#nextReport = now + reportInterval;
    this.#isShown = true;
    const rate = Math.round((done * 1000) / Math.max(now - this.#began, 1));
    const of = total === undefined ? '' : ` of ${total}`;
    // Returns to the start of the line, and clears it.
    process.stderr.write(`\r\x1b[K${done}${of} ${this.#unit}, ${rate} a second`);
  }

  /** Clears the line. */
  end(): void {
    if (this.#isShown) process.stderr.write('\r\x1b[K');
    this.#isShown = false;
  }

  /** Seconds since the start. */
  get seconds(): number {
    return Math.round((performance.now() - this.#began) / 100) / 10;
  }
}

/** Rows of a table with a title. */
const maxRows = 50;

/** Spaces between columns. */
const gap = 2;

/** No column is made narrower. */
const minWidth = 8;

/** The columns of the terminal. No limit if there is none, or if it does not say. */
function terminalWidth(): number {
  return (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY;
}

/** Columns of a table outside of a terminal. */
const defaultWidth = 100;

/** Scripts of East Asia, their punctuation and forms, and emoji. */
const wideCharacter =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/gu;

/** The columns of a terminal that a text takes. */
function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  const wide = text.match(wideCharacter);
  return Array.from(text.replace(/[\p{Mn}\p{Me}\p{Cf}]/gu, '')).length + (wide?.length ?? 0);
}

/** After a blank, and between the day and the time of day. */
const lineBreak = /(?<= )|(?<=\d{4}-\d\d-\d\dT)/;

/** Breaks a text between words. A word that is too long is broken after `_`, or anywhere. */
export function wrapped(text: string, width = terminalWidth()): string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  for (const part of text.split(lineBreak)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last + part.trimEnd()) <= width) lines[lines.length - 1] = last + part;
    else lines.push(...broken(part, width));
  }
  return lines.map((line) => line.trimEnd());
}

function broken(word: string, width: number): string[] {
  if (widthOf(word.trimEnd()) <= width) return [word];
  let start = '';
  for (const character of word) {
    if (start !== '' && widthOf(start + character) > width) break;
    start += character;
  }
  const end = start.lastIndexOf('_') + 1 || start.length;
  return [word.slice(0, end), ...broken(word.slice(end), width)];
}

/** The widths of columns: what their cells need, or less if the terminal or the page is narrower. */
function columnWidths(rows: readonly string[][], indent: number): number[] {
  const columns = (rows[0] ?? []).map((_, index) => {
    const cells = rows.map((row) => row[index] ?? '');
    const width = cells.reduce((widest, cell) => Math.max(widest, widthOf(cell)), 0);
    return { cells, width, cost: costOf(cells, width - 1) };
  });
  let surplus =
    columns.reduce((sum, { width }) => sum + width + gap, indent - gap) -
    (Number.isFinite(terminalWidth()) ? terminalWidth() : defaultWidth);
  for (; surplus > 0; surplus -= 1) {
    const [column] = columns
      .filter(({ width }) => width > minWidth)
      .sort((one, other) => one.cost - other.cost || other.width - one.width);
    if (!column) break;
    column.width -= 1;
    column.cost = costOf(column.cells, column.width - 1);
  }
  return columns.map(({ width }) => width);
}

const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The lines of a column. A broken word costs as much as ten, and an id, which people copy, more than all other cells. */
function costOf(cells: readonly string[], width: number): number {
  return cells.reduce((cost, cell) => {
    const broken = cell.split(lineBreak).filter((word) => widthOf(word.trimEnd()) > width);
    const weight = broken.some((word) => id.test(word)) ? 1000 : 10;
    return cost + wrapped(cell, Math.max(width, 1)).length + weight * broken.length;
  }, 0);
}

/** Names with their texts, one pair a line. */
export function facts(pairs: readonly (readonly [name: string, text: string])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => name.length)) + gap;
  return pairs.map(([name, text]) => name.padEnd(width) + escaped(text));
}

/** A table after an empty line, with the first rows of a long one below a title. Nothing if it has no rows. */
export function section(header: readonly string[], rows: string[][], title?: string): string[] {
  if (rows.length === 0) return [];
  if (title === undefined) return ['', ...newTable(header)(rows)];
  const more = rows.length - maxRows;
  const lines = newTable(header, '  ')(rows.slice(0, maxRows));
  return ['', `${title}:`, '', ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** A whole table, as lines. */
export function tableLines(header: readonly string[], cells: string[][], whenEmpty: string): string[] {
  if (cells.length === 0) return [whenEmpty];
  return [...newTable(header)(cells), ...totalLines(cells.length)];
}

/** Ends the table of a terminal. Programs that read a table get rows alone. */
function totalLines(rows: number): string[] {
  return rows > 1 && process.stdout.isTTY ? ['', `${rows} in total`] : [];
}

/** Nobody reads them in a table. */
const milliseconds = /(?<=^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z$/;

/**
 * A table that is printed in parts. The columns are as wide as the first part needs, and as the terminal or 100 columns
 * allow. Cells may hold text that clients sent, so characters that would control the terminal are printed as escapes.
 *
 * @returns makes the lines of the next rows, the first time below the header
 */
function newTable(header: readonly string[], indent = ''): (cells: string[][]) => string[] {
  let widths: number[] | undefined;
  return (cells) => {
    const rows = cells.map((row) => row.map((cell) => escaped(cell).replace(milliseconds, 'Z')));
    const isFirst = widths === undefined;
    if (isFirst) rows.unshift([...header]);
    widths ??= columnWidths(rows, indent.length);
    return rows.flatMap((row, index) => {
      const isHeader = isFirst && index === 0;
      const lines = rowLines(row, widths ?? []);
      return lines.map((line) => indent + (isHeader ? styled('bold', line, process.stdout) : line));
    });
  };
}

/** A row whose cells have one or more lines. */
function rowLines(row: string[], widths: readonly number[]): string[] {
  const cells = row.map((cell, column) => wrapped(cell, widths[column]));
  return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line) =>
    cells
      .map((lines, column) => {
        const text = lines[line] ?? '';
        return text + ' '.repeat(Math.max((widths[column] ?? 0) - widthOf(text), 0));
      })
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
  const linesOf = newTable(header);
  let rows = 0;
  if (json) await printPart('{"items":[');
  for await (const page of pages) {
    const items = page.map((item) => JSON.stringify(item)).join();
    const text = json ? `${rows > 0 ? ',' : ''}${items}` : `${linesOf(page.map(row)).join('\n')}\n`;
    rows += page.length;
    if (!(await printPart(text))) return;
  }
  if (json) await printPart(']}\n');
  else if (rows === 0) print(whenEmpty);
  else for (const line of totalLines(rows)) print(line);
}
