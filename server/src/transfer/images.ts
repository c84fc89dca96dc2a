import type { Knex } from 'knex';
import { pagesByKey } from '../database/statement.ts';
import { imageHash, plainWebpSize } from '../images/rules.ts';
import type { ImageLine } from './format.ts';

const columns = ['product_id', 'sha256', 'media_type', 'width', 'height', 'alt', 'created_at', 'bytes'] as const;

/** The images of a tenant's products, each in a line of its own. 50 in memory have at most 5 MB. */
export async function* imageLines(transaction: Knex.Transaction, tenantId: string): AsyncGenerator<ImageLine> {
  type ImageRow = Omit<ImageLine, 'type' | 'bytes'> & { bytes: Buffer };
  const images = () => transaction('product_images').where({ tenant_id: tenantId }).select(columns);
  for await (const rows of pagesByKey<ImageRow>(images, ['product_id'], 50)) {
    for (const { bytes, ...image } of rows) yield { type: 'image', ...image, bytes: bytes.toString('base64') };
  }
}

/** What is wrong with an image, as it came from a file or the database. */
export function imageProblem(image: Pick<ImageLine, 'bytes' | 'sha256' | 'width' | 'height'>): string | undefined {
  const bytes = Buffer.from(image.bytes, 'base64');
  const size = plainWebpSize(bytes);
  if (!size) return 'the bytes of its image are not an image as `product image set` makes it';
  if (size.width !== image.width || size.height !== image.height) return 'its image has another size';
  return imageHash(bytes) === image.sha256 ? undefined : 'the hash of its image does not fit the bytes';
}

export async function writeImage(
  transaction: Knex.Transaction,
  { type: _, ...image }: ImageLine,
  tenantId: string,
): Promise<void> {
  const row = { tenant_id: tenantId, ...image, bytes: Buffer.from(image.bytes, 'base64') };
  await transaction('product_images').insert(row);
}
