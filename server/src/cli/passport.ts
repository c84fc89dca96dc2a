/** Writes the values of a passport from a file. */
import type { PassportValueInput } from '@product-passport/openapi';
import type { Command } from 'commander';
import type { Knex } from 'knex';
import { commandHint } from '../database/address.ts';
import { FieldError, unsetFields } from '../passports/unset.ts';
import { writePassport } from '../passports/write.ts';
import type { Product } from '../products/store.ts';
import { templateOf } from '../templates/catalogue.ts';
import type { Tenant } from '../tenants/store.ts';
import { withTenantChange } from './change.ts';
import { contractBody, inContract } from './contract-body.ts';
import { productCommand, requireProduct, type TenantOptions, tenantOption, withTenant } from './database.ts';
import { inputName, textOf } from './input.ts';
import { CommandFailure, confirm, counted, escaped, note, print, printJson, warn } from './output.ts';
import { findingTables, type Review, reviewOf } from './review.ts';

export function addPassportCommands(program: Command): void {
  const passport = program.command('passport').description('write and remove the values of passports');

  productCommand(passport, 'set')
    .argument('<file>', 'JSON file with an array of values, as in the body of putPassport; - reads standard input')
    .summary('write values to the passport of a product')
    .description(
      'write values to the passport of a product: all of the file or, if one is wrong, none. Fields that the file does ' +
        'not name stay as they are. A value without an access_level keeps its level; a new one is public.',
    )
    .action(async (slug: string, file: string, options: TenantOptions, command: Command) => {
      const values = await readValues(file);
      const { product, result, review } = await withTenantChange(command, async (transaction, tenant) => {
        const product = await requireProduct(transaction, tenant, slug, options);
        const services = { database: transaction, now: () => new Date() };
        const result = await inContract(inputName(file), () => writePassport(services, tenant, slug, values));
        const review = await reviewOf(transaction, tenant, product);
        return { product, result, review };
      });
      warnOfWritten(review, values);
      if (options.json) printJson({ product: slug, ...result });
      else printWritten(`Wrote ${counted(result.updated, 'value')}`, { ...product, ...result }, options);
    });

  productCommand(passport, 'unset')
    .argument('<fields...>', 'keys of the fields')
    .summary('remove fields from the passport of a product')
    .description(
      'remove fields from the passport of a product: all of them or, if it lacks one, none. Older versions of the passport no ' +
        'longer show them. The database and its backups keep the values, to check the hashes of older versions.',
    )
    .option('--dry-run', 'print what would happen, and change nothing')
    .option('--yes', 'remove without a question')
    .action(async (slug: string, fields: string[], options: UnsetOptions, command: Command) => {
      const { dryRun } = options;
      const unset = async (transaction: Knex.Transaction, tenant: Tenant, dryRun = false) => {
        const product = await requireProduct(transaction, tenant, slug, options);
        const result = await unsetFields(transaction, tenant, slug, fields, { dryRun }).catch((error: unknown) => {
          throw error instanceof FieldError ? new CommandFailure(escaped(error.message)) : error;
        });
        return { product, result };
      };
      const check = () =>
        withTenant(options, (database, tenant) => database.transaction((rows) => unset(rows, tenant, true)));
      if (!dryRun && !options.yes) {
        await check();
        const named = escaped(fields.join(', '));
        await confirm(`The passport of ${slug} and its older versions would no longer show: ${named}.`, options);
      }
      const { product, result } = await (dryRun ? check() : withTenantChange(command, unset));
      const removed = counted(result.values, 'value');
      if (options.json) printJson({ product: slug, ...result, ...(dryRun && { dry_run: true }) });
      else if (dryRun)
        print(`${removed} can be removed. The passport of ${slug} would be ${result.completeness} % complete.`);
      else printWritten(`Removed ${removed}`, { ...product, ...result }, options);
    });
}

type UnsetOptions = TenantOptions & { dryRun?: boolean; yes?: boolean };

async function readValues(file: string): Promise<PassportValueInput[]> {
  const { ofBytes } = contractBody('putPassport');
  const bytes = Buffer.from(await textOf(file));
  const headers = { 'content-type': 'application/json' };
  return inContract(inputName(file), () => ofBytes(bytes, headers) as Promise<PassportValueInput[]>);
}

/** The service stores and shows any value, and a mistyped key would stay unnoticed. */
function warnOfWritten({ product, ...review }: Review, values: readonly PassportValueInput[]): void {
  const keys = new Set(values.map(({ field_key }) => field_key));
  const [findings, unknown] = [
    review.findings.filter(({ field_key }) => keys.has(field_key)),
    review.unknown.filter(({ field_key }) => keys.has(field_key)),
  ];
  if (findings.length + unknown.length === 0) return;
  const { key: group } = templateOf(product.product_group);
  const show = commandHint(`template show ${group}`, undefined);
  warn(
    `some values do not fit the template ${group}, and are stored and shown as they are. See its fields with ${show}.`,
  );
  note(...findingTables({ findings, unknown }), '');
}

function printWritten(done: string, { slug, status, completeness }: Product, options: TenantOptions): void {
  const hint = (command: string) => commandHint(`product ${command} ${slug}${tenantOption(options)}`, options.database);
  const next = [
    ...(status === 'active' ? ['The change is public.'] : []),
    ...(completeness < 100 ? [`See what is missing with ${hint('show')}.`] : []),
    ...(completeness === 100 && status !== 'active' ? [`Make it public with ${hint('activate')}.`] : []),
  ];
  print(`${done}. The passport of ${slug} is ${completeness} % complete. ${next.join(' ')}`);
}
