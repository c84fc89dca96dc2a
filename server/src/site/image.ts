import type { Plugin } from '@hapi/hapi';
import { ContractError, defaultLocale, type PassportPath } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { Encoded } from '../http/encoded.ts';
import { addOtherMethods } from '../http/fallbacks.ts';
import { queryOf } from '../http/query.ts';
import { mediaType } from '../images/rules.ts';
import { imageBytes } from '../images/store.ts';
import type { PassportCache } from '../passports/cache.ts';
import { findPublished, type PublishedRow } from '../passports/store.ts';
import { slugForm } from '../tenants/rules.ts';

/** The image of a product as its page shows it. */
export interface ShownImage {
  /** The path of its address. */
  path: string;
  width: number;
  height: number;
  alt: string;
  /** The language of `alt`. */
  language: string;
}

export function shownImage({ tenant, product }: PassportPath, row: PublishedRow): ShownImage | undefined {
  const { image_hash, image_width: width, image_height: height } = row;
  if (image_hash === null || width === null || height === null) return undefined;
  return {
    path: `/p/${tenant}/${product}/image/${imageFile(image_hash)}`,
    width,
    height,
    alt: row.image_alt ?? row.name,
    language: defaultLocale(row.country),
  };
}

/** The last part of an image's address. It changes with the image, so that browsers keep each for ever. */
function imageFile(sha256: string): string {
  return `${sha256.slice(0, 16)}.webp`;
}

const app = { isPublic: true, offersHtmlErrors: true };

const path = '/p/{tenant}/{product}/image/{file}';

interface ImagesOptions {
  database: Knex;
  cache: PassportCache;
}

/** Serves the images of active products, each at an address that changes with its content. */
export const imagesPlugin: Plugin<ImagesOptions> = {
  name: 'images',
  register(server, { database, cache }) {
    /** Images stay in memory like pages, so that a flood for one does not fill the queue of its tenant. */
    async function read(image: { tenantId: string; productId: string; sha256: string }): Promise<Buffer> {
      const { tenantId, productId, sha256 } = image;
      const { bytes } = await cache.get(tenantId, `image ${tenantId} ${productId} ${sha256}`, async () => {
        const found = await imageBytes(database, image);
        if (!found) throw new ContractError('not_found');
        return Encoded.ofBytes(found);
      });
      return bytes;
    }

    server.route({
      method: 'GET',
      path,
      options: { auth: false, app },
      async handler(request, h) {
        const { tenant, product, file } = request.params as Record<'tenant' | 'product' | 'file', string>;
        const row =
          slugForm.test(tenant) && slugForm.test(product)
            ? await findPublished(database, { tenant, product })
            : undefined;
        if (!row?.image_hash || file !== imageFile(row.image_hash)) throw new ContractError('not_found');
        const { tenant_id: tenantId, id: productId, image_hash: sha256 } = row;
        // No cache keeps an address with an access token, although images need none.
        const isPrivate = queryOf(request).hasAccessToken;
        const notModified = isPrivate ? undefined : h.entity({ etag: sha256 });
        const response = notModified ?? h.response(await read({ tenantId, productId, sha256 })).type(mediaType);
        return response.header(
          'cache-control',
          isPrivate ? 'private, no-store' : 'public, max-age=31536000, immutable',
        );
      },
    });
    addOtherMethods(server, path, ['GET', 'HEAD', 'OPTIONS'], app);
  },
};
