import { writeFile } from 'node:fs/promises';
import { OperatorError } from '../operator-error.ts';
import { exportText, longSnapshot } from '../transfer/export.ts';
import { argument, command, flag } from './command.ts';
import { makeNewFile } from './new-file.ts';
import { printPart, version } from './output.ts';

export const commands = command({
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
  text: ({ tenant, products, file }) => `Exported the tenant ${tenant} with ${products} products to ${file}.`,
});

/** @throws OperatorError if nobody reads standard output any more */
async function writeToOutput(text: AsyncIterable<string>): Promise<void> {
  for await (const piece of text) {
    if (!(await printPart(piece))) {
      throw new OperatorError('the program that read the export ended, so the export was stopped.');
    }
  }
}
