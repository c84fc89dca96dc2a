import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { OperatorError } from '../operator-error.ts';

/** The name of this program in its messages. */
export const name = 'product-passport';

/** The version of this program. */
export const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** Text in a style, but plain unless the stream is a terminal with colours. NO_COLOR is respected. */
export function styled(style: 'bold' | 'yellow', text: string, stream: NodeJS.WriteStream): string {
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
