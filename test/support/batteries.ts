/** Batteries that lack some of what their category needs, and books on what each lacks. The rules are written a second time here. */
import { readFileSync } from 'node:fs';
import type { DataPointList } from '@product-passport/openapi';
import { upsertValues } from '../../server/src/passports/store.ts';
import type { StoredTemplate } from '../../server/src/templates/catalogue.ts';
import type { Tenant } from '../../server/src/tenants/store.ts';
import type { Database } from './database.ts';
import { storeProducts } from './tenant.ts';

const read = <Data>(name: string): Data =>
  JSON.parse(readFileSync(new URL(`../../server/data/${name}.json`, import.meta.url), 'utf8'));
const { points } = read<DataPointList>('battery_data_points');
const fields = read<StoredTemplate[]>('templates').find(({ key }) => key === 'battery')?.fields ?? [];
const keysOf = new Map(
  points.map(({ number }) => [number, fields.filter((field) => field.points?.includes(number)).map(({ key }) => key)]),
);

/** The category of each product in turn. `null`: no value. `car` is no category of the list. */
const categories = [
  ...['ev', 'lmt', 'industrial', 'ev', 'lmt', null, 'industrial', 'portable', 'ev', 'car', 'sli', 'lmt', 'industrial'],
];
const needing = ['ev', 'lmt', 'industrial'];
/** The ways in which a field has no answer. */
const gaps = [
  undefined,
  { value: null },
  { value: '' },
  { value: ' \n' },
  { value: {} },
  { value: 7, is_unknown: true },
];

interface Value {
  field_key: string;
  value: unknown;
  is_unknown: boolean;
}

export interface Battery {
  slug: string;
  status: 'draft' | 'active' | 'archived';
  product_group: string;
  values: Value[];
}

/** What the active batteries have and lack, counted while they are made. */
export class Books {
  products = 0;
  ready = 0;
  /** By category, `null` for those without one of the list. */
  readonly byCategory = new Map<string | null, { products: number; ready: number }>();
  readonly missedBy = new Map<number, number>();
  readonly lacking: { slug: string; missing: number }[] = [];

  add(slug: string, category: string | null, missing: readonly number[]): void {
    const count = this.byCategory.get(category) ?? { products: 0, ready: 0 };
    this.byCategory.set(category, count);
    count.products += 1;
    if (category === 'portable' || category === 'sli') return;
    this.products += 1;
    if (missing.length === 0) {
      this.ready += 1;
      count.ready += 1;
    } else this.lacking.push({ slug, missing: missing.length });
    for (const number of missing) this.missedBy.set(number, (this.missedBy.get(number) ?? 0) + 1);
  }

  /** The ten that lack most; of those that lack as much, the first. */
  get worst(): { slug: string; missing: number }[] {
    return this.lacking.toSorted((one, other) => other.missing - one.missing).slice(0, 10);
  }
}

/** The numbers of the points that a category needs on a day. */
export function neededBy(category: string | null, day: string): number[] {
  const isNeeded = (rule: string | undefined, from: string | undefined) =>
    rule === 'mandatory' || (rule === 'later' && from !== undefined && from <= day);
  const asked = category !== null && needing.includes(category) ? [category] : needing;
  return points
    .filter(({ rules, from }) => asked.every((each) => isNeeded(rules[each], from)))
    .map(({ number }) => number);
}

type Random = (limit: number) => number;

/** Makes batteries, and writes the books on the active ones. Every seventh product is a draft, every ninth a cable. */
export function* batteries(count: number, day: string, books: Books): Generator<Battery> {
  let seed = 43;
  const below: Random = (limit) => {
    // A linear congruential generator. Its upper bits are the random ones.
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  for (let index = 0; index < count; index += 1) {
    const slug = `akku-${index}`;
    const category = categories[index % categories.length] ?? null;
    const isInList = category !== null && category !== 'car';
    const needed = neededBy(category, day);
    const leftOut = someKeys(needed, below);
    const values = valuesOf(category, needed, leftOut, below);
    const status = index % 7 === 6 ? 'draft' : 'active';
    const product_group = index % 9 === 8 ? 'cable' : 'battery';
    const isOpen = (number: number) =>
      keysOf.get(number)?.some((key) => leftOut.has(key)) || (number === 6 && !isInList);
    if (status === 'active' && product_group === 'battery')
      books.add(slug, isInList ? category : null, needed.filter(isOpen));
    yield { slug, status, product_group, values };
  }
}

/** Up to seven fields of needed points, none for many batteries. One of its fields is enough to leave a point open. */
function someKeys(needed: number[], below: Random): Set<string> {
  const leftOut = new Set<string>();
  for (let rest = below(12) - 4; rest > 0; rest -= 1) {
    const keys = keysOf.get(needed[below(needed.length)] ?? 0) ?? [];
    leftOut.add(keys[below(keys.length)] ?? '');
  }
  leftOut.delete('battery_category');
  return leftOut;
}

/** Answers to all that is needed, but for what is left out, and to some of the rest. */
function valuesOf(category: string | null, needed: number[], leftOut: ReadonlySet<string>, below: Random): Value[] {
  const isNeeded = (key: string) => needed.some((number) => keysOf.get(number)?.includes(key));
  const rest = fields.filter(({ key }) => key !== 'battery_category');
  const values = rest.flatMap(({ key }): Value[] => {
    const gap = leftOut.has(key) ? gaps[below(gaps.length)] : {};
    return gap && (isNeeded(key) || below(3) === 0) ? [{ field_key: key, value: 'x', is_unknown: false, ...gap }] : [];
  });
  return category === null
    ? values
    : [...values, { field_key: 'battery_category', value: category, is_unknown: false }];
}

/** Stores products with their values, quicker than the API. Completeness and hashes do not follow. */
export async function storeBatteries(database: Database, tenant: Tenant, made: readonly Battery[]): Promise<void> {
  const now = new Date();
  const wanted = made.map(({ values: _, ...product }) => ({ ...product, name: product.slug }));
  const inserted = await storeProducts(database, tenant, wanted as Parameters<typeof storeProducts>[2], now);
  await database.transaction(async (transaction) => {
    for (const [index, { id }] of inserted.entries()) {
      const rows = made[index]?.values.map((value) => ({
        ...value,
        ...{ unit: null, source: 'manual', access_level: 'public', needs_review: false, locale: tenant.language },
        updated_at: now.toISOString(),
      }));
      await upsertValues(transaction, tenant.id, id, rows as Parameters<typeof upsertValues>[3]);
    }
  });
}
