import {
  fieldTypes,
  Measures,
  type PassportValue,
  statementOf,
  typeset,
  typesetUnit,
  withFormulae,
  withUnit,
} from '@product-passport/openapi';
import {
  fill,
  hyphenated,
  inLanguage,
  type Label,
  type Language,
  localeOf,
  type Texts,
  texts,
  type Words,
  wordFor,
  wordsOf,
} from '../languages/languages.ts';
import type { Described, TemplateField } from '../templates/catalogue.ts';

/** A value as a page shows it. The views have a layout for each kind, and escape every text. */
export type ShownValue =
  /** Text from the passport. */
  | { kind: 'text'; text: string }
  /**
   * Text in the language of the page: a number, yes or no, a country. `own` is text from the passport that completes it.
   * `given` is the number of the passport, where the text has another: 150 kW for 150000 W.
   */
  | { kind: 'said'; text: string; own?: string; given?: number }
  /** Nothing is there, and why. */
  | { kind: 'absent'; text: string }
  | { kind: 'time'; text: string; datetime: string }
  /** `isTitled`: the text does not say the address. `host`: shown next to it. */
  | { kind: 'link'; text: string; href: string; isTitled?: true; host?: string }
  /** `isShort`: a few words each, which can stand side by side. */
  | { kind: 'list'; items: ShownValue[]; isShort: boolean }
  | { kind: 'members'; members: { name: string; value: ShownValue }[] }
  | { kind: 'table'; columns: string[]; rows: ShownValue[][] };

/** A list of objects with more columns is shown as a list, not as a table. */
const maxColumns = 4;

/** A number and its unit stay on one line. A longer unit would be wider than a telephone. */
const maxMeasureLength = 24;

/** The number of a product in the European Product Registry for Energy Labelling. */
export const eprelField = 'eprel_registration_number';

/** What a page shows of one value. */
export const valueBudget: Readonly<Budget> = { characters: 10_000, rows: 500 };
/** What a page shows of all its values. */
export const pageBudget: Readonly<Budget> = { characters: 500_000, rows: 20_000 };

/** What the template says of a value, an item or a member. */
type About = Partial<Pick<TemplateField, 'options' | 'members'> & Described> & {
  items?: Partial<Described>;
  /** The language of the value. */
  locale?: string;
};

/** Shows values in one language. */
export class Presenter {
  readonly #texts: Texts;
  readonly #members: Words['members'];
  readonly #language: Language;
  readonly #measures: Measures;
  readonly #countries: Intl.DisplayNames;
  readonly #date: Intl.DateTimeFormat;
  readonly #month: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #time: Intl.DateTimeFormat;
  readonly #plural: Intl.PluralRules;

  constructor(language: Language) {
    const locale = localeOf(language);
    this.#texts = texts[language];
    this.#members = wordsOf(language).members;
    this.#language = language;
    this.#measures = new Measures(locale, wordsOf(language).units);
    this.#countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
    this.#date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    this.#month = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' });
    this.#day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
    this.#time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
    this.#plural = new Intl.PluralRules(locale);
  }

  /**
   * A value of the passport with its label. A value that does not fit the type of its field is shown as it is.
   *
   * @param field the field of the template, if it has one with this key
   * @param page the remaining space on the page
   * @param label in place of the field's own, for a key fact
   */
  entry(
    value: PassportValue,
    field: TemplateField | undefined,
    page: Budget,
    label = field ? this.label(field.label) : this.#name(value.field_key),
  ): { label: string; value: ShownValue; isShortened: boolean } {
    const allowance = new Allowance({ ...valueBudget }, page);
    const labelled = this.#labelled(value, field, label, allowance);
    return { ...labelled, isShortened: allowance.isExceeded };
  }

  /** A label of a template in the language of the page. */
  label(label: Label): string {
    return this.words(inLanguage(label, this.#language));
  }

  /** Words of the language of the page, such as a label or a title. */
  words(text: string): string {
    return hyphenated(typeset(text), this.#language);
  }

  #labelled(
    { value, unit, is_unknown, locale }: PassportValue,
    field: TemplateField | undefined,
    label: string,
    allowance: Allowance,
  ): { label: string; value: ShownValue } {
    if (is_unknown) return { label, value: { kind: 'absent', text: this.#texts.values.unknown } };
    if (field?.key === eprelField && typeof value !== 'object' && /^\d{1,10}$/.test(String(value))) {
      // The address in the QR code of energy labels, as open programs that make labels of tyres write it.
      const href = `https://eprel.ec.europa.eu/qr/${value}`;
      return { label, value: { kind: 'link', text: String(value), href, isTitled: true } };
    }
    const isDescribed = field?.items?.type === 'number';
    // Numbers of an object have the unit of the whole: `power_losses`.
    const described =
      field && isDescribed ? { ...field, items: { ...field.items, type: 'number' as const, unit } } : field;
    const shown = this.#shown(value, { ...described, unit, locale }, label, allowance);
    if (unit === null || isDescribed || !['list', 'members', 'table'].includes(shown.kind))
      return { label, value: shown };
    return { label: `${label} (${typesetUnit(unit)})`, value: shown };
  }

  /** A day, as in `2027-02-18`, in few characters on one line. */
  day(day: string): string {
    return this.#day.format(new Date(day)).replaceAll(' ', '\u00a0');
  }

  /** A moment, to the minute, in UTC. */
  moment(time: string): string {
    const moment = new Date(time);
    return fill(this.#texts.moment, { date: this.#date.format(moment), time: this.#time.format(moment) });
  }

  /** @param value in hundredths */
  percent(value: number): string {
    return this.#measures.percent(value);
  }

  number(value: number): string {
    return this.#measures.number(value);
  }

  /** A number with its unit, on one line. */
  measure(value: number, unit: string): string {
    return this.#measures.measure(value, unit, '').replaceAll(' ', '\u00a0');
  }

  /** A text with its number, in the plural form of the language. */
  counted(forms: Readonly<Record<string, string>>, count: number, values: Record<string, string> = {}): string {
    const form = forms[this.#plural.select(count)] ?? forms.other ?? '';
    return fill(form, { ...values, count: this.number(count) });
  }

  /** A value, an item or a member. */
  #shown(value: unknown, about: About, label: string, allowance: Allowance): ShownValue {
    const { absent, none } = this.#texts.values;
    if (value === null) return { kind: 'absent', text: absent };
    if (typeof value === 'boolean') return this.#yesOrNo(value);
    if (Array.isArray(value))
      return value.length === 0 ? { kind: 'said', text: none } : this.#list(value, about, allowance);
    if (isObject(value)) return this.#object(value, about, allowance);
    return this.#scalar(value, about, label, allowance);
  }

  #scalar(value: unknown, about: About, label: string, allowance: Allowance): ShownValue {
    const option = about.options?.find(({ code }) => code === String(value));
    if (option) return { kind: 'said', text: this.label(option.label) };
    const number = numberOf(value, about.type);
    if (number === undefined) return this.#string(String(value), about, allowance);
    if (!about.unit) return { kind: 'said', text: this.number(number) };
    const text = this.#measures.measure(number, about.unit, label);
    const shown = text.length > maxMeasureLength ? text : text.replaceAll(' ', '\u00a0');
    return { kind: 'said', text: shown, ...(text.includes(this.number(number)) ? {} : { given: number }) };
  }

  #string(value: string, about: About, allowance: Allowance): ShownValue {
    const typed = this.#typed(value, about);
    if (typed) return typed;
    if (about.type === 'date' && fieldTypes.date.test(value) && value.length === 7) {
      return { kind: 'time', text: this.words(this.#month.format(new Date(value))), datetime: value };
    }
    const shown = this.#text(value, allowance);
    if (shown.kind !== 'text') return shown;
    const isNamed = about.words !== undefined && about.type !== 'text';
    const text = isNamed ? this.words(withFormulae(shown.text)) : typeset(shown.text);
    return { kind: 'text', text: about.unit && /\d/.test(text) ? withUnit(text, about.unit) : text };
  }

  /** A text that means more than its letters: a country, a contact, a word of a vocabulary. */
  #typed(value: string, { type, words, code }: About): ShownValue | undefined {
    if (type === 'country_code' && /^[A-Z]{2}$/.test(value)) {
      const country = this.#countries.of(value);
      return country ? { kind: 'said', text: country } : undefined;
    }
    // Many inventory systems write booleans as text.
    if (type === 'boolean' && (value === 'true' || value === 'false')) return this.#yesOrNo(value === 'true');
    const href = contactAddress(value, type);
    // A telephone number stays on one line.
    if (href) return { kind: 'link', text: type === 'phone' ? value.replaceAll(' ', '\u00a0') : value, href };
    const word = words ? wordFor(value, words, this.#language) : undefined;
    return word === undefined
      ? undefined
      : { kind: 'said', text: this.words(withFormulae(code ? `${value}: ${word}` : word)) };
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
      return { kind: 'time', text: this.words(this.#date.format(date)), datetime: text };
    return { kind: 'text', text };
  }

  #list(values: unknown[], { items = {}, members = [], locale }: About, allowance: Allowance): ShownValue {
    const rows = items.code ? [] : values.filter(isRow);
    const keys = rows.length < values.length ? [] : keysOf(rows, maxColumns + 1);
    if (keys.length === 0 || keys.length > maxColumns) {
      const shown = inRows(values, allowance, (value) =>
        items.code && statementOf(value)
          ? this.#statement(value, items, locale, allowance)
          : this.#shown(value, isObject(value) ? { members } : items, '', allowance),
      );
      return shown.length === 0 ? nothingShown : listOf(shown);
    }
    const columns = keys.map((key) => this.#name(allowance.text(key)));
    const described = keys.map((key) => members.find((member) => member.key === key) ?? {});
    const cells = inRows(rows, allowance, (row) =>
      keys.map((key, index) =>
        this.#shown(Object.hasOwn(row, key) ? row[key] : null, described[index] ?? {}, columns[index] ?? '', allowance),
      ),
    );
    return cells.length === 0 ? nothingShown : { kind: 'table', columns, rows: cells };
  }

  /** A statement of a label. Its own sentence follows the official one for readers of another language. */
  #statement(item: unknown, about: About, locale: string | undefined, allowance: Allowance): ShownValue {
    const { code = '', text = '' } = statementOf(item) ?? {};
    const official = this.#shown(code, about, '', allowance);
    if (text === '') return official;
    const own = typeset(allowance.text(text));
    const isAlone = locale === this.#language || official.kind !== 'said';
    return isAlone ? { kind: 'text', text: `${code}: ${own}` } : { ...official, own };
  }

  #object(object: Record<string, unknown>, { items = {}, members = [] }: About, allowance: Allowance): ShownValue {
    const keys = Object.keys(object);
    if (keys.length === 0) return { kind: 'absent', text: this.#texts.values.absent };
    const link = linkOf(object);
    if (link) return { kind: 'link', text: allowance.text(link.title), href: link.href, isTitled: true };
    const shown = inRows(keys, allowance, (key) => {
      const name = this.#name(allowance.text(key));
      const about = members.find((member) => member.key === key) ?? items;
      return { name, value: this.#shown(object[key], about, name, allowance) };
    });
    return shown.length === 0 ? nothingShown : { kind: 'members', members: shown };
  }

  /** The words of a key in snake case: `drum_diameter` becomes "Drum diameter". Other keys stay as they are. */
  #name(key: string): string {
    const label = Object.hasOwn(this.#members, key) ? this.#members[key] : undefined;
    if (label !== undefined) return label;
    if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(key)) return key;
    return key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ');
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

/** The number that a value is. Many inventory systems write numbers as text. */
function numberOf(value: unknown, type: string | undefined): number | undefined {
  if (typeof value === 'number') return value;
  const isNumeric = type === 'number' || type === 'integer';
  return isNumeric && /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/.test(String(value)) ? Number(value) : undefined;
}

/** The URL of a text that is an `http` or `https` address. */
function webAddress(text: string): string | undefined {
  if (!/^https?:\/\/[^\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  // A user name before the host can imitate another address.
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined;
}

/** `{url, title}` is a link with words. */
function linkOf(value: unknown): { title: string; href: string } | undefined {
  if (!isObject(value) || Object.keys(value).sort().join(' ') !== 'title url') return undefined;
  const { url, title } = value;
  if (typeof url !== 'string' || typeof title !== 'string' || title.trim() === '') return undefined;
  const href = webAddress(url);
  return href === undefined ? undefined : { title, href };
}

/** The link that opens a contact: a web address, an e-mail to it, or a call. */
function contactAddress(text: string, type: string | undefined): string | undefined {
  if (type === 'phone') return /^\+?[\d ()/-]{3,30}$/.test(text) ? `tel:${text.replaceAll(/[^\d+]/g, '')}` : undefined;
  if (type !== 'contact') return undefined;
  // As in `Service desk <help@example.com>`. No character could add a second address or a field of the message.
  const [, address = text] = /^[^<>]*<([^<>]+)>$/.exec(text) ?? [];
  if (/^[\w.+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(address)) return `mailto:${address}`;
  return /^www\.[^\s/]+\.\S+$/i.test(text) ? webAddress(`https://${text}`) : undefined;
}

/** The first e-mail or web address in a sentence, as a link. */
export function addressIn(sentence: string): string | undefined {
  const found = /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|https?:\/\/\S+|www\.[^\s/]+\.\S+/i
    .exec(sentence)?.[0]
    .replace(/[.,;:)]+$/, '');
  return found === undefined ? undefined : (contactAddress(found, 'contact') ?? webAddress(found));
}

/** Whether a value can be a row of a table: an object without nested lists or objects, but not a link. */
function isRow(value: unknown): value is Record<string, unknown> {
  if (!isObject(value) || linkOf(value)) return false;
  return Object.values(value).every((member) => typeof member !== 'object' || member === null);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The remaining space. Characters are code points. A row is an item of a list, a row of a table, or a member. */
export interface Budget {
  characters: number;
  rows: number;
}

/** Limits how much of a value is shown. Each use counts against all budgets: the value's own and the page's. */
class Allowance {
  readonly #budgets: Budget[];
  #isExceeded = false;

  constructor(...budgets: Budget[]) {
    this.#budgets = budgets;
  }

  /** Whether something was left out. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Cuts a text to the remaining space, with an ellipsis. */
  text(text: string): string {
    const limit = Math.min(...this.#budgets.map(({ characters }) => characters));
    const { start, characters, isCut } = cut(text, limit);
    for (const budget of this.#budgets) budget.characters -= characters;
    if (isCut) this.#isExceeded = true;
    return start;
  }

  /** Takes one row if there is space. After something was left out there is none. */
  row(): boolean {
    if (this.#budgets.some(({ rows }) => rows === 0)) this.#isExceeded = true;
    if (this.#isExceeded) return false;
    for (const budget of this.#budgets) budget.rows -= 1;
    return true;
  }
}

/** Cuts a text to a number of code points, with an ellipsis. */
export function cutText(text: string, limit: number): string {
  return cut(text, limit).start;
}

function cut(text: string, limit: number): { start: string; characters: number; isCut: boolean } {
  // A code point has at most two code units, so the rest of a long text need not be read.
  const characters = Array.from(text.slice(0, 2 * limit + 2));
  if (characters.length <= limit) return { start: text, characters: characters.length, isCut: false };
  return { start: `${characters.slice(0, limit).join('')}…`, characters: limit, isCut: true };
}
