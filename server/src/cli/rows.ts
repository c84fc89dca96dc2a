/** Files of rows: CSV with a header, or JSON Lines. Memory stays the same for any number of rows. */
import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream';
import { ContractError, closestOf, doubledName, fold, quoted, readJson } from '@product-passport/openapi';
import { CsvError, parse } from 'csv-parse';
import { labelAt } from '../languages/languages.ts';
import { OperatorError } from '../operator-error.ts';
import type { Template, TemplateField } from '../templates/catalogue.ts';
import { isBlankNote } from './blank.ts';
import { bytesOf, inputName } from './files.ts';
import { Warnings } from './output.ts';

/** A row of a file. */
export interface FileRow {
  /** The line in which it begins, counted from 1. */
  line: number;
  /** The texts of a CSV row, or the JSON values of an object, with the names of their columns. No text and `null` are left out. */
  cells: readonly (readonly [column: string, value: unknown])[];
  isText: boolean;
  /** In characters, about. */
  size: number;
}

/** A row that cannot be read. */
export interface FaultyRow {
  line: number;
  fault: RowFault;
}

/** A row that cannot be stored. */
export class RowFault extends Error {
  override readonly name = 'RowFault';
  /** The name of the column, or the key of the field. */
  readonly column: string | undefined;

  constructor(message: string, column?: string) {
    super(message);
    this.column = column;
  }
}

/** Longer lines are refused: a passport has at most 2 MiB. */
const maxLineBytes = 8 * 1024 * 1024;

/**
 * Reads a file row by row.
 *
 * @param onHeader receives the columns of a CSV file before its first row
 * @returns rows, and faults with their lines
 * @throws OperatorError if the file cannot be read on
 */
export async function* rowsOf(
  file: string,
  onHeader: (names: readonly string[]) => void,
): AsyncGenerator<FileRow | FaultyRow> {
  const text = textOf(file);
  const { value: beginning = '' } = await text.next();
  const whole = joined(beginning, text);
  if (/^\s*\{/.test(beginning)) yield* jsonRows(whole);
  else yield* csvRows(whole, beginning, file, onHeader);
}

/** A row that was not stored. */
export interface Refused {
  line: number;
  /** The name of the column, or the key of the field. */
  column?: string | undefined;
  error: string;
}

/** The rows of a batch that can be read, and the others. */
export async function readRows<Row>(
  batch: readonly (FileRow | FaultyRow)[],
  make: (row: FileRow) => Promise<Row>,
): Promise<{ rows: Row[]; refused: Refused[] }> {
  const rows: Row[] = [];
  const refused: Refused[] = [];
  for (const row of batch) {
    try {
      if ('fault' in row) throw row.fault;
      rows.push(await make(row));
    } catch (error) {
      refused.push({ line: row.line, ...reasonOf(error) });
    }
  }
  return { rows, refused };
}

/** Why a row is refused. @throws an error that is not about the row */
export function reasonOf(error: unknown): Omit<Refused, 'line'> {
  if (error instanceof RowFault) return { column: error.column, error: error.message };
  if (error instanceof ContractError) return { error: (error.detail ?? error.code).replace(/\.$/, '') };
  throw error;
}

/** Refused rows or items that JSON has. */
export const maxListed = 1000;

/** Warns of refused rows, and counts them. The command then ends with 1. */
export function newRefusals() {
  const listed: Refused[] = [];
  const warnings = new Warnings('rows were refused');
  return {
    listed,
    get count(): number {
      return warnings.count;
    },
    add(refused: readonly Refused[]): void {
      for (const one of [...refused].sort((first, second) => first.line - second.line)) {
        if (listed.length < maxListed) listed.push(one);
        const { line, column, error } = one;
        warnings.add(`line ${line}: ${column === undefined ? '' : `${column} `}${error}.`);
      }
      if (warnings.count > 0) process.exitCode = 1;
    },
    end: () => warnings.end(),
  };
}

/** Characters of the rows that are stored together. */
const maxSize = 4 * 1024 * 1024;

/** Rows that are stored in one transaction, so that other writers and the memory wait little. */
export async function* batchesOf(
  rows: AsyncIterable<FileRow | FaultyRow>,
  max: number,
): AsyncGenerator<(FileRow | FaultyRow)[]> {
  let batch: (FileRow | FaultyRow)[] = [];
  let size = 0;
  for await (const row of rows) {
    batch.push(row);
    size += 'size' in row ? row.size : 0;
    if (batch.length < max && size < maxSize) continue;
    yield batch;
    [batch, size] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

async function* joined(beginning: string, text: AsyncIterable<string>): AsyncGenerator<string> {
  yield beginning;
  yield* text;
}

/** Whole lines that end in `\n`. The parser would count a `\r\n` in a quoted cell twice. */
async function* textOf(file: string): AsyncGenerator<string> {
  let held: Buffer = Buffer.alloc(0);
  let line = 1;
  const decoded = (bytes: Buffer): string => {
    for (let start = 0; start < bytes.length; line += 1) {
      const end = bytes.indexOf('\n', start) + 1 || bytes.length;
      if (end - start > maxLineBytes) {
        throw new OperatorError(`${inputName(file)}, line ${line}: it has more than ${maxLineBytes} bytes.`, 2);
      }
      if (!isUtf8(bytes.subarray(start, end))) {
        throw new OperatorError(
          `${inputName(file)} is not UTF-8 in line ${line}. Save it as UTF-8, in Excel as "CSV UTF-8". The rows of earlier ` +
            'lines may be stored: run the command again with the whole file.',
          2,
        );
      }
      start = end;
    }
    return bytes.toString().replaceAll('\r\n', '\n');
  };
  for await (const chunk of bytesOf(file)) {
    const bytes = Buffer.concat([held, chunk]);
    const end = bytes.length > maxLineBytes ? bytes.length : bytes.lastIndexOf('\n') + 1;
    held = bytes.subarray(end);
    if (end > 0) yield decoded(bytes.subarray(0, end));
  }
  if (held.length > 0) yield decoded(held);
}

async function* jsonRows(text: AsyncIterable<string>): AsyncGenerator<FileRow | FaultyRow> {
  let line = 0;
  for await (const part of text) {
    for (const one of part.replace(/\n$/, '').split('\n')) {
      line += 1;
      if (one.trim() !== '') yield jsonRow(line, one);
    }
  }
}

function jsonRow(line: number, text: string): FileRow | FaultyRow {
  try {
    const value = jsonOf(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new RowFault('the row is not an object');
    }
    const twice = doubledName(text);
    if (twice !== undefined) throw new RowFault(`the row has ${quoted(twice)} twice`);
    const cells = Object.entries(value).filter(([, member]) => member !== null);
    return { line, cells, isText: false, size: text.length };
  } catch (error) {
    if (error instanceof RowFault) return { line, fault: error };
    throw error;
  }
}

/** @throws RowFault */
function jsonOf(text: string): unknown {
  try {
    const {
      value,
      violations: [violation],
    } = readJson(Buffer.from(text));
    if (violation) throw new RowFault(violation.message.replace(/^The body/, 'the row').replace(/\.$/, ''));
    return value;
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new RowFault(error.message.replace('The request body', 'the row').replace(/\.$/, ''));
  }
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number; readonly empty_lines: number };
}

async function* csvRows(
  text: AsyncIterable<string>,
  beginning: string,
  file: string,
  onHeader: (names: readonly string[]) => void,
): AsyncGenerator<FileRow | FaultyRow> {
  const checkHeader = (found: readonly string[], line: number) => {
    try {
      onHeader(found);
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      throw new OperatorError(`${inputName(file)}, line ${line}: ${error.message}. Nothing was stored.`, 2);
    }
  };
  let names: string[] | undefined;
  let isBelowHeader = true;
  let last = { lines: 0, empty_lines: 0 };
  try {
    const parser = parse({
      delimiter: delimiterOf(beginning),
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxLineBytes,
      info: true,
    });
    // The parser passes an error of the text on.
    pipeline(text, parser, () => {});
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const line = last.lines + (info.empty_lines - last.empty_lines) + 1;
      last = info;
      if (record.every((cell) => cell.trim() === '')) continue;
      if (!names) {
        names = record.map((cell) => cell.trim());
        checkHeader(
          names.filter((name) => name !== ''),
          line,
        );
        continue;
      }
      isBelowHeader &&= isBlankNote(record[0] ?? '');
      if (isBelowHeader) continue;
      yield rowOf(line, record, names);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const advice = 'A quoted cell has no end, or has a quotation mark that is not doubled';
    throw new OperatorError(`${inputName(file)} cannot be read on from line ${last.lines + 1}. ${advice}.`, 2);
  }
  if (!names) throw new OperatorError(`${inputName(file)} is empty. Its first line names the columns.`, 2);
}

function rowOf(line: number, record: readonly string[], names: readonly string[]): FileRow | FaultyRow {
  const cells = record
    .map((cell, index) => [names[index] ?? '', cell] as const)
    .filter(([, cell]) => cell.trim() !== '');
  const surplus = cells.find(([name]) => name === '');
  if (surplus) return { line, fault: new RowFault(`a cell has no column: ${quoted(surplus[1])}`) };
  const control = cells.find(([, cell]) => cell.includes('\0'));
  if (control) return { line, fault: new RowFault('must not have U+0000', control[0]) };
  return { line, cells, isText: true, size: cells.reduce((sum, [, cell]) => sum + cell.length, 0) };
}

/** `;` in a German Excel, a tab in "Unicode text". */
function delimiterOf(text: string): string {
  const [header = ''] = /[^\n]+/.exec(text) ?? [];
  const names = header.replaceAll(/"[^"]*"/g, '');
  return [';', '\t'].find((one) => names.includes(one)) ?? ',';
}

/** Finds the fields of columns, by their keys or labels, and makes their values. */
export class Columns {
  readonly #fields: ReadonlyMap<string, TemplateField>;
  /** The keys of a label in any language. */
  readonly #labelled = new Map<string, Set<string>>();
  readonly #own: ReadonlySet<string>;
  readonly #group: string;
  readonly #names = new Map<string, string>();

  /** @param own the columns that are fields of one's own */
  constructor({ key: group, fields }: Template, own: readonly string[] = []) {
    this.#group = group;
    this.#fields = new Map(fields.map((field) => [field.key, field]));
    this.#own = new Set(own);
    // Every item has one.
    const serial = { key: 'serial_number', label: labelAt('fields', 'serial_number') };
    for (const { key, label } of this.#fields.has(serial.key) ? fields : [...fields, serial]) {
      for (const text of [key, ...Object.values(label)]) {
        const name = fold(text);
        this.#labelled.set(name, (this.#labelled.get(name) ?? new Set()).add(key));
      }
    }
  }

  /** @throws RowFault if a name is no column, or two are the same one */
  check(names: readonly string[]): void {
    const seen = new Map<string, string>();
    for (const name of names) {
      const key = this.#keyOf(name);
      const other = seen.get(key);
      if (other !== undefined) throw new RowFault(`${quoted(other)} and ${quoted(name)} are the same field, ${key}`);
      seen.set(key, name);
      this.#names.set(key, name);
    }
  }

  /** Whether a column that was checked is a field. */
  has(key: string): boolean {
    return this.#names.has(key);
  }

  /** The name of the column of a field. */
  nameOf(key: string | undefined): string | undefined {
    return key === undefined ? undefined : (this.#names.get(key) ?? key);
  }

  /** @throws RowFault */
  valuesOf({ cells, isText }: FileRow): { field_key: string; value: unknown }[] {
    this.check(cells.map(([name]) => name));
    return cells.map(([name, cell]) => {
      const field_key = this.#keyOf(name);
      return { field_key, value: isText ? typed(this.#fields.get(field_key), `${cell}`, name) : cell };
    });
  }

  /** The key of a column, if it is that of one field. */
  find(name: string): string | undefined {
    if (this.#fields.has(name) || this.#own.has(name)) return name;
    const keys = [...(this.#labelled.get(fold(name)) ?? [])];
    return keys.length === 1 ? keys[0] : undefined;
  }

  #keyOf(name: string): string {
    const key = this.find(name);
    if (key !== undefined) return key;
    const keys = [...(this.#labelled.get(fold(name)) ?? [])];
    if (keys.length > 0)
      throw new RowFault(`${quoted(name)} is the label of several fields: use a key of ${keys.join(', ')}`);
    const advice =
      closestOf(name, [...this.#fields.keys()]) || ' To store it as a field of your own, name it with --own.';
    throw new RowFault(`${quoted(name)} is no field of ${this.#group}.${advice}`.replace(/\.$/, ''));
  }
}

/** A text as a value of its field. One that does not fit stays a text, which the template refuses. */
function typed(field: TemplateField | undefined, text: string, column: string): unknown {
  if (!field || !['number', 'integer', 'boolean', 'list', 'object'].includes(field.type)) return text;
  const json = field.type === 'boolean' ? text.toLowerCase() : text;
  try {
    JSON.parse(json);
  } catch {
    return text;
  }
  try {
    return jsonOf(json);
  } catch (error) {
    throw error instanceof RowFault ? new RowFault(error.message.replace(/^the row /, ''), column) : error;
  }
}
