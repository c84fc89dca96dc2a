/** Moves many products to a status. A product that fails does not stop the others. */
import type { Command } from 'commander';
import type { Knex } from 'knex';
import { walkProducts } from '../products/walk.ts';
import type { Tenant } from '../tenants/store.ts';
import { auditedRun } from './change.ts';
import { requireTenant, type TenantOptions } from './database.ts';
import { type MoveOptions, move, warnOfLink } from './move.ts';
import { CommandFailure, escaped, printPart } from './output.ts';
import { linesOf, namedSlugs, unrepeated } from './slugs.ts';

export type ManyOptions = TenantOptions & MoveOptions & { allComplete?: boolean; file?: string };

/** Time between two lines of progress, in milliseconds. */
const reportInterval = 2000;

/** Moves the named products, those of a file, and the complete drafts. Prints one result a line. */
export async function moveMany(
  database: Knex,
  command: Command,
  slugs: readonly string[],
  status: 'active' | 'archived',
): Promise<void> {
  const options = command.opts<ManyOptions>();
  if (slugs.length === 0 && options.file === undefined && !options.allComplete) {
    const sources = status === 'active' ? '--all-complete or --file' : '--file';
    throw new CommandFailure(`no product is named. Name one or more slugs, or add ${sources}.`, 2);
  }
  const tenant = await requireTenant(database, options);
  // Fails before the first product is moved if the file cannot be read.
  const lines = await linesOf(options.file);
  const run = auditedRun(command);
  const progress = new Progress();
  for await (const slug of unrepeated(allSlugs(namedSlugs(slugs, lines), database, tenant, options))) {
    const result = await outcome(() => move({ database, run, tenant, options }, slug, status));
    progress.count(result instanceof CommandFailure);
    await printPart(`${line(slug, status, result, options)}\n`);
    if (!(result instanceof CommandFailure)) await warnOfLink(database, tenant, result);
  }
  if (progress.done === 0 && !options.json) await printPart(`${nothing(options)}\n`);
  if (progress.failed > 0) {
    const verb = status === 'active' ? 'activated' : 'archived';
    const were = options.dryRun ? 'cannot be' : 'were not';
    throw new CommandFailure(`${progress.failed} of ${progress.done} products ${were} ${verb}. The reasons are above.`);
  }
}

type Moved = Awaited<ReturnType<typeof move>>;

async function outcome(work: () => Promise<Moved>): Promise<Moved | CommandFailure> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandFailure) return error;
    throw error;
  }
}

function line(slug: string, status: string, result: Moved | CommandFailure, { json, dryRun }: ManyOptions): string {
  const dry = dryRun ? { dry_run: true } : {};
  if (result instanceof CommandFailure) {
    if (json) return JSON.stringify({ slug, ok: false, ...dry, error: result.message });
    return `${escaped(slug)} failed: ${escaped(result.message)}`;
  }
  if (json) return JSON.stringify({ slug, ok: true, ...dry, product: result });
  return dryRun ? `${slug} can become ${status}.` : `${slug} is now ${status}.`;
}

function nothing({ allComplete, tenant, file }: ManyOptions): string {
  if (allComplete) return `The tenant ${tenant} has no complete drafts.`;
  return `The file ${file} has no slugs.`;
}

async function* allSlugs(
  named: AsyncIterable<string>,
  database: Knex,
  tenant: Tenant,
  { allComplete }: ManyOptions,
): AsyncGenerator<string> {
  yield* named;
  if (!allComplete) return;
  for await (const drafts of walkProducts(database, tenant.id, 'draft')) {
    for (const { slug, completeness } of drafts) if (completeness === 100) yield slug;
  }
}

/** Counts results. Prints the counts on a terminal that does not show the results themselves. */
class Progress {
  done = 0;
  failed = 0;
  #nextReport = Date.now() + reportInterval;

  count(hasFailed: boolean): void {
    this.done += 1;
    if (hasFailed) this.failed += 1;
    if (!process.stderr.isTTY || process.stdout.isTTY || Date.now() < this.#nextReport) return;
    process.stderr.write(`${this.done} products done, ${this.failed} failed\n`);
    this.#nextReport = Date.now() + reportInterval;
  }
}
