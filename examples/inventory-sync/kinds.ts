/** The format of a cell, and its conversion to a JSON value. */
export interface Kind {
  /** The expected format, for people. */
  readonly expected: string;
  /** The value, or `undefined` if the cell has another format. The cell is never empty. */
  read(cell: string): unknown;
}

export const text: Kind = { expected: 'text', read: (cell) => cell };

export const decimal: Kind = {
  expected: 'a number such as 1.234,5',
  read: (cell) => {
    if (!/^-?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?$/.test(cell)) return undefined;
    return Number(cell.replaceAll('.', '').replace(',', '.'));
  },
};

export const whole: Kind = {
  expected: 'a whole number',
  read: (cell) => {
    const number = decimal.read(cell);
    return Number.isSafeInteger(number) ? number : undefined;
  },
};

/** A number in kilograms, for a field in grams. */
export const kilogramsAsGrams: Kind = {
  expected: decimal.expected,
  read: (cell) => {
    const kilograms = decimal.read(cell);
    // To 12 digits, so that 0,0551 kg is 55.1 g and not 55.099999999999994.
    return typeof kilograms === 'number' ? Number((kilograms * 1000).toPrecision(12)) : undefined;
  },
};

export const yesOrNo: Kind = {
  expected: 'ja or nein',
  read: (cell) => ({ ja: true, nein: false })[cell.toLowerCase()],
};

export const date: Kind = {
  expected: 'a date such as 31.12.2026',
  read: (cell) => {
    const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(cell) ?? [];
    const iso = `${year}-${month}-${day}`;
    const time = Date.parse(`${iso}T00:00:00Z`);
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso) ? iso : undefined;
  },
};

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

export const country: Kind = {
  expected: 'a country in two letters such as DE',
  read: (cell) => (/^[A-Z]{2}$/.test(cell) && cell !== 'ZZ' && countries.of(cell) ? cell : undefined),
};

/** A list: one item a line, or `|` between the items. `keine` is the empty list. */
export const list: Kind = {
  expected: 'a list',
  read: (cell) => (cell.toLowerCase() === 'keine' ? [] : parts(cell)),
};

/** One of a fixed choice: the inventory's word for each option, and the passport's value. */
export function choice(options: Readonly<Record<string, string>>): Kind {
  return {
    expected: `one of ${Object.keys(options).join(', ')}`,
    read: (cell) => (Object.hasOwn(options, cell) ? options[cell] : undefined),
  };
}

/** The composition: `85 % Wolle`, one material a line, or `|` between the materials. */
export function shares(member: string): Kind {
  return {
    expected: 'shares such as 85 % Wolle, 100 % in all',
    read: (cell) => {
      const read = parts(cell).map((part) => {
        const [, percent = '', name] = /^(\S+) ?% (.+)$/.exec(part) ?? [];
        const share = decimal.read(percent);
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
