/** `@product-passport/sdk/bulk`: for programs that work on thousands of products. It sends no requests of its own. */

/** The outcome of the work on one item. */
export type ItemOutcome<Item, Value> =
  | { readonly ok: true; readonly index: number; readonly item: Item; readonly value: Value }
  | { readonly ok: false; readonly index: number; readonly item: Item; readonly error: unknown };

/** How many items are finished, in any order. */
export interface BulkProgress {
  readonly succeeded: number;
  readonly failed: number;
}

/** How `each` and `eachInOrder` work on the items. */
export interface BulkOptions {
  /** How many items are in progress at a time. Default: 8. */
  readonly concurrency?: number | undefined;
  /** When it fires, no further item is taken. The items in progress are finished. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each item. An error that it throws ends the loop. */
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
}

/**
 * Works on many items, a limited number at a time, and yields the outcome of each as soon as it is there, in any order:
 * a slow item does not hold up the others. An item whose work fails does not end the loop. Items are taken only when
 * they are needed, so a list may be longer than the memory. If the loop ends early, the items in progress are finished,
 * and no further item is taken. If an item cannot be read, the loop yields the outcomes of the items before it, and then
 * fails. Throws a `RangeError` if `concurrency` is below 1.
 *
 * ```ts
 * import { createClient } from '@product-passport/sdk';
 * import { each } from '@product-passport/sdk/bulk';
 *
 * const client = createClient({
 *   baseUrl: 'https://passport.example.com/api/v1',
 *   apiKey: process.env.PRODUCT_PASSPORT_KEY ?? '',
 * });
 * const rows = [{ slug: 'sample-1', name: 'Sample 1' }, { slug: 'sample-2', name: 'Sample 2' }];
 * for await (const { item, ...outcome } of each(rows, (row) => client.products.ensure(row))) {
 *   console.log(item.slug, outcome.ok ? 'is there' : outcome.error);
 * }
 * ```
 */
export function each<Item, Value>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item, index: number) => Promise<Value> | Value,
  options: BulkOptions = {},
): AsyncGenerator<ItemOutcome<Item, Value>, void, undefined> {
  return outcomes(items, work, options, (inProgress) => Promise.race(inProgress.values()));
}

/**
 * As `each`, but yields the outcomes in the order of the items. A slow item holds up the outcomes after it, and, when
 * `concurrency` items wait for it, their successors.
 */
export function eachInOrder<Item, Value>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item, index: number) => Promise<Value> | Value,
  options: BulkOptions = {},
): AsyncGenerator<ItemOutcome<Item, Value>, void, undefined> {
  return outcomes(items, work, options, async (inProgress) => inProgress.values().next().value);
}

/** Outcomes by the index of their item, in the order of the items. */
type InProgress<Outcome> = ReadonlyMap<number, Promise<Outcome>>;

async function* outcomes<Item, Value>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item, index: number) => Promise<Value> | Value,
  { concurrency = 8, signal, onProgress }: BulkOptions,
  next: (inProgress: InProgress<ItemOutcome<Item, Value>>) => Promise<ItemOutcome<Item, Value> | undefined>,
): AsyncGenerator<ItemOutcome<Item, Value>, void, undefined> {
  if (!(concurrency >= 1)) throw new RangeError('concurrency must be 1 or more');
  const counts = { succeeded: 0, failed: 0 };
  const start = async (item: Item, index: number): Promise<ItemOutcome<Item, Value>> => {
    const outcome = await (async () => work(item, index))().then(
      (value) => ({ ok: true, index, item, value }) as const,
      (error: unknown) => ({ ok: false, index, item, error }) as const,
    );
    counts[outcome.ok ? 'succeeded' : 'failed'] += 1;
    onProgress?.({ ...counts });
    return outcome;
  };
  const inProgress = new Map<number, Promise<ItemOutcome<Item, Value>>>();
  async function* oneOutcome() {
    const outcome = await next(inProgress);
    if (!outcome) return;
    inProgress.delete(outcome.index);
    yield outcome;
  }
  let index = 0;
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const item of signal?.aborted ? [] : items) {
      if (signal?.aborted) break;
      const outcome = start(item, index);
      outcome.catch(() => {}); // `next` reports it
      inProgress.set(index, outcome);
      index += 1;
      if (inProgress.size >= concurrency) yield* oneOutcome();
    }
  } catch (error) {
    failure = { error };
  }
  while (inProgress.size > 0) yield* oneOutcome();
  if (failure) throw failure.error;
}

/** The first items of a list, from as many pages as it takes. Without a `limit` it is the whole list. */
export async function toArray<Item>(
  items: AsyncIterable<Item>,
  { limit = Infinity }: { readonly limit?: number | undefined } = {},
): Promise<Item[]> {
  const all: Item[] = [];
  if (limit <= 0) return all;
  for await (const item of items) if (all.push(item) >= limit) break;
  return all;
}
