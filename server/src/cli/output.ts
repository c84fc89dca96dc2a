/** A command that could not do what it was asked. Its message says what to do next. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: 1 | 2;

  /** @param exitCode 2 where the command was not understood */
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

/** Says what a person should look at though the command did its work; on standard error, so that JSON stays JSON. */
export function warn(text: string): void {
  process.stderr.write(`Warning: ${text}\n`);
}

/**
 * Prints rows as a table with a header, each column as wide as its widest cell. Cells may hold what clients sent:
 * what would act on the terminal is shown as an escape.
 */
export function printTable(header: string[], cells: string[][], whenEmpty: string): void {
  if (cells.length === 0) {
    print(whenEmpty);
    return;
  }
  const rows = cells.map((row) => row.map(harmless));
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

/** Control characters, line ends and what turns the direction of writing, as `\x1b` or `\u202e`. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
}
