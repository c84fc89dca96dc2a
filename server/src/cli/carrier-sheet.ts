/** A sheet of labels for several products. */
import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { codeLink, readableGtin, readableSerial } from '../carriers/rules.ts';
import { drawSheet, type LabelSize, labelSizes, labelsOnPage } from '../carriers/sheet.ts';
import { listCarriers } from '../carriers/store.ts';
import { commandHint } from '../database/address.ts';
import { languageOf, texts } from '../languages/words.ts';
import { walkProducts } from '../products/list.ts';
import { findSerial } from '../products/store.ts';
import type { Tenant } from '../tenants/store.ts';
import {
  namedSlugs,
  requireProduct,
  requireSite,
  type SiteOptions,
  type TenantOptions,
  unrepeated,
  withTenant,
} from './database.ts';
import { linesOf } from './input.ts';
import { warnOfCheckDigit } from './move.ts';
import { writeNewFile } from './new-file.ts';
import { slugs, wholeNumber } from './options.ts';
import { CommandFailure, counted, print, printJson, warn } from './output.ts';

export type SheetOptions = TenantOptions &
  SiteOptions & {
    file?: string;
    all?: boolean;
    labels: LabelSize;
    copies: number;
    skip: number;
    hri: boolean;
    call?: boolean;
    output: string;
    force?: boolean;
  };

/** A sheet has at most so many labels, so that a browser can print it. */
const mostLabels = 5000;

/** GS1 General Specifications: the narrowest module of a QR code with a Digital Link, in millimetres. */
const narrowestModule = 0.396;

interface SheetProduct {
  id: string;
  slug: string;
  name: string;
  gtin: string | null;
  serial_number: string | null;
}

export function addSheetOptions(command: Command): Command {
  return command
    .argument('[products...]', 'slugs of the products', slugs)
    .description(
      'write labels with the QR codes of several products to an HTML file, to be printed by a browser on A4. Each label ' +
        'has the code with its quiet zone, the GTIN, the serial number of a single item and the name of the product.',
    )
    .option('--file <file>', 'read slugs from a file, one per line; - reads standard input')
    .option('--all', 'every product of the tenant that is not archived')
    .addOption(new Option('--labels <size>', 'size of a label in millimetres').choices(labelSizes).default('70x36'))
    .addOption(new Option('--copies <number>', 'labels of each product').default(1).argParser(wholeNumber(1000, 1)))
    .addOption(
      new Option('--skip <number>', 'labels that are missing on the first sheet').default(0).argParser(wholeNumber(39)),
    )
    .option(
      '--call',
      "print what to do with the code above each name, in the tenant's language: Digital product passport: scan",
    )
    .option('--no-hri', 'do not print the GTIN and the serial number')
    .requiredOption('--output <file>', 'HTML file to write')
    .option('--force', 'overwrite an existing file');
}

export async function writeSheet(named: readonly string[], options: SheetOptions): Promise<void> {
  const { output: file, labels: size, copies, skip, hri, force = false } = options;
  if (named.length === 0 && options.file === undefined && !options.all) {
    throw new CommandFailure('no product is named. Name one or more slugs, or add --file or --all.', 2);
  }
  const onPage = labelsOnPage(size);
  if (skip >= onPage) {
    throw new CommandFailure(`a sheet of ${size} has ${onPage} labels. Use a smaller --skip.`, 2);
  }
  const { tenant, siteUrl, products, missing } = await withTenant(options, async (database, tenant) => ({
    tenant,
    siteUrl: await requireSite(database, options),
    ...(await read(database, tenant, named, options)),
  }));
  if (products.length === 0) throw new CommandFailure('there is no product to print a label for.');
  const { language } = tenant;
  const call = options.call ? texts[languageOf(language, undefined)].scanHere : undefined;
  const labels = products.flatMap((product) => {
    const text = hri && product.gtin !== null ? readableGtin(product.gtin) : undefined;
    const serial =
      text === undefined || product.serial_number === null ? undefined : readableSerial(product.serial_number);
    const label = { name: product.name, link: codeLink(siteUrl, tenant.slug, product), text, serial, call };
    return Array.from({ length: copies }, () => label);
  });
  const { content, ...sheet } = await drawSheet(labels, { size, language, title: tenant.name, skip });
  await writeNewFile(file, content, { replace: force });
  for (const { gtin } of products) if (gtin !== null) warnOfCheckDigit(gtin);
  warnOfMissing(missing, 'qr', tenant, options);
  if (sheet.module_mm < narrowestModule) {
    warn(
      `the finest code has modules of ${sheet.module_mm} mm, and GS1 asks for ${narrowestModule} mm at least. ` +
        'Use larger labels or a shorter site URL.',
    );
  }
  if (options.json) printJson({ file, products: products.length, labels: labels.length, label_size: size, ...sheet });
  else
    print(
      `Wrote ${file}: ${counted(labels.length, 'label')} of ${size} mm on ${counted(sheet.pages, 'page')} of A4. Print it at 100 %.`,
    );
}

/** The products, and the slugs of those with a GTIN but without an active QR carrier. */
async function read(database: Knex, tenant: Tenant, named: readonly string[], options: SheetOptions) {
  const products: SheetProduct[] = [];
  const missing: string[] = [];
  for await (const product of productsOf(database, tenant, named, options)) {
    products.push({ ...product, serial_number: await findSerial(database, tenant.id, product.id) });
    if (products.length * options.copies > mostLabels) {
      throw new CommandFailure(
        `the sheet would have more than ${mostLabels} labels. Print parts of it with --file and fewer --copies.`,
      );
    }
    if (product.gtin === null) continue;
    const carriers = await listCarriers(database, tenant.id, product.id);
    if (!carriers.some(({ type, status }) => type === 'qr' && status === 'active')) missing.push(product.slug);
  }
  return { products, missing };
}

async function* productsOf(
  database: Knex,
  tenant: Tenant,
  named: readonly string[],
  options: SheetOptions,
): AsyncGenerator<Omit<SheetProduct, 'serial_number'>> {
  const given = namedSlugs(named, await linesOf(options.file));
  const seen = new Set<string>();
  for await (const slug of unrepeated(given)) {
    seen.add(slug);
    yield await requireProduct(database, tenant, slug, options);
  }
  if (!options.all) return;
  for await (const page of walkProducts(database, tenant.id)) {
    yield* page.filter(({ slug, status }) => status !== 'archived' && !seen.has(slug));
  }
}

/** Warns of products whose printed code is not a recorded carrier. */
export function warnOfMissing(
  slugs: readonly string[],
  type: string,
  tenant: Tenant,
  { siteUrl, database }: Pick<SheetOptions, 'siteUrl' | 'database'>,
): void {
  const [first] = slugs;
  if (first === undefined) return;
  const add = `carrier add ${first} --tenant ${tenant.slug} --type ${type}${siteUrl === undefined ? '' : ` --site-url ${siteUrl}`}`;
  const who = slugs.length === 1 ? `${first} has` : `${slugs.length} products have`;
  warn(`${who} no active ${type} carrier. Record it with ${commandHint(add, database)}.`);
}
