import type { components } from '../contract/generated/openapi.ts';
import type { PassportValue } from '../passports/rules.ts';
import { gtin14 } from '../products/rules.ts';
import type { PublicPassport } from './handlers.ts';

type PassportDocument = components['schemas']['PassportDocument'];

/** The passport as JSON-LD, in the vocabulary of schema.org. */
export function passportDocument(
  { tenant, product, values, version }: PublicPassport,
  siteUrl: string,
): PassportDocument {
  const url = `${siteUrl}/p/${tenant.slug}/${product.slug}`;
  const gtin = product.gtin === null ? undefined : gtin14(product.gtin);
  return {
    '@context': 'https://schema.org/',
    '@type': 'Product',
    '@id': gtin ? `${siteUrl}/01/${gtin}` : product.unique_product_identifier,
    identifier: product.unique_product_identifier,
    name: product.name,
    ...(product.model === null ? {} : { model: product.model }),
    ...(product.product_group === null ? {} : { category: product.product_group }),
    url,
    ...(gtin ? { gtin14: gtin } : {}),
    hasDigitalProductPassport: {
      '@type': 'DigitalProductPassport',
      '@id': `${url}/jsonld`,
      identifier: {
        '@type': 'PropertyValue',
        propertyID: 'sha-256',
        name: 'content_hash',
        value: version.content_hash,
      },
      dateModified: version.created_at,
    },
    additionalProperty: values.map(propertyValue),
  };
}

/** JSON-LD drops `null` without a word, so an unknown value is said in words. */
function propertyValue({ field_key, value, unit, is_unknown }: PassportValue) {
  const unknown = is_unknown || value === null;
  const literal = typeof value === 'object' ? { '@type': '@json', '@value': value } : value;
  return {
    '@type': 'PropertyValue' as const,
    propertyID: field_key,
    ...(unknown ? { description: 'unknown' as const } : { value: literal }),
    ...(unit === null ? {} : { unitText: unit }),
  };
}
