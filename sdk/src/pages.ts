import { type Read, readObject } from './answer.ts';
import { type Operation, UnexpectedAnswerError } from './errors.ts';
import { requests } from './generated/requests.ts';
import { type Result, resultOf } from './result.ts';

/** The fields that every page of a list has. */
export interface Page {
  items: { id: string }[];
  total: number;
  offset: number;
}

/**
 * A lazy list: no request is sent until it is awaited or iterated.
 * - `await list` is the first page, as the service sent it. Awaiting twice sends one request; after a failure it tries
 *   again.
 * - `for await (const item of list)` is every item of every page, each once (the last 10,000 ids are remembered). It
 *   begins with the page that was awaited; a second time the list is read anew.
 * - `for await (const page of list.pages())` is every page, without the items that an earlier page had.
 */
export interface Paged<P extends Page, Name extends Operation = Operation>
  extends Pick<Promise<P>, 'then' | 'catch' | 'finally'>,
    AsyncIterable<P['items'][number]> {
  /** Every page, without the items that an earlier page had: `for await (const page of list.pages())`. */
  pages(): AsyncIterable<P>;
  /** The first page as a result; never rejects: `{ ok: true, value }` or `{ ok: false, error }`. */
  result(): Promise<Result<P, Name>>;
}

// So many repeats in a row are no rows that moved: the service sends the same again and again.
const mostRepeats = 10_000;

// Rows that are added push their neighbours over the page's edge, so a repeat stands close behind its first: of the ids
// that came the last 10,000 are remembered. All would be a hundred megabytes after a million products.
const mostIds = 10_000;

/** A page of a list. */
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
 * Reads pages until `total` is reached or a page is empty. It advances by what came and from where the answer says it
 * began, so a service may move `limit` and `offset`. `get` without an offset asks for the first page.
 *
 * A page that does not follow on the last one, no rows where `total` promises some, and the same rows again and again
 * are an error and no silence: half a list that looks whole is how an inventory loses products.
 */
export function paged<P extends Page, Name extends keyof typeof requests>(
  operation: Name,
  signal: AbortSignal | undefined,
  get: (offset?: number) => Promise<P>,
): Paged<P, Name> {
  let first: Promise<P> | undefined;
  const start = () => {
    // A failure is not kept: whoever asks again tries again.
    first ??= get().catch((error: unknown) => {
      first = undefined;
      throw error;
    });
    return first;
  };

  const stalled = (offset: number) => {
    const [method, path] = requests[operation];
    const call = { operation, method, path, attempts: 1 };
    const why = `after offset ${offset} comes nothing that follows on it`;
    return new UnexpectedAnswerError(call, { status: 200 }, 'pages_stalled', why);
  };

  // A call with a signal that has fired says so, and sends nothing.
  const goOn = async () => {
    if (signal?.aborted) await get();
  };

  async function* pages(): AsyncGenerator<P> {
    const known = new Set<string>();
    const oldest = known.values(); // goes on where it was, so finding the oldest costs nothing
    let page = await start();
    first = undefined; // another walk reads anew
    const began = page.total;
    let most = began;
    let count = 0; // of items
    let repeated = 0; // of repeats
    let repeats = 0; // in a row
    let empties = 0; // in a row
    let next = page.offset;
    for (;;) {
      const items = page.items.filter(({ id }) => {
        const isRepeat = known.delete(id);
        known.add(id);
        if (known.size > mostIds) known.delete(oldest.next().value as string);
        repeats = isRepeat ? repeats + 1 : 0;
        repeated += Number(isRepeat && page.items.length > 1);
        return !isRepeat;
      });
      count += items.length;
      if (page.items.length > 0) next = page.offset + page.items.length;
      const { total } = page;
      most = Math.max(most, total);
      empties = page.items.length > 0 ? 0 : empties + 1;
      await goOn();
      yield { ...page, items };

      // Rows that are added before the place make repeats, as many as `total` grew by. So many more are no such rows.
      if (next >= total && repeated > 0 && repeated - (most - began) >= count) throw stalled(next);
      if (next >= total) return;
      // Nothing here and more to come contradicts itself, unless a row went between the service's count and its rows.
      if (empties > 1) throw stalled(next);
      page = await get(next);
      const follows = page.items.length === 0 || (page.offset <= next && page.offset + page.items.length > next);
      if (repeats > mostRepeats || !follows) throw stalled(next);
    }
  }

  async function* items(): AsyncGenerator<P['items'][number]> {
    for await (const page of pages()) {
      for (const item of page.items) {
        await goOn();
        yield item;
      }
    }
  }

  return {
    // biome-ignore lint/suspicious/noThenProperty: to be awaited is what this object is for.
    then: (fulfilled, rejected) => start().then(fulfilled, rejected),
    catch: (rejected) => start().catch(rejected),
    finally: (settled) => start().finally(settled),
    pages,
    result: () => resultOf(start()),
    [Symbol.asyncIterator]: items,
  };
}
