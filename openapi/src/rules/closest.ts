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
    .map((each) => ({ each, far: distanceIfNear(folded, fold(each)) }))
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

/** ASCII without capitals and spaces. Most keys are folded already, and a passport may have thousands. */
const isFolded = /^[!-@[-~]*$/;

function fold(text: string): string {
  return isFolded.test(text) ? text : text.normalize('NFKC').trim().toLowerCase();
}

/** The distance, or infinity if it is larger than `maxDistance`. */
function distanceIfNear(one: string, other: string): number {
  const isFar = Math.abs(one.length - other.length) > maxDistance || differing(one, other) > maxDistance;
  return isFar ? Number.POSITIVE_INFINITY : distance(one, other);
}

/** How many characters to add, remove, replace or swap with their neighbour. Beyond `maxDistance` it is too large. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    // Outside of this band the distance is larger than `maxDistance`.
    const last = Math.min(other.length, i + maxDistance);
    for (let j = Math.max(1, i - maxDistance); j <= last; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (next[j - 1] ?? Infinity) + 1,
        (row[j] ?? Infinity) + 1,
        (row[j - 1] ?? Infinity) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? Number.POSITIVE_INFINITY;
}

/** At most the distance, in a tenth of the time: an edit adds or removes one kind of character. */
function differing(one: string, other: string): number {
  const [ones, others] = [kindsOf(one), kindsOf(other)];
  return Math.max(bitsIn(ones & ~others), bitsIn(others & ~ones));
}

/** The characters of a text as 32 bits. Several characters share a bit. */
function kindsOf(text: string): number {
  let kinds = 0;
  for (let index = 0; index < text.length; index += 1) kinds |= 1 << text.charCodeAt(index);
  return kinds;
}

function bitsIn(kinds: number): number {
  let count = 0;
  for (let rest = kinds; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
