import type { Knex } from 'knex';
import { RefusedLine } from './lines.ts';
import type { ReadLine } from './reader.ts';
import { type Content, type WriteOptions, writeLines } from './write.ts';

/** A transaction ends with the line that reaches one of these, so that other writers and the memory wait little. */
const linesAtOnce = 500;
const bytesAtOnce = 4 * 1024 * 1024;

/** Lines that are stored in one transaction. */
export class Batch {
  contents: Content[] = [];
  #size = 0;

  add({ number, size }: ReadLine, line: Content['line']): void {
    this.contents.push({ number, line });
    this.#size += size;
  }

  get isFull(): boolean {
    return this.contents.length >= linesAtOnce || this.#size >= bytesAtOnce;
  }

  /** Removes and returns the lines. */
  take(): Content[] {
    const { contents } = this;
    this.contents = [];
    this.#size = 0;
    return contents;
  }
}

/**
 * Stores lines in one transaction, all or none.
 *
 * @param before runs in the same transaction, before the lines are stored
 * @throws RefusedLine names the first line that the database refuses
 */
export async function storeLines(
  database: Knex,
  contents: readonly Content[],
  options: WriteOptions,
  before: (transaction: Knex.Transaction) => Promise<void> = async () => {},
): Promise<void> {
  const store = (some: readonly Content[]) =>
    database.transaction(async (transaction) => {
      await before(transaction);
      await writeLines(transaction, some, options);
    });
  try {
    await store(contents);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await refuseFirst(database, contents, error, (transaction, some) =>
      before(transaction).then(() => writeLines(transaction, some, options)),
    );
  }
}

/** Finds the shortest beginning of the lines that does not fit: its last line is the one to name. */
async function refuseFirst(
  database: Knex,
  contents: readonly Content[],
  error: unknown,
  store: (transaction: Knex.Transaction, some: readonly Content[]) => Promise<void>,
): Promise<never> {
  let failure = error;
  let [fits, fails] = [0, contents.length];
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2);
    const refusal = await attempt(database, (transaction) => store(transaction, contents.slice(0, middle)));
    if (refusal === undefined) fits = middle;
    else [fails, failure] = [middle, refusal];
  }
  throw new RefusedLine(contents[fails - 1]?.number ?? 0, reasonOf(failure));
}

/** Tries work, and rolls it back in any case. Returns its error. */
async function attempt(database: Knex, work: (transaction: Knex.Transaction) => Promise<void>): Promise<unknown> {
  const done = new Error('The attempt succeeded.');
  try {
    await database.transaction(async (transaction) => {
      await work(transaction);
      throw done;
    });
    return undefined;
  } catch (error) {
    if (error === done) return undefined;
    if (!isRefusal(error)) throw error;
    return error;
  }
}

/** PostgreSQL: a constraint, or a value that a column cannot hold. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && (code === 'SQLITE_CONSTRAINT' || /^2[23]/.test(code));
}

/** What a constraint means, by the columns that both databases name in its error. */
const meanings: readonly [RegExp, string][] = [
  [/products.*\bslug\b/s, 'another product of the tenant has this slug.'],
  [/products.*\bid\b/s, 'another product of the tenant has this id.'],
  [/tenants.*\bslug\b/s, 'another tenant has this slug.'],
  [/carriers.*\bid\b/s, 'the product has a carrier with this id twice.'],
  [/passport_versions/s, 'the product has this version twice.'],
  [/scan_counts/s, 'the product has two counts for one day and role.'],
  [/slug_counters/s, 'the tenant has two counters for one slug.'],
  [/api_keys/s, 'two API keys have the same id or hash.'],
];

function reasonOf(error: unknown): string {
  const {
    message = '',
    code,
    detail = '',
    table = '',
  } = error as Record<'message' | 'code' | 'detail' | 'table', string>;
  if (code === '23503' || /FOREIGN KEY/.test(message)) return 'it belongs to a product that does not stand before it.';
  const text = `${table} ${detail} ${message}`;
  return meanings.find(([pattern]) => pattern.test(text))?.[1] ?? `the database refuses it (${code}).`;
}
