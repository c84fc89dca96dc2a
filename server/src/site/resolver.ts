/** The GS1 Digital Link resolver. Its targets come from the store and the site's own address, never from the request. */
import type { OperationId } from '../contract/document.ts';
import { ContractError } from '../contract/errors.ts';
import type { Handlers, Redirect } from '../http/handlers.ts';
import { findActiveByGtin } from '../products/store.ts';
import type { Services } from '../services.ts';
import { type DigitalLinkRequest, type LinksetRepresentation, linkResponse } from './link-response.ts';

/** The Digital Link of a GTIN, with and without key qualifiers. */
type DigitalLinkOperation = Extract<OperationId, `resolveGtin${string}`>;

export function resolverHandlers({
  database,
  siteUrl,
  redirectStatus,
}: Services): Pick<Handlers, DigitalLinkOperation | 'getResolverDescription'> {
  /** The GTIN alone decides: passports belong to products, not to batches or items. */
  async function resolve(request: DigitalLinkRequest): Promise<Redirect | LinksetRepresentation> {
    const found = await findActiveByGtin(database, request.path.gtin);
    if (!found) throw new ContractError('not_found');
    const { tenant_slug: tenant, slug, name } = found;
    return linkResponse({ tenant, slug, name }, request, { siteUrl: siteUrl(), redirectStatus });
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
      const body = {
        name: 'Product Passport Service',
        resolverRoot: siteUrl(),
        supportedPrimaryKeys: ['01' as const],
        supportedLinkType: [{ namespace: 'https://ref.gs1.org/voc/' as const, prefix: 'gs1:' as const }],
        linkTypeDefaultCanBeLinkset: false as const,
      };
      return { type: 'application/json', body, headers: {} };
    },
  };
}
