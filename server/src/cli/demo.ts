import { lastDays, maxValues, productUrn, slugFromName } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { isPostgres } from '../database/statement.ts';
import { OperatorError } from '../operator-error.ts';
import { createPassports, writePassport } from '../passports/write.ts';
import { countProducts, insertProducts, type NewProduct, type Product } from '../products/store.ts';
import { insertCounts, type ScanCount } from '../scans/store.ts';
import type { Services } from '../services.ts';
import { templateOf } from '../templates/catalogue.ts';
import { findTenant, insertTenant, type Tenant } from '../tenants/store.ts';
import { command, type Noun, option, requiredOption, settingOption, slug, wholeNumber } from './command.ts';
import { counted } from './output.ts';

/** Codes of PostgreSQL and SQLite if a slug is taken. */
const taken = new Set(['23505', 'SQLITE_CONSTRAINT']);

export const commands: Noun = {
  name: 'demo',
  description: 'make data for trials and load tests',
  commands: [
    command({
      name: 'fill',
      about: 'database',
      // One statement fills all counts.
      open: { create: true, unlimited: true },
      progress: 'products',
      description: 'add many products with passports to a tenant, which is created if it does not exist',
      example: 'demo fill --products 1000 --tenant many',
      options: {
        products: requiredOption('--products <number>', 'number of products to add', wholeNumber(10_000_000)),
        values: option(
          '--values <number>',
          'values in each passport; takes about a millisecond for each product',
          wholeNumber(maxValues),
          0,
        ),
        scanCounts: option(
          '--scan-counts <number>',
          'rows of scan counts, spread over the last 365 days',
          wholeNumber(100_000_000),
          0,
        ),
        tenant: option('--tenant <tenant>', 'slug of the tenant that owns the products', slug, 'many'),
        urnNamespace: settingOption('urnNamespace'),
      },
      async run({ database, options, change, progress }) {
        const { tenant: slug, urnNamespace, products } = options;
        // One entry for all products, which are added in many transactions.
        const tenant = await change(
          async (transaction) => (await findTenant(transaction, slug)) ?? newTenant(transaction, slug),
        );
        try {
          await addMany({ database, urnNamespace, now: () => new Date() }, tenant, options, (added) =>
            progress.report(added, products),
          );
        } catch (error) {
          if (!taken.has(String((error as { code?: unknown }).code))) throw error;
          throw new OperatorError(
            `the tenant ${slug} already has a product with one of the names that this command gives. Name another tenant with --tenant.`,
          );
        }
        return { tenant: slug, products, seconds: progress.seconds };
      },
      text: ({ tenant, products, seconds }) =>
        `Added ${counted(products, 'product')} to the tenant ${tenant} in ${seconds} seconds.`,
    }),
  ],
};

async function newTenant(database: Knex, slug: string): Promise<Tenant> {
  const entry = { slug, name: 'Many Goods Ltd', country: 'IE', plan: 'enterprise' } as const;
  const tenant = await insertTenant(database, entry, new Date());
  if (!tenant) throw new OperatorError(`the tenant ${slug} was created at the same time. Run the command again.`);
  return tenant;
}

/** Products in one transaction, which holds SQLite's write lock, or PostgreSQL's lock on the tenant's counts. */
const productsAtOnce = 5000;

const things = ['Wool Hat', 'Jumper', 'Cup', 'Mug', 'Jacket', 'Trousers', 'Boots', 'Lamp', 'Chair', 'Rug'];
const colours = ['Red', 'Blue', 'Green', 'Yellow', 'Black', 'White', 'Grey', 'Brown'];
const groups = ['textile', 'furniture', null] as const;
/** Of four products one is a draft, two are active and one is archived. */
const statuses = ['draft', 'active', 'active', 'archived'] as const;
const roles = ['consumer', 'recycler', 'inspector'] as const;
const historyDays = 365;

interface Amounts {
  products: number;
  /** Values in each passport. */
  values: number;
  /** Counts of scans: each is one active product on one of the last 365 days in one role. */
  scanCounts: number;
}

/**
 * Adds products to a tenant: numbered names, every status, and a passport each, as if a client had created them.
 *
 * @param progress receives the number of products after each transaction
 * @throws an error of the database if a slug is taken
 */
async function addMany(
  services: Pick<Services, 'database' | 'urnNamespace' | 'now'>,
  tenant: Tenant,
  { products, values, scanCounts }: Amounts,
  progress: (added: number) => void,
): Promise<void> {
  const { database, urnNamespace, now } = services;
  const urnOf = (slug: string): string => productUrn(urnNamespace, tenant.slug, slug);
  // 256 MB: with SQLite's 2 MB, most of the time goes into reading and writing the pages of indexes again.
  if (!isPostgres(database)) await database.raw('PRAGMA cache_size = -262144');
  const before = await countProducts(database, tenant.id);
  for (let added = 0; added < products; ) {
    const from = before + added;
    const size = Math.min(productsAtOnce, products - added);
    const wanted = Array.from({ length: size }, (_, index) => productOf(from + index));
    // The shares of all transactions have the sum `scanCounts`.
    const share = Math.floor((scanCounts * (added + size)) / products) - Math.floor((scanCounts * added) / products);
    const made = await database.transaction(async (transaction) => {
      const inserted = await insertProducts(transaction, tenant.id, wanted, urnOf, now());
      await createPassports(transaction, tenant.id, inserted);
      await insertCounts(transaction, tenant.id, scanCountsOf(inserted, share, now()));
      return inserted;
    });
    for (const { slug, product_group } of values > 0 ? made : []) {
      await writePassport(services, tenant, slug, valuesOf(product_group, values));
    }
    added += size;
    progress(added);
  }
}

function productOf(index: number): NewProduct & { status: Product['status'] } {
  const name = `${at(things, index)} ${at(colours, Math.floor(index / things.length))} ${index + 1}`;
  const [product_group, status] = [at(groups, index), at(statuses, index)];
  return { name, slug: slugFromName(name), product_group, status };
}

/** Counts of the first active products, as many days and roles of each as are needed. */
function scanCountsOf(products: Product[], count: number, now: Date): ScanCount[] {
  const days = lastDays(now, historyDays);
  const active = products.filter(({ status }) => status === 'active');
  const length = Math.min(count, active.length * historyDays * roles.length);
  return Array.from({ length }, (_, index) => {
    const product = Math.floor(index / historyDays);
    const date = at(days, index);
    const { id: product_id } = at(active, product);
    // Different sums, so that the list of the most scanned products has an order.
    const scans = 1 + ((index * 31 + product * product) % (3 + (product % 53)));
    return {
      date,
      product_id,
      role: at(roles, Math.floor(product / active.length)),
      count: scans,
    };
  });
}

function valuesOf(group: string | null, count: number): { field_key: string; value: string }[] {
  const { fields } = templateOf(group);
  return Array.from({ length: count }, (_, index) => ({
    field_key: fields[index]?.key ?? `field_${index + 1}`,
    value: `Value ${index + 1}`,
  }));
}

/** The item at an index that starts again after the last one. */
function at<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}
