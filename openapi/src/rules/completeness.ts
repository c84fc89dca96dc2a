/**
 * What a template says about the values of a passport: which fields it requires of them on a day, and which of these
 * they answer. Pure: the server, the SDK and its fake service share it.
 */
import type { AccessLevel } from './passport.ts';

/** A field of a template. */
export interface Field {
  readonly key: string;
  /** Whether every passport of the group needs it. */
  readonly required: boolean;
  /** The numbers of the data points that it answers. Their rules decide in place of `required`. */
  readonly points?: readonly number[];
}

/** A value of a passport. */
export interface Answer {
  readonly field_key: string;
  readonly value?: unknown;
  readonly is_unknown?: boolean | null | undefined;
}

/**
 * What a data point asks of a category. Only `mandatory` counts. `optional` and `conditional` are asked for; `later` is not
 * asked for yet, and `not shown` not at all.
 */
export type Rule = 'mandatory' | 'conditional' | 'optional' | 'later' | 'not shown';

/** What an official list asks for. */
export interface DataPoint {
  readonly number: number;
  /** The legal reference. */
  readonly source: string;
  readonly level: AccessLevel;
  /** By category. */
  readonly rules: Readonly<Record<string, Rule>>;
  /** The first day on which `later` is mandatory. Without it nobody has set one. */
  readonly from?: string;
  /** The last day on which it is mandatory. */
  readonly until?: string;
  /** Why it is not asked for yet. */
  readonly why?: string;
  /** When it applies where it is conditional. Our own reading. */
  readonly when?: string;
  /** What its text must say, as the law lists it. Our own words. */
  readonly parts?: readonly string[];
}

/** An official list of data points. It says who wrote it and when, because it is not binding. */
export interface DataPointList {
  readonly title: string;
  readonly author: string;
  readonly version: string;
  readonly date: string;
  readonly reference: string;
  readonly url: string;
  readonly licence: string;
  /** What differs from the original. */
  readonly changes: string;
  readonly note: string;
  readonly applies_from: string;
  /** The field whose value is the category. */
  readonly category: string;
  /** The categories that need no passport. Any other value is no answer. */
  readonly exempt: readonly string[];
  readonly points: readonly DataPoint[];
}

/** The part of a template that decides what counts. */
export interface Ruled<Some extends Field> {
  readonly fields: readonly Some[];
  readonly data_points?: DataPointList | undefined;
}

/** What a template says of one field, and the data points that say it. */
export interface FieldRule {
  readonly rule: Rule;
  readonly points: readonly DataPoint[];
}

/** What a template requires of a passport on a day. */
export interface Requirements<Some extends Field> {
  /** The category of the values, if the list has rules for it. */
  readonly category: string | undefined;
  /** The category of the values, if it needs no passport. */
  readonly exempt: string | undefined;
  /** By the key of the field. */
  readonly rules: ReadonlyMap<string, FieldRule>;
  /** The fields that count, in the order of the template. */
  readonly required: readonly Some[];
  /** Of these, the fields that have no answer. */
  readonly missing: readonly Some[];
  /** The data points that count and have a field without an answer, with these fields. */
  readonly missingPoints: readonly (DataPoint & { readonly missing_fields: readonly string[] })[];
}

/**
 * What a template requires of the values on a day. Without a category that the list has rules for, what every category
 * needs counts.
 *
 * @param day in UTC, as in `2027-02-18`
 */
export function requirementsOn<Some extends Field>(
  { fields, data_points: list }: Ruled<Some>,
  values: readonly Answer[],
  day: string,
): Requirements<Some> {
  const answers = new Map(values.filter(isAnswered).map((value) => [value.field_key, value.value]));
  const named = list && answers.get(list.category);
  const exempt = list?.exempt.find((one) => one === named);
  const category = Object.keys(list?.points[0]?.rules ?? {}).find((one) => one === named);
  if (list && category === undefined && exempt === undefined) answers.delete(list.category);

  const points = (list?.points ?? []).map((point) => ({ point, rule: ruleOf(point, category, day) }));
  const rules = new Map(fields.map((field) => [field.key, fieldRule(field, points)]));
  const required = fields.filter(({ key }) => rules.get(key)?.rule === 'mandatory');
  const missing = required.filter(({ key }) => !answers.has(key));
  const missingPoints = points.flatMap(({ point, rule }) => {
    const missing_fields = missing.filter((field) => field.points?.includes(point.number)).map(({ key }) => key);
    return rule === 'mandatory' && missing_fields.length > 0 ? [{ ...point, missing_fields }] : [];
  });
  return { category, exempt, rules, required, missing, missingPoints };
}

/** What each category of a list asks of a field, before any `from`. */
export function rulesByCategory(field: Field, list: DataPointList): [category: string, rule: FieldRule][] {
  return Object.keys(list.points[0]?.rules ?? {}).map((category) => [
    category,
    fieldRule(
      field,
      list.points.map((point) => ({ point, rule: ruleOf(point, category, '') })),
    ),
  ]);
}

/** The strongest first: of the data points of a field, the strongest decides. */
const strength: readonly Rule[] = ['mandatory', 'conditional', 'optional', 'later', 'not shown'];

function fieldRule({ required, points }: Field, all: readonly { point: DataPoint; rule: Rule }[]): FieldRule {
  if (!points) return { rule: required ? 'mandatory' : 'optional', points: [] };
  const own = all.filter(({ point }) => points.includes(point.number));
  const rule = strength.find((each) => own.some((one) => one.rule === each)) ?? 'optional';
  return { rule, points: own.filter((one) => one.rule === rule).map(({ point }) => point) };
}

/** Without a category: the rule that all categories share, else it depends on the category. */
export function ruleOf({ rules, from, until }: DataPoint, category: string | undefined, day: string): Rule {
  const on = (rule: Rule): Rule => {
    if (rule === 'later' && from !== undefined && day >= from) return 'mandatory';
    return rule === 'mandatory' && until !== undefined && day > until ? 'not shown' : rule;
  };
  const [first = 'optional', ...others] =
    category === undefined ? Object.values(rules).map(on) : [on(rules[category] ?? 'not shown')];
  return others.every((rule) => rule === first) ? first : 'conditional';
}

/** Why a field is not asked for, as the end of a sentence. `undefined` if it is asked for. */
export function notAskedFor(known: FieldRule | undefined, category: string | undefined): string | undefined {
  const { rule = 'optional', points: [point] = [] } = known ?? {};
  if (rule === 'not shown') return `is not asked for${category === undefined ? '' : ` in the category ${category}`}`;
  if (rule !== 'later') return undefined;
  if (point?.from !== undefined) return `is not asked for before ${point.from}`;
  return `is not asked for yet${point?.why === undefined ? '' : `: it ${point.why}`}`;
}

/**
 * `floor(100 × answered required fields / required fields)` of the template.
 *
 * @param day that of the version, so that the number of a version never changes
 */
export function completeness<Some extends Field>(
  template: Ruled<Some>,
  values: readonly Answer[],
  day: string,
): number {
  const { required, missing } = requirementsOn(template, values, day);
  return required.length === 0 ? 100 : Math.floor((100 * (required.length - missing.length)) / required.length);
}

/** An empty array is an answer: "checked, none". */
export function isAnswered({ value, is_unknown }: Pick<Answer, 'value' | 'is_unknown'>): boolean {
  if (is_unknown || value === null || value === undefined) return false;
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value !== 'object' || Array.isArray(value) || Object.keys(value).length > 0;
}

/** The parts of a passport that `readiness` reads. */
export interface CountedPassport {
  readonly product: { readonly slug: string };
  readonly values: readonly Answer[];
}

/** Products that need a passport. `ready`, `with_findings` and `incomplete` add up to them. */
export interface ReadinessCount {
  readonly products: number;
  /** Of these, those that answer everything that is required, and whose values fit the template. */
  readonly ready: number;
  /** Of these, those that answer everything that is required, but have a value that keeps the passport from being published. */
  readonly with_findings: number;
  /** Of these, those that do not answer everything that is required. */
  readonly incomplete: number;
}

/** The products of one category. If it is exempt, they are in no other number. */
export interface CategoryCount extends ReadinessCount {
  /** `null`: the passport names no category, or one that the list does not have. */
  readonly category: string | null;
  /** Products of the category need no passport. */
  readonly exempt: boolean;
}

/** What a template requires: a data point of its official list, or a field. */
export interface RequirementCount {
  /** The number of the data point. `null`: the field belongs to no data point. */
  readonly point: number | null;
  /** The legal reference of the data point. */
  readonly source: string | null;
  /** The fields that answer it. */
  readonly fields: readonly string[];
  /** The products that must answer it. */
  readonly products: number;
  /** Of these, those that do not. */
  readonly missing: number;
}

/** How many passports answer what their template requires on a day. */
export interface Readiness extends ReadinessCount {
  /** The day whose requirements count, in UTC. */
  readonly on: string;
  /** `floor(100 × ready / products)`. `null`: no product needs a passport. */
  readonly share: number | null;
  /** Empty if the template has no official list. */
  readonly categories: readonly CategoryCount[];
  /** One for each data point or field that is required on the day, in the order of the list. */
  readonly requirements: readonly RequirementCount[];
  /** The products that miss the most requirements, at most ten. */
  readonly most_missing: readonly { readonly slug: string; readonly missing: number }[];
}

const maxProducts = 10;

/**
 * Counts in one pass. The memory does not grow with the number of passports.
 *
 * @param isBlocked whether a value keeps a passport from being published
 */
export async function readinessOn<Some extends Field, Passport extends CountedPassport>(
  template: Ruled<Some>,
  passports: AsyncIterable<Passport> | Iterable<Passport>,
  day: string,
  isBlocked: (passport: Passport) => boolean,
): Promise<Readiness> {
  const categories = categoriesOf(template);
  /** By the number of the data point, or the key of a field that has none. */
  const missed = new Map<number | string, number>();
  const completeAs = (passport: Passport) => (isBlocked(passport) ? 'with_findings' : 'ready');
  const worst: { slug: string; missing: number }[] = [];
  for await (const passport of passports) {
    const { product, values } = passport;
    const { category, exempt, missing, missingPoints } = requirementsOn(template, values, day);
    const count = categories.find((each) => each.category === (exempt ?? category ?? null));
    if (count) count.products += 1;
    if (!count || count.exempt) continue;
    const unlisted = missing.filter((field) => !field.points);
    const open = [...missingPoints.map(({ number }) => number), ...unlisted.map(({ key }) => key)];
    count[open.length > 0 ? 'incomplete' : completeAs(passport)] += 1;
    for (const key of open) missed.set(key, (missed.get(key) ?? 0) + 1);
    if (open.length > 0) worst.push({ slug: product.slug, missing: open.length });
    worst.sort((one, other) => other.missing - one.missing).splice(maxProducts);
  }

  const bound = categories.filter(({ exempt }) => !exempt);
  const products = sumOf(bound, 'products');
  const ready = sumOf(bound, 'ready');
  return {
    ...{ on: day, products, ready },
    ...{ with_findings: sumOf(bound, 'with_findings'), incomplete: sumOf(bound, 'incomplete') },
    share: products === 0 ? null : Math.floor((100 * ready) / products),
    categories: template.data_points ? categories : [],
    requirements: requirementCounts(template, bound, missed, day),
    most_missing: worst,
  };
}

function categoriesOf({ data_points: list }: Ruled<Field>) {
  const names = [...Object.keys(list?.points[0]?.rules ?? {}), null];
  const none = { products: 0, ready: 0, with_findings: 0, incomplete: 0 };
  const counts = (category: string | null, exempt: boolean) => ({ category, exempt, ...none });
  return [...names.map((name) => counts(name, false)), ...(list?.exempt ?? []).map((name) => counts(name, true))];
}

function requirementCounts(
  { fields, data_points: list }: Ruled<Field>,
  categories: readonly CategoryCount[],
  missed: ReadonlyMap<number | string, number>,
  day: string,
): RequirementCount[] {
  const listed = (list?.points ?? []).flatMap((point) => {
    const own = categories.filter(({ category }) => ruleOf(point, category ?? undefined, day) === 'mandatory');
    if (own.length === 0) return [];
    const keys = fields.filter((field) => field.points?.includes(point.number)).map(({ key }) => key);
    const missing = missed.get(point.number) ?? 0;
    return [{ point: point.number, source: point.source, fields: keys, products: sumOf(own, 'products'), missing }];
  });
  const products = sumOf(categories, 'products');
  const unlisted = fields
    .filter(({ required, points }) => required && !points)
    .map(({ key }) => ({ point: null, source: null, fields: [key], products, missing: missed.get(key) ?? 0 }));
  return [...listed, ...unlisted];
}

function sumOf(counts: readonly CategoryCount[], what: keyof ReadinessCount): number {
  return counts.reduce((sum, count) => sum + count[what], 0);
}
