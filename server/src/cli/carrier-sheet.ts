/** A sheet of labels for several products. */
import type { Knex } from 'knex';
import { codeLink, readable } from '../carriers/rules.ts';
import { drawSheet, labelSizes, labelsOnPage } from '../carriers/sheet.ts';
import { listCarriers } from '../carriers/store.ts';
import { commandHint } from '../database/address.ts';
import { languageOf, texts } from '../languages/languages.ts';
import { OperatorError } from '../operator-error.ts';
import { walkProducts } from '../products/list.ts';
import { findSerial, type Product } from '../products/store.ts';
import { readLogo, type Tenant } from '../tenants/store.ts';
import { argument, command, flag, type Given, option, requiredOption, type SharedOptions } from './command.ts';
import { chosenSlugs, requireProduct, requireSite, siteUrl } from './database.ts';
import { linesOf } from './input.ts';
import { warnOfCheckDigit } from './move.ts';
import { writeNewFile } from './new-file.ts';
import { slugs, wholeNumber } from './options.ts';
import { counted, warn } from './output.ts';

/** Labels of a sheet that a browser can still print. */
const maxLabels = 5000;

/** GS1 General Specifications: the narrowest module of a QR code with a Digital Link, in millimetres. */
const minModule = 0.396;

const options = {
  siteUrl,
  file: option('--file <file>', 'read slugs from a file, one per line; - reads standard input'),
  all: flag('--all', 'every product of the tenant that is not archived'),
  labels: option('--labels <size>', 'size of a label in millimetres', labelSizes, '70x36'),
  copies: option('--copies <number>', 'labels of each product', wholeNumber(1000, 1), 1),
  skip: option('--skip <number>', 'labels that are missing on the first sheet', wholeNumber(39), 0),
  call: flag(
    '--call',
    "print what to do with the code above each name, in the tenant's language: Digital product passport: scan",
  ),
  hri: option<boolean>('--no-hri', 'do not print the GTIN and the serial number'),
  output: requiredOption('--output <file>', 'HTML file to write'),
  force: flag('--force', 'overwrite an existing file'),
};

type SheetOptions = Given<typeof options>;

export const sheet = command({
  name: 'sheet',
  about: 'tenant',
  description:
    'write labels with the QR codes of several products to an HTML file, to be printed by a browser on A4. Each label ' +
    'has the code with its quiet zone, the GTIN, the serial number of a single item, the name of the product, and the ' +
    "tenant's logo if it has one.",
  example:
    'carrier sheet usb-c-cable --tenant my-shop --copies 24 --site-url https://passport.example.com --output labels.html',
  arguments: [argument('[products...]', 'slugs of the products', slugs)],
  options,
  prepare({ file, all, labels: size, skip }, named) {
    if (named.length === 0 && file === undefined && !all) {
      throw new OperatorError('no product is named. Name one or more slugs, or add --file or --all.', 2);
    }
    const onPage = labelsOnPage(size);
    if (skip < onPage) return;
    throw new OperatorError(`a sheet of ${size} has ${onPage} labels. Use a smaller --skip.`, 2);
  },
  async run({ database, tenant, options }, named) {
    const { output: file, labels: size, copies, skip, hri, force } = options;
    const site = await requireSite(database, options);
    const { products, missing } = await read(database, tenant, named, options);
    if (products.length === 0) throw new OperatorError('there is no product to print a label for.');
    const { language } = tenant;
    const call = options.call ? texts[languageOf(language, undefined)].scanHere : undefined;
    const labels = products.flatMap((product) => {
      const [text, serial] = hri ? readable(product) : [];
      const label = { name: product.name, link: codeLink(site, tenant.slug, product), text, serial, call };
      return Array.from({ length: copies }, () => label);
    });
    const logo = await readLogo(database, tenant.id);
    const { content, ...drawn } = await drawSheet(labels, { size, language, title: tenant.name, skip, logo });
    await writeNewFile(file, content, { replace: force === true });
    for (const { gtin } of products) warnOfCheckDigit(gtin);
    warnOfMissing(missing, 'qr', tenant, options);
    return { file, products: products.length, labels: labels.length, label_size: size, ...drawn };
  },
  warn({ module_mm }) {
    if (module_mm >= minModule) return;
    warn(
      `the finest code has modules of ${module_mm} mm, and GS1 asks for ${minModule} mm at least. ` +
        'Use larger labels or a shorter site URL.',
    );
  },
  text: ({ file, labels, label_size, pages }) =>
    `Wrote ${file}: ${counted(labels, 'label')} of ${label_size} mm on ${counted(pages, 'page')} of A4. Print it at 100 %.`,
});

/** The products, and the slugs of those with a GTIN but without an active QR carrier. */
async function read(database: Knex, tenant: Tenant, named: readonly string[], options: SheetOptions) {
  const products: (Product & { serial_number: string | null })[] = [];
  const missing: string[] = [];
  const others = options.all ? slugsOfAll(database, tenant) : [];
  for await (const slug of chosenSlugs([...named, ...(await linesOf(options.file))], others)) {
    const product = await requireProduct(database, tenant, slug, options);
    products.push({ ...product, serial_number: await findSerial(database, tenant.id, product.id) });
    if (products.length * options.copies > maxLabels) {
      throw new OperatorError(
        `the sheet would have more than ${maxLabels} labels. Print parts of it with --file and fewer --copies.`,
      );
    }
    if (product.gtin === null) continue;
    if (!(await hasActive(database, tenant, product, 'qr'))) missing.push(product.slug);
  }
  return { products, missing };
}

async function* slugsOfAll(database: Knex, tenant: Tenant): AsyncGenerator<string> {
  for await (const page of walkProducts(database, tenant.id)) {
    for (const { slug, status } of page) if (status !== 'archived') yield slug;
  }
}

/** Whether the product has an active carrier of this type. */
export async function hasActive(database: Knex, tenant: Tenant, { id }: Pick<Product, 'id'>, type: string) {
  const carriers = await listCarriers(database, tenant.id, id);
  return carriers.some((carrier) => carrier.type === type && carrier.status === 'active');
}

/** Warns of products whose printed code is not a recorded carrier. */
export function warnOfMissing(
  slugs: readonly string[],
  type: string,
  tenant: Tenant,
  { siteUrl, database }: { siteUrl?: string | undefined } & SharedOptions,
): void {
  const [first] = slugs;
  if (first === undefined) return;
  const add = `carrier add ${first} --tenant ${tenant.slug} --type ${type}${siteUrl === undefined ? '' : ` --site-url ${siteUrl}`}`;
  const who = slugs.length === 1 ? `${first} has` : `${slugs.length} products have`;
  warn(`${who} no active ${type} carrier. Record it with ${commandHint(add, database)}.`);
}
