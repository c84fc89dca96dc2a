/** Which known text a mistyped one most likely means. Pure: every suggestion follows this rule. */

/** The maximum distance at which a text is suggested. */
const maxDistance = 3;

/** A longer text is not a mistyped word, and takes long to compare. */
const maxLength = 200;

/** The known text that is closest to a mistyped one, or `undefined` if none is close. */
export function closest(text: string, known: readonly string[]): string | undefined {
  return allClose(text, known)[0];
}

/**
 * The known texts that are close to a mistyped one, the closest first: the same in another case, then those from which
 * at most a third of the characters differ. A number is another number, not a mistyped one.
 */
export function allClose(text: string, known: readonly string[]): string[] {
  if (text.length > maxLength || !/\p{L}/u.test(text)) return [];
  const folded = fold(text);
  return known
    .map((each) => ({ each, far: distance(folded, fold(each)) }))
    .filter(({ each, far }) => far <= Math.min(maxDistance, Math.max(folded.length, each.length) / 3))
    .sort((one, other) => one.far - other.far)
    .map(({ each }) => each);
}

/** A question that names the closest of the known texts, after a space, or nothing if none is close. */
export function didYouMean(text: string, known: readonly string[]): string {
  const meant = closest(text, known);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** What a text that is not one of the known ones must be, as the end of a sentence without its full stop. */
export function mustBeOneOf(known: readonly string[], text: string): string {
  const meant = closest(text, known);
  return `must be one of: ${known.join(', ')}${meant === undefined ? '' : `. The closest is ${meant}`}`;
}

const fold = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** How many characters to add, remove, replace or swap with their neighbour. Beyond `maxDistance` it is infinite. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > maxDistance) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    // Outside of this band the distance is larger than `maxDistance`. Passports may have thousands of unknown keys.
    const [first, last] = [Math.max(1, i - maxDistance), Math.min(other.length, i + maxDistance)];
    for (let j = first; j <= last; j += 1) {
      const [left = Infinity, above = Infinity, diagonal = Infinity] = [next[j - 1], row[j], row[j - 1]];
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      next[j] = Math.min(left + 1, above + 1, diagonal + (one[i - 1] === other[j - 1] ? 0 : 1), swapped);
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? Number.POSITIVE_INFINITY;
}
