/** What is wrong with passports: required fields without a value, and values that do not fit the template. */
import {
  closest,
  dayOf,
  isAnswered,
  type Misfit,
  notAskedFor,
  type Requirements,
  requirementsOn,
} from '@product-passport/openapi';
import type { Knex } from 'knex';
import { listValues } from '../passports/store.ts';
import type { Product } from '../products/store.ts';
import {
  citationOf,
  kindOf,
  misfitsIn,
  sourcesOf,
  type Template,
  type TemplateField,
  templateOf,
} from '../templates/catalogue.ts';
import type { Tenant } from '../tenants/store.ts';
import { counted, escaped, note, section, warn } from './output.ts';

/** Named products, fields in a sentence, and findings about one value. */
const max = { products: 20, fields: 5, misfits: 10 };

export interface Review extends Requirements<TemplateField> {
  product: Product;
  template: Template;
  /** The day whose requirements count. */
  on: string;
  /** What does not fit in the values of template fields, and the values that nobody asks for on the day. */
  findings: { field_key: string; code: Misfit['code'] | 'not_asked'; message: string }[];
  /** The fields that the template does not have. With a close one it is probably misspelt, otherwise it is an own field. */
  unknown: { field_key: string; closest: string | null }[];
}

/** @param on the day whose requirements count. Default: today. */
export async function reviewOf(
  database: Knex,
  tenant: Tenant,
  product: Product,
  on = dayOf(new Date()),
): Promise<Review> {
  const values = await listValues(database, tenant.id, product.id);
  const template = templateOf(product.product_group);
  const requirements = requirementsOn(template, values, on);
  const { rules, category } = requirements;
  const fields = new Map(template.fields.map((field) => [field.key, field]));
  const review: Review = { ...requirements, product, template, on, findings: [], unknown: [] };
  for (const value of values) {
    const { field_key } = value;
    const field = fields.get(field_key);
    if (!field) {
      review.unknown.push({ field_key, closest: closest(field_key, [...fields.keys()]) ?? null });
      continue;
    }
    const message = isAnswered(value) ? notAskedFor(rules.get(field_key), category) : undefined;
    if (message !== undefined) review.findings.push({ field_key, code: 'not_asked', message });
    for (const { code, at, why } of misfitsIn(field, value).slice(0, max.misfits))
      review.findings.push({ field_key, code, message: `${at.replace(/^value/, '')} ${why}`.trimStart() });
  }
  return review;
}

/** Whether somebody should look at the passport before it is public. An own field is no reason. */
function hasFaults({ missing, findings, unknown }: Review): boolean {
  return missing.length + findings.length > 0 || unknown.some(({ closest }) => closest !== null);
}

/** What is wrong with the passport of a product, in one sentence. */
function sentenceOf({ product, on, missing, findings, unknown }: Review): string {
  const misspelt = unknown.filter(({ closest }) => closest !== null);
  const misfits = new Set([...findings, ...misspelt].map(({ field_key }) => field_key));
  const lacks = `lacks ${named([...missing.map(({ key }) => key)], 'required field')} on ${on}`;
  const has = `has ${named([...misfits], 'value')} that ${misfits.size === 1 ? 'does' : 'do'} not fit its template`;
  return `${product.slug} ${[...(missing.length > 0 ? [lacks] : []), ...(misfits.size > 0 ? [has] : [])].join(', and ')}.`;
}

function named(keys: readonly string[], noun: string): string {
  const more = keys.length - max.fields;
  const shown = keys.slice(0, max.fields).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${counted(keys.length, noun)} (${escaped(shown)})`;
}

/** The values that do not fit, and the unknown fields, as tables. */
export function findingTables({ findings, unknown }: Pick<Review, 'findings' | 'unknown'>): string[] {
  return [
    ...section(
      ['FIELD', 'FINDING'],
      findings.map(({ field_key, message }) => [field_key, message]),
      'Values that do not fit the template',
    ),
    ...section(
      ['FIELD', 'CLOSEST'],
      unknown.map(({ field_key, closest }) => [field_key, closest ?? '-']),
      'Fields that the template does not have. They are stored and shown, and do not count',
    ),
  ];
}

/** The required fields without a value, with the data points that they leave open, and the list that has these. */
export function missingTable({ on, missing, rules, template, exempt }: Review): string[] {
  const { data_points: list } = template;
  const rows = missing.map((field) => {
    const points = rules.get(field.key)?.points ?? [];
    const reference = list ? [points.map(({ number }) => number).join(', '), sourcesOf(points)] : [];
    return [field.key, field.label.en, kindOf(field), ...reference];
  });
  const header = ['FIELD', 'LABEL', 'TYPE', ...(list ? ['POINT', 'LEGAL REFERENCE'] : [])];
  const ending = exempt ? ['According to it, a product of this category needs no passport.'] : [];
  return [
    ...section(header, rows, `Required fields without a value on ${on}`),
    ...(list ? ['', citationOf(list), ...ending] : []),
  ];
}

/** Warns of what is wrong with passports: with each field of one, or with the first ones of many, which it counts. */
export function newReviews(isOne: boolean) {
  let [seen, faulty, day] = [0, 0, ''];
  return {
    add(review: Review): void {
      seen += 1;
      day = review.on;
      if (!hasFaults(review)) return;
      faulty += 1;
      if (faulty <= max.products) warn(sentenceOf(review));
      if (isOne) note(...missingTable(review), ...findingTables(review), '');
    },
    /** @returns whether something is wrong with a passport */
    end(): boolean {
      const named = faulty > max.products ? ` The first ${max.products} are named above.` : '';
      if (faulty > 0 && !isOne) {
        warn(
          `passports that are incomplete on ${day} or do not fit their template: ${faulty} of ${seen}.${named} ` +
            '`product show` lists what is wrong with one.',
        );
      }
      return faulty > 0;
    },
  };
}
