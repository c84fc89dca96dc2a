/** What is wrong with passports: required fields without a value, and values that do not fit the template. */
import {
  type BlockingFinding,
  type Confirmed,
  dayOf,
  isAnswered,
  isNote,
  type Misfit,
  notAskedFor,
  type Requirements,
  requirementsOn,
  union,
  uniqueValues,
  weakFirst,
} from '@product-passport/openapi';
import type { Knex } from 'knex';
import type { Blocking } from '../passports/confirm.ts';
import { type ConfirmedValues, listConfirmed } from '../passports/store.ts';
import { findInUse, type ValueInUse } from '../passports/unique.ts';
import type { Product } from '../products/store.ts';
import {
  citationOf,
  findingsIn,
  kindOf,
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
  /** The fields that commands confirmed. */
  confirmed: Confirmed;
  /** What keeps the passport from being published, the levels that are too open first. */
  blocking: BlockingFinding[];
  /** What blocks, then the values that nobody asks for on the day, and what should be looked at: see `isNote`. */
  findings: { field_key: string; code: Misfit['code'] | 'not_asked'; message: string }[];
  /** The keys that the template does not have and that are not misspelt. */
  own: string[];
  /** The values that must be unique, and that another active product has. */
  values_in_use: ValueInUse[];
}

/**
 * @param on the day whose requirements count. Default: today.
 * @param asked the fields that the command is about to confirm
 */
export async function reviewOf(
  database: Knex,
  tenant: Tenant,
  product: Product,
  on = dayOf(new Date()),
  asked: Confirmed = {},
): Promise<Review> {
  const stored = await listConfirmed(database, tenant.id, product.id);
  const unique = uniqueValues(templateOf(product.product_group), stored.values);
  const values_in_use = await findInUse(database, tenant.id, product, unique);
  return { ...judge(product, stored, on, asked), values_in_use };
}

function judge(
  product: Product,
  { values, confirmed }: ConfirmedValues,
  on: string,
  asked: Confirmed,
): Omit<Review, 'values_in_use'> {
  const template = templateOf(product.product_group);
  const requirements = requirementsOn(template, values, on);
  const { rules, category } = requirements;
  const fields = new Map(template.fields.map((field) => [field.key, field]));
  const judged = findingsIn(template, values, on, union(confirmed, asked));
  const blocking = judged.filter((finding) => !isNote(finding));
  const notes = Map.groupBy(judged.filter(isNote), ({ field_key }) => field_key);
  const blocked = Map.groupBy(blocking, ({ field_key }) => field_key);
  const found = [...blocked.values()].flatMap((misfits) => misfits.slice(0, max.misfits));
  const others = values.flatMap((value) => {
    const { field_key } = value;
    const field = fields.get(field_key);
    const why = field && isAnswered(value) ? notAskedFor(rules.get(field_key), category) : undefined;
    return [
      ...(why === undefined ? [] : [{ field_key, code: 'not_asked' as const, at: '', why }]),
      ...(notes.get(field_key) ?? []).slice(0, max.misfits),
    ];
  });
  return {
    ...requirements,
    ...{ product, template, on, confirmed, blocking },
    findings: [...weakFirst(found), ...others].map(({ field_key, code, at, why }) => ({
      ...{ field_key, code },
      message: `${at.replace(/^value|^field_key/, '')} ${why}`.trimStart(),
    })),
    own: values.map(({ field_key }) => field_key).filter((key) => !fields.has(key) && !blocked.has(key)),
  };
}

/** Whether somebody should look at the passport before it is public. An own field is no reason. */
export function hasFaults({ missing, findings }: Review): boolean {
  return missing.length + findings.length > 0;
}

/** What is wrong with the passport of a product, in one sentence. */
function sentenceOf({ product, on, missing, findings }: Review): string {
  const misfits = new Set(findings.map(({ field_key }) => field_key));
  const lacks = `lacks ${named([...missing.map(({ key }) => key)], 'required field')} on ${on}`;
  const has = `has ${named([...misfits], 'value')} that ${misfits.size === 1 ? 'does' : 'do'} not fit its template`;
  return `${product.slug} ${[...(missing.length > 0 ? [lacks] : []), ...(misfits.size > 0 ? [has] : [])].join(', and ')}.`;
}

function named(keys: readonly string[], noun: string): string {
  const more = keys.length - max.fields;
  const shown = keys.slice(0, max.fields).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${counted(keys.length, noun)} (${escaped(shown)})`;
}

/** What blocks, in one sentence: `test_reports must be "authority" (got "public")`. */
export function blockingSentence({
  product: { slug },
  blocking,
}: {
  product: Pick<Product, 'slug'>;
  blocking: readonly Blocking[];
}): string {
  const parts = blocking.slice(0, max.fields).map(({ field_key, at, why }) => {
    return at === 'field_key' ? why.replace(/\.$/, '') : `${at} of ${field_key} ${why}`;
  });
  const more = blocking.length - parts.length;
  return escaped(`${slug}: ${parts.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`);
}

/** The values that do not fit, those that another product has, and the fields of one's own, as tables. */
export function findingTables({
  findings,
  own,
  values_in_use,
}: Pick<Review, 'findings' | 'own' | 'values_in_use'>): string[] {
  return [
    ...section(
      ['FIELD', 'FINDING'],
      findings.map(({ field_key, message }) => [field_key, message]),
      'Values that do not fit the template',
    ),
    ...section(
      ['FIELD', 'ACTIVE PRODUCT'],
      values_in_use.map(({ field_key, slug }) => [field_key, slug]),
      'Values that must be unique and that another active product has',
    ),
    ...section(
      ['FIELD'],
      own.map((key) => [key]),
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

/** Warns of options that confirmed nothing. */
export function warnOfUnused({ open = [], own = [] }: Confirmed, used: Iterable<string>): void {
  const isUsed = new Set(used);
  const unused = (fields: readonly string[]) => escaped(fields.filter((field) => !isUsed.has(field)).join(', '));
  if (unused(open) !== '') {
    warn(`--open confirmed nothing for ${unused(open)}: it has no value that is more open than its template.`);
  }
  if (unused(own) !== '') {
    warn(
      `--own confirmed nothing for ${unused(own)}: it has no value, or its key is not close to one of the template.`,
    );
  }
}
