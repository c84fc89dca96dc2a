/** The fields that every page of a list has. */
export interface Page {
  items: { id: string }[];
  total: number;
  offset: number;
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
export function trackPages({ total: firstTotal, offset }: Page) {
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
