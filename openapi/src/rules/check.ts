/** What does not fit the template in a value of a passport. Pure: the server and the SDK share it. */

import { closest } from './closest.ts';
import { isTooPublic } from './passport.ts';

/** What a value may be, as a template names it. `text` has several sentences, `contact` is an e-mail or a web address. */
export type FieldType =
  | ('string' | 'text' | 'url' | 'date' | 'country_code' | 'contact' | 'phone')
  | ('number' | 'integer' | 'boolean' | 'enum' | 'list' | 'object');

/** What a value may be, or an item or a member of it. */
export interface TemplatePart {
  readonly type: FieldType;
  /** The unit of its numbers. */
  readonly unit?: string | null;
  /** The minimum plausible number. */
  readonly minimum?: number;
  /** The maximum plausible number. */
  readonly maximum?: number;
  /** Items are codes of statements such as `P501`, or `{ code, text }` with the sentence of the label. */
  readonly code?: boolean;
}

/** A field of a template. */
export interface TemplateField extends TemplatePart {
  /** The `field_key` of its value. */
  readonly key: string;
  readonly unit: string | null;
  /** Who may see the value. */
  readonly access_level: 'public' | 'restricted' | 'authority';
  /** Whether it counts towards the completeness of every passport of the group. */
  readonly required: boolean;
  /** The numbers of the `data_points` that it answers. Their rules decide, by category and day, whether it counts. */
  readonly points?: readonly number[];
  /** Whether each active product of a tenant needs its own value. Default: false. */
  readonly unique?: boolean;
  /** The section of the passport in which it is shown. */
  readonly section: string;
  /** The values of an `enum`. */
  readonly options?: readonly string[];
  /** What each item of a list is, or each member of an object with any names. */
  readonly items?: TemplatePart;
  /** The members of the objects in a list, or of an object. Items may also be what `items` says. */
  readonly members?: readonly (TemplatePart & { readonly key: string })[];
}

/** The members of a value that are checked. */
export interface CheckedValue {
  readonly value?: unknown;
  readonly unit?: string | null | undefined;
  readonly access_level?: string | null | undefined;
  readonly is_unknown?: boolean | null | undefined;
}

/** What does not fit in a value. */
export interface Misfit {
  readonly code:
    | ('unknown_key' | 'wrong_type' | 'wrong_unit' | 'unknown_option' | 'out_of_range' | 'weak_access_level')
    | ('missing_text' | 'impossible' | 'unlikely');
  /** The place in the element of a `PUT`: `unit`, `value[0].share`. */
  readonly at: string;
  /** `must be "m" (got "km")` */
  readonly why: string;
}

/** A value without an access level is public. An unknown value has no type and no unit. */
export function misfitsOf(field: TemplateField, element: CheckedValue): Misfit[] {
  const misfits = checkLevel(field, element.access_level ?? undefined);
  const { value, unit } = element;
  if (element.is_unknown || value === null || value === undefined) return misfits;
  return [...misfits, ...checkValue(field, value), ...checkUnit(field, unit ?? undefined)];
}

/** The range of a number in words, or `undefined` if it has none: `0 to 100`, `at least 0`. */
export function rangeOf({ minimum, maximum }: Pick<TemplatePart, 'minimum' | 'maximum'>): string | undefined {
  if (minimum === undefined) return maximum === undefined ? undefined : `at most ${maximum}`;
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`;
}

/** A sentence that names the closest of some texts, or nothing if none is close. */
export function closestOf(text: string, known: readonly string[]): string {
  const meant = closest(text, known);
  return meant === undefined ? '' : ` The closest is "${meant}".`;
}

function checkLevel({ access_level: wanted }: TemplateField, given: string | undefined): Misfit[] {
  if (!isTooPublic(given ?? 'public', wanted)) return [];
  const what = given === undefined ? 'none, which means public' : quoted(given);
  return misfit('weak_access_level', 'access_level', `must be "${wanted}" (got ${what})`);
}

function checkUnit({ unit: wanted }: TemplateField, given: string | undefined): Misfit[] {
  if (isSameUnit(given, wanted ?? undefined)) return [];
  const expected = wanted === null ? 'be absent' : `be "${wanted}"`;
  return misfit('wrong_unit', 'unit', `must ${expected} (got ${quoted(given, wanted ?? '')})`);
}

/** Ω has two code points, µ too, and keyboards differ in which one they write. */
function isSameUnit(one: unknown, other: string | undefined): boolean {
  return one === other || (typeof one === 'string' && one.normalize('NFKC') === other?.normalize('NFKC'));
}

function checkValue(field: TemplateField, value: unknown): Misfit[] {
  const { options } = field;
  if (options) return options.includes(value as string) ? [] : [notAnOption(value, options)];
  const whole = checkPart(field, value, 'value');
  if (whole.length > 0) return whole;
  if (Array.isArray(value)) return value.flatMap((item, index) => checkItem(field, item, `value[${index}]`));
  return isObject(value) ? checkMembers(field, value, 'value') : [];
}

function notAnOption(value: unknown, options: readonly string[]): Misfit {
  const hint = typeof value === 'string' ? closestOf(value, options) : '';
  const why = `must be one of ${options.join(', ')} (got ${quoted(value, options.join())})${hint && `.${hint}`}`;
  return { code: 'unknown_option', at: 'value', why };
}

function checkItem(field: TemplateField, item: unknown, at: string): Misfit[] {
  const { items, members } = field;
  const statement = items?.code ? statementOf(item) : undefined;
  if (statement?.text === '' && hasGap(statement.code)) {
    const form = `{ "code": ${quoted(statement.code)}, "text": "…" }`;
    return misfit('missing_text', at, `must be ${form}, with the sentence of your label (got no text)`);
  }
  if (members && isObject(item)) return checkMembers(field, item, at);
  if (items) return checkPart(items, item, at);
  if (!members) return [];
  return misfit('wrong_type', at, `must be an object with ${namesOf(members)} (got ${quoted(item)})`);
}

/** The members of an object are those of the field, or have any names. */
function checkMembers({ items, members }: TemplateField, object: object, at: string): Misfit[] {
  return Object.entries(object).flatMap(([name, member]) => {
    const known = members ? members.find(({ key }) => key === name) : items;
    if (!known) return members ? misfit('unknown_key', at, unknownMember(name, members)) : [];
    return member === null ? [] : checkPart(known, measureOf(known, member), `${at}.${visible(name.slice(0, 100))}`);
  });
}

function unknownMember(name: string, members: readonly { readonly key: string }[]): string {
  const hint = closestOf(
    name,
    members.map(({ key }) => key),
  );
  return `must have only ${namesOf(members)} (got ${quoted(name, '')})${hint && `.${hint}`}`;
}

/** A member that is a number may have its unit, or be a range: `0.3-0.6 %`. Its first number is checked. */
export function measureOf({ type, minimum = 0 }: TemplatePart, member: unknown): unknown {
  const isMeasure =
    type === 'number' && typeof member === 'string' && /\d/.test(member) && Number.isNaN(Number(member));
  if (!isMeasure) return member;
  const first = Number.parseFloat(member);
  return Number.isNaN(first) ? minimum : first;
}

function checkPart(part: TemplatePart, value: unknown, at: string): Misfit[] {
  const { test, words } = fieldTypes[part.type];
  if (!test(value)) return misfit('wrong_type', at, `must be ${words} (got ${quoted(value)})`);
  const { minimum = -Infinity, maximum = Infinity } = part;
  const fits = typeof value !== 'number' || (value >= minimum && value <= maximum);
  return fits ? [] : misfit('out_of_range', at, `must be ${rangeOf(part)} (got ${value})`);
}

function isObject(value: unknown): value is object {
  return fieldTypes.object.test(value);
}

function namesOf(members: readonly { readonly key: string }[]): string {
  return members.map(({ key }) => key).join(', ');
}

function misfit(code: Misfit['code'], at: string, why: string): Misfit[] {
  return [{ code, at, why }];
}

interface Kind {
  test(value: unknown): boolean;
  /** What to call it in a message: "must be a list". */
  readonly words: string;
}

const text: Kind = { test: (value) => typeof value === 'string', words: 'a text' };

/** The codes of ISO 3166-1 by their first letters, and XK, which the EU and others use for Kosovo. */
const countries =
  /^(?:A[DEFGILMOQRSTUWXZ]|B[ABDEFGHIJLMNOQRSTVWYZ]|C[ACDFGHIKLMNORUVWXYZ]|D[EJKMOZ]|E[CEGHRST]|F[IJKMOR]|G[ABDEFGHILMNPQRSTUWY]|H[KMNRTU]|I[DELMNOQRST]|J[EMOP]|K[EGHIMNPRWYZ]|L[ABCIKRSTUVY]|M[ACDEFGHKLMNOPQRSTUVWXYZ]|N[ACEFGILOPRUZ]|OM|P[AEFGHKLMNRSTWY]|QA|R[EOSUW]|S[ABCDEGHIJKLMNORSTVXYZ]|T[CDFGHJKLMNORTVWZ]|U[AGMSYZ]|V[ACEGINU]|W[FS]|XK|Y[ET]|Z[AMW])$/;

/** A day or a month that exists: 2026-02-30 does not. */
function isDate(value: unknown): boolean {
  return matches(value, /^\d{4}-\d\d(?:-\d\d)?$/) && new Date(`${value}`).toJSON()?.startsWith(`${value}`) === true;
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

export const fieldTypes = {
  string: text,
  text,
  contact: text,
  phone: text,
  enum: text,
  url: { test: (value) => matches(value, /^https?:\/\/\S+$/i), words: 'a web address' },
  date: { test: isDate, words: 'a date, as in "2026-12-31", or a month, as in "2026-12"' },
  country_code: {
    test: (value) => matches(value, countries),
    words: 'an ISO 3166-1 country code, such as "DE", "GB" or "GR"',
  },
  number: { test: (value) => Number.isFinite(value), words: 'a number' },
  integer: { test: (value) => Number.isInteger(value), words: 'a whole number' },
  boolean: { test: (value) => typeof value === 'boolean', words: 'true or false' },
  list: { test: (value) => Array.isArray(value), words: 'a list' },
  object: { test: (value) => typeof value === 'object' && value !== null && !Array.isArray(value), words: 'an object' },
} as const satisfies Readonly<Record<FieldType, Kind>>;

/**
 * The statements with a gap or a choice: those with `…` or a name to fill in in Regulation (EC) No 1272/2008, Annexes III and
 * IV, Part 2, as of 1 September 2025, and P280 and P503 as Regulation (EU) 2019/521 has them.
 */
const withGap = new Set(
  'EUH208 P230 P231 P241 P250 P264 P280 P310 P311 P312 P320 P321 P352 P378 P401 P406 P411 P413 P501 P503'.split(' '),
);

/** Whether the supplier completes a statement, or a part of a combined one such as `P301+P310`. */
export function hasGap(code: string): boolean {
  return code.split('+').some((part) => withGap.has(part.trim().toUpperCase()));
}

/** The statement that an item of a list is: a code, or `{ code, text }` with the sentence of the label. */
export function statementOf(item: unknown): { code: string; text: string } | undefined {
  if (typeof item === 'string') return { code: item, text: '' };
  const { code, text, ...others } = Object(item) as Record<string, unknown>;
  const isStatement = typeof code === 'string' && ['string', 'undefined'].includes(typeof (text ?? undefined));
  return isStatement && Object.keys(others).length === 0 ? { code, text: `${text ?? ''}`.trim() } : undefined;
}

/** Spaces, controls and characters without a shape. */
const unseen = /(?! )[\p{Z}\p{C}]/u;

/** Letters that may look like Latin ones: the Cyrillic а. */
const foreignLetter = /(?!\p{Script=Latin})\p{L}/u;

/** A value for a message: a short text or number as it is, otherwise its type. */
export function quoted(value: unknown, wanted?: string): string {
  if (value === undefined) return 'none';
  if (typeof value === 'string') {
    return JSON.stringify(visible(value.length > 40 ? `${value.slice(0, 40)}…` : value, wanted));
  }
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

/**
 * A text whose characters can all be told apart: `5<U+00A0>kg`, `m<U+2126>`. It names the characters that nobody sees,
 * and those that look like another one.
 *
 * @param wanted the code, in ASCII or nearly so, that the text should have been. Letters of other scripts are named too.
 */
function visible(text: string, wanted?: string): string {
  const isNormal = text === text.normalize();
  const isNamed = (character: string): boolean =>
    unseen.test(character) ||
    (!isNormal && (character !== character.normalize() || /\p{M}/u.test(character))) ||
    (wanted !== undefined && foreignLetter.test(character) && !wanted.includes(character));
  return Array.from(text, (character) => (isNamed(character) ? `<${codePoint(character)}>` : character)).join('');
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
