import { extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Knex } from 'knex';
import { drawPicture, type PictureFormat, type PictureType, pictureFormats, pictureTypes } from '../carriers/image.ts';
import { addCarrier, moveCarrier } from '../carriers/lifecycle.ts';
import {
  CarrierError,
  type CarrierType,
  carrierTypes,
  codeLink,
  readableGtin,
  shownCarrier,
} from '../carriers/rules.ts';
import { listCarriers } from '../carriers/store.ts';
import { commandHint } from '../database/address.ts';
import { addSheetOptions, warnOfMissing, writeSheet } from './carrier-sheet.ts';
import { withChange } from './change.ts';
import {
  noProduct,
  productCommand,
  requireProduct,
  requireTenant,
  type TenantOptions,
  withDatabase,
} from './database.ts';
import { warnOfCheckDigit } from './gtin.ts';
import { writeNewFile } from './new-file.ts';
import { CommandFailure, print, printJson, printTable } from './output.ts';
import { settingOption } from './settings.ts';

type CarrierOptions = TenantOptions & { siteUrl: string };
type ProductCarrierOptions = CarrierOptions & { product: string };
type ImageOptions = ProductCarrierOptions & {
  type: PictureType;
  format?: PictureFormat;
  sizeMm: number;
  dpi: number;
  hri?: boolean;
  output: string;
  force?: boolean;
};

export function addCarrierCommands(program: Command): void {
  const carrier = program
    .command('carrier')
    .description("manage data carriers: codes and tags that hold a product's link");

  productCarrierCommand(carrier, 'add')
    .description('record a data carrier of a product; the product needs a GTIN')
    .addOption(new Option('--type <type>', 'kind of carrier').choices(carrierTypes).makeOptionMandatory())
    .option('--nfc-tag-uid <hex>', 'UID of the NFC tag: 4, 7, 8 or 10 bytes in hexadecimal')
    .action(async (options: ProductCarrierOptions & { type: CarrierType; nfcTagUid?: string }, command: Command) => {
      const { carrier, gtin } = await withChange(command, (transaction) => add(transaction, options));
      warnOfCheckDigit(gtin);
      const shown = shownCarrier(carrier, options.siteUrl, gtin);
      if (options.json) printJson(shown);
      else print(`Added carrier ${shown.id} (${shown.type}). Its link is ${shown.gs1_digital_link}`);
    });

  productCarrierCommand(carrier, 'list')
    .description('list the data carriers of a product, oldest first')
    .action(async (options: ProductCarrierOptions) => {
      const items = await withDatabase(options, (database) => list(database, options));
      if (options.json) printJson({ items });
      else {
        const rows = items.map((item) => [
          item.id,
          item.type,
          item.status,
          item.created_at,
          item.nfc_tag_uid ?? '-',
          item.gs1_digital_link,
        ]);
        printTable(
          ['ID', 'TYPE', 'STATUS', 'CREATED', 'NFC TAG', 'LINK'],
          rows,
          `The product ${options.product} has no data carriers.`,
        );
      }
    });

  for (const { name, status, description } of [
    { name: 'deprecate', status: 'deprecated', description: 'mark a carrier that is no longer put on new items' },
    { name: 'withdraw', status: 'withdrawn', description: 'mark a deprecated carrier as out of use' },
  ] as const) {
    carrierCommand(carrier, `${name} <id>`)
      .description(`${description}; its link keeps working`)
      .action(async (id: string, options: CarrierOptions, command: Command) => {
        const moved = await withChange(command, (transaction) => move(transaction, id, status, options));
        if (options.json) printJson(shownCarrier(moved.carrier, options.siteUrl, moved.gtin));
        else print(`Carrier ${id} is now ${status}. Its link keeps working.`);
      });
  }

  productCarrierCommand(carrier, 'image')
    .summary("write a QR code or Data Matrix with a product's link to a file")
    .description(
      "write a QR code or Data Matrix with a product's link to a file for print. The code holds the GS1 Digital Link as " +
        'text. It is not a GS1 DataMatrix with (01) and the GTIN, because phones cannot open that as a link. The code of a ' +
        'product without a GTIN holds the address of its passport page.',
    )
    .addOption(new Option('--type <type>', 'kind of code').choices(pictureTypes).default('qr'))
    .addOption(
      new Option(
        '--format <format>',
        'file format (default: png if the file name ends in .png, otherwise svg)',
      ).choices(pictureFormats),
    )
    .addOption(
      new Option(
        '--size-mm <number>',
        'width and height in millimetres, including the quiet zone (4 modules for QR, 1 for Data Matrix). ' +
          'A PNG has whole pixels in each module and is a little smaller; the command prints its real size',
      )
        .default(25)
        .argParser(size),
    )
    .addOption(new Option('--dpi <number>', 'resolution of a PNG in dots per inch').default(300).argParser(resolution))
    .option('--hri', 'print the GTIN under the code, as in (01) 09520001000010; only in an SVG, which becomes higher')
    .requiredOption('--output <file>', 'file to write')
    .option('--force', 'overwrite an existing file')
    .action(writeImage);

  addSheetOptions(carrierCommand(carrier, 'sheet')).action((options) => withFailures(() => writeSheet(options)));
}

function carrierCommand(parent: Command, usage: string): Command {
  return productCommand(parent, usage).addOption(
    settingOption('siteUrl', 'public address of the site; use the value that the server uses').makeOptionMandatory(),
  );
}

function productCarrierCommand(parent: Command, usage: string): Command {
  return carrierCommand(parent, usage).requiredOption('--product <slug>', 'product of the carrier');
}

async function add(database: Knex, options: ProductCarrierOptions & { type: CarrierType; nfcTagUid?: string }) {
  const tenant = await requireTenant(database, options);
  const services = { database, now: () => new Date() };
  const added = await withFailures(() => addCarrier(services, tenant.id, options.product, options));
  if (!added) throw noProduct(options.product, options);
  return added;
}

async function list(database: Knex, options: ProductCarrierOptions) {
  const tenant = await requireTenant(database, options);
  const { id, gtin } = await requireProduct(database, tenant.id, options.product, options);
  if (gtin === null) return [];
  const carriers = await listCarriers(database, tenant.id, id);
  return carriers.map((carrier) => shownCarrier(carrier, options.siteUrl, gtin));
}

async function move(database: Knex, id: string, status: 'deprecated' | 'withdrawn', options: CarrierOptions) {
  const tenant = await requireTenant(database, options);
  const moved = await withFailures(() => moveCarrier({ database }, tenant.id, id, status));
  if (moved) return moved;
  const hint = commandHint(
    `carrier list --tenant ${tenant.slug} --product PRODUCT --site-url ${options.siteUrl}`,
    options.database,
  );
  throw new CommandFailure(
    `the tenant ${tenant.slug} has no carrier ${id}. List the carriers of a product with ${hint}.`,
  );
}

async function writeImage(options: ImageOptions): Promise<void> {
  const { type, output: file, sizeMm, dpi, force = false } = options;
  const format = options.format ?? (extname(file).toLowerCase() === '.png' ? 'png' : 'svg');
  const { link, gtin, hasCarrier } = await withDatabase(options, async (database) => {
    const tenant = await requireTenant(database, options);
    const product = await requireProduct(database, tenant.id, options.product, options);
    const carriers = await listCarriers(database, tenant.id, product.id);
    return {
      link: codeLink(options.siteUrl, tenant.slug, product),
      gtin: product.gtin,
      hasCarrier: carriers.some((carrier) => carrier.type === type && carrier.status === 'active'),
    };
  });
  const text = options.hri ? readable(options.product, gtin) : undefined;
  const { content, ...measures } = await withFailures(() => drawPicture(link, { type, format, sizeMm, dpi, text }));
  await writeNewFile(file, content, { replace: force });
  if (gtin !== null) {
    warnOfCheckDigit(gtin);
    if (!hasCarrier) warnOfMissing([options.product], type, options);
  }
  if (options.json) {
    printJson({ file, type, format, link, gs1_digital_link: gtin === null ? null : link, ...measures });
    return;
  }
  const { size_mm, modules, module_mm, quiet_zone_modules, pixels } = measures;
  print(
    `Wrote ${file}: ${type}, ${link}`,
    `${size_mm} mm wide${pixels === null ? '' : ` (${pixels} pixels at ${dpi} dpi)`}: ${modules} modules of ` +
      `${module_mm} mm, including a quiet zone of ${quiet_zone_modules} on each side.`,
  );
}

function readable(product: string, gtin: string | null): string {
  if (gtin !== null) return readableGtin(gtin);
  throw new CommandFailure(`${product} has no GTIN to print under its code. Leave out --hri.`);
}

/** Turns a CarrierError into a failed command. */
async function withFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CarrierError) throw new CommandFailure(error.message);
    throw error;
  }
}

function size(text: string): number {
  const number = Number(text);
  if (!/^[0-9]+(?:\.[0-9]+)?$/.test(text) || number < 1 || number > 300) {
    throw new InvalidArgumentError('Use a number from 1 to 300, for example 25 or 12.5.');
  }
  return number;
}

function resolution(text: string): number {
  const number = Number(text);
  if (!/^[0-9]+$/.test(text) || number < 72 || number > 2400) {
    throw new InvalidArgumentError('Use a whole number from 72 to 2400.');
  }
  return number;
}
