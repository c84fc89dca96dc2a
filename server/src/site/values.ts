import type { Language } from '../languages/languages.ts';
import { inLanguage, wordsOf } from '../languages/words.ts';
import type { PassportValue } from '../passports/rules.ts';
import type { TemplateField } from '../templates/catalogue.ts';
import { Allowance, type Budget } from './allowance.ts';
import { type Texts, texts } from './texts.ts';

/** A value as a page shows it. The views have a layout for each kind, and escape every text. */
export type ShownValue =
  /** Text from the passport. */
  | { kind: 'text'; text: string }
  /** Text in the language of the page: a number, yes or no, a country. */
  | { kind: 'said'; text: string }
  /** Nothing is there, and why. */
  | { kind: 'absent'; text: string }
  | { kind: 'time'; text: string; datetime: string }
  | { kind: 'link'; text: string; href: string }
  /** `isShort`: a few words each, which can stand side by side. */
  | { kind: 'list'; items: ShownValue[]; isShort: boolean }
  | { kind: 'members'; members: { name: string; value: ShownValue }[] }
  | { kind: 'table'; columns: string[]; rows: ShownValue[][] };

/** A list of objects with more columns is shown as a list, not as a table. */
const maxColumns = 4;

/** What a page shows of one value, and of all its values. */
const valueBudget: Readonly<Budget> = { characters: 10_000, rows: 500 };
export const pageBudget: Readonly<Budget> = { characters: 500_000, rows: 20_000 };

/** Dates and numbers as they are written in Europe. */
const locales: Partial<Record<Language, string>> = { en: 'en-GB' };

/** Units that Intl can write in every language. */
const intlUnits = { year: 'year', month: 'month', day: 'day', '%': 'percent', '°C': 'celsius' };

/** Shows values in one language. */
export class Presenter {
  readonly #texts: Texts;
  readonly #language: Language;
  readonly #number: Intl.NumberFormat;
  readonly #largeNumber: Intl.NumberFormat;
  readonly #percent: Intl.NumberFormat;
  readonly #plurals: Intl.PluralRules;
  readonly #countries: Intl.DisplayNames;
  readonly #date: Intl.DateTimeFormat;
  readonly #moment: Intl.DateTimeFormat;

  constructor(language: Language) {
    const locale = locales[language] ?? language;
    this.#texts = texts[language];
    this.#language = language;
    // A year must not become 2,026: only numbers of five digits and more are grouped.
    this.#number = new Intl.NumberFormat(locale, { maximumFractionDigits: 20, useGrouping: 'min2' });
    this.#largeNumber = new Intl.NumberFormat(locale, { notation: 'scientific', maximumFractionDigits: 20 });
    this.#percent = new Intl.NumberFormat(locale, { style: 'percent' });
    this.#plurals = new Intl.PluralRules(locale);
    this.#countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
    this.#date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    this.#moment = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  }

  /**
   * A value of the passport with its label. A value that does not fit the type of its field is shown as it is.
   *
   * @param field the field of the template, if it has one with this key
   * @param page the remaining space on the page
   */
  entry(
    value: PassportValue,
    field: TemplateField | undefined,
    page: Budget,
  ): { label: string; value: ShownValue; isShortened: boolean } {
    const allowance = new Allowance({ ...valueBudget }, page);
    const labelled = this.#labelled(value, field, allowance);
    return { ...labelled, isShortened: allowance.isExceeded };
  }

  #labelled(
    value: PassportValue,
    field: TemplateField | undefined,
    allowance: Allowance,
  ): { label: string; value: ShownValue } {
    const label = field ? inLanguage(field.label, this.#language) : this.#name(value.field_key);
    if (value.is_unknown) return { label, value: { kind: 'absent', text: this.#texts.values.unknown } };
    const shown = this.#typed(value.value, field?.type) ?? this.#any(value.value, allowance);
    const { unit } = value;
    if (unit === null || shown.kind === 'absent') return { label, value: shown };
    if (typeof value.value === 'number')
      return { label, value: { kind: 'said', text: this.#measure(value.value, unit) } };
    if (shown.kind === 'text' || shown.kind === 'said')
      return { label, value: { ...shown, text: withUnit(shown.text, unit) } };
    return { label: `${label} (${prettyUnit(unit)})`, value: shown };
  }

  /** A moment, to the minute, in UTC. */
  moment(time: string): string {
    return `${this.#moment.format(new Date(time))} UTC`;
  }

  /** @param value in hundredths */
  percent(value: number): string {
    return this.#percent.format(value / 100);
  }

  number(value: number): string {
    const size = Math.abs(value);
    const isLong = size !== 0 && (size >= 1e15 || size < 1e-6);
    return (isLong ? this.#largeNumber : this.#number).format(value);
  }

  #typed(value: unknown, type: string | undefined): ShownValue | undefined {
    if (typeof value !== 'string') return undefined;
    if (type === 'country_code' && /^[A-Z]{2}$/.test(value)) {
      const country = this.#countries.of(value);
      return country ? { kind: 'said', text: country } : undefined;
    }
    // Many inventory systems write numbers and booleans as text.
    if ((type === 'number' || type === 'integer') && /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/.test(value))
      return { kind: 'said', text: this.number(Number(value)) };
    if (type === 'boolean' && (value === 'true' || value === 'false')) return this.#yesOrNo(value === 'true');
    return undefined;
  }

  #any(value: unknown, allowance: Allowance): ShownValue {
    const { absent, none } = this.#texts.values;
    if (value === null) return { kind: 'absent', text: absent };
    if (typeof value === 'boolean') return this.#yesOrNo(value);
    if (typeof value === 'number') return { kind: 'said', text: this.number(value) };
    if (Array.isArray(value)) return value.length === 0 ? { kind: 'said', text: none } : this.#list(value, allowance);
    if (typeof value === 'object') return this.#object(value as Record<string, unknown>, allowance);
    return this.#text(String(value), allowance);
  }

  #yesOrNo(value: boolean): ShownValue {
    const { yes, no } = this.#texts.values;
    return { kind: 'said', text: value ? yes : no };
  }

  #text(whole: string, allowance: Allowance): ShownValue {
    if (whole.trim() === '') return { kind: 'absent', text: this.#texts.values.absent };
    const text = allowance.text(whole);
    if (text !== whole) return { kind: 'text', text };
    const href = webAddress(text);
    if (href) return { kind: 'link', text, href };
    const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
    // 2026-02-30 does not parse, or parses as another date.
    if (date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text))
      return { kind: 'time', text: this.#date.format(date), datetime: text };
    return { kind: 'text', text };
  }

  #list(values: unknown[], allowance: Allowance): ShownValue {
    const rows = values.filter(isFlat);
    const keys = rows.length < values.length ? [] : keysOf(rows, maxColumns + 1);
    if (keys.length === 0 || keys.length > maxColumns) {
      const items = inRows(values, allowance, (value) => this.#any(value, allowance));
      return items.length === 0 ? nothingShown : listOf(items);
    }
    const columns = keys.map((key) => this.#name(allowance.text(key)));
    const cells = inRows(rows, allowance, (row) =>
      keys.map((key) => this.#any(Object.hasOwn(row, key) ? row[key] : null, allowance)),
    );
    return cells.length === 0 ? nothingShown : { kind: 'table', columns, rows: cells };
  }

  #object(object: Record<string, unknown>, allowance: Allowance): ShownValue {
    const keys = Object.keys(object);
    if (keys.length === 0) return { kind: 'absent', text: this.#texts.values.absent };
    const members = inRows(keys, allowance, (key) => ({
      name: this.#name(allowance.text(key)),
      value: this.#any(object[key], allowance),
    }));
    return members.length === 0 ? nothingShown : { kind: 'members', members };
  }

  /** The words of a key in snake case: `drum_diameter` becomes "Drum diameter". Other keys stay as they are. */
  #name(key: string): string {
    const { members } = wordsOf(this.#language);
    if (Object.hasOwn(members, key)) return members[key] ?? key;
    if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(key)) return key;
    return key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ');
  }

  #measure(value: number, unit: string): string {
    const { units } = wordsOf(this.#language);
    if (Object.hasOwn(units, unit)) {
      const forms = units[unit] ?? {};
      return (forms[this.#plurals.select(value)] ?? forms.other ?? '#').replace('#', this.number(value));
    }
    if (!Object.hasOwn(intlUnits, unit)) return withUnit(this.number(value), unit);
    const format = new Intl.NumberFormat(locales[this.#language] ?? this.#language, {
      style: 'unit',
      unit: intlUnits[unit as keyof typeof intlUnits],
      unitDisplay: unit === '%' || unit === '°C' ? 'short' : 'long',
      maximumFractionDigits: 20,
      useGrouping: 'min2',
    });
    return format.format(value);
  }
}

const presenters = new Map<Language, Presenter>();

/** The presenter of a language. It is cached, because making Intl's formats is slow. */
export function presenterOf(language: Language): Presenter {
  const presenter = presenters.get(language) ?? new Presenter(language);
  presenters.set(language, presenter);
  return presenter;
}

/** Shown in place of a value when no space is left. */
const nothingShown: ShownValue = { kind: 'text', text: '…' };

/** Shows one value in each row, as many as there is space for. */
function inRows<Value, Shown>(values: Value[], allowance: Allowance, show: (value: Value) => Shown): Shown[] {
  const shown: Shown[] = [];
  for (const value of values) {
    if (!allowance.row()) break;
    shown.push(show(value));
  }
  return shown;
}

/** The names of all members in order of appearance. Stops after the row that reaches the limit. */
function keysOf(rows: Record<string, unknown>[], limit: number): string[] {
  const keys = new Set<string>();
  for (const row of rows) {
    for (const key of Object.keys(row)) keys.add(key);
    if (keys.size >= limit) break;
  }
  return [...keys];
}

function listOf(items: ShownValue[]): ShownValue {
  return { kind: 'list', items, isShort: items.every((item) => 'text' in item && item.text.length <= 40) };
}

/** A measure with its unit, without a line break between them. */
function withUnit(text: string, unit: string): string {
  return `${text}\u00a0${prettyUnit(unit)}`;
}

/** A unit with typographic characters: m², g/cm³, kg CO₂e. */
function prettyUnit(unit: string): string {
  return unit
    .replace(/\b([cmdk]?m)([23])\b/g, (_, metre: string, power: string) => metre + (power === '2' ? '²' : '³'))
    .replace(/\bCO2/g, 'CO₂');
}

/** The URL of a text that is an `http` or `https` address. */
function webAddress(text: string): string | undefined {
  if (!/^https?:\/\/[^\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  // A user name before the host can imitate another address.
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined;
}

/** Whether a value is an object without nested lists or objects. */
function isFlat(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((member) => typeof member !== 'object' || member === null);
}
