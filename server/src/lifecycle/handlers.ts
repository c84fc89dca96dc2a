import { ContractError } from '@product-passport/openapi';
import type { Handlers } from '../http/handlers.ts';
import { findProduct } from '../products/store.ts';
import type { Services } from '../services.ts';
import { changeStatus, createProduct, MoveError, NotReady, ValueIsInUse } from './lifecycle.ts';

export function lifecycleHandlers(services: Services): Pick<Handlers, 'createProduct' | 'setProductStatus'> {
  return {
    createProduct: ({ tenant, body }) => createProduct(services, tenant, body),

    async setProductStatus({ tenant, key, path: { slug }, body: { status, accept_findings, open }, waitAsLarge }) {
      if (!(await findProduct(services.database, tenant.id, slug))) throw new ContractError('not_found');
      if (key.scope !== 'publish') throw new ContractError('key_cannot_publish');
      const change = { status, open, acceptFindings: accept_findings === true, by: key };
      const done = await changeStatus(services, tenant, slug, change, waitAsLarge).catch((error: unknown) => {
        if (!(error instanceof MoveError)) throw error;
        // The other messages name another tenant, or what only an operator can do.
        const isOwn = error instanceof NotReady || error instanceof ValueIsInUse;
        throw new ContractError(error.code, isOwn ? error.message : undefined);
      });
      if (!done) throw new ContractError('not_found');
      return done.product;
    },
  };
}
