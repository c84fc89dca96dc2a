/** A failed command. Its message says what is wrong and what to do next. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: 1 | 2;

  /** @param exitCode 2 if an option or argument is wrong */
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Prints one JSON document on one line, for programs. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Prints lines for people. */
export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Prints a warning of a command that succeeded. Standard error, so that standard output holds only the JSON. */
export function warn(text: string): void {
  process.stderr.write(`Warning: ${text}\n`);
}

/**
 * Prints rows as a table with a header. Cells may hold text that clients sent, so characters that would control the
 * terminal are printed as escapes.
 */
export function printTable(header: string[], cells: string[][], whenEmpty: string): void {
  if (cells.length === 0) {
    print(whenEmpty);
    return;
  }
  const rows = cells.map((row) => row.map(escaped));
  const widths = header.map((title, column) =>
    Math.max(...[header, ...rows].map((row) => (row[column] ?? title).length)),
  );
  const line = (row: string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  print(line(header), ...rows.map(line));
}

/** Escapes control characters, line separators and characters that change the writing direction: `\x1b`, `\u202e`. */
function escaped(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
}
