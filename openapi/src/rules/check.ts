/** What does not fit the template in a value of a passport. Pure: the server and the SDK share it. */
import { closest } from './closest.ts';
import { isTooPublic } from './completeness.ts';
import { fieldTypes } from './field-types.ts';
import { quoted, visible } from './quoted.ts';
import { hasGap, statementOf } from './statements.ts';

/** What a value may be, or an item or a member of it. */
interface Part {
  readonly type: keyof typeof fieldTypes;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Items are codes of statements such as `P501`, or `{ code, text }`. */
  readonly code?: boolean;
}

/** A field of a template. */
export interface CheckedField extends Part {
  readonly unit: string | null;
  readonly access_level: 'public' | 'restricted' | 'authority';
  readonly options?: readonly string[] | undefined;
  readonly items?: Part;
  readonly members?: readonly (Part & { readonly key: string })[];
}

interface CheckedValue {
  readonly value?: unknown;
  readonly unit?: string | null | undefined;
  readonly access_level?: string | null | undefined;
  readonly is_unknown?: boolean | null | undefined;
}

/** What does not fit in a value. */
export interface Misfit {
  readonly code:
    | ('unknown_key' | 'wrong_type' | 'wrong_unit' | 'unknown_option' | 'out_of_range' | 'weak_access_level')
    | 'missing_text';
  /** The place in the element of a `PUT`: `unit`, `value[0].share`. */
  readonly at: string;
  /** `must be "m" (got "km")` */
  readonly why: string;
}

/** A value without an access level is public. An unknown value has no type and no unit. */
export function misfitsOf(field: CheckedField, element: CheckedValue): Misfit[] {
  const misfits = checkLevel(field, element.access_level ?? undefined);
  const { value, unit } = element;
  if (element.is_unknown || value === null || value === undefined) return misfits;
  return [...misfits, ...checkValue(field, value), ...checkUnit(field, unit ?? undefined)];
}

/** The range of a number in words, or `undefined` if it has none: `0 to 100`, `at least 0`. */
export function rangeOf({ minimum, maximum }: Pick<Part, 'minimum' | 'maximum'>): string | undefined {
  if (minimum === undefined) return maximum === undefined ? undefined : `at most ${maximum}`;
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`;
}

/** A sentence that names the closest of some texts, or nothing if none is close. */
export function closestOf(text: string, known: readonly string[]): string {
  const meant = closest(text, known);
  return meant === undefined ? '' : ` The closest is "${meant}".`;
}

function checkLevel({ access_level: wanted }: CheckedField, given: string | undefined): Misfit[] {
  if (!isTooPublic(given ?? 'public', wanted)) return [];
  const what = given === undefined ? 'none, which means public' : quoted(given);
  return misfit('weak_access_level', 'access_level', `must be "${wanted}" (got ${what})`);
}

function checkUnit({ unit: wanted }: CheckedField, given: string | undefined): Misfit[] {
  if (isSameUnit(given, wanted ?? undefined)) return [];
  const expected = wanted === null ? 'be absent' : `be "${wanted}"`;
  return misfit('wrong_unit', 'unit', `must ${expected} (got ${quoted(given, wanted ?? '')})`);
}

/** Ω has two code points, µ too, and keyboards differ in which one they write. */
function isSameUnit(one: unknown, other: string | undefined): boolean {
  return one === other || (typeof one === 'string' && one.normalize('NFKC') === other?.normalize('NFKC'));
}

function checkValue(field: CheckedField, value: unknown): Misfit[] {
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

function checkItem(field: CheckedField, item: unknown, at: string): Misfit[] {
  const { items, members } = field;
  const statement = items?.code ? statementOf(item) : undefined;
  if (statement?.text === '' && hasGap(statement.code)) return missingText(statement.code, at);
  if (members && isObject(item)) return checkMembers(field, item, at);
  if (items) return checkPart(items, item, at);
  if (!members) return [];
  return misfit('wrong_type', at, `must be an object with ${namesOf(members)} (got ${quoted(item)})`);
}

function missingText(code: string, at: string): Misfit[] {
  const why = `must be { "code": ${quoted(code)}, "text": "…" }, with the sentence of your label (got no text)`;
  return misfit('missing_text', at, why);
}

/** The members of an object are those of the field, or have any names. */
function checkMembers({ items, members }: CheckedField, object: object, at: string): Misfit[] {
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
function measureOf({ type, minimum = 0 }: Part, member: unknown): unknown {
  const isMeasure =
    type === 'number' && typeof member === 'string' && /\d/.test(member) && Number.isNaN(Number(member));
  if (!isMeasure) return member;
  const first = Number.parseFloat(member);
  return Number.isNaN(first) ? minimum : first;
}

function checkPart(part: Part, value: unknown, at: string): Misfit[] {
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
