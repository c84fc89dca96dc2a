import type { Command } from 'commander';
import { encodeImage, UnusableImage } from '../images/encode.ts';
import { type ImageInfo, maxAlt } from '../images/rules.ts';
import { removeImage, setImage } from '../images/store.ts';
import { withChange } from './change.ts';
import { productCommand, requireProduct, requireTenant, type TenantOptions } from './database.ts';
import { CommandFailure, print, printJson } from './output.ts';

export function addImageCommands(product: Command): void {
  const image = product.command('image').description("set and remove the images of products' pages");

  productCommand(image, 'set <slug>')
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
    )
    .action(async (slug: string, file: string, options: TenantOptions & { alt?: string }, command: Command) => {
      const alt = checkedAlt(options.alt);
      const encoded = await encodeImage(file).catch((error: unknown) => {
        throw error instanceof UnusableImage ? new CommandFailure(error.message) : error;
      });
      const stored = await withChange(command, async (transaction) => {
        const { id: tenantId } = await requireTenant(transaction, options);
        const { id: productId } = await requireProduct(transaction, tenantId, slug, options);
        return setImage(transaction, { tenantId, productId }, { ...encoded, alt }, new Date());
      });
      printImage(slug, stored, encoded.bytes.length, options);
    });

  productCommand(image, 'remove <slug>')
    .description('remove the image from the page of a product')
    .action(async (slug: string, options: TenantOptions, command: Command) => {
      await withChange(command, async (transaction) => {
        const { id: tenantId } = await requireTenant(transaction, options);
        const { id: productId } = await requireProduct(transaction, tenantId, slug, options);
        if (await removeImage(transaction, tenantId, productId)) return;
        throw new CommandFailure(`the product ${slug} has no image.`);
      });
      if (options.json) printJson({ product: slug, image: null });
      else print(`The page of ${slug} has no image any more.`);
    });
}

function checkedAlt(alt: string | undefined): string | null {
  const text = alt?.trim();
  if (text === undefined) return null;
  if (text === '') throw new CommandFailure('--alt is empty. Say what the image shows, or leave --alt out.');
  if (Array.from(text).length > maxAlt)
    throw new CommandFailure(`--alt has more than ${maxAlt} characters. Shorten it.`);
  return text;
}

function printImage(product: string, image: ImageInfo, bytes: number, { json }: TenantOptions): void {
  if (json) printJson({ product, image: { ...image, bytes } });
  else print(`Set the image of ${product}: ${image.width} × ${image.height} pixels, ${Math.ceil(bytes / 1000)} kB.`);
}
