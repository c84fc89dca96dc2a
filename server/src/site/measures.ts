import type { Language } from '../languages/languages.ts';
import { type Words, wordsOf } from '../languages/words.ts';
import { typesetUnit, withMinus } from './typography.ts';

/** Numbers as they are written in Europe. */
const locales: Partial<Record<Language, string>> = { en: 'en-GB' };

/** The locale of Intl for a language. */
export function localeOf(language: Language): string {
  return locales[language] ?? language;
}

/** Units that Intl can write in every language. */
const intlUnits = { year: 'year', month: 'month', day: 'day', '%': 'percent', '°C': 'celsius' };

/** Writes numbers and measures in one language. */
export class Measures {
  readonly #locale: string;
  readonly #units: Words['units'];
  readonly #number: Intl.NumberFormat;
  readonly #largeNumber: Intl.NumberFormat;
  readonly #percent: Intl.NumberFormat;
  readonly #plurals: Intl.PluralRules;

  constructor(language: Language) {
    this.#locale = localeOf(language);
    this.#units = wordsOf(language).units;
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
   * @param label what stands beside it. A unit that it has is not repeated: "Charge cycles: 800", "pH value: 8.2".
   */
  measure(value: number, unit: string, label: string): string {
    if (Object.hasOwn(this.#units, unit)) {
      const forms = this.#units[unit] ?? {};
      const form = forms[this.#plurals.select(value)] ?? forms.other ?? '#';
      return isNamed(label, Object.values(forms)) ? this.number(value) : form.replace('#', this.number(value));
    }
    if (!Object.hasOwn(intlUnits, unit)) return withUnit(this.number(value), unit);
    const format = new Intl.NumberFormat(this.#locale, {
      style: 'unit',
      unit: intlUnits[unit as keyof typeof intlUnits],
      unitDisplay: unit === '%' || unit === '°C' ? 'short' : 'long',
      maximumFractionDigits: 20,
      useGrouping: 'min2',
    });
    return withMinus(format.format(value));
  }
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
