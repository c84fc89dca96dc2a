import type { Command } from 'commander';
import { encodeImage, UnusableImage } from '../images/encode.ts';
import { type ImageInfo, maxAlt } from '../images/rules.ts';
import { removeImage, setImage } from '../images/store.ts';
import { withTenantChange } from './change.ts';
import { productCommand, requireProduct, type TenantOptions } from './database.ts';
import { text } from './options.ts';
import { CommandFailure, print, printJson } from './output.ts';

export function addImageCommands(product: Command): void {
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
      const encoded = await encodeImage(file).catch((error: unknown) => {
        throw error instanceof UnusableImage ? new CommandFailure(error.message) : error;
      });
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
