import { type Call, UnexpectedAnswerError } from './errors.ts';

/** What a page of any list has. */
export interface Page {
  items: { id: string }[];
  total: number;
  offset: number;
}

/**
 * A list that is read when it is asked for: nothing is sent before.
 * - `await list` is the first page, as the service sent it. Awaiting twice sends one request; after a failure it tries
 *   again.
 * - `for await (const item of list)` is every item of every page, each once.
 * - `for await (const page of list.pages())` is every page, less the items that an earlier page had.
 */
export interface Paged<P extends Page> extends PromiseLike<P>, AsyncIterable<P['items'][number]> {
  pages(): AsyncIterable<P>;
}

/**
 * Tells whether an id came before, for the last 10,000 at least. Rows that are added push their neighbours over the
 * page's edge, so a repeat stands close behind its first; to remember all would hold a hundred megabytes after a
 * million products.
 */
function createMemory(): (id: string) => boolean {
  let older = new Set<string>();
  let newer = new Set<string>();
  return (id) => {
    const known = newer.has(id) || older.has(id);
    if (newer.size >= 10_000) [older, newer] = [newer, new Set()];
    newer.add(id);
    return known;
  };
}

// So many repeats in a row are no rows that moved: the service sends the same again and again.
const mostRepeats = 1_000;

function isPage(page: Page): boolean {
  const { items, total, offset } = page;
  const numbers = Number.isSafeInteger(total) && Number.isSafeInteger(offset);
  return numbers && Array.isArray(items) && items.every((item) => typeof item?.id === 'string');
}

/**
 * Reads pages until `total` is reached or a page is empty. It advances by what came and from where the answer says it
 * began, so a service may move `limit` and `offset`. `get` without an offset asks for the first page.
 *
 * A page that does not follow on the last one ends the reading with an error and not in silence: half a list that
 * looks whole is how an inventory loses products.
 */
export function paged<P extends Page>(call: Call, get: (offset?: number) => Promise<P>): Paged<P> {
  const broken = (code: 'unexpected_answer' | 'pages_stalled', why: string) =>
    new UnexpectedAnswerError(call, 200, code, why);
  const checked = async (offset?: number) => {
    const page = await get(offset);
    if (!isPage(page)) throw broken('unexpected_answer', "this is not the contract's page of a list");
    return page;
  };

  let first: Promise<P> | undefined;
  const start = () => {
    // A failure is not kept: whoever asks again tries again.
    first ??= checked().catch((error: unknown) => {
      first = undefined;
      throw error;
    });
    return first;
  };

  async function* pages(): AsyncGenerator<P> {
    const seen = createMemory();
    let repeats = 0;
    let page = await start();
    for (;;) {
      const fresh = page.items.filter((item) => {
        const known = seen(item.id);
        repeats = known ? repeats + 1 : 0;
        return !known;
      });
      yield { ...page, items: fresh };

      const next = page.offset + page.items.length;
      if (page.items.length === 0 || next >= page.total) return;
      const stalled = () => broken('pages_stalled', `after offset ${next} comes nothing that follows on it`);
      if (repeats > mostRepeats) throw stalled();
      page = await checked(next);
      const end = page.offset + page.items.length;
      if (page.items.length > 0 && (page.offset > next || end <= next)) throw stalled();
    }
  }

  async function* items(): AsyncGenerator<P['items'][number]> {
    for await (const page of pages()) yield* page.items;
  }

  return {
    // biome-ignore lint/suspicious/noThenProperty: to be awaited is what this object is for.
    then: (fulfilled, rejected) => start().then(fulfilled, rejected),
    pages,
    [Symbol.asyncIterator]: items,
  };
}
