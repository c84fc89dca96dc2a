/** What keeps a passport from being published. Pure: the server, the commands, the SDK and its fake service share it. */

import { type CheckedValue, closestOf, type Misfit, misfitsOf, quoted, type TemplateField } from './check.ts';
import { isAnswered } from './completeness.ts';
import { brokenAt, impossibleIn, type TemplateRule } from './impossible.ts';

/** A value as a passport has it. Without `access_level`, its level is not judged. */
export interface JudgedValue extends CheckedValue {
  readonly field_key: string;
}

/** The part of a template that judges values. */
export interface JudgingTemplate {
  readonly key: string;
  readonly fields: readonly TemplateField[];
  readonly rules?: readonly TemplateRule[];
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
 * These block: a more open level than the template's; a wrong type, unit, option, member or range; a value that cannot be;
 * a key that is close to a field of the template that has no value, and that no template has. These do not: a value that is not asked for yet,
 * a field of one's own, a statement without its sentence (`missing_text`). A rule of the template says whether a value that
 * breaks it blocks (`impossible`) or could be right (`unlikely`).
 *
 * @param values all values of the passport
 * @param allKeys the keys of the fields of all templates
 * @param day today in UTC: a later date may be in the future
 * @param judged the fields to return findings of. Default: all.
 */
export function blockingFindings(
  template: JudgingTemplate,
  values: readonly JudgedValue[],
  allKeys: ReadonlySet<string>,
  day: string,
  confirmed?: Confirmed,
  judged?: ReadonlySet<string>,
): BlockingFinding[] {
  return allFindings(template, values, allKeys, day, confirmed, judged).filter((finding) => !isNote(finding));
}

/** What blocks, and what does not but should be looked at: see `isNote`. */
export function allFindings(
  template: JudgingTemplate,
  values: readonly JudgedValue[],
  allKeys: ReadonlySet<string>,
  day: string,
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
  const broken = impossibleIn(template, values, day);
  const findings = values.flatMap((value) => {
    const key = value.field_key;
    if (judged && !judged.has(key)) return [];
    const field = fields.get(key);
    const misfits = field
      ? misfitsOf(field, { ...value, access_level: value.access_level ?? field.access_level })
      : misspelling(key);
    const kept = misfits.filter((misfit) => !(isTooOpen(misfit) && open.includes(key)));
    const found = kept.map((misfit) => ({ field_key: key, ...misfit }));
    return [...found, ...brokenAt(broken, key, found)];
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

/** Whether a finding blocks nothing: a statement without its sentence is better than none, and an unlikely value may be right. */
export function isNote({ code }: { readonly code: string }): boolean {
  return code === 'missing_text' || code === 'unlikely';
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
