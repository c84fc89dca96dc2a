const transliterations: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  đ: 'd',
  ł: 'l',
  ı: 'i',
};
const maxSlugLength = 100;

/** Makes a slug from a name: `Wollmütze Förde` gives `wollmuetze-foerde`. A name without a letter gives `product`. */
export function slugFromName(name: string): string {
  const words = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^ -~]/g, (letter) => transliterations[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return cut(words.join('-'), maxSlugLength) || 'product';
}

/** The slug of the nth product with the same slug: `name`, `name-2`, `name-3`. It never exceeds the maximum length. */
export function suffixedSlug(slug: string, nth: number): string {
  if (nth === 1) return slug;
  const suffix = `-${nth}`;
  return cut(slug, maxSlugLength - suffix.length) + suffix;
}

function cut(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-$/, '');
}

/** Pads a GTIN with zeros on the left to 14 digits (GS1 General Specifications, 3.3.2). */
export function gtin14(gtin: string): string {
  return gtin.padStart(14, '0');
}

/**
 * The GS1 Digital Link of a product, which all its carriers hold.
 *
 * @param serial for the link of one item
 */
export function digitalLink(siteUrl: string, gtin: string, serial: string | null = null): string {
  const link = `${siteUrl}/01/${gtin14(gtin)}`;
  return serial === null ? link : `${link}/21/${encodeURIComponent(serial)}`;
}

/** Whether the last digit of a GTIN is its check digit (GS1 General Specifications, 7.9). */
export function hasValidCheckDigit(gtin: string): boolean {
  const sum = [...gtin14(gtin)].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return sum % 10 === 0;
}

/** In code points. A longer search finds nothing. */
const maxSearchLength = 1000;

/** The text that the folded names found contain. `undefined`: the search finds nothing. Empty: it does not filter. */
export function searchedText(search: string): string | undefined {
  if (search.includes('\0') || Array.from(search).length > maxSearchLength) return undefined;
  return fold(search);
}

/** Folds text for comparison: NFKC and full Unicode case folding, without what nobody sees. `ß` becomes `ss`, `İ` `i`. */
export function fold(text: string): string {
  // A search folds thousands of names, and most are ASCII.
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  const letters = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKD');
  const folded = Array.from(letters, foldCharacter).join('').normalize('NFKD');
  // Case folding gives `İ` a dot above the `i`. Other marks may stand between them.
  return folded.replace(/i\p{M}+/gu, (marked) => marked.replaceAll('\u0307', '')).normalize('NFKC');
}

function foldCharacter(character: string): string {
  // The upper case of ı is I, whose lower case is i. It is the only letter that this way folds wrongly.
  if (character === 'ı') return character;
  return Array.from(character.toLowerCase().toUpperCase(), (letter) => letter.toLowerCase()).join('');
}

/** `urn:<namespace>:<tenant>:<product>` */
export function productUrn(namespace: string, tenantSlug: string, productSlug: string): string {
  return `urn:${namespace}:${tenantSlug}:${productSlug}`;
}
