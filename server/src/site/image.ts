import type { Plugin } from '@hapi/hapi';
import { ContractError, type PassportPath } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { Encoded } from '../http/encoded.ts';
import { servePublic } from '../http/routes.ts';
import { queryOf } from '../http/target.ts';
import { mediaType } from '../images/rules.ts';
import { imageBytes } from '../images/store.ts';
import type { PassportCache } from '../passports/read.ts';
import { findPublished, type PublishedRow } from '../passports/store.ts';
import { findLogo, type Logo, logoBytes, slugForm } from '../tenants/store.ts';

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

/** A product's image without its bytes. All are `null` if there is none. */
export type Pictured = Pick<PublishedRow, 'image_hash' | 'image_width' | 'image_height'>;

export function shownImage(path: PassportPath, row: PublishedRow): ShownImage | undefined {
  const picture = shownPicture(path, row);
  return picture && { ...picture, alt: row.image_alt ?? row.name, language: row.language };
}

/** The image without its text. */
export function shownPicture({ tenant, product }: PassportPath, row: Pictured): Placed | undefined {
  return placed(`/p/${tenant}/${product}/image`, row.image_hash, row.image_width, row.image_height);
}

/** The logo of a tenant as its pages show it. Its text is the tenant's name next to it. */
export function shownLogo(tenant: string, logo: Logo): Placed | undefined {
  return placed(`/logos/${tenant}`, logo.logo_sha256, logo.logo_width, logo.logo_height);
}

type Placed = Omit<ShownImage, 'alt' | 'language'>;

function placed(
  folder: string,
  sha256: string | null,
  width: number | null,
  height: number | null,
): Placed | undefined {
  if (sha256 === null || width === null || height === null) return undefined;
  return { path: `${folder}/${imageFile(sha256)}`, width, height };
}

/** The last part of an image's address. It changes with the image, so that browsers keep each forever. */
function imageFile(sha256: string): string {
  return `${sha256.slice(0, 16)}.webp`;
}

/** A stored picture. */
interface Found {
  tenantId: string;
  sha256: string;
  /** In the cache, with the tenant and the hash. */
  name: string;
  bytes: () => Promise<Buffer | undefined>;
}

/** Serves the images of active products and the logos of tenants, each at an address that changes with its content. */
export const imagesPlugin: Plugin<{ database: Knex; cache: PassportCache }> = {
  name: 'images',
  register(server, { database, cache }) {
    /** Pictures stay in memory like pages, so that a flood for one does not fill the queue of its tenant. */
    async function read({ tenantId, sha256, bytes, name }: Found): Promise<Buffer> {
      const cached = await cache.get(`${name} ${tenantId} ${sha256}`, async () => {
        const found = await bytes();
        if (!found) throw new ContractError('not_found');
        return Encoded.of(found);
      });
      return cached.bytes;
    }

    function serve(path: string, find: (params: Record<string, string>) => Promise<Found | undefined>): void {
      servePublic(server, path, async (request, h) => {
        const found = await find(request.params as Record<string, string>);
        if (found === undefined || request.params.file !== imageFile(found.sha256)) {
          throw new ContractError('not_found');
        }
        // No cache keeps an address with an access token, although images need none.
        const isPrivate = queryOf(request).hasAccessToken;
        const notModified = isPrivate ? undefined : h.entity({ etag: found.sha256 });
        const response = notModified ?? h.response(await read(found)).type(mediaType);
        return response.header(
          'cache-control',
          isPrivate ? 'private, no-store' : 'public, max-age=31536000, immutable',
        );
      });
    }

    serve('/p/{tenant}/{product}/image/{file}', async ({ tenant = '', product = '' }) => {
      if (!slugForm.test(tenant) || !slugForm.test(product)) return undefined;
      const row = await findPublished(database, { tenant, product });
      if (!row?.image_hash || !row.image_product) return undefined;
      const { tenant_id: tenantId, image_product: productId, image_hash: sha256 } = row;
      const image = { tenantId, productId, sha256 };
      return { tenantId, sha256, name: `image ${productId}`, bytes: () => imageBytes(database, image) };
    });
    serve('/logos/{tenant}/{file}', async ({ tenant = '' }) => {
      if (!slugForm.test(tenant)) return undefined;
      const row = await findLogo(database, tenant);
      if (!row?.logo_sha256) return undefined;
      const logo = { tenantId: row.id, sha256: row.logo_sha256 };
      return { ...logo, name: 'logo', bytes: () => logoBytes(database, logo) };
    });
  },
};
