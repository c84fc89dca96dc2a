/** The remaining space. Characters are code points. A row is an item of a list, a row of a table, or a member. */
export interface Budget {
  characters: number;
  rows: number;
}

/** Limits how much of a value is shown. Each use counts against all budgets: the value's own and the page's. */
export class Allowance {
  readonly #budgets: Budget[];
  #isExceeded = false;

  constructor(...budgets: Budget[]) {
    this.#budgets = budgets;
  }

  /** Whether something was left out. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Cuts a text to the remaining space, with an ellipsis. */
  text(text: string): string {
    const limit = Math.min(...this.#budgets.map(({ characters }) => characters));
    const { start, characters, isCut } = cut(text, limit);
    for (const budget of this.#budgets) budget.characters -= characters;
    if (isCut) this.#isExceeded = true;
    return start;
  }

  /** Takes one row if there is space. After something was left out there is none. */
  row(): boolean {
    if (this.#budgets.some(({ rows }) => rows === 0)) this.#isExceeded = true;
    if (this.#isExceeded) return false;
    for (const budget of this.#budgets) budget.rows -= 1;
    return true;
  }
}

/** Cuts a text to a number of code points, with an ellipsis. */
export function cutText(text: string, limit: number): string {
  return cut(text, limit).start;
}

function cut(text: string, limit: number): { start: string; characters: number; isCut: boolean } {
  // A code point has at most two code units, so the rest of a long text need not be read.
  const characters = Array.from(text.slice(0, 2 * limit + 2));
  if (characters.length <= limit) return { start: text, characters: characters.length, isCut: false };
  return { start: `${characters.slice(0, limit).join('')}…`, characters: limit, isCut: true };
}
