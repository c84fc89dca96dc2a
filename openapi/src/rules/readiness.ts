/** How many passports of a group answer what their template requires on a day. Pure: the server and the SDK share it. */
import { type Answer, type Field, type Ruled, requirementsOn, ruleOf } from './completeness.ts';

/** The parts of a passport that `readiness` reads. */
export interface CountedPassport {
  readonly product: { readonly slug: string };
  readonly values: readonly Answer[];
}

/** The products of one category. */
export interface CategoryCount {
  /** `null`: the passport names no category, or one that the list does not have. */
  readonly category: string | null;
  /** Products of the category need no passport. They are in no other number. */
  readonly exempt: boolean;
  readonly products: number;
  /** Of these, those that answer everything that is required. 0 if the category is exempt. */
  readonly ready: number;
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
export interface Readiness {
  /** The day whose requirements count, in UTC. */
  readonly on: string;
  /** The products that need a passport. */
  readonly products: number;
  /** Of these, those that answer everything that is required. */
  readonly ready: number;
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

/** Counts in one pass. The memory does not grow with the number of passports. */
export async function readinessOn<Some extends Field>(
  template: Ruled<Some>,
  passports: AsyncIterable<CountedPassport> | Iterable<CountedPassport>,
  day: string,
): Promise<Readiness> {
  const categories = categoriesOf(template);
  /** By the number of the data point, or the key of a field that has none. */
  const missed = new Map<number | string, number>();
  let worst: { slug: string; missing: number }[] = [];
  for await (const { product, values } of passports) {
    const { category, exempt, missing, missingPoints } = requirementsOn(template, values, day);
    const count = categories.find((each) => each.category === (exempt ?? category ?? null));
    if (count) count.products += 1;
    if (!count || count.exempt) continue;
    const unlisted = missing.filter((field) => !field.points);
    const open = [...missingPoints.map(({ number }) => number), ...unlisted.map(({ key }) => key)];
    if (open.length === 0) count.ready += 1;
    for (const key of open) missed.set(key, (missed.get(key) ?? 0) + 1);
    if (open.length > (worst[maxProducts - 1]?.missing ?? 0)) {
      worst.push({ slug: product.slug, missing: open.length });
      worst = worst.sort((one, other) => other.missing - one.missing).slice(0, maxProducts);
    }
  }

  const bound = categories.filter(({ exempt }) => !exempt);
  const products = sumOf(bound, 'products');
  const ready = sumOf(bound, 'ready');
  return {
    ...{ on: day, products, ready, share: shareOf(ready, products) },
    categories: template.data_points ? categories : [],
    requirements: requirementCounts(template, bound, missed, day),
    most_missing: worst,
  };
}

function shareOf(ready: number, products: number): number | null {
  return products === 0 ? null : Math.floor((100 * ready) / products);
}

function categoriesOf({ data_points: list }: Ruled<Field>) {
  const names = [...Object.keys(list?.points[0]?.rules ?? {}), null];
  const counts = (name: string | null, exempt: boolean) => ({ category: name, exempt, products: 0, ready: 0 });
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

function sumOf(counts: readonly CategoryCount[], what: 'products' | 'ready'): number {
  return counts.reduce((sum, count) => sum + count[what], 0);
}
