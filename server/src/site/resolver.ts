/** The GS1 Digital Link resolver. Its targets come from the store and the site's own address, never from the request. */

import {
  ContractError,
  type DigitalLinkRequest,
  linkResponse,
  type OperationId,
  resolverDescription,
} from '@product-passport/openapi';
import type { Handlers, Visit } from '../http/handlers.ts';
import { preferredType } from '../http/representation.ts';
import { findLinked } from '../products/gtins.ts';
import type { Services } from '../services.ts';

/** The Digital Link of a GTIN, with and without key qualifiers. */
type DigitalLinkOperation = Extract<OperationId, `resolveGtin${string}`>;

type Request = Omit<DigitalLinkRequest, 'preferred'> & { readonly visit: Pick<Visit, 'accept'> };

export function resolverHandlers({
  database,
  siteUrl,
  redirectStatus,
}: Services): Pick<Handlers, DigitalLinkOperation | 'getResolverDescription'> {
  async function resolve({ path, queryParts, visit }: Request): Promise<ReturnType<typeof linkResponse>> {
    const linked = await findLinked(database, path.gtin, path.serial);
    if (!linked) throw new ContractError('not_found');
    const preferred = (types: readonly string[]) => preferredType(visit.accept, types);
    const site = { siteUrl: siteUrl(), redirectStatus };
    return linkResponse(linked, { path, queryParts, preferred }, site);
  }

  return {
    resolveGtin: resolve,
    resolveGtinCpv: resolve,
    resolveGtinBatch: resolve,
    resolveGtinSerial: resolve,
    resolveGtinCpvBatch: resolve,
    resolveGtinCpvSerial: resolve,
    resolveGtinBatchSerial: resolve,
    resolveGtinCpvBatchSerial: resolve,
    resolveGtinTpx: resolve,

    async getResolverDescription() {
      const body = resolverDescription(siteUrl());
      return { type: 'application/json', body, headers: {} };
    },
  };
}
