/** What keeps a passport from being published. Pure: the server, the commands, the SDK and its fake service share it. */

import { type CheckedValue, closestOf, type Misfit, misfitsOf, quoted, type TemplateField } from './check.ts';
import { isAnswered } from './completeness.ts';

/** A value as a passport has it. Without `access_level`, its level is not judged. */
export interface JudgedValue extends CheckedValue {
  readonly field_key: string;
}

/** What blocks in a value. */
export interface BlockingFinding extends Misfit {
  readonly field_key: string;
}

/** The fields that somebody confirmed, in addition to what the template says. */
export interface Confirmed {
  /** Fields that may have a more open level than the template's. Default: none. */
  readonly open?: readonly string[] | undefined;
  /** Fields of one's own whose keys are close to a field of the template. Default: none. */
  readonly own?: readonly string[] | undefined;
}

/**
 * What keeps a passport from being published. Levels that are too open come first, then the others in the order of the
 * values.
 *
 * These block: a more open level than the template's; a wrong type, unit, option, member or range; a key that is close to
 * a field of the template that has no value, and that no template has. These do not: a value that is not asked for yet,
 * a field of one's own, a statement without its sentence (`missing_text`).
 *
 * @param values all values of the passport
 * @param allKeys the keys of the fields of all templates
 * @param judged the fields to return findings of. Default: all.
 */
export function blockingFindings(
  template: { readonly key: string; readonly fields: readonly TemplateField[] },
  values: readonly JudgedValue[],
  allKeys: ReadonlySet<string>,
  { open = [], own = [] }: Confirmed = {},
  judged?: ReadonlySet<string>,
): BlockingFinding[] {
  const fields = new Map(template.fields.map((field) => [field.key, field]));
  const answered = new Set(values.filter(isAnswered).map(({ field_key }) => field_key));
  const free = [...fields.keys()].filter((key) => !answered.has(key));

  function misspelling(key: string): Misfit[] {
    const hint = allKeys.has(key) || own.includes(key) ? '' : closestOf(key, free);
    if (hint === '') return [];
    const why = `${quoted(key, free.join())} is not a field of ${template.key}.${hint}`;
    return [{ code: 'unknown_key', at: 'field_key', why }];
  }
  const findings = values.flatMap((value) => {
    const key = value.field_key;
    if (judged && !judged.has(key)) return [];
    const field = fields.get(key);
    const misfits = field
      ? misfitsOf(field, { ...value, access_level: value.access_level ?? field.access_level })
      : misspelling(key);
    const blocking = misfits.filter(
      (misfit) => misfit.code !== 'missing_text' && !(isTooOpen(misfit) && open.includes(key)),
    );
    return blocking.map((misfit) => ({ field_key: key, ...misfit }));
  });
  return weakFirst(findings);
}

/** The fields of both, each once. */
export function union(one: Confirmed, other: Confirmed): { open: string[]; own: string[] } {
  const both = (kind: keyof Confirmed): string[] => [...new Set([...(one[kind] ?? []), ...(other[kind] ?? [])])];
  return { open: both('open'), own: both('own') };
}

/** Whether a finding is a level that is more open than the template's. */
export function isTooOpen({ code }: { readonly code: string }): boolean {
  return code === 'weak_access_level';
}

/** Whether a finding is a misspelt key. */
export function isMisspelt({ code, at }: BlockingFinding): boolean {
  return code === 'unknown_key' && at === 'field_key';
}

/** Findings with the levels that are too open first. */
export function weakFirst<Found extends { readonly code: string }>(findings: readonly Found[]): Found[] {
  return [...findings.filter(isTooOpen), ...findings.filter((each) => !isTooOpen(each))];
}

/** The number of fields that have findings: what the header `Passport-Findings` counts. */
export function countFields(findings: readonly { readonly field_key: string }[]): number {
  return new Set(findings.map(({ field_key }) => field_key)).size;
}
