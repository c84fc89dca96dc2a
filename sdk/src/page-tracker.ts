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

/** Follows a loop over the pages of a list: drops repeated items, and detects a server that repeats itself. */
export class PageTracker {
  /** The offset of the next page. */
  next: number;
  readonly #firstTotal: number;
  #maxTotal: number;
  readonly #ids = new Set<string>();
  /** An iterator over the ids, oldest first. Its position is reused, so that finding the oldest id is cheap. */
  readonly #oldest = this.#ids.values();
  #fresh = 0;
  #repeats = 0;
  #consecutiveRepeats = 0;
  #consecutiveEmptyPages = 0;

  constructor({ total, offset }: Page) {
    this.next = offset;
    this.#firstTotal = total;
    this.#maxTotal = total;
  }

  /** Takes the next page. Returns its items without those of earlier pages. */
  take<P extends Page>({ items, total, offset }: P): P['items'] {
    const fresh = items.filter(({ id }) => {
      const isRepeat = this.#isRepeat(id);
      this.#consecutiveRepeats = isRepeat ? this.#consecutiveRepeats + 1 : 0;
      if (isRepeat && items.length > 1) this.#repeats += 1;
      return !isRepeat;
    });
    this.#fresh += fresh.length;
    this.#maxTotal = Math.max(this.#maxTotal, total);
    this.#consecutiveEmptyPages = items.length > 0 ? 0 : this.#consecutiveEmptyPages + 1;
    if (items.length > 0) this.next = offset + items.length;
    return fresh;
  }

  /** Whether the list ends with this page, which was taken last. */
  isAtEnd({ total }: Page): boolean {
    return this.next >= total;
  }

  /**
   * Whether the last page shows that the list does not advance. Every row added meanwhile raises `total` by one and
   * causes at most one repeat. Beyond these, fewer than half of the items may be repeats. A single empty page before
   * the end is allowed: a row may have been removed after the server had counted the rows.
   */
  isStalled(page: Page): boolean {
    if (!this.isAtEnd(page)) return this.#consecutiveEmptyPages > 1;
    return this.#repeats > 0 && this.#repeats - (this.#maxTotal - this.#firstTotal) >= this.#fresh;
  }

  /** Whether a page continues the list. */
  isFollowedBy({ items, offset }: Page): boolean {
    if (this.#consecutiveRepeats > maxRepeats) return false;
    return items.length === 0 || (offset <= this.next && offset + items.length > this.next);
  }

  #isRepeat(id: string): boolean {
    const isRepeat = this.#ids.delete(id);
    this.#ids.add(id);
    if (this.#ids.size > maxIds) this.#ids.delete(this.#oldest.next().value as string);
    return isRepeat;
  }
}
