import type { Knex } from 'knex';
import { RefusedLine } from './lines.ts';
import type { ReadLine } from './reader.ts';
import { type Content, type WriteOptions, writeLines } from './write.ts';

/** A transaction ends with the line that reaches one of these, so that other writers and the memory wait little. */
const linesAtOnce = 500;
const bytesAtOnce = 4 * 1024 * 1024;

/** Collects lines. @param store stores a batch in one transaction */
export function newBatch(store: (contents: readonly Content[]) => Promise<void>) {
  let contents: Content[] = [];
  let bytes = 0;
  /** Stores what is left. */
  async function flush(): Promise<void> {
    const batch = contents;
    contents = [];
    bytes = 0;
    if (batch.length > 0) await store(batch);
  }
  async function add({ number, size }: ReadLine, line: Content['line']): Promise<void> {
    contents.push({ number, line });
    bytes += size;
    if (contents.length >= linesAtOnce || bytes >= bytesAtOnce) await flush();
  }
  return { add, flush };
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
  const store = (batches: readonly (readonly Content[])[]) =>
    database.transaction(async (transaction) => {
      await before(transaction);
      for (const batch of batches) await writeLines(transaction, batch, options).catch(refusalOf(batch));
    });
  try {
    await store([contents]);
  } catch (error) {
    if (!(error instanceof RefusedBatch)) throw error;
    // Once more, one by one: the first line that fails is the one to name.
    await store(contents.map((content) => [content]));
    throw error;
  }
}

/** The database refuses one of several lines. */
class RefusedBatch extends Error {}

function refusalOf([first, ...others]: readonly Content[]): (error: unknown) => never {
  return (error) => {
    if (!isRefusal(error)) throw error;
    if (others.length > 0) throw new RefusedBatch('', { cause: error });
    throw new RefusedLine(first?.number ?? 0, reasonOf(error));
  };
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
