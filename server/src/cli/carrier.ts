import { extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Knex } from 'knex';
import { drawPicture, type PictureFormat, type PictureType, pictureFormats, pictureTypes } from '../carriers/image.ts';
import { addCarrier, moveCarrier, requireGtin } from '../carriers/lifecycle.ts';
import { CarrierError, type CarrierType, carrierTypes, digitalLink, shownCarrier } from '../carriers/rules.ts';
import { listCarriers } from '../carriers/store.ts';
import {
  type AdministrationOptions,
  administration,
  noProduct,
  requireProduct,
  requireTenant,
  withDatabase,
} from './database.ts';
import { warnOfCheckDigit } from './gtin.ts';
import { writeNewFile } from './new-file.ts';
import { CommandFailure, print, printJson, printTable, warn } from './output.ts';
import { siteUrlOption } from './site-url.ts';

type CarrierOptions = AdministrationOptions & { tenant: string; siteUrl: string };
type ProductCarrierOptions = CarrierOptions & { product: string };
type ImageOptions = ProductCarrierOptions & {
  type: PictureType;
  format?: PictureFormat;
  sizeMm: number;
  dpi: number;
  output: string;
  force?: boolean;
};

export function addCarrierCommands(program: Command): void {
  const carrier = program.command('carrier').description('data carriers of a product: codes and tags with its link');

  productCarrierCommand(carrier, 'add')
    .description('record a carrier of a product that has a GTIN')
    .addOption(new Option('--type <type>', 'what it is').choices(carrierTypes).makeOptionMandatory())
    .option('--nfc-tag-uid <hex>', 'UID of an NFC tag: 7 bytes in hexadecimal, or 4, 8 or 10')
    .action(async (options: ProductCarrierOptions & { type: CarrierType; nfcTagUid?: string }) => {
      const { carrier, gtin } = await withDatabase(options, (database) => add(database, options));
      warnOfCheckDigit(gtin);
      const shown = shownCarrier(carrier, options.siteUrl, gtin);
      if (options.json) printJson(shown);
      else print(`Added the carrier ${shown.id} (${shown.type}). It holds ${shown.gs1_digital_link}`);
    });

  productCarrierCommand(carrier, 'list')
    .description('list the carriers of a product, oldest first')
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
        printTable(['ID', 'TYPE', 'STATUS', 'CREATED', 'NFC TAG', 'LINK'], rows, 'The product has no carrier.');
      }
    });

  for (const { name, status, description } of [
    { name: 'deprecate', status: 'deprecated', description: 'note that a carrier is not put on anything new' },
    { name: 'withdraw', status: 'withdrawn', description: 'note that a deprecated carrier is out of use' },
  ] as const) {
    carrierCommand(carrier, `${name} <id>`)
      .description(`${description}; its link goes on working`)
      .action(async (id: string, options: CarrierOptions) => {
        const moved = await withDatabase(options, (database) => move(database, options.tenant, id, status));
        if (options.json) printJson(shownCarrier(moved.carrier, options.siteUrl, moved.gtin));
        else print(`The carrier ${id} is ${status} now. Its link goes on working.`);
      });
  }

  productCarrierCommand(carrier, 'image')
    .description(
      "write the code with a product's link for print, as QR code or Data Matrix. Both hold the GS1 Digital Link as text: " +
        'a GS1 DataMatrix with (01) and the GTIN would hold no link that a telephone can follow.',
    )
    .addOption(new Option('--type <type>', 'which code').choices(pictureTypes).default('qr'))
    .addOption(
      new Option('--format <format>', "of the file (default: by the output's ending, else svg)").choices(
        pictureFormats,
      ),
    )
    .addOption(
      new Option(
        '--size-mm <number>',
        'width and height in millimetres with the quiet zone (QR: 4 modules, Data Matrix: 1). ' +
          'A PNG has whole pixels in each module and comes out a little smaller: the answer says its real size',
      )
        .default(25)
        .argParser(size),
    )
    .addOption(new Option('--dpi <number>', 'dots an inch of a PNG').default(300).argParser(resolution))
    .requiredOption('--output <file>', 'where to write it')
    .option('--force', 'replace a file that is there')
    .action(writeImage);
}

function carrierCommand(parent: Command, usage: string): Command {
  return administration(parent.command(usage))
    .requiredOption('--tenant <slug>', 'whose carrier it is')
    .addOption(siteUrlOption('public address of the site, as the server has it').makeOptionMandatory());
}

function productCarrierCommand(parent: Command, usage: string): Command {
  return carrierCommand(parent, usage).requiredOption('--product <slug>', 'what it is a carrier of');
}

async function add(database: Knex, options: ProductCarrierOptions & { type: CarrierType; nfcTagUid?: string }) {
  const tenant = await requireTenant(database, options.tenant);
  const services = { database, now: () => new Date() };
  const added = await inWords(() => addCarrier(services, tenant.id, options.product, options));
  if (!added) throw noProduct(tenant.slug, options.product);
  return added;
}

async function list(database: Knex, { tenant: tenantSlug, product: slug, siteUrl }: ProductCarrierOptions) {
  const tenant = await requireTenant(database, tenantSlug);
  const { id, gtin } = await requireProduct(database, tenant, slug);
  if (gtin === null) return [];
  const carriers = await listCarriers(database, tenant.id, id);
  return carriers.map((carrier) => shownCarrier(carrier, siteUrl, gtin));
}

async function move(database: Knex, tenantSlug: string, id: string, status: 'deprecated' | 'withdrawn') {
  const tenant = await requireTenant(database, tenantSlug);
  const moved = await inWords(() => moveCarrier({ database }, tenant.id, id, status));
  if (!moved)
    throw new CommandFailure(`the tenant has no carrier ${id}. \`product-passport carrier list\` shows them.`);
  return moved;
}

async function writeImage(options: ImageOptions): Promise<void> {
  const { type, output: file, sizeMm, dpi, force = false } = options;
  const format = options.format ?? (extname(file).toLowerCase() === '.png' ? 'png' : 'svg');
  const { gtin, hasCarrier } = await withDatabase(options, async (database) => {
    const tenant = await requireTenant(database, options.tenant);
    const product = await requireProduct(database, tenant, options.product);
    const carriers = await listCarriers(database, tenant.id, product.id);
    return {
      gtin: await inWords(async () => requireGtin(product)),
      hasCarrier: carriers.some((carrier) => carrier.type === type && carrier.status === 'active'),
    };
  });
  const gs1_digital_link = digitalLink(options.siteUrl, gtin);
  const { content, ...measures } = await inWords(() => drawPicture(gs1_digital_link, { type, format, sizeMm, dpi }));
  await writeNewFile(file, content, { replace: force });
  warnOfCheckDigit(gtin);
  if (!hasCarrier) {
    warn(
      `${options.product} has no active ${type} carrier. \`product-passport carrier add --type ${type}\` records it.`,
    );
  }
  if (options.json) printJson({ file, type, format, gs1_digital_link, ...measures });
  else {
    const { size_mm, modules, module_mm, quiet_zone_modules, pixels } = measures;
    print(
      `Wrote ${file}: ${type}, ${gs1_digital_link}`,
      `${size_mm} mm with the quiet zone${pixels === null ? '' : `, ${pixels} pixels at ${dpi} dpi`}; ` +
        `${modules} modules of ${module_mm} mm, ${quiet_zone_modules} of them quiet on each side.`,
    );
  }
}

/** What the rules refuse is what the operator is told. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
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
    throw new InvalidArgumentError('It is a number from 1 to 300, for example 25 or 12.5.');
  }
  return number;
}

function resolution(text: string): number {
  const number = Number(text);
  if (!/^[0-9]+$/.test(text) || number < 72 || number > 2400) {
    throw new InvalidArgumentError('It is a whole number from 72 to 2400.');
  }
  return number;
}
