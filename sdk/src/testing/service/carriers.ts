import type { CarrierList } from '../../contract.ts';
import { productOf, type TenantCall } from './call.ts';
import type { StoredProduct } from './records.ts';
import { resource } from './resource.ts';
import type { State } from './state.ts';

/** A product with a GTIN has one carrier. */
export function listCarriers(call: TenantCall): CarrierList {
  const { state } = call;
  const { behaviour, activated } = state;
  const product = productOf(call);
  const link = linkOf(product, state);
  if (link === undefined || (behaviour.onlyActivatedHaveCarriers && !activated.has(product))) return { items: [] };
  const carrier = {
    ...resource('carrier'),
    id: product.carrierId,
    type: behaviour.carrierType,
    gs1_digital_link: link,
    nfc_tag_uid: behaviour.carrierTag,
    status: behaviour.carrierStatus,
    created_at: behaviour.time(product.createdAt),
  };
  return { items: [carrier] };
}

/** The GS1 Digital Link of a product with a GTIN. */
export function linkOf({ gtin }: StoredProduct, { siteUrl, behaviour }: State): string | undefined {
  return gtin === null ? undefined : `${siteUrl}/01/${behaviour.linkGtin(gtin)}`;
}
