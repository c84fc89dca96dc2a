import type { Plugin } from '@hapi/hapi';
import { ContractError } from '../contract/errors.ts';
import { addOtherMethods } from '../http/fallbacks.ts';
import type { Limit } from '../http/rate-limit.ts';
import { visitOf } from '../http/visit.ts';
import { mediaType } from '../images/rules.ts';
import { imageBytes } from '../images/store.ts';
import { findPublished } from '../passports/store.ts';
import type { Services } from '../services.ts';
import { slugForm } from '../tenants/rules.ts';
import { imageFile } from './image.ts';

const path = '/p/{tenant}/{product}/image/{file}';

/** Serves the images of active products, each at an address that changes with its content. */
export const imagesPlugin: Plugin<Pick<Services, 'database'> & { limitAddress: Limit; proxies: number }> = {
  name: 'images',
  register(server, { database, limitAddress, proxies }) {
    server.route({
      method: 'GET',
      path,
      options: { auth: false, app: { isPublic: true } },
      async handler(request, h) {
        await limitAddress(visitOf(request, proxies).address);
        const { tenant, product, file } = request.params as Record<'tenant' | 'product' | 'file', string>;
        const head =
          slugForm.test(tenant) && slugForm.test(product)
            ? await findPublished(database, { tenant, product })
            : undefined;
        if (!head?.image_hash || file !== imageFile(head.image_hash)) throw new ContractError('not_found');
        const { tenant_id: tenantId, id: productId, image_hash: sha256 } = head;
        const kept = h.entity({ etag: sha256 });
        const bytes = kept ? undefined : await imageBytes(database, { tenantId, productId, sha256 });
        if (!kept && !bytes) throw new ContractError('not_found');
        const response = kept ?? h.response(bytes).type(mediaType);
        return response.header('cache-control', 'public, max-age=31536000, immutable');
      },
    });
    addOtherMethods(server, path, ['GET', 'HEAD', 'OPTIONS'], { isPublic: true });
  },
};
