import { type Command, Option } from 'commander';
import { choice } from '../command-line/command.ts';
import { commandHint } from '../database/address.ts';
import { type ImageInfo, maxAlt } from '../images/rules.ts';
import { removeImage, setImage } from '../images/store.ts';
import type { ProductStatus } from '../products/counts.ts';
import { createProduct } from '../products/create.ts';
import { walkProducts } from '../products/list.ts';
import type { CreateProduct } from '../products/store.ts';
import { templateKeys } from '../templates/catalogue.ts';
import { withTenantChange } from './change.ts';
import { contractBody, inContract } from './contract-body.ts';
import {
  productCommand,
  requireProduct,
  siteOption,
  type TenantOptions,
  tenantCommand,
  tenantOption,
  withTenant,
} from './database.ts';
import { imageOf } from './input.ts';
import { type ManyOptions, moveMany, moveOne, warnOfCheckDigit } from './move.ts';
import { dayOption, settingOption, slugs, text } from './options.ts';
import { CommandFailure, print, printJson, printPages } from './output.ts';
import { printShown, readShown, type ShowOptions } from './show.ts';

export function addProductCommands(program: Command): void {
  const product = program
    .command('product')
    .description('create, list, show, activate and archive the products of a tenant, and set their images');

  addCreateCommand(product);

  tenantCommand(product, 'list')
    .description('list the products, oldest first')
    .addOption(
      new Option('--status <status>', 'list only products with this status').choices(['draft', 'active', 'archived']),
    )
    .action((options: TenantOptions & { status?: ProductStatus }) =>
      withTenant(options, (database, tenant) =>
        printPages(walkProducts(database, tenant.id, options.status), {
          json: options.json,
          header: ['SLUG', 'STATUS', 'COMPLETE', 'GTIN', 'NAME'],
          row: (item) => [item.slug, item.status, `${item.completeness} %`, item.gtin ?? '-', item.name],
          whenEmpty: `The tenant ${tenant.slug} has no ${options.status === undefined ? '' : `${options.status} `}products.`,
        }),
      ),
    );

  productCommand(product, 'show')
    .description(
      'show a product: status, missing required fields, values that do not fit the template, data carriers, versions and public address',
    )
    .addOption(siteOption())
    .addOption(dayOption())
    .action(async (slug: string, options: ShowOptions) => {
      const shown = await withTenant(options, (database, tenant) => readShown(database, tenant, slug, options));
      if (options.json) printJson(shown.shown);
      else printShown(shown);
    });

  statusCommand(product, 'activate', 'active')
    .description(
      'make passports public; prints one result per line if you name several products. It lists what is missing in a ' +
        'passport and what does not fit its template, and asks on a terminal whether to go on.',
    )
    .option(
      '--all-complete',
      'activate every draft that has a value for each required field, today or on the day of --on',
    )
    .addOption(dayOption())
    .option('--yes', 'activate without a question')
    .option(
      '--share-gtin',
      "activate the product even if another tenant's active product has the same GTIN; the GTIN's link leads to the product that was activated first",
    );

  statusCommand(product, 'archive', 'archived').description(
    'remove passports from the public site; prints one result per line if you name several products. Keep sold products active: their passports must stay readable.',
  );

  addImageCommands(product);
}

type CreateOptions = TenantOptions &
  Pick<CreateProduct, 'name' | 'gtin' | 'model'> & {
    productGroup?: string;
    urnNamespace: string;
  };

function addCreateCommand(product: Command): void {
  productCommand(product, 'create')
    .summary('create a product, a draft with an empty passport')
    .description(
      'create a draft with an empty passport. You cannot change its slug, name, group, GTIN and model later: the slug is part of public addresses.',
    )
    .requiredOption('--name <name>', 'name of the product')
    .option(
      '--product-group <group>',
      'template that the passport follows, from `template list` (default: other)',
      choice(templateKeys),
    )
    .option('--gtin <gtin>', 'GTIN of 8, 12, 13 or 14 digits; the data carrier needs it')
    .option('--model <model>', 'model or variant')
    .addOption(settingOption('urnNamespace'))
    .action(async (slug: string, options: CreateOptions, command: Command) => {
      const { name, productGroup: product_group, gtin, model, urnNamespace } = options;
      const { ofValue } = contractBody('createProduct');
      const given = { slug, name, product_group, gtin, model };
      const body = await inContract('the product is not valid', () => ofValue(given) as Promise<CreateProduct>);
      const created = await withTenantChange(command, async (transaction, tenant) => {
        const services = { database: transaction, urnNamespace, now: () => new Date() };
        const made = await createProduct(services, tenant, body);
        // The API appends a suffix. Here a person chose the slug.
        if (made.slug !== slug) {
          const show = commandHint(`product show ${slug}${tenantOption(options)}`, options.database);
          throw new CommandFailure(`the tenant ${tenant.slug} already has a product ${slug}. Show it with ${show}.`);
        }
        return made;
      });
      if (created.gtin !== null) warnOfCheckDigit(created.gtin);
      if (options.json) printJson(created);
      else {
        const show = commandHint(`product show ${slug}${tenantOption(options)}`, options.database);
        print(
          `Created the draft ${slug}. List its required fields with ${show}, and write them with \`passport set\`.`,
        );
      }
    });
}

function statusCommand(parent: Command, name: string, status: 'active' | 'archived'): Command {
  return tenantCommand(parent, name)
    .argument('[products...]', 'slugs of the products', slugs)
    .option('--file <file>', `${name} the products of a file with one slug per line; - reads standard input`)
    .option('--dry-run', 'print what would happen, and change nothing')
    .action((products: string[], options: ManyOptions, command: Command) => {
      const [product, ...others] = products;
      const isOne = product !== undefined && others.length === 0 && !options.allComplete && options.file === undefined;
      return isOne ? moveOne(command, product, status) : moveMany(command, products, status);
    });
}

function addImageCommands(product: Command): void {
  const image = product.command('image').description("set and remove the images of products' pages");

  productCommand(image, 'set')
    .argument('<file>', 'PNG, JPEG or WebP file of at most 5 MB and 20 megapixels')
    .summary('show an image on the page of a product')
    .description(
      'show an image on the page of a product, in place of an earlier one. The picture is turned upright, made smaller, ' +
        'and stored in the database as a new WebP file without the metadata of the old one, such as the place where a ' +
        'photo was taken. The command needs the package sharp.',
    )
    .option(
      '--alt <text>',
      "what the image shows, in the language of the tenant's passports, for readers who do not see it (default: the name of the product)",
      text(maxAlt),
    )
    .action(async (slug: string, file: string, options: TenantOptions & { alt?: string }, command: Command) => {
      const encoded = await imageOf(file);
      const stored = await withTenantChange(command, async (transaction, tenant) => {
        const { id: productId } = await requireProduct(transaction, tenant, slug, options);
        const image = { ...encoded, alt: options.alt ?? null };
        return setImage(transaction, { tenantId: tenant.id, productId }, image, new Date());
      });
      printImage(slug, stored, encoded.bytes.length, options);
    });

  productCommand(image, 'remove')
    .description('remove the image from the page of a product')
    .action(async (slug: string, options: TenantOptions, command: Command) => {
      await withTenantChange(command, async (transaction, tenant) => {
        const { id } = await requireProduct(transaction, tenant, slug, options);
        if (await removeImage(transaction, tenant.id, id)) return;
        throw new CommandFailure(`the product ${slug} has no image.`);
      });
      if (options.json) printJson({ product: slug, image: null });
      else print(`The page of ${slug} has no image any more.`);
    });
}

function printImage(product: string, image: ImageInfo, bytes: number, { json }: TenantOptions): void {
  if (json) printJson({ product, image: { ...image, bytes } });
  else print(`Set the image of ${product}: ${image.width} × ${image.height} pixels, ${Math.ceil(bytes / 1000)} kB.`);
}
