import { maxValues } from '@product-passport/openapi';
import type { Command } from 'commander';
import type { Knex } from 'knex';
import { type Amounts, addMany } from '../demo/many.ts';
import { findTenant, insertTenant, type Tenant } from '../tenants/store.ts';
import { auditedRun } from './change.ts';
import { type AdministrationOptions, administrationCommand, withDatabase } from './database.ts';
import { settingOption, slug, wholeNumber } from './options.ts';
import { CommandFailure, print, printJson } from './output.ts';

interface FillOptions extends AdministrationOptions, Amounts {
  tenant: string;
  urnNamespace: string;
}

/** Time between two lines of progress, in milliseconds. */
const reportInterval = 2000;

/** Codes of PostgreSQL and SQLite if a slug is taken. */
const taken = new Set(['23505', 'SQLITE_CONSTRAINT']);

export function addDemoCommands(program: Command): void {
  const demo = program.command('demo').description('make data for trials and load tests');

  administrationCommand(demo.command('fill'))
    .description('add many products with passports to a tenant, which is created if it does not exist')
    .requiredOption('--products <number>', 'number of products to add', wholeNumber(10_000_000))
    .option(
      '--values <number>',
      'values in each passport; takes about a millisecond for each product',
      wholeNumber(maxValues),
      0,
    )
    .option('--scan-counts <number>', 'rows of scan counts, spread over the last 365 days', wholeNumber(100_000_000), 0)
    .option('--tenant <tenant>', 'slug of the tenant that owns the products', slug, 'many')
    .addOption(settingOption('urnNamespace'))
    .action(async (options: FillOptions, command: Command) => {
      const started = performance.now();
      await withDatabase(options, (database) => fill(database, options, command), {
        create: true,
        // One statement fills all counts.
        unlimited: true,
      });
      const { tenant, products } = options;
      const seconds = Math.round((performance.now() - started) / 100) / 10;
      if (options.json) printJson({ tenant, products, seconds });
      else print(`Added ${products} products to the tenant ${tenant} in ${seconds} seconds.`);
    });
}

async function fill(database: Knex, options: FillOptions, command: Command): Promise<void> {
  const { tenant: slug, urnNamespace, products } = options;
  const run = auditedRun(command);
  // One entry for all products, which are added in many transactions.
  const tenant = await database.transaction(async (transaction) => {
    await run.record(transaction);
    return (await findTenant(transaction, slug)) ?? newTenant(transaction, slug);
  });
  let nextReport = Date.now() + reportInterval;
  try {
    await addMany({ database, urnNamespace, now: () => new Date() }, tenant, options, (added) => {
      if (Date.now() < nextReport && added < products) return;
      process.stderr.write(`${added} of ${products} products\n`);
      nextReport = Date.now() + reportInterval;
    });
  } catch (error) {
    if (!taken.has(String((error as { code?: unknown }).code))) throw error;
    throw new CommandFailure(
      `the tenant ${slug} already has a product with one of the names that this command gives. Name another tenant with --tenant.`,
    );
  }
}

async function newTenant(database: Knex, slug: string): Promise<Tenant> {
  const entry = { slug, name: 'Many GmbH', country: 'DE', plan: 'enterprise' } as const;
  const tenant = await insertTenant(database, entry, new Date());
  if (!tenant) throw new CommandFailure(`the tenant ${slug} was created at the same time. Run the command again.`);
  return tenant;
}
