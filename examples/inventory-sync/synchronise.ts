import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type Client,
  isPassportError,
  type PassportError,
  type PassportValue,
  type Product,
} from '@product-passport/sdk';
import { type BulkPause, eachInOrder, StoppedError } from '@product-passport/sdk/bulk';
import { type Article, type ArticleValue, isRejection, type Rejection, readArticle } from './article.ts';
import type { ExportRecord } from './export.ts';
import { archive, publish, type Refusal } from './status.ts';

/** How many articles are in progress at a time. */
const width = 4;

export interface Synchronised {
  readonly report: Report;
  /** The reason why the run ended early. */
  readonly obstacle: string | undefined;
  /** Whether each line of the list was tried. */
  readonly isListDone: boolean;
}

export interface SyncOptions {
  readonly publishes?: boolean;
  readonly archived?: readonly string[];
  /** How long to try again while the service does not respond, in milliseconds. Default: five minutes. */
  readonly waitMs?: number | undefined;
}

/**
 * Imports the records until the last one, a failure that ends the run, or `interruption`. Waits for a service that does not
 * respond, and at the end tries the articles once more that it did not respond to.
 */
export async function synchronise(
  client: Client,
  records: AsyncIterable<ExportRecord>,
  interruption: AbortSignal,
  onProgress: (done: number) => void,
  { publishes = false, archived = [], waitMs }: SyncOptions = {},
): Promise<Synchronised> {
  const report = new Report();
  const failed = new AbortController();
  const stop = AbortSignal.any([interruption, failed.signal]);
  const numbers = new Set<string>();
  let obstacle: string | undefined;
  let isListDone = archived.length === 0;

  const work = async (row: Article | Outcome): Promise<Outcome> => {
    if ('kind' in row) return row;
    try {
      const brought = await bring(client, row, publishes);
      return { kind: brought.kind, article: row, brought };
    } catch (error) {
      return rejectionOf(row, error);
    }
  };

  let open: Article[] = [];
  const fail = (row: Article | Outcome, error: Error): void => {
    if (!isPassportError(error)) throw error;
    if ('product' in row) open.push(row);
    obstacle = explain(error);
    if (!isOutage(error)) failed.abort();
  };

  async function bringAll(rows: Iterable<Article> | AsyncIterable<Article | Outcome>): Promise<void> {
    const options = { concurrency: width, signal: stop, stopOn: isOutage, stopAfterMs: waitMs, onPause: noteWait };
    for await (const outcome of eachInOrder<Article | Outcome, Outcome>(rows, work, options)) {
      if (outcome.ok) report.add(outcome.value);
      else fail(outcome.item, outcome.error);
      onProgress(report.done);
    }
  }

  try {
    await bringAll(readRows(records, stop, numbers));
    if (!stop.aborted && open.length > 0) {
      const again = open;
      [open, obstacle] = [[], undefined];
      await bringAll(again);
    }
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    failed.abort();
  }
  if (obstacle !== undefined) failed.abort();
  if (stop.aborted) return { report, obstacle, isListDone };
  try {
    for await (const { name, refusal, isLast } of archive(client, archived, numbers)) {
      report.addArchived(name, refusal);
      isListDone = isLast;
      if (stop.aborted) break;
    }
  } catch (error) {
    if (!isPassportError(error)) throw error;
    obstacle = explain(error);
  }
  return { report, obstacle, isListDone };
}

/**
 * Yields each article, or the result of a row that needs no request. Ends early when `stop` fires.
 *
 * @param numbers gets the article number of each row, rejected or not
 */
async function* readRows(
  records: AsyncIterable<ExportRecord>,
  stop: AbortSignal,
  numbers: Set<string>,
): AsyncGenerator<Article | Outcome> {
  const repeatOf = createRepeatFinder();
  for await (const record of records) {
    if (stop.aborted) return;
    const row = readArticle(record);
    numbers.add(row.number);
    if (isRejection(row)) {
      yield { kind: 'rejected', row };
      continue;
    }
    const repeat = repeatOf(row);
    if (!repeat) yield row;
    else {
      const { line, number } = row;
      yield { kind: repeat.kind === 'same' ? 'repeated' : 'rejected', row: { line, number, reason: repeat.reason } };
    }
  }
}

/** The result for one article. */
interface Brought {
  readonly kind: 'created' | 'updated' | 'unchanged';
  /** The fields that were written. */
  readonly written: readonly string[];
  /** How complete the passport is now, in percent. */
  readonly completeness: number;
  /** Why the product was not published; `null` if nobody wanted it. */
  readonly refusal: Refusal | null;
}

/** The service has another product under the article's slug. */
class OtherProductError extends Error {
  override readonly name = 'OtherProductError';
}

/**
 * Imports one article: creates the product if it does not exist, and writes the values that differ. All of it can be
 * repeated: `ensure` looks for the slug before it creates, also after the response to its create was lost.
 */
async function bring(client: Client, article: Article, publishes: boolean): Promise<Brought> {
  const { slug } = article.product;
  const { product, created } = await client.products.ensure(article.product);
  refuseOther(product, article);

  const passport = await client.passports.get(slug);
  const changed = article.values.filter((value) => differs(value, passport.values));
  const kind = created ? 'created' : 'updated';
  if (changed.length === 0) {
    const { completeness } = passport.product;
    const refusal = publishes ? await publish(client, product) : null;
    return { kind: created ? kind : 'unchanged', written: [], completeness, refusal };
  }
  const { completeness } = await client.passports.put(slug, changed);
  const refusal = publishes ? await publish(client, product) : null;
  return { kind, written: changed.map(({ field_key }) => field_key), completeness, refusal };
}

/** The API cannot change master data, and another name or GTIN may mean another product. */
function refuseOther(found: Product, { product }: Article): void {
  for (const member of Object.keys(product) as (keyof typeof product)[]) {
    if (found[member] === product[member]) continue;
    const [there, here] = [found[member], product[member]].map((value) => (value === null ? 'none' : `"${value}"`));
    throw new OtherProductError(`the service has ${product.slug} with ${member} ${there}, the row says ${here}`);
  }
}

function differs(value: ArticleValue, stored: readonly PassportValue[]): boolean {
  const found = stored.find(({ field_key }) => field_key === value.field_key);
  if (!found) return true;
  return (['value', 'unit', 'access_level', 'is_unknown'] as const).some(
    (member) => !isDeepStrictEqual(found[member], value[member]),
  );
}

/** The result for one row. */
type Outcome =
  | { readonly kind: 'created' | 'updated' | 'unchanged'; readonly article: Article; readonly brought: Brought }
  | { readonly kind: 'repeated' | 'rejected'; readonly row: Rejection };

/** The service does not respond, or not with this key. */
function isOutage(error: Error): boolean {
  const { name, status } = error as Error & { status?: unknown };
  return ['NetworkError', 'TimeoutError'].includes(name) || [401, 502, 503, 504].includes(Number(status));
}

function noteWait({ pauseMs, error }: BulkPause): void {
  const why = isPassportError(error) ? explain(error) : error.message;
  process.stderr.write(`Waiting ${pauseMs / 1000} s: ${why}.\n`);
}

/** @throws a failure that does not concern this row alone */
function rejectionOf({ line, number }: Article, error: unknown): Outcome {
  if (error instanceof OtherProductError) return { kind: 'rejected', row: { line, number, reason: error.message } };
  if (!isPassportError(error)) throw error;
  if (error.name === 'ConflictError') return { kind: 'rejected', row: { line, number, reason: error.message } };
  if (error.name === 'ApiError' && [400, 404, 413].includes(error.status)) {
    return { kind: 'rejected', row: { line, number, reason: `${error.code}: ${error.detail}` } };
  }
  throw error;
}

/** The reason why the run ends, for people. */
export function explain(error: PassportError): string {
  if (error.name === 'NetworkError') return `the service does not respond (${reasonOf(error.cause)})`;
  if (error.name === 'TimeoutError') return 'the service took too long to respond';
  if (error.name === 'ApiError' && error.status === 401) return 'the service refuses the key';
  return error.message;
}

/** The code or message of the innermost cause: `ECONNREFUSED` instead of `fetch failed`. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown reason';
  const { code } = cause as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : cause.cause ? reasonOf(cause.cause) : cause.message;
}

/** How this row relates to an earlier one: `same` repeats it, `conflict` contradicts it. */
type Repeat = { readonly kind: 'same' | 'conflict'; readonly reason: string };

/**
 * Finds rows that repeat an earlier one. The first counts. Two rows of one article must never be in progress at the
 * same time: both would find no product, and both would create one.
 */
function createRepeatFinder(): (article: Article) => Repeat | undefined {
  const bySlug = new Map<string, { line: number; number: string; digest: string }>();
  const byGtin = new Map<string, { line: number; number: string }>();

  return ({ line, number, product, values }) => {
    const digest = createHash('sha256')
      .update(JSON.stringify([number, product, values]))
      .digest('base64');
    const earlier = bySlug.get(product.slug);
    if (earlier?.digest === digest) return { kind: 'same', reason: `says the same as line ${earlier.line}` };
    if (earlier) {
      const reason =
        earlier.number === number
          ? `line ${earlier.line} differs for the same article: which one is right?`
          : `article number ${earlier.number} in line ${earlier.line} gives the same slug, ${product.slug}`;
      return { kind: 'conflict', reason };
    }

    const { gtin } = product;
    const padded = gtin?.padStart(14, '0'); // the same GTIN may be written with 8 to 14 digits
    const holder = padded === undefined ? undefined : byGtin.get(padded);
    if (holder) return { kind: 'conflict', reason: `GTIN ${gtin} is that of ${holder.number} in line ${holder.line}` };

    bySlug.set(product.slug, { line, number, digest });
    if (padded !== undefined) byGtin.set(padded, { line, number });
    return undefined;
  };
}

type Listed = 'created' | 'updated' | 'repeated' | 'rejected' | 'published' | 'unpublished' | 'archived' | 'kept';

const titles: Readonly<Record<Listed, string>> = {
  created: 'Created',
  updated: 'Updated',
  repeated: 'Repeated in the file: the earlier row counts',
  rejected: 'Rejected, nothing written',
  published: 'Published',
  unpublished: 'Not published',
  archived: 'Archived',
  kept: 'Not archived',
};

/** Keeps a line for each row except the unchanged ones, in the order of the file. */
class Report {
  readonly counts = { created: 0, updated: 0, unchanged: 0, repeated: 0, rejected: 0 };
  readonly #rejected = new Map<string, Rejection[]>();
  readonly #lines: Record<Exclude<Listed, 'rejected'>, string[]> = {
    ...{ created: [], updated: [], repeated: [] },
    ...{ published: [], unpublished: [], archived: [], kept: [] },
  };

  add(outcome: Outcome): void {
    this.counts[outcome.kind] += 1;
    if (outcome.kind === 'rejected') {
      // The same reason has other values and lines in each row.
      const reason = outcome.row.reason.replaceAll(/"[^"]*"|\d+/g, '…');
      this.#rejected.set(reason, [...(this.#rejected.get(reason) ?? []), outcome.row]);
    } else if (outcome.kind === 'repeated') {
      const { line, number, reason } = outcome.row;
      this.#lines.repeated.push(entry(line, number, reason));
    } else if (outcome.kind === 'created') {
      const { article, brought } = outcome;
      const what = `${article.product.name} (${brought.written.length} values, ${brought.completeness} % complete)`;
      this.#lines.created.push(entry(article.line, article.number, what));
    } else if (outcome.kind === 'updated') {
      const { article, brought } = outcome;
      const what = `${article.product.name} (${brought.written.join(', ')}; ${brought.completeness} % complete)`;
      this.#lines.updated.push(entry(article.line, article.number, what));
    }
    if ('brought' in outcome) this.#addPublished(outcome.article, outcome.brought);
  }

  #addPublished({ line, number, product }: Article, { refusal }: Brought): void {
    if (refusal === undefined) this.#lines.published.push(entry(line, number, product.slug));
    else if (refusal !== null) this.#lines.unpublished.push(entry(line, number, refusal));
  }

  addArchived(name: string, refusal: Refusal): void {
    if (refusal === undefined) this.#lines.archived.push(`  ${name}`);
    else this.#lines.kept.push(`  ${name} ${refusal}`);
  }

  /** How many products kept their status although they should not. */
  get refused(): number {
    return this.#lines.unpublished.length + this.#lines.kept.length;
  }

  /** How many rows are done, whatever their result. */
  get done(): number {
    const { created, updated, unchanged, repeated, rejected } = this.counts;
    return created + updated + unchanged + repeated + rejected;
  }

  /** A line for each rejected row, or for more than three with one reason. */
  #rejections(): string[] {
    return [...this.#rejected.values()].flatMap((rows) => {
      const [first, second, third, ...more] = rows.map(({ line, number, reason }) => entry(line, number, reason));
      if (more.length === 0) return [first, second, third].filter((row) => row !== undefined);
      const named = rows.slice(0, 3).map(({ line, number }) => `line ${line} ${number || '-'}`);
      return [
        `  ${rows.length} rows for one reason: ${named.join(', ')}, …\n    ${rows[0]?.reason.replaceAll('\n', ' ')}`,
      ];
    });
  }

  toString(): string {
    const lists = (Object.keys(titles) as Listed[]).flatMap((kind) => {
      const lines = kind === 'rejected' ? this.#rejections() : this.#lines[kind];
      const count = kind === 'rejected' ? this.counts.rejected : lines.length;
      return lines.length === 0 ? [] : [`${titles[kind]} (${count})`, ...lines, ''];
    });
    const { created, updated, unchanged, repeated, rejected } = this.counts;
    const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${repeated} repeated, ${rejected} rejected`;
    return [...lists, `${this.done} ${this.done === 1 ? 'row' : 'rows'}: ${counts}`].join('\n');
  }
}

function entry(line: number, number: string, what: string): string {
  return `  line ${String(line).padEnd(5)} ${(number || '-').padEnd(16)} ${what.replaceAll('\n', ' ')}`;
}
