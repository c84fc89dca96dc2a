import { maxValues } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { addMany } from '../demo/many.ts';
import { OperatorError } from '../operator-error.ts';
import { findTenant, insertTenant, type Tenant } from '../tenants/store.ts';
import { command, type Noun, option, requiredOption } from './command.ts';
import { settingOption, slug, wholeNumber } from './options.ts';

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
        `Added ${products} products to the tenant ${tenant} in ${seconds} seconds.`,
    }),
  ],
};

async function newTenant(database: Knex, slug: string): Promise<Tenant> {
  const entry = { slug, name: 'Many Goods Ltd', country: 'IE', plan: 'enterprise' } as const;
  const tenant = await insertTenant(database, entry, new Date());
  if (!tenant) throw new OperatorError(`the tenant ${slug} was created at the same time. Run the command again.`);
  return tenant;
}
