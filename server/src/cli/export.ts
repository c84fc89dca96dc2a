import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import { exportText, longSnapshot } from '../transfer/export.ts';
import { type TenantOptions, tenantCommand, withTenant } from './database.ts';
import { makeNewFile } from './new-file.ts';
import { CommandFailure, print, printJson, version } from './output.ts';
import { Progress } from './progress.ts';

interface ExportCommandOptions extends TenantOptions {
  withSecrets?: boolean;
}

export function addExportCommand(program: Command): void {
  tenantCommand(program, 'export [file]')
    .description('write a tenant with all its products as JSON Lines, to a new file or to standard output')
    .option(
      '--with-secrets',
      'add the hashes of API keys, the access tokens and the secrets that sign them, so that they work after an import',
    )
    .action(async (file = '-', options: ExportCommandOptions) => {
      const progress = new Progress('products');
      let products = 0;
      const write = (text: AsyncIterable<string>): Promise<void> =>
        file === '-' ? writeToOutput(text) : makeNewFile(file, (temporary) => writeToFile(temporary, text));
      const { slug: tenant } = await withTenant(
        options,
        async (database, tenant) => {
          await longSnapshot(database, (transaction) =>
            write(
              exportText(transaction, {
                tenant,
                secrets: options.withSecrets === true,
                program: version,
                now: new Date(),
                progress: (done) => {
                  products = done;
                  progress.report(done);
                },
              }),
            ),
          );
          return tenant;
        },
        { unlimited: true },
      );
      progress.end();
      if (file === '-') return;
      if (options.json) printJson({ tenant, products, file, seconds: progress.seconds });
      else print(`Exported the tenant ${tenant} with ${products} products to ${file}.`);
    });
}

/** @throws CommandFailure if nobody reads standard output any more */
async function writeToOutput(text: AsyncIterable<string>): Promise<void> {
  const { stdout } = process;
  const failed = new Promise<never>((_, reject) => {
    stdout.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EPIPE'
          ? new CommandFailure('the program that read the export ended, so the export was stopped.')
          : error,
      ),
    );
  });
  failed.catch(() => undefined);
  for await (const piece of text) {
    if (!stdout.write(piece)) await Promise.race([once(stdout, 'drain'), failed]);
  }
}

export async function writeToFile(path: string, text: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'a');
  try {
    for await (const piece of text) await file.appendFile(piece);
  } finally {
    await file.close();
  }
}
