/** Moves products to a status. One of many that fails does not stop the others. */
import { dayOf, hasValidCheckDigit } from '@product-passport/openapi';
import type { Command } from 'commander';
import type { Knex } from 'knex';
import type { AuditedRun } from '../audit/store.ts';
import { GtinInUse, moveProduct } from '../products/lifecycle.ts';
import { walkProducts } from '../products/list.ts';
import { LifecycleError } from '../products/registry.ts';
import { findActiveByGtin, findProduct, type Product } from '../products/store.ts';
import type { Tenant } from '../tenants/store.ts';
import { auditedRun } from './change.ts';
import { namedSlugs, noProduct, type TenantOptions, unrepeated, withTenant } from './database.ts';
import { isPipe, linesOf } from './input.ts';
import { ask, CommandFailure, counted, escaped, print, printJson, printPart, warn } from './output.ts';
import { Progress } from './progress.ts';
import { hasFaults, type Review, Reviews, reviewOf, warnOfReview } from './review.ts';
import type { DayOptions } from './show.ts';

type Status = 'active' | 'archived';

interface MoveOptions extends DayOptions {
  json?: boolean;
  /** Says what would happen, and changes nothing. */
  dryRun?: boolean;
  shareGtin?: boolean;
  /** Activates without a question. */
  yes?: boolean;
}

export type ManyOptions = TenantOptions & MoveOptions & { allComplete?: boolean; file?: string };

interface Move {
  database: Knex;
  run: AuditedRun;
  tenant: Tenant;
  options: TenantOptions & MoveOptions;
}

/** Ends the transaction of a dry run. */
class Undone extends Error {}

/** Moves one product and prints it. */
export function moveOne(command: Command, slug: string, status: Status): Promise<void> {
  const options = command.opts<TenantOptions & MoveOptions>();
  return withTenant(options, async (database, tenant) => {
    const product = await findProduct(database, tenant.id, slug);
    const isMove = product !== undefined && product.status !== status;
    const review = isMove ? await previewOne(database, tenant, product, status, options) : undefined;
    const moved = await move({ database, run: auditedRun(command, tenant), tenant, options }, slug, status);
    await warnOfLink(database, tenant, moved);
    if (review && hasFaults(review)) warnUnasked(options);
    if (options.json) printJson({ ...moved, ...dryRunOf(options, review) });
    else print(options.dryRun ? `${slug} can become ${status}.` : `${slug} is now ${status}.`);
  });
}

/** Says what the move changes for readers, and asks if something is wrong with the passport. */
async function previewOne(
  database: Knex,
  tenant: Tenant,
  product: Product,
  status: Status,
  options: MoveOptions,
): Promise<Review | undefined> {
  if (status === 'archived') {
    warnOfArchival(product);
    return undefined;
  }
  const review = await reviewOf(database, tenant, product, options.on);
  if (warnOfReview(review) && isAsking(options)) await ask(`Activate ${product.slug} all the same?`);
  return review;
}

/** What a dry run adds to the JSON of a product: what is missing in its passport, and what does not fit. */
function dryRunOf({ dryRun }: MoveOptions, review: Review | undefined): object {
  if (!dryRun) return {};
  if (!review) return { dry_run: true };
  const { missing, findings, unknown } = review;
  return { dry_run: true, missing: missing.map(({ key }) => key), findings, unknown_fields: unknown };
}

/** Without a terminal nobody could refuse. */
function warnUnasked(options: ManyOptions): void {
  if (options.yes || options.dryRun || options.allComplete || isAsking(options)) return;
  warn('activated all the same. A script that wants only complete drafts uses `product activate --all-complete`.');
}

/** Moves the named products, those of a file, and the complete drafts. Prints one result per line. */
export async function moveMany(command: Command, slugs: readonly string[], status: Status): Promise<void> {
  const options = command.opts<ManyOptions>();
  if (slugs.length === 0 && options.file === undefined && !options.allComplete) {
    const sources = status === 'active' ? '--all-complete or --file' : '--file';
    throw new CommandFailure(`no product is named. Name one or more slugs, or add ${sources}.`, 2);
  }
  const { done, failed, isFaulty } = await withTenant(options, async (database, tenant) => {
    // Fails before the first product is moved if the file cannot be read.
    const named = async () =>
      unrepeated(allSlugs(namedSlugs(slugs, await linesOf(options.file)), database, tenant, options));
    const preview = new Preview(database, tenant, status, options.on);
    const asks = status === 'active' && isAsking(options);
    if (asks) {
      await requireRereadable(options);
      await lookAtAll(preview, await named());
      if (preview.end()) await ask('Activate the products all the same?');
    }
    const moves = { database, run: auditedRun(command, tenant), tenant, options };
    const counts = await moveEach(moves, await named(), status, asks ? undefined : preview);
    if (counts.done === 0 && !options.json) await printPart(`${nothing(tenant, options)}\n`);
    return counts;
  });
  if (isFaulty) warnUnasked(options);
  const verb = status === 'active' ? 'activated' : 'archived';
  if (failed > 0) {
    const not = options.dryRun ? 'cannot be' : 'not';
    throw new CommandFailure(`${not} ${verb}: ${failed} of ${counted(done, 'product')}. The reasons are above.`);
  }
  if (done > 1 && !options.json) print(`${done} products ${options.dryRun ? 'can be' : 'were'} ${verb}.`);
}

async function lookAtAll(preview: Preview, slugs: AsyncIterable<string>): Promise<void> {
  const progress = new Progress('products checked');
  let looked = 0;
  for await (const slug of slugs) {
    await preview.look(slug);
    looked += 1;
    progress.report(looked);
  }
  progress.end();
}

async function moveEach(
  moves: Move,
  slugs: AsyncIterable<string>,
  status: Status,
  preview: Preview | undefined,
): Promise<{ done: number; failed: number; isFaulty: boolean }> {
  let done = 0;
  let failed = 0;
  const progress = new Progress('products');
  for await (const slug of slugs) {
    const review = await preview?.look(slug);
    const result = await outcome(() => move(moves, slug, status));
    done += 1;
    if (result instanceof CommandFailure) failed += 1;
    await printPart(`${line(slug, status, result, moves.options, review)}\n`);
    // A terminal shows the results themselves.
    if (!process.stdout.isTTY) progress.report(done);
    if (!(result instanceof CommandFailure)) await warnOfLink(moves.database, moves.tenant, result);
  }
  progress.end();
  return { done, failed, isFaulty: (preview?.end() ?? false) && done > failed };
}

/**
 * Changes the status of a product, with the entry of the audit trail.
 *
 * @throws CommandFailure if the product does not exist or cannot change to this status
 */
async function move({ database, run, tenant, options }: Move, slug: string, status: Status): Promise<Product> {
  const { shareGtin = false, dryRun } = options;
  let moved: Product | undefined;
  try {
    await database.transaction(async (transaction) => {
      const services = { database: transaction, now: () => new Date() };
      moved = await moveProduct(services, tenant.id, slug, status, { shareGtin });
      if (!moved) throw noProduct(slug, tenant, options);
      if (dryRun) throw new Undone();
      await run.record(transaction);
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw explained(error);
  }
  if (!moved) throw noProduct(slug, tenant, options);
  return moved;
}

function explained(error: unknown): unknown {
  if (error instanceof GtinInUse) {
    return new CommandFailure(`${error.message} To activate it anyway, add --share-gtin.`);
  }
  return error instanceof LifecycleError ? new CommandFailure(error.message) : error;
}

/** What a move changes for readers: passports that become public, or are taken away. */
class Preview {
  readonly #database: Knex;
  readonly #tenant: Tenant;
  readonly #status: Status;
  readonly #on: string | undefined;
  readonly #reviews = new Reviews();
  #hasWarned = false;

  constructor(database: Knex, tenant: Tenant, status: Status, on: string | undefined) {
    this.#on = on;
    this.#database = database;
    this.#tenant = tenant;
    this.#status = status;
  }

  /** Warns of the product, or counts it. An unknown product is an error of the move. */
  async look(slug: string): Promise<Review | undefined> {
    const product = await findProduct(this.#database, this.#tenant.id, slug);
    if (!product || product.status === this.#status) return undefined;
    if (this.#status === 'active') {
      const review = await reviewOf(this.#database, this.#tenant, product, this.#on);
      this.#reviews.add(review);
      return review;
    }
    this.#hasWarned ||= warnOfArchival(product);
    return undefined;
  }

  /** @returns whether something is wrong with a passport */
  end(): boolean {
    return this.#reviews.end();
  }
}

/** Whether somebody can reply, and the command may wait for it. */
function isAsking({ json, yes, dryRun }: MoveOptions): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !json && !yes && !dryRun;
}

/** @throws CommandFailure if the slugs cannot be read once for the question and once more for the work */
async function requireRereadable({ file }: ManyOptions): Promise<void> {
  if (file === undefined || !(await isPipe(file))) return;
  throw new CommandFailure('--file is read twice on a terminal. Name a file that is not a pipe, or add --yes.', 2);
}

/** @returns whether the product is public, so that readers lose something */
function warnOfArchival({ status }: Product): boolean {
  if (status !== 'active') return false;
  warn(
    'archiving takes the page, the JSON-LD document and the Digital Link of a product away: they respond with 404 until ' +
      'the product is active again. Keep sold products active: their passports must stay readable.',
  );
  return true;
}

/** Warns if a scanner may reject the GTIN, or its link leads to another product. */
async function warnOfLink(database: Knex, tenant: Tenant, { gtin, slug, status }: Product): Promise<void> {
  if (gtin === null || status !== 'active') return;
  warnOfCheckDigit(gtin);
  const found = await findActiveByGtin(database, gtin);
  if (!found || (found.tenant_slug === tenant.slug && found.slug === slug)) return;
  warn(`the link of the GTIN ${gtin} leads to ${found.tenant_slug}/${found.slug}, which was activated first.`);
}

/** The server accepts a GTIN with a wrong check digit, but a shop's scanner may reject it. */
export function warnOfCheckDigit(gtin: string): void {
  if (!hasValidCheckDigit(gtin)) warn(`the GTIN ${gtin} has a wrong check digit. Some scanners reject it.`);
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

function line(
  slug: string,
  status: string,
  result: Moved | CommandFailure,
  options: ManyOptions,
  review: Review | undefined,
): string {
  const { json, dryRun } = options;
  const dry = dryRunOf(options, review);
  if (result instanceof CommandFailure) {
    if (json) return JSON.stringify({ slug, ok: false, ...dry, error: result.message });
    return `${escaped(slug)} failed: ${escaped(result.message)}`;
  }
  if (json) return JSON.stringify({ slug, ok: true, ...dry, product: result });
  return dryRun ? `${slug} can become ${status}.` : `${slug} is now ${status}.`;
}

function nothing(tenant: Tenant, { allComplete, file, on = dayOf(new Date()) }: ManyOptions): string {
  if (allComplete) return `The tenant ${tenant.slug} has no complete drafts on ${on}.`;
  return `The file ${file} has no slugs.`;
}

async function* allSlugs(
  named: AsyncIterable<string>,
  database: Knex,
  tenant: Tenant,
  { allComplete, on }: ManyOptions,
): AsyncGenerator<string> {
  yield* named;
  if (!allComplete) return;
  for await (const drafts of walkProducts(database, tenant.id, 'draft')) {
    for (const { slug } of drafts) {
      const product = await findProduct(database, tenant.id, slug);
      if (product && (await reviewOf(database, tenant, product, on)).missing.length === 0) yield slug;
    }
  }
}
