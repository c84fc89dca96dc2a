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

/** What a constraint means, by its table and the last column of its key. */
const meanings: Readonly<Record<string, string>> = {
  'products slug': 'another product of the tenant has this slug.',
  'products id': 'another product of the tenant has this id.',
  'tenants slug': 'another tenant has this slug.',
  'tenants id': 'another tenant has this id.',
  'carriers id': 'the product has a carrier with this id twice.',
  'passport_versions version': 'the product has this version twice.',
  'product_images product_id': 'the product has two images.',
  'scan_counts role': 'the product has two counts for one day and role.',
  'api_keys id': 'two API keys have the same id.',
  'api_keys hash': 'two API keys have the same hash.',
  'access_tokens id': 'two access tokens have the same id.',
};

function reasonOf(error: unknown): string {
  const {
    message = '',
    code,
    detail = '',
    table,
  } = error as Partial<Record<'message' | 'code' | 'detail' | 'table', string>>;
  if (code === '23503' || /FOREIGN KEY/.test(message)) return 'it belongs to a product that does not stand before it.';
  const ofSqlite = /constraint failed: (?:\w+\.\w+, )*(\w+)\.(\w+)$/.exec(message);
  const ofPostgres = /^Key \((?:\w+, )*(\w+)\)=/.exec(detail);
  const key = ofSqlite ? `${ofSqlite[1]} ${ofSqlite[2]}` : `${table} ${ofPostgres?.[1]}`;
  return meanings[key] ?? `the database refuses it (${code}).`;
}
