/** What is left to show. Characters are code points; a row is an item of a list, a row of a table, or a member. */
export interface Budget {
  characters: number;
  rows: number;
}

/** How much of a value may still be shown. What it takes is taken from each budget: the value's own and the page's. */
export class Allowance {
  readonly #budgets: Budget[];
  #isExceeded = false;

  constructor(...budgets: Budget[]) {
    this.#budgets = budgets;
  }

  /** Something was left out. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** As much of a text as may be shown, with an ellipsis where it is cut. */
  text(text: string): string {
    const most = Math.min(...this.#budgets.map(({ characters }) => characters));
    const { start, characters, isCut } = cut(text, most);
    for (const budget of this.#budgets) budget.characters -= characters;
    if (isCut) this.#isExceeded = true;
    return start;
  }

  /** Whether one more row may be shown. After something was left out no other may. */
  row(): boolean {
    if (this.#budgets.some(({ rows }) => rows === 0)) this.#isExceeded = true;
    if (this.#isExceeded) return false;
    for (const budget of this.#budgets) budget.rows -= 1;
    return true;
  }
}

/** The first code points of a text, with an ellipsis where it has more. */
export function cutText(text: string, most: number): string {
  return cut(text, most).start;
}

function cut(text: string, most: number): { start: string; characters: number; isCut: boolean } {
  // A code point has at most two code units, so the rest of a long text need not be read.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  if (characters.length <= most) return { start: text, characters: characters.length, isCut: false };
  return { start: `${characters.slice(0, most).join('')}…`, characters: most, isCut: true };
}
