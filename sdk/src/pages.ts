import { type Operation, UnexpectedResponseError } from './errors.ts';
import { requests } from './generated/requests.ts';
import { type ApiPromise, type Read, type Result, readObject, type WithResponse } from './response.ts';

/** The fields that every page of a list has. */
export interface Page {
  items: { id: string }[];
  total: number;
  offset: number;
}

/**
 * A lazy list: it sends no request until it is awaited or iterated.
 * - `await list` gives the first page, as the service sent it. Awaiting twice sends one request. After a failure, the
 *   next `await` tries again.
 * - `for await (const item of list)` gives every item of every page, each once (the last 10,000 ids are remembered). It
 *   begins with the awaited page. A second loop reads the list again.
 * - `for await (const page of list.pages())` gives every page, without items of earlier pages.
 */
export interface PagePromise<P extends Page, Name extends Operation = 'listProducts'>
  extends Pick<Promise<P>, 'then' | 'catch' | 'finally'>,
    AsyncIterable<P['items'][number]> {
  /** Every page, without items of earlier pages: `for await (const page of list.pages())`. */
  pages(): AsyncIterable<P>;
  /** The first page as a result; never rejects: `{ ok: true, value }` or `{ ok: false, error }`. */
  result(): Promise<Result<P, Name>>;
  /** The first page with its response: `{ value, status, headers, requestId }`. */
  withResponse(): Promise<WithResponse<P>>;
}

/** Reads a page of a list. */
export const readListPage: Read = (received) => {
  const page = readObject(received) as Partial<Page> | undefined;
  const isPage =
    [page?.total, page?.offset].every(Number.isSafeInteger) &&
    Array.isArray(page?.items) &&
    page.items.every((item) => typeof item?.id === 'string');
  return isPage ? page : undefined;
};

/**
 * Reads pages until `total` is reached. It advances by the number of items received, from the offset in the response,
 * so a service may change `limit` and `offset`. `get` without an offset requests the first page.
 *
 * A server that skips rows, stops early or repeats itself causes an error: an inventory would lose products if half a
 * list looked complete.
 */
export function pagePromise<P extends Page>(
  signal: AbortSignal | undefined,
  get: (offset?: number) => ApiPromise<P, 'listProducts'>,
): PagePromise<P> {
  let first: ApiPromise<P, 'listProducts'> | undefined;
  const start = () => {
    if (first) return first;
    first = get();
    // A failure is not cached: the next read tries again.
    first.catch(() => {
      first = undefined;
    });
    return first;
  };

  const stalled = (offset: number) => {
    const [method, path] = requests.listProducts;
    return new UnexpectedResponseError(
      { operation: 'listProducts', method, path, attempts: 1 },
      { status: 200 },
      'pages_stalled',
      `no page continues the list at offset ${offset}`,
    );
  };

  // After the signal has fired, `get` rejects without a request.
  const checkSignal = async () => {
    if (signal?.aborted) await get();
  };

  async function* pages(): AsyncGenerator<P> {
    let page = await start();
    first = undefined; // the next loop reads the first page again
    const tracker = trackPages(page);
    for (;;) {
      const items = tracker.take(page);
      await checkSignal();
      yield { ...page, items };

      if (tracker.isStalled(page)) throw stalled(tracker.next());
      if (tracker.isAtEnd(page)) return;
      page = await get(tracker.next());
      if (!tracker.isFollowedBy(page)) throw stalled(tracker.next());
    }
  }

  async function* items(): AsyncGenerator<P['items'][number]> {
    for await (const page of pages()) {
      for (const item of page.items) {
        await checkSignal();
        yield item;
      }
    }
  }

  return {
    // biome-ignore lint/suspicious/noThenProperty: the list is awaited for its first page.
    then: (fulfilled, rejected) => start().then(fulfilled, rejected),
    catch: (rejected) => start().catch(rejected),
    finally: (settled) => start().finally(settled),
    pages,
    result: () => start().result(),
    withResponse: () => start().withResponse(),
    [Symbol.asyncIterator]: items,
  };
}

// After this many consecutive repeats the server is sending the same rows again.
const maxRepeats = 10_000;

// New rows push their neighbours over the edge of a page, so a repeat follows soon after its first. All ids of a
// million products would take a hundred megabytes.
const maxIds = 10_000;

/**
 * Follows a loop over the pages of a list: drops repeated items, and detects a server that repeats itself. Starts with the
 * first page, which `take` still has to take.
 */
function trackPages({ total: firstTotal, offset }: Page) {
  const ids = new Set<string>();
  // Oldest first. The position of the iterator is reused, so that finding the oldest id is cheap.
  const oldest = ids.values();
  let next = offset;
  let maxTotal = firstTotal;
  let fresh = 0;
  let repeats = 0;
  let consecutiveRepeats = 0;
  let consecutiveEmptyPages = 0;

  const isAtEnd = ({ total }: Page) => next >= total;
  return {
    /** The offset of the next page. */
    next: () => next,
    /** Takes the next page. Returns its items without those of earlier pages. */
    take<P extends Page>({ items, total, offset }: P): P['items'] {
      const own = items.filter(({ id }) => {
        const isRepeat = ids.delete(id);
        ids.add(id);
        if (ids.size > maxIds) ids.delete(oldest.next().value as string);
        consecutiveRepeats = isRepeat ? consecutiveRepeats + 1 : 0;
        if (isRepeat && items.length > 1) repeats += 1;
        return !isRepeat;
      });
      fresh += own.length;
      maxTotal = Math.max(maxTotal, total);
      consecutiveEmptyPages = items.length > 0 ? 0 : consecutiveEmptyPages + 1;
      if (items.length > 0) next = offset + items.length;
      return own;
    },
    /** Whether the list ends with this page, which was taken last. */
    isAtEnd,
    /**
     * Whether the last page shows that the list does not advance. Every row added meanwhile raises `total` by one and
     * causes at most one repeat. Beyond these, fewer than half of the items may be repeats. A single empty page before
     * the end is allowed: a row may have been removed after the server had counted the rows.
     */
    isStalled: (page: Page) =>
      isAtEnd(page) ? repeats > 0 && repeats - (maxTotal - firstTotal) >= fresh : consecutiveEmptyPages > 1,
    /** Whether a page continues the list. */
    isFollowedBy: ({ items, offset }: Page) =>
      consecutiveRepeats <= maxRepeats && (items.length === 0 || (offset <= next && offset + items.length > next)),
  };
}
