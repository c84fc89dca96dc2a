import { closest } from '../../openapi/src/rules/closest.ts';
import { isTooPublic } from '../../openapi/src/rules/completeness.ts';
import { fieldTypes } from '../../openapi/src/rules/field-types.ts';
import type { PassportValueInput } from './contract.ts';
import { clip } from './secret.ts';

/** What a value may be, as a template names it. `text` has several sentences, `contact` is an e-mail or a web address. */
export type FieldType =
  | ('string' | 'text' | 'url' | 'date' | 'country_code' | 'contact' | 'phone')
  | ('number' | 'integer' | 'boolean' | 'enum' | 'list' | 'object');

/** A field of a template. */
export interface TemplateField {
  /** The `field_key` of its value. */
  readonly key: string;
  /** What the value may be. */
  readonly type: FieldType;
  /** The unit of its numbers. */
  readonly unit: string | null;
  /** Who may see the value. */
  readonly access_level: 'public' | 'restricted' | 'authority';
  /** Whether it counts towards the completeness of a passport. */
  readonly required: boolean;
  /** The section of the passport in which it is shown. */
  readonly section: string;
  /** The values of an `enum`. */
  readonly options?: readonly string[];
  /** What each item of a list, or each member of an object, is, if it is not an object itself. */
  readonly items?: FieldType;
  /** What the members of the objects in a list, or of an object, are. An item of a list may also be a text. */
  readonly members?: Readonly<Record<string, FieldType>>;
}

/** The fields that the passport of a product group should have. */
export interface Template<Group extends string = string> {
  /** The product group. */
  readonly key: Group;
  /** Grows with each change of the template. */
  readonly version: number;
  /** The fields in the order of the catalogue. */
  readonly fields: readonly TemplateField[];
}

/** What is wrong with a value. */
export interface Finding {
  readonly code: 'unknown_key' | 'wrong_type' | 'wrong_unit' | 'unknown_option' | 'weak_access_level';
  /** The place among the values: `[3].unit`. */
  readonly place: string;
  /** The place and what to do: `[3].unit must be "m" (got "km")`. */
  readonly message: string;
}

/** A check of values before they are sent, for `passports.put`. */
export type Check = (values: readonly PassportValueInput[]) => readonly Finding[];

/** Fields of yours that no template has. */
export interface CheckOptions {
  /** Keys that are not in the template, and that `checkValues` accepts with any value. Default: none. */
  readonly own?: readonly string[] | undefined;
}

/**
 * Compares values with a template, and returns what is wrong: a key that the template does not have, with the closest
 * one if one is close; a value of another type or option; another unit, or none; an access level that shows a value to more readers than
 * the template wants. A value without an access level is public. An unknown value has no type and no unit, and a field that is left
 * out is no finding. It never throws.
 *
 * ```ts
 * import { cable, checkValues } from '@product-passport/sdk/templates';
 *
 * const findings = checkValues(cable, [{ field_key: 'cable_length', value: 200, unit: 'km' }]);
 * for (const { message } of findings) console.log(message);
 * ```
 */
export function checkValues(
  template: Template,
  values: readonly PassportValueInput[],
  { own = [] }: CheckOptions = {},
): Finding[] {
  const fields = new Map(template.fields.map((field) => [field.key, field]));
  if (!Array.isArray(values)) return found('wrong_type', 'values', 'must be a list');
  return values.flatMap((value: PassportValueInput | null | undefined, index) => {
    const key: unknown = value?.field_key;
    if (typeof key !== 'string') return found('unknown_key', `[${index}].field_key`, 'must be a text');
    if (own.includes(key)) return [];
    const field = fields.get(key);
    if (value && field) return checkValue(field, value, `[${index}]`);
    const hint = closestOf(key, [...fields.keys(), ...own]);
    return found('unknown_key', `[${index}].field_key`, `"${clip(key)}" is not a field of ${template.key}.${hint}`);
  });
}

/** The check of a template for `passports.put`: `put(slug, values, { check: checkFor(cable) })`. */
export function checkFor(template: Template, options?: CheckOptions): Check {
  return (values) => checkValues(template, values, options);
}

function checkValue(field: TemplateField, value: PassportValueInput, place: string): Finding[] {
  const findings = checkLevel(field, value, place);
  if (value.is_unknown || value.value === null || value.value === undefined) return findings;
  const { key, options, unit: wanted } = field;
  const inside = options ? checkOption(field, options, value.value, place) : checkType(field, value.value, place);
  const isUnit = (value.unit ?? null) === wanted;
  const expected = wanted === null ? 'be absent' : `be "${wanted}"`;
  const unit = isUnit
    ? []
    : found('wrong_unit', `${place}.unit`, `of "${key}" must ${expected} (got ${quoted(value.unit)})`);
  return [...findings, ...inside, ...unit];
}

function checkLevel({ key, access_level: wanted }: TemplateField, value: PassportValueInput, place: string): Finding[] {
  const given = value.access_level ?? undefined;
  if (!isTooPublic(given ?? 'public', wanted)) return [];
  const what = given === undefined ? 'none, which means public' : quoted(given);
  return found('weak_access_level', `${place}.access_level`, `of "${key}" must be "${wanted}" (got ${what})`);
}

function checkOption({ key }: TemplateField, options: readonly string[], value: unknown, place: string): Finding[] {
  if (options.includes(value as string)) return [];
  const hint = typeof value === 'string' ? closestOf(value, options) : '';
  const why = `of "${key}" must be one of ${options.join(', ')} (got ${quoted(value)})${hint && `.${hint}`}`;
  return found('unknown_option', `${place}.value`, why);
}

/** Compares a value, its items and its members with their types. */
function checkType({ key, type, items, members }: TemplateField, value: unknown, place: string): Finding[] {
  const check = (known: FieldType, part: unknown, at: string): Finding[] => {
    const { test, words } = fieldTypes[known];
    return test(part) ? [] : found('wrong_type', at, `of "${key}" must be ${words} (got ${quoted(part)})`);
  };
  const checkMembers = (object: object, at: string) =>
    Object.entries(object).flatMap(([name, member]) => {
      const known = members ? own(members, name) : items;
      return known && member !== null && !isRange(known, member) ? check(known, member, `${at}.${name}`) : [];
    });
  const checkItem = (item: unknown, index: number) => {
    const at = `${place}.value[${index}]`;
    if (members && fieldTypes.object.test(item)) return checkMembers(item as object, at);
    const known = members ? 'string' : items;
    return known ? check(known, item, at) : [];
  };
  const findings = check(type, value, `${place}.value`);
  if (findings.length > 0) return findings;
  if (Array.isArray(value)) return value.flatMap(checkItem);
  return fieldTypes.object.test(value) ? checkMembers(value as object, `${place}.value`) : [];
}

/** Whether a member that is a number is written as a range, or with its unit: `0.3-0.6 %`. */
function isRange(type: FieldType, member: unknown): boolean {
  return type === 'number' && typeof member === 'string' && /\d/.test(member) && Number.isNaN(Number(member));
}

/** A member of a record, which may come from outside. */
export function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function found(code: Finding['code'], place: string, why: string): Finding[] {
  return [{ code, place, message: `${place} ${why}` }];
}

/** A value for a message: a short text or number as it is, otherwise its type. */
function quoted(value: unknown): string {
  if (value === undefined) return 'none';
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

/** A sentence that names the closest of some texts, or nothing if none is close. */
function closestOf(text: string, known: readonly string[]): string {
  const meant = closest(text, known);
  return meant === undefined ? '' : ` The closest is "${meant}".`;
}
