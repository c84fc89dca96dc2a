/** Moves products to a status. One of many that fails does not stop the others. */
import { type Confirmed, dayOf, hasValidCheckDigit, isTooOpen, openedBy, uniqueKey } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { type Changed, changeStatus, GtinInUse, NotReady, type Shown, ValueIsInUse } from '../lifecycle/lifecycle.ts';
import { OperatorError } from '../operator-error.ts';
import { TooOpen } from '../passports/confirm.ts';
import { findLinked } from '../products/gtins.ts';
import { walkProducts } from '../products/list.ts';
import { findProduct, findPublicSerial, type Product } from '../products/store.ts';
import type { Tenant } from '../tenants/store.ts';
import {
  type AnyRow,
  argument,
  type Context,
  command,
  dryRun,
  option,
  type SharedOptions,
  type Subjects,
  slugs,
} from './command.ts';
import { chosenSlugs, requireProduct } from './database.ts';
import { inputName, linesOf } from './files.ts';
import { ask, counted, escaped, Progress, print, printPart, warn } from './output.ts';
import { blockingSentence, hasFaults, newReviews, type Review, reviewOf, warnOfUnused } from './review.ts';

type Status = 'active' | 'archived';

interface MoveOptions extends SharedOptions, Confirmed {
  file?: string | undefined;
  allComplete?: true | undefined;
  on?: string | undefined;
  yes?: true | undefined;
  shareGtin?: true | undefined;
}

type Moving = Context & { options: MoveOptions } & Subjects<Knex>['tenant'];

/** `product activate` and `product archive`. */
export function moveCommand(
  name: string,
  status: Status,
  { options, ...row }: Pick<AnyRow, 'description' | 'example' | 'options'>,
): AnyRow {
  return command({
    ...row,
    name,
    about: 'tenant',
    arguments: [argument('[products...]', 'slugs of the products', slugs)],
    options: {
      file: option('--file <file>', `${name} the products of a file with one slug per line; - reads standard input`),
      dryRun,
      ...options,
    },
    prepare(options: MoveOptions, products) {
      const { allComplete, file } = options;
      if (file === '-' && status === 'active' && isAsking(options)) {
        throw new OperatorError(
          'standard input has the slugs and cannot have the reply, too. Name a file, or add --yes.',
          2,
        );
      }
      if (products.length > 0 || file !== undefined || allComplete) return;
      const sources = status === 'active' ? '--all-complete or --file' : '--file';
      throw new OperatorError(`no product is named. Name one or more slugs, or add ${sources}.`, 2);
    },
    run: (moving: Moving, products) => moveAll(moving, products, status),
  });
}

/** What a dry run adds to the JSON of a product: what is missing in its passport, and what does not fit. */
function dryRunOf({ dryRun }: MoveOptions, review: Review | undefined): object {
  if (!dryRun) return {};
  if (!review) return { dry_run: true };
  const { missing, findings, own } = review;
  return { dry_run: true, missing: missing.map(({ key }) => key), findings, own_fields: own };
}

/** Without a terminal nobody could refuse. */
function warnUnasked(options: MoveOptions): void {
  if (options.yes || options.dryRun || options.allComplete || isAsking(options)) return;
  warn('activated anyway. A script that wants only complete drafts uses `product activate --all-complete`.');
}

/** How products are moved. */
interface Kind {
  status: Status;
  /** One product is named: its failure is that of the command. */
  isOne: boolean;
}

/** Moves the named products, those of a file, and the complete drafts. Prints one result per line. */
async function moveAll(moving: Moving, products: readonly string[], status: Status): Promise<void> {
  const { tenant, options } = moving;
  const { allComplete = false, file } = options;
  const kind = { status, isOne: products.length === 1 && !allComplete && file === undefined };
  // Fails before the first product is moved if the file cannot be read.
  const named = [...products, ...(await linesOf(file))];
  const leftOut = newLeftOut(named);
  const chosen = () => chosenSlugs(named, allComplete ? completeDrafts(moving, leftOut) : []);
  const preview = previewOf(moving, kind);
  const asks = status === 'active' && isAsking(options);
  const shown = asks ? await askAbout(kind.isOne ? `${products}` : 'the products', preview, chosen()) : new Map();
  const { done, failed, isFaulty, used } = await moveEach(moving, chosen(), kind, asks ? undefined : preview, shown);
  if (done === 0 && !options.json) print(nothing(tenant, options, leftOut.count > 0));
  if (isFaulty) warnUnasked(options);
  warnOfUnused(options, used);
  summarize(done, failed, status, options);
}

/** @throws OperatorError if products could not be moved */
function summarize(done: number, failed: number, status: Status, { json, dryRun }: MoveOptions): void {
  const verb = status === 'active' ? 'activated' : 'archived';
  if (failed > 0) {
    const not = dryRun ? 'cannot be' : 'not';
    throw new OperatorError(`${not} ${verb}: ${failed} of ${counted(done, 'product')}. The reasons are above.`);
  }
  if (done > 1 && !json) print(`${done} products ${dryRun ? 'can be' : 'were'} ${verb}.`);
}

/** @returns by slug, the fields that yes confirms: they are more open than their template */
async function askAbout(what: string, preview: Preview, slugs: AsyncIterable<string>): Promise<Preview['shown']> {
  const progress = new Progress('products checked');
  let looked = 0;
  for await (const slug of slugs) {
    // The first product says nothing about the time of all.
    if (looked > 0) progress.report(looked);
    await preview.look(slug);
    looked += 1;
  }
  progress.end();
  const fields = [...new Set([...preview.shown.values()].flatMap(({ open }) => open))];
  const confirms = `Yes confirms the fields that are more open than their template: ${escaped(fields.join(', '))}. `;
  if (preview.end()) await ask(`${fields.length > 0 ? confirms : ''}Activate ${what} anyway?`);
  return preview.shown;
}

async function moveEach(
  moving: Moving,
  slugs: AsyncIterable<string>,
  { status, isOne }: Kind,
  preview: Preview | undefined,
  shown: Preview['shown'],
): Promise<{ done: number; failed: number; isFaulty: boolean; used: Set<string> }> {
  const { database, tenant, options } = moving;
  const progress = new Progress('products');
  const results = resultsOf(options, progress);
  const used = new Set<string>();
  const tried = new Map<string, string>();
  let done = 0;
  let failed = 0;
  let isFaulty = false;
  try {
    for await (const slug of slugs) {
      const review = await preview?.look(slug);
      const wanted = { status, shown: shown.get(slug) };
      const result = await move(moving, slug, wanted, { used, tried }).catch((error: unknown) => {
        if (error instanceof OperatorError && !isOne) return error;
        throw error;
      });
      done += 1;
      if (result instanceof OperatorError) failed += 1;
      else if (review && hasFaults(review)) isFaulty = true;
      const dry = dryRunOf(options, review);
      const printed =
        isOne && options.json ? JSON.stringify({ ...result, ...dry }) : line(slug, status, result, options, dry);
      await results.add(printed, result instanceof OperatorError);
      if (done > maxPrinted) progress.report(done);
      if (!(result instanceof OperatorError)) await warnOfLink(database, tenant, result);
    }
  } finally {
    await results.end();
  }
  preview?.end();
  return { done, failed, isFaulty, used };
}

/** Products whose results are all printed for people. */
const maxPrinted = 20;

/** Prints the results. Of more products, people read those that failed, and the number of the others. */
function resultsOf({ json }: MoveOptions, progress: Progress) {
  let count = 0;
  let held: { line: string; isFailure: boolean }[] = [];
  const printAll = async (results: typeof held): Promise<void> => {
    if (results.length === 0) return;
    progress.end();
    await printPart(results.map(({ line }) => `${line}\n`).join(''));
  };
  return {
    async add(line: string, isFailure: boolean): Promise<void> {
      count += 1;
      held.push({ line, isFailure });
      if (!json && count <= maxPrinted) return;
      const printed = held.filter((result) => json || result.isFailure);
      held = [];
      await printAll(printed);
    },
    async end(): Promise<void> {
      progress.end();
      await printAll(held);
    },
  };
}

/**
 * Changes the status of a product, with the entry of the audit trail.
 *
 * @param results.used receives the fields that were confirmed
 * @param results.tried the unique values of a dry run, which are not stored, and the slugs that have them
 * @throws OperatorError if the product does not exist or cannot change to this status, or if a value is too open or in use
 */
function move(
  { change, tenant, options }: Moving,
  slug: string,
  { status, shown }: { status: Status; shown: Shown | undefined },
  { used, tried }: { used: Set<string>; tried: Map<string, string> },
): Promise<Product> {
  const { open, own, shareGtin = false, dryRun } = options;
  return change(async (transaction) => {
    const services = { database: transaction, now: () => new Date() };
    const wanted = { status, open, own, shown, shareGtin, acceptFindings: true };
    const done = await changeStatus(services, tenant, slug, wanted);
    if (!done) return requireProduct(transaction, tenant, slug, options);
    if (!done.isMoved) throw new OperatorError(`${slug} is already ${status}.`);
    if (dryRun) tryValues(done, tried);
    for (const field of done.used) used.add(field);
    return done.product;
  }).catch((error: unknown) => {
    if (error instanceof ValueIsInUse) throw new OperatorError(`${slug} was not activated. ${error.message}`);
    if (error instanceof NotReady) throw new TooOpen(`${slug} was not activated`, error.blocking);
    if (error instanceof GtinInUse)
      throw new OperatorError(`${error.message} To activate it anyway, add --share-gtin.`);
    throw error;
  });
}

/** @throws ValueIsInUse if a product that the dry run has tried before has a unique value of this one */
function tryValues({ product: { gtin, slug }, unique }: Changed, tried: Map<string, string>): void {
  for (const value of unique) {
    const key = uniqueKey(gtin, value);
    if (key === undefined) continue;
    const other = tried.get(key);
    if (other !== undefined) throw new ValueIsInUse({ field_key: value.field_key, slug: other });
    tried.set(key, slug);
  }
}

/** What a move changes for readers: passports that become public, or are taken away. */
function previewOf({ database, tenant, options }: Moving, { status, isOne }: Kind) {
  const { add, end } = newReviews(isOne);
  let hasWarned = false;
  const shown = new Map<string, Shown>();
  return {
    /** By slug, the fields that are more open than their template. */
    shown,
    /** Warns of the product, or counts it. An unknown product is an error of the move. */
    async look(slug: string): Promise<Review | undefined> {
      const product = await findProduct(database, tenant.id, slug);
      if (!product || product.status === status) return undefined;
      if (status === 'archived') {
        if (!hasWarned) hasWarned = warnOfArchival(product);
        return undefined;
      }
      const review = await reviewOf(database, tenant, product, options.on, options);
      add(review);
      const open = review.blocking.filter(isTooOpen).map(({ field_key }) => field_key);
      if (open.length > 0) shown.set(slug, { updated_at: product.updated_at, open });
      return review;
    },
    end,
  };
}
type Preview = ReturnType<typeof previewOf>;

/** Whether somebody can reply, and the command may wait for it. */
function isAsking({ json, yes, dryRun }: MoveOptions): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !json && !yes && !dryRun;
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

/** Warns if a scanner may reject the GTIN, or the link that its code has leads to another product. */
async function warnOfLink(database: Knex, tenant: Tenant, { id, gtin, slug, status }: Product): Promise<void> {
  if (gtin === null || status !== 'active') return;
  warnOfCheckDigit(gtin);
  const serial = (await findPublicSerial(database, tenant.id, id)) ?? undefined;
  const linked = await findLinked(database, gtin, serial);
  if (!linked) return;
  const target = openedBy(linked.products, serial);
  const isOwn = linked.tenant === tenant.slug;
  // Among the items of its tenant it is the only one with the serial number, though not stored yet in a dry run.
  if (isOwn && (target.slug === slug || serial !== undefined)) return;
  warn(`the link in the code of ${slug} opens ${linked.tenant}/${target.slug}, which has the same GTIN.`);
}

/** The server accepts a GTIN with a wrong check digit, but a shop's scanner may reject it. */
export function warnOfCheckDigit(gtin: string | null): void {
  if (gtin !== null && !hasValidCheckDigit(gtin))
    warn(`the GTIN ${gtin} has a wrong check digit. Some scanners reject it.`);
}

/** @param dry what a dry run adds to the JSON */
function line(
  slug: string,
  status: string,
  result: Product | OperatorError,
  { json, dryRun }: MoveOptions,
  dry: object,
): string {
  if (result instanceof OperatorError) {
    const { message: error } = result;
    return json ? JSON.stringify({ slug, ok: false, ...dry, error }) : `${escaped(slug)} failed: ${escaped(error)}`;
  }
  if (json) return JSON.stringify({ slug, ok: true, ...dry, product: result });
  return dryRun ? `${slug} can become ${status}.` : `${slug} is now ${status}.`;
}

/** @param areLeftOut drafts are complete, but do not fit their template */
function nothing(
  tenant: Tenant,
  { allComplete, file, on = dayOf(new Date()) }: MoveOptions,
  areLeftOut: boolean,
): string {
  if (!allComplete) return `There are no slugs in ${inputName(`${file}`)}.`;
  if (areLeftOut) return `The tenant ${tenant.slug} has no complete draft that fits its template on ${on}.`;
  return `The tenant ${tenant.slug} has no complete drafts on ${on}.`;
}

/** Warns of the complete drafts that do not fit their template, the first time that they are looked at. */
function newLeftOut(named: readonly string[]) {
  let isSaid = false;
  return {
    count: 0,
    add(review: Review): void {
      if (isSaid || named.includes(review.product.slug)) return;
      this.count += 1;
      if (this.count <= maxPrinted)
        warn(`left out, because its values do not fit its template: ${blockingSentence(review)}`);
    },
    end(): void {
      if (!isSaid && this.count > maxPrinted) {
        warn(`left out: ${this.count} complete drafts. The first ${maxPrinted} are named above.`);
      }
      isSaid = true;
    },
  };
}

async function* completeDrafts(
  { database, tenant, options }: Moving,
  leftOut: ReturnType<typeof newLeftOut>,
): AsyncGenerator<string> {
  for await (const drafts of walkProducts(database, tenant.id, { status: 'draft' })) {
    for (const { slug } of drafts) {
      const product = await findProduct(database, tenant.id, slug);
      const review = product && (await reviewOf(database, tenant, product, options.on, options));
      if (!review || review.missing.length > 0) continue;
      if (review.blocking.length === 0) yield slug;
      else leftOut.add(review);
    }
  }
  leftOut.end();
}
