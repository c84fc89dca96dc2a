/** The text of a header or a cell. Spreadsheets and web pages add spaces that do not break, and split letters. */
export function plain(written: string): string {
  return written
    .normalize('NFC')
    .replaceAll(/\p{Zs}/gu, ' ')
    .trim();
}

/** A text for a message, with the codes of the characters that nobody can see: `2<U+200B>5`. */
export function shown(text: string): string {
  return text.replaceAll(/[^\P{Z} ]|[^\P{Cc}\n]|\p{Cf}/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `<U+${code.padStart(4, '0')}>`;
  });
}
