import { extname } from 'node:path';
import { digitalLink } from '@product-passport/openapi';
import { InvalidArgumentError } from 'commander';
import type { Knex } from 'knex';
import { drawPicture, pictureFormats, pictureTypes } from '../carriers/image.ts';
import { carrierTypes, codeLink, readable, shownCarrier, tagUid } from '../carriers/rules.ts';
import { drawSheet, labelSizes, labelsOnPage } from '../carriers/sheet.ts';
import { addCarrier, listCarriers, moveCarrier } from '../carriers/store.ts';
import { writtenName } from '../command-line/command.ts';
import { commandHint } from '../database/address.ts';
import { languageOf, texts } from '../languages/languages.ts';
import { OperatorError } from '../operator-error.ts';
import { walkProducts } from '../products/list.ts';
import { findPublicSerial, type Product } from '../products/store.ts';
import { readLogo, type Tenant } from '../tenants/store.ts';
import {
  type AnyRow,
  argument,
  command,
  flag,
  type Given,
  id,
  millimetres,
  type Noun,
  option,
  requiredOption,
  type SharedOptions,
  slugs,
  wholeNumber,
} from './command.ts';
import { chosenSlugs, requireProduct, requireSite, siteUrl } from './database.ts';
import { linesOf, writeNewFile } from './files.ts';
import { warnOfCheckDigit } from './move.ts';
import { counted, warn } from './output.ts';

/** Labels of a sheet that a browser can still print. */
const maxLabels = 5000;

/** GS1 General Specifications: the narrowest module of a QR code with a Digital Link, in millimetres. */
const minModule = 0.396;

const sheetOptions = {
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
  output: requiredOption('--output <file>', 'HTML file to write', writtenName),
  force: flag('--force', 'overwrite an existing file'),
};

type SheetOptions = Given<typeof sheetOptions>;

/** A sheet of labels for several products. */
const sheet = command({
  name: 'sheet',
  about: 'tenant',
  description:
    'write labels with the QR codes of several products to an HTML file, to be printed by a browser on A4. Each label ' +
    'has the code with its quiet zone, the GTIN, the serial number of a single item, the name of the product, and the ' +
    "tenant's logo if it has one and there is room.",
  example:
    'carrier sheet usb-c-cable --tenant my-shop --copies 24 --site-url https://passport.example.com --output labels.html',
  arguments: [argument('[products...]', 'slugs of the products', slugs)],
  options: sheetOptions,
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
    const { products, missing } = await readProducts(database, tenant, named, options);
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

export const commands: Noun = {
  name: 'carrier',
  description: "manage data carriers: codes and tags that hold a product's link",
  commands: [
    command({
      name: 'add',
      about: '<product>',
      changes: true,
      description: 'record a data carrier of a product; the product needs a GTIN',
      example: 'carrier add usb-c-cable --tenant my-shop --type qr --site-url https://passport.example.com',
      options: {
        siteUrl,
        type: requiredOption('--type <type>', 'kind of carrier', carrierTypes),
        nfcTagUid: option('--nfc-tag-uid <hex>', 'UID of the NFC tag: 4, 7, 8 or 10 bytes in hexadecimal', uid),
      },
      prepare({ type, nfcTagUid }) {
        if (nfcTagUid === undefined || type === 'nfc') return;
        throw new OperatorError(`--nfc-tag-uid needs --type nfc, but the type is ${type}.`, 2);
      },
      async run({ database, tenant, product, options }) {
        const site = await requireSite(database, options);
        const { type, nfcTagUid: nfc_tag_uid = null } = options;
        const { carrier, gtin } = await addCarrier(database, tenant.id, product, { type, nfc_tag_uid }, new Date());
        return shownCarrier(carrier, site, gtin);
      },
      warn: (_carrier, { product }) => warnOfCheckDigit(product.gtin),
      text: ({ id, type, gs1_digital_link }) => `Added carrier ${id} (${type}). Its link is ${gs1_digital_link}`,
    }),
    command({
      name: 'list',
      about: '<product>',
      description: 'list the data carriers of a product, oldest first',
      example: 'carrier list usb-c-cable --tenant my-shop --site-url https://passport.example.com',
      options: { siteUrl },
      async run({ database, tenant, product: { id, gtin }, options }) {
        const site = await requireSite(database, options);
        const carriers = gtin === null ? [] : await listCarriers(database, tenant.id, id);
        return carriers.map((carrier) => shownCarrier(carrier, site, gtin ?? ''));
      },
      table: {
        header: ['ID', 'TYPE', 'STATUS', 'CREATED', 'NFC TAG', 'LINK'],
        row: (item) => [
          item.id,
          item.type,
          item.status,
          item.created_at,
          item.nfc_tag_uid ?? '-',
          item.gs1_digital_link,
        ],
        empty: ({ product: { slug } }) => `The product ${slug} has no data carriers.`,
      },
    }),
    moveCommand('deprecate', 'deprecated', 'mark a carrier that is no longer put on new items; its link keeps working'),
    moveCommand('withdraw', 'withdrawn', 'mark a deprecated carrier as out of use; its link keeps working'),
    command({
      name: 'image',
      about: '<product>',
      summary: "write a QR code or Data Matrix with a product's link to a file",
      description:
        "write a QR code or Data Matrix with a product's link to a file for print. The code holds the GS1 Digital Link as " +
        'text. It is not a GS1 DataMatrix with (01) and the GTIN, because phones cannot open that as a link. The code of a ' +
        'product without a GTIN holds the address of its passport page. If the passport has a public ' +
        'serial_number, the code holds that number, too.',
      example: 'carrier image usb-c-cable --tenant my-shop --site-url https://passport.example.com --output label.svg',
      options: {
        siteUrl,
        type: option('--type <type>', 'kind of code', pictureTypes, 'qr'),
        format: option(
          '--format <format>',
          'file format (default: png if the file name ends in .png, otherwise svg)',
          pictureFormats,
        ),
        sizeMm: option(
          '--size-mm <number>',
          'width and height in millimetres, including the quiet zone (4 modules for QR, 1 for Data Matrix). ' +
            'A PNG has whole pixels in each module and is a little smaller; the command prints its real size',
          millimetres,
          25,
        ),
        dpi: option('--dpi <number>', 'resolution of a PNG in dots per inch', wholeNumber(2400, 72), 300),
        hri: flag(
          '--hri',
          'print the GTIN under the code, as in (01) 09520001200014, and the serial number; only in an SVG, which becomes higher',
        ),
        output: requiredOption('--output <file>', 'file to write', writtenName),
        force: flag('--force', 'overwrite an existing file'),
      },
      prepare({ format, output, hri }) {
        const chosen = format ?? (extname(output).toLowerCase() === '.png' ? 'png' : 'svg');
        if (!hri || chosen !== 'png') return chosen;
        throw new OperatorError('--hri needs --format svg, because a press needs letters with sharp edges.', 2);
      },
      async run({ database, tenant, product, options, prepared: format }) {
        const { type, output: file, sizeMm, dpi, hri, force } = options;
        const { slug, gtin } = product;
        const site = await requireSite(database, options);
        if (hri && gtin === null) {
          throw new OperatorError(`${slug} has no GTIN to print under its code. Leave out --hri.`);
        }
        const item = { slug, gtin, public_serial: await findPublicSerial(database, tenant.id, product.id) };
        const link = codeLink(site, tenant.slug, item);
        const lines = hri ? readable(item) : [];
        const { content, ...measures } = await drawPicture(link, { type, format, sizeMm, dpi, lines });
        await writeNewFile(file, content, { replace: force === true });
        warnOfCheckDigit(gtin);
        if (gtin !== null && !(await hasActive(database, tenant, product, type))) {
          warnOfMissing([slug], type, tenant, options);
        }
        return {
          file,
          type,
          format,
          link,
          gs1_digital_link: gtin === null ? null : digitalLink(site, gtin),
          ...measures,
        };
      },
      text: ({ file, type, link, size_mm, modules, module_mm, quiet_zone_modules, pixels }, { options: { dpi } }) => [
        `Wrote ${file}: ${type}, ${link}`,
        `${size_mm} mm wide${pixels === null ? '' : ` (${pixels} pixels at ${dpi} dpi)`}: ${modules} modules of ` +
          `${module_mm} mm, including a quiet zone of ${quiet_zone_modules} on each side.`,
      ],
    }),
    sheet,
  ],
};

function moveCommand(name: string, status: 'deprecated' | 'withdrawn', description: string): AnyRow {
  return command({
    name,
    about: 'tenant',
    changes: true,
    description,
    example: `carrier ${name} ID --tenant my-shop --site-url https://passport.example.com`,
    arguments: [argument('<id>', 'id of the carrier', id)],
    options: { siteUrl },
    async run({ database, tenant, options, hint }, id) {
      const site = await requireSite(database, options);
      const moved = await moveCarrier(database, tenant.id, id, status);
      if (moved) return shownCarrier(moved.carrier, site, moved.gtin);
      const list = hint(`carrier list PRODUCT --tenant ${tenant.slug}`);
      throw new OperatorError(
        `the tenant ${tenant.slug} has no carrier ${id}. List the carriers of a product with ${list}.`,
      );
    },
    text: ({ id }) => `Carrier ${id} is now ${status}. Its link keeps working.`,
  });
}

function uid(text: string): string {
  const uid = tagUid(text);
  if (uid !== undefined) return uid;
  throw new InvalidArgumentError('Use 4, 7, 8 or 10 bytes in hexadecimal, for example 04A224B1C36F80.');
}

/** The products, and the slugs of those with a GTIN but without an active QR carrier. */
async function readProducts(database: Knex, tenant: Tenant, named: readonly string[], options: SheetOptions) {
  const products: (Product & { public_serial: string | null })[] = [];
  const missing: string[] = [];
  const others = options.all ? slugsOfAll(database, tenant) : [];
  for await (const slug of chosenSlugs([...named, ...(await linesOf(options.file))], others)) {
    const product = await requireProduct(database, tenant, slug, options);
    products.push({ ...product, public_serial: await findPublicSerial(database, tenant.id, product.id) });
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
async function hasActive(database: Knex, tenant: Tenant, { id }: Pick<Product, 'id'>, type: string) {
  const carriers = await listCarriers(database, tenant.id, id);
  return carriers.some((carrier) => carrier.type === type && carrier.status === 'active');
}

/** Warns of products whose printed code is not a recorded carrier. */
function warnOfMissing(
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
