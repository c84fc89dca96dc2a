const spelled: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe', þ: 'th', ð: 'd', đ: 'd', ł: 'l', ı: 'i' },
};

/** The reference server's slug of a name: `Wollmütze Förde` gives `wollmuetze-foerde`. */
export function hyphenated(name: string): string {
  const letters = Array.from(name.normalize('NFC').toLowerCase(), (letter) => spelled[letter] ?? letter).join('');
  const plain = letters.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== '');
  return cut(words.join('-'), 100) || 'product';
}

/** The reference server's slug of the nth product with the same slug. It has at most 100 characters. */
export function numbered(slug: string, nth: number): string {
  const suffix = `-${nth}`;
  return cut(slug, 100 - suffix.length) + suffix;
}

function cut(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-$/, '');
}

/** Another slug: `Wollmütze Förde` gives `wollmtze_frde`. */
export function underscored(name: string): string {
  const words = name.toLowerCase().split(/[\s_-]+/);
  const plain = words.map((word) => word.replace(/[^a-z0-9]/g, '')).filter((word) => word !== '');
  return plain.join('_').slice(0, 40) || 'artikel';
}
