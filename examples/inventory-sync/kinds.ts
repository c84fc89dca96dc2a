/** The language of a file's column names. Its numbers are written in the same way. */
export type Language = 'de' | 'en';

/** The format of a cell, and its conversion to a JSON value. */
export interface Kind {
  /** The expected format, for people. */
  readonly expected: Readonly<Record<Language, string>>;
  /** The value, or `undefined` if the cell has another format. The cell is never empty. */
  read(cell: string, language: Language): unknown;
}

function expected(de: string, en = de): Kind['expected'] {
  return { de, en };
}

export const text: Kind = { expected: expected('text'), read: (cell) => cell };

/** Thousands are separated by a space or by the other sign: 1.234,5 in German, 1,234.5 in English. */
const numberForms: Readonly<Record<Language, RegExp>> = {
  de: /^-?(?:\d+|[1-9]\d{0,2}([. ])\d{3}(?:\1\d{3})*)(?:,\d+)?$/,
  en: /^-?(?:\d+|[1-9]\d{0,2}([, ])\d{3}(?:\1\d{3})*)(?:\.\d+)?$/,
};

export const decimal: Kind = {
  expected: expected('a number such as 1.234,5', 'a number such as 1,234.5'),
  read: (cell, language) => {
    const written = cell.replace(/^\u2212/, '-'); // the minus sign of typesetting
    if (!numberForms[language].test(written)) return undefined;
    return Number(written.replaceAll(language === 'de' ? /[. ]/g : /[, ]/g, '').replace(',', '.'));
  },
};

export const whole: Kind = {
  expected: expected('a whole number'),
  read: (cell, language) => {
    const number = decimal.read(cell, language);
    return Number.isSafeInteger(number) ? number : undefined;
  },
};

/** A number in kilograms, for a field in grams. */
export const kilogramsAsGrams: Kind = {
  expected: decimal.expected,
  read: (cell, language) => {
    const kilograms = decimal.read(cell, language);
    // To 12 digits, so that 0,0551 kg is 55.1 g and not 55.099999999999994.
    return typeof kilograms === 'number' ? Number((kilograms * 1000).toPrecision(12)) : undefined;
  },
};

export const yesOrNo: Kind = {
  expected: expected('ja or nein', 'yes or no'),
  read: (cell) => ({ ja: true, nein: false, yes: true, no: false })[cell.toLowerCase()],
};

export const date: Kind = {
  expected: expected('a date such as 31.12.2026 or 12.2026', 'a date such as 2026-12-31 or 2026-12'),
  read: (cell) => {
    const iso = cell.replace(/^(?:(\d{2})\.)?(\d{2})\.(\d{4})$/, (_, day, month, year) =>
      [year, month, day].filter(Boolean).join('-'),
    );
    if (!/^\d{4}-\d{2}(?:-\d{2})?$/.test(iso)) return undefined;
    const time = Date.parse(iso);
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso) ? iso : undefined;
  },
};

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

export const country: Kind = {
  expected: expected('a country in two letters such as DE'),
  read: (cell) => (/^[A-Z]{2}$/.test(cell) && cell !== 'ZZ' && countries.of(cell) ? cell : undefined),
};

/** A list: one item a line, or `|` between the items. `keine` and `none` are the empty list. */
export const list: Kind = {
  expected: expected('a list'),
  read: (cell) => (['keine', 'none'].includes(cell.toLowerCase()) ? [] : parts(cell)),
};

type Labels = Readonly<Record<Language, Readonly<Record<string, string>>>>;

/**
 * One of a fixed choice: the inventory's own word for an option, its label in German or English, or the passport's value. Each
 * part of a label such as "Stuhl oder Sessel" is one, too.
 *
 * @param own the passport's value by the inventory's word
 * @param labels by the passport's value. Default: no option has a label
 */
export function choice(own: Readonly<Record<string, string>>, labels: Labels = { de: {}, en: {} }): Kind {
  const known = new Map<string, string>();
  const wordOf = new Map(Object.entries(own).map(([word, value]) => [value, word]));
  const all = [...Object.entries(labels.de), ...Object.entries(labels.en)];
  const values = [...new Set([...Object.values(own), ...all.map(([value]) => value)])];
  for (const [value, label] of all) {
    for (const word of [label, ...label.split(/ oder | or | ?\(|\)/)]) known.set(fold(word), value);
  }
  for (const [word, value] of [...values.map((one) => [one, one] as const), ...Object.entries(own)]) {
    known.set(fold(word), value);
  }
  known.delete('');
  const listed = (name: (value: string) => string | undefined) =>
    `one of ${values.map((value) => name(value) ?? value).join(', ')}`;
  return {
    expected: expected(
      listed((value) => wordOf.get(value) ?? labels.de[value]),
      listed((value) => labels.en[value]),
    ),
    read: (cell) => known.get(fold(cell)),
  };
}

const fold = (word: string): string => word.trim().toLowerCase();

/** The composition: `85 % Wolle`, one material a line, or `|` between the materials. */
export function shares(member: string): Kind {
  return {
    expected: expected('shares such as 85 % Wolle, 100 % in all', 'shares such as 85 % wool, 100 % in all'),
    read: (cell, language) => {
      const read = parts(cell).map((part) => {
        const [, percent = '', name] = /^(\S+) ?% (.+)$/.exec(part) ?? [];
        const share = decimal.read(percent, language);
        return typeof share === 'number' && name ? { [member]: name, share } : undefined;
      });
      const sum = read.reduce((total, part) => total + Number(part?.share ?? Number.NaN), 0);
      return Math.abs(sum - 100) < 0.01 ? read : undefined;
    },
  };
}

function parts(cell: string): string[] {
  return cell
    .split(/[|\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

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
