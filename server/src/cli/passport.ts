/** The values of passports, and their public history. */
import { type PassportValueInput, valueInUseMessage } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { commandHint } from '../database/address.ts';
import { OperatorError } from '../operator-error.ts';
import { writeForCommand } from '../passports/confirm.ts';
import { withholdVersion } from '../passports/published-versions.ts';
import { FieldError, unsetFields } from '../passports/write.ts';
import type { Product } from '../products/store.ts';
import { templateOf } from '../templates/catalogue.ts';
import {
  argument,
  type Context,
  command,
  confirmations,
  dryRun,
  type Noun,
  wholeNumber,
  withoutQuestion,
} from './command.ts';
import { tenantOption } from './database.ts';
import { inContract, inputName, readValues } from './files.ts';
import { historyCommand } from './history.ts';
import { confirm, counted, escaped, note, warn } from './output.ts';
import { importCommand, strict } from './passport-import.ts';
import { blockingSentence, findingTables, type Review, reviewOf, warnOfUnused } from './review.ts';

export const commands: Noun = {
  name: 'passport',
  description: 'write and remove the values of passports, and show earlier ones',
  commands: [
    command({
      name: 'set',
      about: '<product>',
      changes: true,
      summary: 'write values to the passport of a product',
      description:
        'write values to the passport of a product: all of the file or, if one is wrong, none. Fields that the file does ' +
        'not name stay as they are. A value without an access_level keeps its level; a new one is public.',
      example: 'passport set usb-c-cable values.json --tenant my-shop',
      arguments: [
        argument('<file>', 'JSON file with an array of values, as in the body of putPassport; - reads standard input'),
      ],
      prepare: (_options, _product, file) => readValues(file),
      options: { ...confirmations, strict },
      async run({ database, tenant, product, prepared: values, options }, file) {
        const services = { database, now: () => new Date() };
        const write = () => writeForCommand(services, tenant, product, values, options);
        const { result, used, blocking } = await inContract(inputName(file), write);
        if (options.strict && blocking.length > 0) {
          throw new OperatorError(
            `nothing was written, because of --strict. ${blockingSentence({ product, blocking })}`,
          );
        }
        return { result, used, review: await reviewOf(database, tenant, product) };
      },
      warn({ review, used }, { prepared: values, options }) {
        warnOfUnused(options, used);
        warnOfWritten(review, values);
      },
      json: ({ result }, { product }) => ({ product: product.slug, ...result }),
      text: ({ result, review }, context) =>
        written(`Wrote ${counted(result.updated, 'value')}`, { ...context.product, ...result }, review, context),
    }),
    importCommand,
    command({
      name: 'unset',
      about: '<product>',
      summary: 'remove fields from the passport of a product',
      description:
        'remove fields from the passport of a product: all of them or, if it lacks one, none. Older versions of the passport no ' +
        'longer show them. The database and its backups keep the values, to check the hashes of older versions.',
      example: 'passport unset usb-c-cable cable_length --yes --tenant my-shop',
      arguments: [argument<'<fields...>', string[]>('<fields...>', 'keys of the fields')],
      options: { dryRun, yes: withoutQuestion('remove') },
      async run({ database, tenant, product, options, change }, fields) {
        const { slug } = product;
        const unset = (transaction: Knex.Transaction) =>
          unsetFields(transaction, tenant, slug, fields).catch((error: unknown) => {
            throw error instanceof FieldError ? new OperatorError(escaped(error.message)) : error;
          });
        if (!options.dryRun && !options.yes) {
          await change(unset, true);
          const named = escaped(fields.join(', '));
          await confirm(`The passport of ${slug} and its older versions would no longer show: ${named}.`, options);
        }
        return { result: await change(unset), review: await reviewOf(database, tenant, product) };
      },
      json: ({ result }, { product, options }) => ({
        product: product.slug,
        ...result,
        ...(options.dryRun && { dry_run: true }),
      }),
      text({ result, review }, context) {
        const { product, options } = context;
        const removed = counted(result.values, 'value');
        if (!options.dryRun) return written(`Removed ${removed}`, { ...product, ...result }, review, context);
        return `${removed} can be removed. The passport of ${product.slug} would be ${result.completeness} % complete.`;
      },
    }),
    historyCommand,
  ],
};

export const versionCommands: Noun = {
  name: 'version',
  description: "manage the public history of a passport's versions",
  commands: [
    command({
      name: 'withhold',
      about: '<product>',
      description: 'hide an older version forever: the page no longer lists it, and its document is not found',
      example: 'version withhold usb-c-cable 1 --yes --tenant my-shop',
      arguments: [argument('<number>', 'number of the version', wholeNumber(999_999_999, 1))],
      options: { yes: withoutQuestion('withhold') },
      async run({ tenant, product, options, change }, version) {
        const withhold = (transaction: Knex.Transaction) => withholdVersion(transaction, tenant.id, product, version);
        if (!options.yes) {
          await change(withhold, true);
          await confirm(`Version ${version} of ${product.slug} would no longer be public.`, options);
        }
        return change(withhold);
      },
      json: (withheld, { product }) => ({ product: product.slug, withheld_versions: withheld }),
      text: (withheld, { product }, version) =>
        `Version ${version} of ${product.slug} is no longer public. Withheld versions: ${withheld.join(', ')}.`,
    }),
  ],
};

/** The service stores and shows any value, and a mistyped key would stay unnoticed. */
function warnOfWritten({ product, ...review }: Review, values: readonly PassportValueInput[]): void {
  const keys = new Set(values.map(({ field_key }) => field_key));
  const findings = review.findings.filter(({ field_key }) => keys.has(field_key));
  const own = review.own.filter((key) => keys.has(key));
  const values_in_use = review.values_in_use.filter(({ field_key }) => keys.has(field_key));
  for (const { field_key, slug } of values_in_use) warn(valueInUseMessage(field_key, slug));
  if (findings.length + own.length === 0) return;
  const { key: group } = templateOf(product.product_group);
  const show = commandHint(`template show ${group}`, undefined);
  warn(
    `some values do not fit the template ${group}, and are stored and shown as they are. See its fields with ${show}.`,
  );
  note(...findingTables({ findings, own, values_in_use: [] }), '');
}

function written(
  done: string,
  { slug, status, completeness }: Product,
  { blocking }: Review,
  { options, hint }: Context,
): string {
  const next = (verb: string) => hint(`product ${verb} ${slug}${tenantOption(options)}`);
  const fields = new Set(blocking.map(({ field_key }) => field_key)).size;
  const blocked = `${counted(fields, 'value')} ${fields === 1 ? 'does' : 'do'} not fit the template`;
  const isReady = completeness === 100 && fields === 0;
  const sentences = [
    ...(status === 'active' ? ['The change is public.'] : []),
    ...(fields > 0 ? [`${blocked}. See what to correct with ${next('show')}.`] : []),
    ...(completeness < 100 && fields === 0 ? [`See what is missing with ${next('show')}.`] : []),
    ...(isReady && status !== 'active' ? [`Make it public with ${next('activate')}.`] : []),
  ];
  return `${done}. The passport of ${slug} is ${completeness} % complete. ${sentences.join(' ')}`;
}
