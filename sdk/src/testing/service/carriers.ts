import type { CarrierList } from '../../contract.ts';
import { productOf, type TenantCall } from './call.ts';
import type { StoredProduct } from './records.ts';
import type { State } from './state.ts';

/** A product with a GTIN has one carrier. */
export function listCarriers(call: TenantCall): CarrierList {
  const { state } = call;
  const { freedoms, activated } = state;
  const product = productOf(call);
  const link = linkOf(product, state);
  if (link === undefined || (freedoms.onlyActivatedHaveCarriers && !activated.has(product))) return { items: [] };
  const carrier = {
    id: product.carrierId,
    type: freedoms.carrierType,
    gs1_digital_link: link,
    nfc_tag_uid: freedoms.carrierTag,
    status: freedoms.carrierStatus,
    created_at: freedoms.time(product.createdAt),
  };
  return { items: [carrier] };
}

/** The GS1 Digital Link of a product with a GTIN. */
export function linkOf({ gtin }: StoredProduct, { siteUrl, freedoms }: State): string | undefined {
  return gtin === null ? undefined : `${siteUrl}/01/${freedoms.linkGtin(gtin)}`;
}
