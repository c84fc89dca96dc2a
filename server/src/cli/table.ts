/** Tables, and texts in the width of a terminal. A pipe gets each text in one line. */
import { escaped, print, printPart, styled } from './output.ts';

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

/** Breaks a text between words for a terminal. A word that is too long is broken after `_`, or anywhere. */
export function wrapped(text: string, width = terminalWidth()): string[] {
  if (text.length <= width || !process.stdout.isTTY) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(...broken(word, width));
  }
  return lines;
}

function broken(word: string, width: number): string[] {
  if (word.length <= width) return [word];
  const end = word.lastIndexOf('_', width - 1) + 1 || width;
  return [word.slice(0, end), ...broken(word.slice(end), width)];
}

/** The widths of columns: what their cells need, or less if the terminal is narrower. */
function columnWidths(rows: readonly string[][], indent: number): number[] {
  const columns = (rows[0] ?? []).map((_, index) => {
    const cells = rows.map((row) => row[index] ?? '');
    const width = cells.reduce((widest, { length }) => Math.max(widest, length), 0);
    return { cells, width, cost: costOf(cells, width - 1) };
  });
  let surplus = columns.reduce((sum, { width }) => sum + width + gap, indent - gap) - terminalWidth();
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

/** The lines of a column. A broken word, which nobody can copy, costs as much as ten. */
function costOf(cells: readonly string[], width: number): number {
  return cells.reduce((cost, cell) => {
    const broken = cell.split(' ').filter((word) => word.length > width);
    return cost + wrapped(cell, Math.max(width, 1)).length + 10 * broken.length;
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

/**
 * A table that is printed in parts. The columns are as wide as the first part needs, and as the terminal allows. Cells may
 * hold text that clients sent, so characters that would control the terminal are printed as escapes.
 *
 * @returns makes the lines of the next rows, the first time below the header
 */
function newTable(header: readonly string[], indent = ''): (cells: string[][]) => string[] {
  let widths: number[] | undefined;
  return (cells) => {
    const rows = cells.map((row) => row.map(escaped));
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
