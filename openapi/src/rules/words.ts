/** How values become words: numbers with their units, texts of a vocabulary, typographic characters. Pure. */

/** Units written as words, by the plural category of the number. `#` stands for the number. */
type Units = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Units that Intl can write in every language. */
const intlUnits = { year: 'year', month: 'month', day: 'day', '%': 'percent' };

/** Writes numbers and measures in one language. */
export class Measures {
  readonly #locale: string;
  readonly #units: Units;
  readonly #number: Intl.NumberFormat;
  readonly #largeNumber: Intl.NumberFormat;
  readonly #percent: Intl.NumberFormat;
  readonly #plurals: Intl.PluralRules;

  constructor(locale: string, units: Units) {
    this.#locale = locale;
    this.#units = units;
    // A year must not become 2,026: only numbers of five digits and more are grouped.
    this.#number = new Intl.NumberFormat(this.#locale, { maximumFractionDigits: 20, useGrouping: 'min2' });
    this.#largeNumber = new Intl.NumberFormat(this.#locale, { notation: 'scientific', maximumFractionDigits: 20 });
    this.#percent = new Intl.NumberFormat(this.#locale, { style: 'percent' });
    this.#plurals = new Intl.PluralRules(this.#locale);
  }

  number(value: number): string {
    const size = Math.abs(value);
    const isLong = size !== 0 && (size >= 1e15 || size < 1e-6);
    return withMinus((isLong ? this.#largeNumber : this.#number).format(value));
  }

  /** @param value in hundredths */
  percent(value: number): string {
    return this.#percent.format(value / 100);
  }

  /**
   * A number with its unit, without a line break between them.
   *
   * @param label the label next to it. A unit that it has is not repeated: "Charge cycles: 800", "pH value: 8.2".
   */
  measure(value: number, unit: string, label: string): string {
    if (Object.hasOwn(this.#units, unit)) {
      const forms = this.#units[unit] ?? {};
      const form = forms[this.#plurals.select(value)] ?? forms.other ?? '#';
      return isNamed(label, Object.values(forms)) ? this.number(value) : form.replace('#', this.number(value));
    }
    if (!Object.hasOwn(intlUnits, unit)) {
      const prefixed = withPrefix(value, unit);
      return withUnit(this.number(prefixed.value), prefixed.unit);
    }
    const format = new Intl.NumberFormat(this.#locale, {
      style: 'unit',
      unit: intlUnits[unit as keyof typeof intlUnits],
      unitDisplay: unit === '%' ? 'short' : 'long',
      maximumFractionDigits: 20,
      useGrouping: 'min2',
    });
    return withMinus(format.format(value));
  }
}

/** Units that take a prefix: `150 kW`, `0.9 mΩ`. */
const prefixable = new Set(['W', 'V', 'A', 'Ω', 'Wh']);

/** A number with the prefix of engineers, if it is 1000 or more, or below 0.1. */
function withPrefix(value: number, unit: string): { value: number; unit: string } {
  const size = Math.abs(value);
  if (!prefixable.has(unit) || size === 0 || (size >= 0.1 && size < 1000)) return { value, unit };
  const [prefix, factor] = (
    [
      ['M', 1e6],
      ['k', 1e3],
      ['m', 1e-3],
      ['µ', 1e-6],
    ] as const
  ).find(([, factor]) => size >= factor * (factor < 1 ? 0.1 : 1)) ?? ['', 1];
  // Without the digits that a division adds: 0.0009 / 0.001 is 0.8999999999999999.
  return { value: Number((value / factor).toPrecision(15)), unit: `${prefix}${unit}` };
}

/** A measure that is a text, with its unit: `-20 to 45`, `°C`. A unit that the text ends with is not repeated. */
export function withUnit(text: string, unit: string): string {
  const shown = typesetUnit(unit);
  const measure = withMinus(text);
  return measure.endsWith(unit) || measure.endsWith(shown) ? measure : `${measure}\u00a0${shown}`;
}

/** Whether a label has the word of a unit, alone or at the end of a compound: "Ladezyklen". */
function isNamed(label: string, forms: string[]): boolean {
  const words = forms.map((form) => form.replace('#', '').trim());
  // `pH` is in "Phosphorus" too.
  const isIn = (word: string) =>
    word.length > 2 ? label.toLowerCase().includes(word.toLowerCase()) : label.includes(word);
  return words.some(isIn);
}

/**
 * The words for a text that many passports share, such as a fibre. `wool (merino)` and `H302+H312` are found by their parts
 * if they have no words of their own.
 *
 * @param find the words for a text of the vocabulary, in lower case
 * @returns `undefined` if the vocabulary does not have the text
 */
export function wordsFor(text: string, find: (text: string) => string | undefined): string | undefined {
  const of = (part: string) => find(part.trim().toLowerCase());
  const word = of(text) ?? of(text.replaceAll(/\s*\+\s*/g, '+'));
  if (word !== undefined) return word;
  const [, whole = '', detail = ''] = /^([^()]+)\(([^()]+)\)$/.exec(text) ?? [];
  const [wholeWord, detailWord] = [of(whole), of(detail)];
  if (wholeWord !== undefined && detailWord !== undefined) return `${wholeWord} (${detailWord})`;
  const parts = text.split('+').map(of);
  return parts.every((part) => part !== undefined) ? parts.join(' ') : undefined;
}

const symbols = new Set(
  (
    'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo ' +
    'Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl ' +
    'Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm'
  ).split(' '),
);

/**
 * CO₂ in place of CO2, a space that does not break before °C and %, and a minus sign before temperatures, percentages and
 * ranges. No other formula or negative number is sure to be one in any text: `PC2` may be a part number.
 */
export function typeset(text: string): string {
  return text
    .replaceAll(/\bCO2(?!\d)/g, 'CO₂')
    .replaceAll(/(?<=\d)(?:\s?(?=°C(?!\w))| (?=%))/g, '\u00a0')
    .replaceAll(/(?<=^|\s)-(?=\d+(?:[.,]\d+)?\s?(?:[°%]|(?:to|bis|à|…|–)\s))/g, '−');
}

/** Subscripts in the chemical formulae of a text that names materials or substances. */
export function withFormulae(text: string): string {
  return text.replaceAll(/(?<![\w.-])(?:[A-Z][a-z]?(?:\d{1,2}(?:\.\d+)?)?){2,}(?![\w-])/g, (token) => {
    const atoms = token.match(/[A-Z][a-z]?/g) ?? [];
    const isFormula = atoms.every((atom, index) => symbols.has(atom) && atom !== atoms[index - 1]);
    return isFormula ? token.replaceAll(/\d/g, (digit) => '₀₁₂₃₄₅₆₇₈₉'.charAt(Number(digit))) : token;
  });
}

/** A minus sign in place of each hyphen before a number. */
function withMinus(text: string): string {
  return text.replaceAll(/(?<=^|[\s(E])-(?=\d)/g, '−');
}

/** A unit with typographic characters: m², g/cm³, kg CO₂e. */
export function typesetUnit(unit: string): string {
  return typeset(
    unit.replace(/\b([cmdk]?m)([23])\b/g, (_, metre: string, power: string) => metre + (power === '2' ? '²' : '³')),
  );
}
