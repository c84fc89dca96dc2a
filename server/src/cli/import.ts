import type { Command } from 'commander';
import { removeHidden } from '../transfer/hidden.ts';
import { TenantImport } from '../transfer/import.ts';
import { RefusedLine } from '../transfer/lines.ts';
import { auditedRun } from './change.ts';
import { type AdministrationOptions, administrationCommand, withDatabase } from './database.ts';
import { bytesOf } from './input.ts';
import { CommandFailure, print, printJson, warn } from './output.ts';
import { Progress } from './progress.ts';

interface ImportCommandOptions extends AdministrationOptions {
  shareGtin?: boolean;
  discard?: string;
}

export function addImportCommand(program: Command): void {
  administrationCommand(program.command('import [file]'))
    .description(
      'import a tenant from a file of `export`, or from standard input; nobody sees the tenant before it is complete',
    )
    .option('--share-gtin', 'accept active products whose GTIN is active under another tenant')
    .option('--discard <slug>', 'remove what a killed import of this tenant stored, and import nothing')
    .action((file: string | undefined, options: ImportCommandOptions, command: Command) => {
      if (options.discard === undefined) return importFile(file ?? '-', options, command);
      if (file !== undefined)
        throw new CommandFailure('--discard removes what a killed import stored and takes no file.', 2);
      return discard(options.discard, options, command);
    });
}

async function importFile(file: string, options: ImportCommandOptions, command: Command): Promise<void> {
  const run = auditedRun(command);
  const progress = new Progress('products');
  const { tenant, products, corrected } = await withDatabase(
    options,
    async (database) => {
      const work = new TenantImport({
        database,
        shareGtin: options.shareGtin === true,
        progress: (done) => progress.report(done),
        shown: (transaction) => run.record(transaction),
      });
      try {
        return await work.run(bytesOf(file));
      } catch (error) {
        progress.end();
        if (error instanceof RefusedLine) throw new CommandFailure(`${error.message} Nothing was stored.`);
        throw error;
      }
    },
    { create: true, unlimited: true },
  );
  progress.end();
  if (corrected > 0) {
    warn(
      `${corrected} products had a URN or a completeness that does not follow from the file. The computed ones were stored.`,
    );
  }
  if (options.json) printJson({ tenant, products, seconds: progress.seconds });
  else print(`Imported the tenant ${tenant} with ${products} products in ${progress.seconds} seconds.`);
}

async function discard(slug: string, options: ImportCommandOptions, command: Command): Promise<void> {
  const run = auditedRun(command);
  const products = await withDatabase(
    options,
    (database) => removeHidden(database, slug, (transaction) => run.record(transaction)),
    { unlimited: true },
  );
  if (products === undefined) throw new CommandFailure(`there is no import of a tenant ${slug} to discard.`);
  if (options.json) printJson({ tenant: slug, removed_products: products });
  else print(`Removed what an import of the tenant ${slug} stored: ${products} products.`);
}
