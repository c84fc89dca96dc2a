/**
 * Works on up to `width` items at a time and yields the results in the order of the items. It holds no more than
 * `width` items. The work must not reject.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for await (const item of items) {
    underWay.push(work(item));
    if (underWay.length < width) continue;
    const first = underWay.shift();
    if (first) yield await first;
  }
  for (const result of underWay) yield await result;
}
