/** Text in the lines of a terminal. A pipe gets each text in one line. */

/** Spaces between columns. */
export const gap = 2;

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
export function columnWidths(rows: readonly string[][], indent: number): number[] {
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
