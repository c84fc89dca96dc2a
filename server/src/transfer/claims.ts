import { completeness } from '../passports/rules.ts';
import { productUrn } from '../products/rules.ts';
import { templateAt } from '../templates/catalogue.ts';
import type { ProductLine } from './format.ts';

/** A product with the URN and the completeness that follow from its line, whatever the line says. */
export function withComputed(line: ProductLine, tenantSlug: string): ProductLine {
  const { product, passport } = line;
  const { values, template_version } = passport;
  // The namespace belongs to the installation that created the product.
  const [, namespace = ''] = product.unique_product_identifier.split(':');
  const template = templateAt(product.product_group, template_version);
  const computed = {
    unique_product_identifier: productUrn(namespace, tenantSlug, product.slug),
    // A passport that nobody wrote has 0, also if its template requires nothing.
    completeness: values.length === 0 ? 0 : completeness(template, values),
  };
  return { ...line, product: { ...product, ...computed } };
}

/** Why a product cannot be what its line says. */
export function contradiction({ product, activated_at }: ProductLine): string | undefined {
  const { status, registry_status, registry_id } = product;
  if (status === 'active' && activated_at === null) return 'an active product needs the time in activated_at.';
  if (status === 'draft' && activated_at !== null) return 'a draft was never active: activated_at must be null.';
  const isRegistered = ['registered', 'deactivated'].includes(registry_status);
  if (isRegistered === (registry_id !== null)) return undefined;
  return isRegistered
    ? 'a registered product needs product.registry_id.'
    : 'only a registered product has a registry_id.';
}
