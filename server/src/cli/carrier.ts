import { extname } from 'node:path';
import { digitalLink } from '@product-passport/openapi';
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
  readableSerial,
  shownCarrier,
  tagUid,
} from '../carriers/rules.ts';
import { listCarriers } from '../carriers/store.ts';
import { commandHint } from '../database/address.ts';
import { findSerial } from '../products/store.ts';
import type { Tenant } from '../tenants/store.ts';
import { addSheetOptions, warnOfMissing, writeSheet } from './carrier-sheet.ts';
import { withTenantChange } from './change.ts';
import {
  noProduct,
  requireProduct,
  requireSite,
  type SiteOptions,
  siteOption,
  type TenantOptions,
  tenantCommand,
  withTenant,
} from './database.ts';
import { warnOfCheckDigit } from './move.ts';
import { writeNewFile } from './new-file.ts';
import { id, millimetres, slug, wholeNumber } from './options.ts';
import { CommandFailure, print, printJson, printTable } from './output.ts';

type CarrierOptions = TenantOptions & SiteOptions;
type AddOptions = CarrierOptions & { type: CarrierType; nfcTagUid?: string };
type ImageOptions = CarrierOptions & {
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
    .option('--nfc-tag-uid <hex>', 'UID of the NFC tag: 4, 7, 8 or 10 bytes in hexadecimal', uid)
    .action(async (product: string, options: AddOptions, command: Command) => {
      if (options.nfcTagUid !== undefined && options.type !== 'nfc') {
        throw new CommandFailure(`--nfc-tag-uid needs --type nfc, but the type is ${options.type}.`, 2);
      }
      const { shown, gtin } = await withTenantChange(command, async (transaction, tenant) => {
        const siteUrl = await requireSite(transaction, options);
        const { carrier, gtin } = await add(transaction, tenant, product, options);
        return { shown: shownCarrier(carrier, siteUrl, gtin), gtin };
      });
      warnOfCheckDigit(gtin);
      if (options.json) printJson(shown);
      else print(`Added carrier ${shown.id} (${shown.type}). Its link is ${shown.gs1_digital_link}`);
    });

  productCarrierCommand(carrier, 'list')
    .description('list the data carriers of a product, oldest first')
    .action(async (product: string, options: CarrierOptions) => {
      const items = await withTenant(options, (database, tenant) => list(database, tenant, product, options));
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
          `The product ${product} has no data carriers.`,
        );
      }
    });

  for (const { name, status, description } of [
    { name: 'deprecate', status: 'deprecated', description: 'mark a carrier that is no longer put on new items' },
    { name: 'withdraw', status: 'withdrawn', description: 'mark a deprecated carrier as out of use' },
  ] as const) {
    carrierCommand(carrier, name)
      .argument('<id>', 'id of the carrier', id)
      .description(`${description}; its link keeps working`)
      .action(async (id: string, options: CarrierOptions, command: Command) => {
        const moved = await withTenantChange(command, async (transaction, tenant) => {
          const siteUrl = await requireSite(transaction, options);
          const { carrier, gtin } = await move(transaction, tenant, id, status, options);
          return shownCarrier(carrier, siteUrl, gtin);
        });
        if (options.json) printJson(moved);
        else print(`Carrier ${id} is now ${status}. Its link keeps working.`);
      });
  }

  productCarrierCommand(carrier, 'image')
    .summary("write a QR code or Data Matrix with a product's link to a file")
    .description(
      "write a QR code or Data Matrix with a product's link to a file for print. The code holds the GS1 Digital Link as " +
        'text. It is not a GS1 DataMatrix with (01) and the GTIN, because phones cannot open that as a link. The code of a ' +
        'product without a GTIN holds the address of its passport page. If the passport has a public ' +
        'serial_number, the code holds that number, too.',
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
        .argParser(millimetres),
    )
    .addOption(
      new Option('--dpi <number>', 'resolution of a PNG in dots per inch')
        .default(300)
        .argParser(wholeNumber(2400, 72)),
    )
    .option(
      '--hri',
      'print the GTIN under the code, as in (01) 09520001000010, and the serial number; only in an SVG, which becomes higher',
    )
    .requiredOption('--output <file>', 'file to write')
    .option('--force', 'overwrite an existing file')
    .action(writeImage);

  addSheetOptions(carrierCommand(carrier, 'sheet')).action((products, options) =>
    withFailures(() => writeSheet(products, options)),
  );
}

function carrierCommand(parent: Command, name: string): Command {
  return tenantCommand(parent, name).addOption(siteOption());
}

function productCarrierCommand(parent: Command, name: string): Command {
  return carrierCommand(parent, name).argument('<product>', 'slug of the product', slug);
}

async function add(database: Knex, tenant: Tenant, product: string, options: AddOptions) {
  const services = { database, now: () => new Date() };
  const added = await withFailures(() => addCarrier(services, tenant.id, product, options));
  if (!added) throw noProduct(product, tenant, options);
  return added;
}

async function list(database: Knex, tenant: Tenant, product: string, options: CarrierOptions) {
  const siteUrl = await requireSite(database, options);
  const { id, gtin } = await requireProduct(database, tenant, product, options);
  if (gtin === null) return [];
  const carriers = await listCarriers(database, tenant.id, id);
  return carriers.map((carrier) => shownCarrier(carrier, siteUrl, gtin));
}

async function move(
  database: Knex,
  tenant: Tenant,
  id: string,
  status: 'deprecated' | 'withdrawn',
  options: CarrierOptions,
) {
  const moved = await withFailures(() => moveCarrier({ database }, tenant.id, id, status));
  if (moved) return moved;
  const list = `carrier list PRODUCT --tenant ${tenant.slug}`;
  const hint = commandHint(list, options.database);
  throw new CommandFailure(
    `the tenant ${tenant.slug} has no carrier ${id}. List the carriers of a product with ${hint}.`,
  );
}

async function writeImage(slug: string, options: ImageOptions): Promise<void> {
  const { type, output: file, sizeMm, dpi, force = false } = options;
  const format = options.format ?? (extname(file).toLowerCase() === '.png' ? 'png' : 'svg');
  if (options.hri && format === 'png') {
    throw new CommandFailure('--hri needs --format svg, because a press needs letters with sharp edges.', 2);
  }
  const { tenant, link, gs1_digital_link, gtin, serial_number, hasCarrier } = await withTenant(
    options,
    async (database, tenant) => {
      const siteUrl = await requireSite(database, options);
      const product = await requireProduct(database, tenant, slug, options);
      const carriers = await listCarriers(database, tenant.id, product.id);
      const serial_number = await findSerial(database, tenant.id, product.id);
      return {
        tenant,
        link: codeLink(siteUrl, tenant.slug, { ...product, serial_number }),
        gs1_digital_link: product.gtin === null ? null : digitalLink(siteUrl, product.gtin),
        gtin: product.gtin,
        serial_number,
        hasCarrier: carriers.some((carrier) => carrier.type === type && carrier.status === 'active'),
      };
    },
  );
  const lines = options.hri ? readable(slug, gtin, serial_number) : [];
  const { content, ...measures } = await withFailures(() => drawPicture(link, { type, format, sizeMm, dpi, lines }));
  await writeNewFile(file, content, { replace: force });
  if (gtin !== null) {
    warnOfCheckDigit(gtin);
    if (!hasCarrier) warnOfMissing([slug], type, tenant, options);
  }
  if (options.json) {
    printJson({ file, type, format, link, gs1_digital_link, ...measures });
    return;
  }
  const { size_mm, modules, module_mm, quiet_zone_modules, pixels } = measures;
  print(
    `Wrote ${file}: ${type}, ${link}`,
    `${size_mm} mm wide${pixels === null ? '' : ` (${pixels} pixels at ${dpi} dpi)`}: ${modules} modules of ` +
      `${module_mm} mm, including a quiet zone of ${quiet_zone_modules} on each side.`,
  );
}

function readable(product: string, gtin: string | null, serial: string | null): string[] {
  if (gtin !== null) return [readableGtin(gtin), ...(serial === null ? [] : [readableSerial(serial)])];
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

function uid(text: string): string {
  try {
    return tagUid(text);
  } catch {
    throw new InvalidArgumentError('Use 4, 7, 8 or 10 bytes in hexadecimal, for example 04A224B1C36F80.');
  }
}
