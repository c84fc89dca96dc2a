/** `@product-passport/sdk/bulk`: for programs that work on thousands of products. It sends no requests of its own. */

/** The outcome of the work on one item. If the work threw something else than an `Error`, it is the error's `cause`. */
export type ItemOutcome<Item, Value> =
  | { readonly ok: true; readonly index: number; readonly item: Item; readonly value: Value }
  | { readonly ok: false; readonly index: number; readonly item: Item; readonly error: Error };

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
  /**
   * For which errors the loop pauses, or ends if `status` is 401. Default: a `NetworkError`, a `TimeoutError` of `timeoutMs` or
   * `deadlineMs`, and the statuses 401 and 502 to 504. With `() => false` the loop never pauses or ends by itself.
   */
  readonly stopOn?: ((error: Error) => boolean) | undefined;
  /** How long the loop tries again, in milliseconds since the first of these errors, before it ends. Default: 300,000, five minutes. */
  readonly stopAfterMs?: number | undefined;
  /** Called before each pause: 1, 2, 4, … 30 seconds. */
  readonly onPause?: ((pause: BulkPause) => void) | undefined;
}

/** Why the loop pauses, and for how long. */
export interface BulkPause {
  readonly pauseMs: number;
  readonly error: Error;
}

/**
 * The loop ended by itself: the service was not reachable for `stopAfterMs`, or responded with 401. `cause` is the last error.
 * To continue, work on the items of `failed`, and then on those from `next` on.
 */
export class StoppedError extends Error {
  /** The name of the error's class. */
  override readonly name = 'StoppedError';
  /** The index of the first item whose work never began. */
  readonly next: number;
  /** The items that failed since the service last responded. */
  readonly failed: readonly unknown[];

  constructor(cause: Error, next: number, failed: readonly unknown[]) {
    super(`stopped before item ${next}: ${cause.message}`, { cause });
    this.next = next;
    this.failed = failed;
  }
}

/**
 * Works on many items, a limited number at a time, and yields the outcome of each as soon as it is there, in any order:
 * a slow item does not hold up the others. An item whose work fails does not end the loop. Items are taken only when
 * they are needed, so a list may be longer than the memory. If the loop ends early, the items in progress are finished,
 * and no further item is taken. If an item cannot be read, the loop yields the outcomes of the items before it, and then
 * fails. Throws a `RangeError` if `concurrency` is below 1.
 *
 * If the service cannot be reached, the loop takes no further item, yields the outcomes of those in progress, pauses, and tries
 * one item, until the service responds again. After `stopAfterMs`, or after a 401, it throws a `StoppedError`. It never works on
 * an item twice.
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

/** Whether an error of the SDK says that the service cannot be reached, or does not accept the key. */
function isStop(error: Error): boolean {
  const { name, code, status } = error as Error & { code?: unknown; status?: unknown };
  if (name === 'TimeoutError') return code !== 'wait';
  return name === 'NetworkError' || isRefused(error) || [502, 503, 504].includes(Number(status));
}

/** Whether the service does not accept the key: no later item can succeed. */
function isRefused(error: Error): boolean {
  return (error as { status?: unknown }).status === 401;
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/** Outcomes by the index of their item, in the order of the items. */
type InProgress<Outcome> = ReadonlyMap<number, Promise<Outcome>>;

async function* outcomes<Item, Value>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item, index: number) => Promise<Value> | Value,
  { concurrency = 8, signal, onProgress, stopOn = isStop, stopAfterMs = 300_000, onPause }: BulkOptions,
  next: (inProgress: InProgress<ItemOutcome<Item, Value>>) => Promise<ItemOutcome<Item, Value> | undefined>,
): AsyncGenerator<ItemOutcome<Item, Value>, void, undefined> {
  if (!(concurrency >= 1)) throw new RangeError('concurrency must be 1 or more');
  const counts = { succeeded: 0, failed: 0 };
  let outage: { readonly since: number; pauseMs: number; readonly failed: Item[]; error: Error } | undefined;
  const start = async (item: Item, index: number): Promise<ItemOutcome<Item, Value>> => {
    const outcome = await (async () => work(item, index))().then(
      (value) => ({ ok: true, index, item, value }) as const,
      (cause: unknown) => {
        const error = cause instanceof Error ? cause : new Error(String(cause), { cause });
        return { ok: false, index, item, error } as const;
      },
    );
    counts[outcome.ok ? 'succeeded' : 'failed'] += 1;
    if (outcome.ok || !stopOn(outcome.error)) outage = undefined;
    else {
      outage ??= { since: Date.now(), pauseMs: 1000, failed: [], error: outcome.error };
      outage.error = outcome.error;
      outage.failed.push(item);
    }
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
  /** While the service cannot be reached: yields what is in progress, and pauses before the next item is tried. */
  async function* recovery() {
    while (outage && inProgress.size > 0) yield* oneOutcome();
    if (!outage || signal?.aborted) return;
    const { error, failed, since, pauseMs } = outage;
    if (isRefused(error) || Date.now() - since >= stopAfterMs) throw new StoppedError(error, index, failed);
    onPause?.({ pauseMs, error });
    await sleep(pauseMs, signal);
    outage.pauseMs = Math.min(2 * pauseMs, 30_000);
  }
  let index = 0;
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const item of signal?.aborted ? [] : items) {
      yield* recovery();
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
  if (outage && isRefused(outage.error)) throw new StoppedError(outage.error, index, outage.failed);
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
