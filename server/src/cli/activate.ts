import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Knex } from 'knex';
import { findActiveByGtin, type Product } from '../products/store.ts';
import type { TenantOptions } from './database.ts';
import { warnOfCheckDigit } from './gtin.ts';
import { CommandFailure, print, printJson, warn } from './output.ts';
import { allProducts, move, printMoved } from './product-status.ts';

export type ActivateOptions = TenantOptions & {
  allComplete?: boolean;
  file?: string;
  shareGtin?: boolean;
};

/** Activates one product and prints it. */
export async function activateOne(database: Knex, slug: string, options: ActivateOptions): Promise<void> {
  printMoved(await activate(database, slug, options), options);
}

/** Activates many products and prints one result a line. A product that fails does not stop the others. */
export async function activateMany(database: Knex, slugs: readonly string[], options: ActivateOptions): Promise<void> {
  const all = new Set([...slugs, ...(await slugsOfFile(options)), ...(await completeDrafts(database, options))]);
  if (all.size === 0 && !options.allComplete) {
    throw new CommandFailure('No product to activate. Name one or more slugs, or add --all-complete or --file.', 2);
  }
  let failed = 0;
  for (const slug of all) {
    try {
      const moved = await activate(database, slug, options);
      if (options.json) printJson({ slug, ok: true, product: moved });
      else print(`${slug} is now ${moved.status}.`);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      failed += 1;
      if (options.json) printJson({ slug, ok: false, error: error.message });
      else print(`${slug} failed: ${error.message}`);
    }
  }
  if (all.size === 0 && !options.json) print(`The tenant ${options.tenant} has no complete drafts.`);
  if (failed > 0)
    throw new CommandFailure(`${failed} of ${all.size} products were not activated. The reasons are above.`);
}

async function completeDrafts(database: Knex, options: ActivateOptions): Promise<string[]> {
  if (!options.allComplete) return [];
  const drafts = await allProducts(database, { ...options, status: 'draft' });
  return drafts.filter(({ completeness }) => completeness === 100).map(({ slug }) => slug);
}

async function slugsOfFile({ file }: ActivateOptions): Promise<string[]> {
  if (file === undefined) return [];
  const content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch((error: Error) => {
    throw new CommandFailure(`The file ${file} cannot be read: ${error.message}.`, 2);
  });
  return content
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Activates a product. Warns if the link of its GTIN leads to another product. */
async function activate(database: Knex, slug: string, options: ActivateOptions): Promise<Product> {
  const moved = await move(database, slug, 'active', options);
  if (moved.gtin === null) return moved;
  warnOfCheckDigit(moved.gtin);
  const found = await findActiveByGtin(database, moved.gtin);
  const isOwn = found?.tenant_slug === options.tenant && found.slug === slug;
  if (found && !isOwn) {
    warn(`the link of the GTIN ${moved.gtin} leads to ${found.tenant_slug}/${found.slug}, which was activated first.`);
  }
  return moved;
}
