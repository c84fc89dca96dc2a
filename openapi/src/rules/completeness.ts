/**
 * What a template says about the values of a passport: which required fields they answer, and which of them are too public.
 * Pure: the server, the SDK and its fake service share it.
 */

/** A field of a template. */
interface Field {
  readonly key: string;
  readonly required: boolean;
}

/** A value of a passport. */
interface Answer {
  readonly field_key: string;
  readonly value?: unknown;
  readonly is_unknown: boolean;
}

/** `floor(100 × answered required fields / required fields)` of the template. */
export function completeness({ fields }: { readonly fields: readonly Field[] }, values: readonly Answer[]): number {
  const required = fields.filter((field) => field.required).length;
  if (required === 0) return 100;
  return Math.floor((100 * (required - missingFields({ fields }, values).length)) / required);
}

/** The required fields of the template that have no answer. */
export function missingFields<Some extends Field>(
  { fields }: { readonly fields: readonly Some[] },
  values: readonly Answer[],
): Some[] {
  const answered = new Set(values.filter(isAnswered).map((value) => value.field_key));
  return fields.filter((field) => field.required && !answered.has(field.key));
}

/** An empty array is an answer: "checked, none". */
export function isAnswered({ value, is_unknown }: Pick<Answer, 'value' | 'is_unknown'>): boolean {
  if (is_unknown || value === null || value === undefined) return false;
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value !== 'object' || Array.isArray(value) || Object.keys(value).length > 0;
}

/** Who may see a value, the most readers first. */
const levels = ['public', 'restricted', 'authority'] as const;

type Level = (typeof levels)[number];

/** Whether a level shows a value to more readers than the template wants. An unknown level does. */
export function isTooPublic(level: string, wanted: Level): boolean {
  return (levels as readonly string[]).indexOf(level) < levels.indexOf(wanted);
}
