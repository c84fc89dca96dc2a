import type { Knex } from 'knex';
import { statement } from '../database/statement.ts';
import { type ImageInfo, imageHash, mediaType, type Size } from './rules.ts';

const columns = ['sha256', 'media_type', 'width', 'height', 'alt'] as const;

/** Stores the image of a product in place of an earlier one. */
export async function setImage(
  database: Knex,
  { tenantId: tenant_id, productId: product_id }: { tenantId: string; productId: string },
  { bytes, width, height, alt }: Size & { bytes: Buffer; alt: string | null },
  now: Date,
): Promise<ImageInfo> {
  const image: ImageInfo = { sha256: imageHash(bytes), media_type: mediaType, width, height, alt };
  await database('product_images')
    .insert({ tenant_id, product_id, ...image, created_at: now.toISOString(), bytes })
    .onConflict(['tenant_id', 'product_id'])
    .merge();
  return image;
}

/** @returns whether the product had an image */
export async function removeImage(
  transaction: Knex.Transaction,
  tenantId: string,
  productId: string,
): Promise<boolean> {
  const removed = await transaction('product_images').where({ tenant_id: tenantId, product_id: productId }).delete();
  return removed > 0;
}

/** The image of a product, without its bytes. */
export async function findImage(database: Knex, tenantId: string, productId: string): Promise<ImageInfo | undefined> {
  return database('product_images')
    .where({ tenant_id: tenantId, product_id: productId })
    .first([...columns]);
}

/**
 * Joins `products` with their images, as `product_images`. An item without one shows that of the model that links of its GTIN
 * open.
 *
 * @param tenantId of the products
 */
export function withImages(database: Knex, products: Knex.QueryBuilder, tenantId: string | number): Knex.QueryBuilder {
  const shown = database.raw(
    `COALESCE(
    (SELECT own.product_id FROM product_images AS own WHERE own.tenant_id = ? AND own.product_id = products.id),
    CASE WHEN products.is_item THEN
      (SELECT models.id FROM products AS models
       WHERE models.tenant_id = ? AND models.gtin14 = products.gtin14 AND models.status = 'active'
       AND models.serial_number IS NULL ORDER BY models.activated_at, models.id LIMIT 1)
    END)`,
    [tenantId, tenantId],
  );
  return products.leftJoin('product_images', (join) =>
    join.on('product_images.tenant_id', 'products.tenant_id').andOn('product_images.product_id', shown),
  );
}

/** The columns of an image that `withImages` has found, all `null` without one. */
export const imageOf = {
  /** The product whose image it is. */
  image_product: 'product_images.product_id',
  image_hash: 'product_images.sha256',
  image_width: 'product_images.width',
  image_height: 'product_images.height',
} as const;

const storedBytes = statement<{ bytes: Buffer }, { tenantId: string; productId: string; sha256: string }>(
  (database, { tenantId, productId, sha256 }) =>
    database('product_images').where({ tenant_id: tenantId, product_id: productId, sha256 }).select('bytes'),
);

/** The bytes of a product's image, if it still has this one. */
export async function imageBytes(
  database: Knex,
  image: { tenantId: string; productId: string; sha256: string },
): Promise<Buffer | undefined> {
  return (await storedBytes.first(database, image))?.bytes;
}
