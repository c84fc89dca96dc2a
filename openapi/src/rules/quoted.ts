/** How a message shows what somebody sent. Pure. */

/** Spaces, controls and characters without a shape. */
const unseen = /(?! )[\p{Z}\p{C}]/u;

/** Letters that may look like Latin ones: the Cyrillic а. */
const foreignLetter = /(?!\p{Script=Latin})\p{L}/u;

/** A value for a message: a short text or number as it is, otherwise its type. */
export function quoted(value: unknown, wanted?: string): string {
  if (value === undefined) return 'none';
  if (typeof value === 'string') return JSON.stringify(visible(shortened(value), wanted));
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

/**
 * A text whose characters can all be told apart: `5<U+00A0>kg`, `m<U+2126>`. It names the characters that nobody sees,
 * and those that look like another one.
 *
 * @param wanted the code, in ASCII or nearly so, that the text should have been. Letters of other scripts are named too.
 */
export function visible(text: string, wanted?: string): string {
  const isNormal = text === text.normalize();
  const isNamed = (character: string): boolean =>
    unseen.test(character) ||
    (!isNormal && (character !== character.normalize() || /\p{M}/u.test(character))) ||
    (wanted !== undefined && foreignLetter.test(character) && !wanted.includes(character));
  return Array.from(text, (character) => (isNamed(character) ? `<${codePoint(character)}>` : character)).join('');
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
