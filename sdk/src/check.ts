import { type Confirmed, isNote, isTooOpen, weakFirst } from '../../openapi/src/rules/blocking.ts';
import { closestOf, type Misfit, misfitsOf, quoted, type TemplateField } from '../../openapi/src/rules/check.ts';
import { type DataPointList, isAnswered, notAskedFor, requirementsOn } from '../../openapi/src/rules/completeness.ts';
import { brokenAt, impossibleIn, type TemplateRule } from '../../openapi/src/rules/impossible.ts';
import { dayOf } from '../../openapi/src/rules/passport.ts';
import type { PassportValueInput } from './contract.ts';
import { ArgumentError } from './errors.ts';

/** A number, or a text with its unit: `0.3-0.6 %`. */
export type Measure = number | `${string} ${string}`;

/** An object of a list. It may lack members. */
export type Members<Known> = { readonly [Name in keyof Known]?: Known[Name] | null | undefined };

/** The fields that the passport of a product group should have. */
export interface Template<Group extends string = string> {
  /** The product group. */
  readonly key: Group;
  /** Grows with each change of the template. */
  readonly version: number;
  /** The law forbids counting the views of its passports. */
  readonly scans?: false;
  /** The fields in the order of the catalogue. */
  readonly fields: readonly TemplateField[];
  /** What values can be, alone or compared with each other. */
  readonly rules?: readonly TemplateRule[];
  /** The official list that says which fields count, for which category, and from when. It is not binding. */
  readonly data_points?: DataPointList;
}

/** What is wrong with a value. */
export interface Finding {
  readonly code: Misfit['code'] | 'not_asked';
  /** The place among the values: `[3].unit`. */
  readonly place: string;
  /** The place and what to do: `[3].unit must be "m" (got "km")`. */
  readonly message: string;
}

/** A check of values before they are sent, for `passports.put`. */
export type Check = (values: readonly PassportValueInput[]) => readonly Finding[];

/** The day on which a template is applied. */
export interface DayOption {
  /** The day whose requirements apply, in UTC: a `Date`, or a text such as `2027-08-18`. Default: today. */
  readonly on?: Date | string | undefined;
}

/** What you confirm, and the day. */
export interface CheckOptions extends DayOption, Confirmed {
  /** Keys that no template has, with any value. Default: none. */
  readonly own?: readonly string[] | undefined;
  /** Fields that may be more open than the template. Default: none. */
  readonly open?: readonly string[] | undefined;
}

/**
 * Compares values with a template, and returns what does not fit.
 *
 * It finds a key that the template does not have; a value of another type or option, or with other members; a number
 * outside the range of its field; a statement with a gap, such as P501, without the sentence of the label; another unit,
 * or none; an access level that shows a value to more readers than the template wants; a value that nobody asks for on
 * this day or in this category; a value that breaks a rule of the template (`impossible`), or that hardly any product has
 * (`unlikely`), such as a minimum above the maximum, a date in the future, or the text "tbd". A value without an access level is public. An unknown value has no type and no unit, and a
 * field that is left out is not a finding. Levels that are too open come first. It never throws.
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
  { own = [], open = [], ...options }: CheckOptions = {},
): Finding[] {
  const fields = new Map(template.fields.map((field) => [field.key, field]));
  if (!Array.isArray(values)) return [found('wrong_type', 'values', 'must be a list')];
  const day = dayFor(options);
  const given = values.filter(Boolean);
  const { rules, category } = requirementsOn(template, given, day);
  const broken = impossibleIn(template, given, day);
  const findings = values.flatMap((value: PassportValueInput | null | undefined, index) => {
    const key: unknown = value?.field_key;
    if (typeof key !== 'string') return found('unknown_key', `[${index}].field_key`, 'must be a text');
    if (own.includes(key)) return [];
    const field = fields.get(key);
    if (value && field) {
      const reason = isAnswered(value) ? notAskedFor(rules.get(key), category) : undefined;
      const surplus = reason === undefined ? [] : [found('not_asked', `[${index}].field_key`, `"${key}" ${reason}`)];
      const misfits = misfitsOf(field, value).filter((misfit) => !(isTooOpen(misfit) && open.includes(key)));
      const all = [...misfits, ...brokenAt(broken, key, misfits)];
      return [...surplus, ...all.map(({ code, at, why }) => found(code, `[${index}].${at}`, `of "${key}" ${why}`))];
    }
    const known = [...fields.keys(), ...own];
    const why = `${quoted(key, known.join())} is not a field of ${template.key}.${closestOf(key, known)}`;
    return found('unknown_key', `[${index}].field_key`, why);
  });
  return weakFirst(findings);
}

/** The day of the options. */
export function dayFor({ on = new Date() }: DayOption): string {
  if (Number.isNaN(new Date(on).getTime())) throw new ArgumentError('on', 'must be a day, as in 2027-02-18');
  return dayOf(on);
}

/**
 * The check of a template for `passports.put`: `put(slug, values, { check: checkFor(cable) })`. It has the findings of
 * `checkValues`, but for notes: a statement without its sentence (`missing_text`) is better than none, and an `unlikely` value
 * may be right.
 */
export function checkFor(template: Template, options?: CheckOptions): Check {
  return (values) => checkValues(template, values, options).filter((finding) => !isNote(finding));
}

/** A member of a record, which may come from outside. */
export function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function found(code: Finding['code'], place: string, why: string): Finding {
  return { code, place, message: `${place} ${why}` };
}
