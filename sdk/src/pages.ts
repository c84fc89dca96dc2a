import { type Read, readObject } from './answer.ts';
import { type Operation, UnexpectedAnswerError } from './errors.ts';
import { requests } from './generated/requests.ts';
import type { ApiOperation } from './operation.ts';
import type { Reply, Result, WithResponse } from './result.ts';
import { type Page, Walk } from './walk.ts';

/**
 * A lazy list: it sends no request until it is awaited or iterated.
 * - `await list` gives the first page, as the service sent it. Awaiting twice sends one request. After a failure, the
 *   next `await` tries again.
 * - `for await (const item of list)` gives every item of every page, each once (the last 10,000 ids are remembered). It
 *   begins with the awaited page. A second loop reads the list again.
 * - `for await (const page of list.pages())` gives every page, without the items that an earlier page had.
 */
export interface Paged<P extends Page, Name extends Operation = Operation>
  extends Pick<Promise<P>, 'then' | 'catch' | 'finally'>,
    AsyncIterable<P['items'][number]> {
  /** Every page, without the items that an earlier page had: `for await (const page of list.pages())`. */
  pages(): AsyncIterable<P>;
  /** The first page as a result; never rejects: `{ ok: true, value }` or `{ ok: false, error }`. */
  result(): Promise<Result<P, Name>>;
  /** The first page with its response: `{ value, status, headers, requestId }`. */
  withResponse(): Promise<WithResponse<P>>;
}

/** Reads a page of a list. */
export const readListPage: Read = (answer) => {
  const page = readObject(answer) as Partial<Page> | undefined;
  const isPage =
    Number.isSafeInteger(page?.total) &&
    Number.isSafeInteger(page?.offset) &&
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
export function paged<P extends Page, Name extends ApiOperation>(
  operation: Name,
  signal: AbortSignal | undefined,
  get: (offset?: number) => Reply<P, Name>,
): Paged<P, Name> {
  let first: Reply<P, Name> | undefined;
  const start = () => {
    if (first) return first;
    const reply = get();
    first = reply;
    // A failure is not cached: the next read tries again.
    reply.catch(() => {
      first = undefined;
    });
    return reply;
  };

  const stalled = (offset: number) => {
    const [method, path] = requests[operation];
    const call = { operation, method, path, attempts: 1 };
    const why = `no page continues the list at offset ${offset}`;
    return new UnexpectedAnswerError(call, { status: 200 }, 'pages_stalled', why);
  };

  // After the signal has fired, `get` rejects without a request.
  const checkSignal = async () => {
    if (signal?.aborted) await get();
  };

  async function* pages(): AsyncGenerator<P> {
    let page = await start();
    first = undefined; // the next loop reads the first page again
    const walk = new Walk(page);
    for (;;) {
      const items = walk.take(page);
      await checkSignal();
      yield { ...page, items };

      if (walk.isStalled(page)) throw stalled(walk.next);
      if (walk.isAtEnd(page)) return;
      page = await get(walk.next);
      if (!walk.isFollowedBy(page)) throw stalled(walk.next);
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
