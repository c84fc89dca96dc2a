import { writeFile } from 'node:fs/promises';
import type { Knex } from 'knex';
import { loseOutput } from '../command-line/streams.ts';
import { OperatorError } from '../operator-error.ts';
import { countDoubles } from '../passports/unique.ts';
import { findTenant } from '../tenants/store.ts';
import { countTooOpen, exportText, longSnapshot } from '../transfer/export.ts';
import { importTenant, removeHidden } from '../transfer/import.ts';
import { RefusedLine } from '../transfer/reader.ts';
import { argument, command, flag, option } from './command.ts';
import { withDatabase } from './database.ts';
import { bytesOf, makeNewFile } from './files.ts';
import { counted, printPart, version, warn } from './output.ts';

export const exportCommand = command({
  name: 'export',
  about: 'tenant',
  open: { unlimited: true },
  progress: 'products',
  description: 'write a tenant with all its products as JSON Lines, to a new file or to standard output',
  example: 'export my-shop.jsonl --tenant my-shop',
  arguments: [argument('[file]', '')],
  options: {
    withSecrets: flag(
      '--with-secrets',
      'add the hashes of API keys, the access tokens and the secrets that sign them, so that they work after an import',
    ),
  },
  async run({ database, tenant, options, progress }, file = '-') {
    let products = 0;
    await longSnapshot(database, (transaction) => {
      const text = exportText(transaction, {
        tenant,
        secrets: options.withSecrets === true,
        program: version,
        now: new Date(),
        progress: (done) => {
          products = done;
          progress.report(done);
        },
      });
      return file === '-' ? writeToOutput(text) : makeNewFile(file, (temporary) => writeFile(temporary, text));
    });
    return file === '-' ? undefined : { tenant: tenant.slug, products, file, seconds: progress.seconds };
  },
  text: ({ tenant, products, file }) =>
    `Exported the tenant ${tenant} with ${counted(products, 'product')} to ${file}.`,
});

/** Warns of values that were stored as the file has them. */
export function warnOfTooOpen(count: number): void {
  if (count === 0) return;
  warn(
    `${counted(count, 'value')} ${count === 1 ? 'is' : 'are'} more open than the template, and nobody confirmed it. ` +
      '`product show` lists those of a product.',
  );
}

/** Warns of older versions that are not proven to have been public. */
export function warnOfNotPublic(count: number): void {
  if (count === 0) return;
  warn(
    `${counted(count, 'older version')} of passports ${count === 1 ? 'is' : 'are'} not public: the hashes do not fit, or the ` +
      'file does not show that the product was active.',
  );
}

/** Warns of products with a value that only one active product may have. */
export function warnOfDoubles(count: number): void {
  if (count === 0) return;
  warn(
    `${counted(count, 'active product')} ${count === 1 ? 'has' : 'have'} the serial number or another unique value of an earlier ` +
      'one. They stay active. `product show` names the other product.',
  );
}

async function writeToOutput(text: AsyncIterable<string>): Promise<void> {
  for await (const piece of text) {
    if (!(await printPart(piece))) return loseOutput('The export was stopped, and a part of it is no export.');
  }
}

export const importCommand = command({
  name: 'import',
  about: 'address',
  progress: 'products',
  description:
    'import a tenant from a file of `export`, or from standard input; nobody sees the tenant before it is complete',
  example: 'import my-shop.jsonl --database other.sqlite',
  arguments: [argument('[file]', '')],
  options: {
    shareGtin: flag('--share-gtin', 'accept active products whose GTIN is active under another tenant'),
    discard: option('--discard <slug>', 'remove what a killed import of this tenant stored, and import nothing'),
  },
  prepare({ discard }, file) {
    if (discard === undefined || file === undefined) return;
    throw new OperatorError('--discard removes what a killed import stored and takes no file.', 2);
  },
  async run({ options, audit, progress }, file = '-') {
    const { discard: slug, shareGtin } = options;
    if (slug !== undefined) {
      const removed_products = await withDatabase(
        options,
        (database) => removeHidden(database, slug, (transaction) => audit.record(transaction)),
        { unlimited: true },
      );
      if (removed_products === undefined) throw new OperatorError(`there is no import of a tenant ${slug} to discard.`);
      return { tenant: slug, removed_products };
    }
    const { tenant, products, corrected, not_public_versions, too_open, values_in_use } = await withDatabase(
      options,
      async (database) => {
        const report = (done: number) => progress.report(done);
        const shown = (transaction: Knex.Transaction) => audit.record(transaction);
        const importing = { database, shareGtin: shareGtin === true, progress: report, shown };
        const imported = await importTenant(importing, bytesOf(file));
        const stored = await findTenant(database, imported.tenant);
        return {
          ...imported,
          too_open: await countTooOpen(database, [stored ? [stored] : []]),
          values_in_use: stored ? await countDoubles(database, stored.id) : 0,
        };
      },
      { create: true, unlimited: true },
    ).catch((error: unknown) => {
      throw error instanceof RefusedLine ? new OperatorError(`${error.message} Nothing was stored.`) : error;
    });
    if (corrected > 0) {
      warn(
        `${counted(corrected, 'product')} had a URN or a completeness that does not follow from the file. The computed ones were stored.`,
      );
    }
    warnOfNotPublic(not_public_versions);
    warnOfTooOpen(too_open);
    warnOfDoubles(values_in_use);
    return { tenant, products, not_public_versions, too_open, values_in_use, seconds: progress.seconds };
  },
  text: (done) =>
    'products' in done
      ? `Imported the tenant ${done.tenant} with ${counted(done.products, 'product')} in ${done.seconds} seconds.`
      : `Removed what an import of the tenant ${done.tenant} stored: ${counted(done.removed_products, 'product')}.`,
});
