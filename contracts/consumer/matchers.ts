/** What varies from provider to provider and from run to run, as matchers; everything else in an answer is exact. */
import { MatchersV3 } from '@pact-foundation/pact';
import type { Passport, PassportValue, PassportVersion, Product, ProductListItem } from '@product-passport/sdk';

type Matcher<Value> = MatchersV3.Matcher<Value>;

/** A value of this type, in which a matcher may stand for any part. */
export type Template<Value> = Matcher<Value> | Value | (Value extends object ? Parts<Value> : never);
type Parts<Value> = { readonly [Key in keyof Value]: Template<Value[Key]> };

const { integer, regex, string } = MatchersV3;

export const anyMessage = string('In words, for people.');
export const anyId = string('019b0a3c-5e20-7b20-9d21-aa0f5d1e0b04');
export const anyTime = regex(
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$',
  '2026-11-20T09:30:00.000Z',
);
export const anyDay = regex('^\\d{4}-\\d{2}-\\d{2}$', '2026-11-20');
export const anyHash = regex('^\\S+$', '63928e6dfbabfd5a58ac048f36c8f44ee658cef40a120799fd9053052c359873');
export const anySalt = regex('^[0-9a-f]{32}$', 'c03b7a5e91d84f26b7e0582d4a96f13e');
/** What a template asks for is the provider's own, and so is how complete a passport is. */
export const anyCompleteness = integer(33);
const anyVersion = integer(1);
export const anyCount = integer(2);
const anyLanguage = string('de');

/** An address of this provider that ends so. */
export function addressTo(path: string): MatchersV3.V3RegexMatcher {
  return regex(`^https?://[^/]+${escaped(path)}$`, `https://passport.example.com${path}`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * A list of so many items like this one. Pact's own `constrainedArrayLike` repeats the rules of the template for every
 * item; only the first one has to have them.
 */
export function listOf<Item>(count: number, template: Template<Item>): Matcher<Item[]> {
  const plain = MatchersV3.reify(template);
  const value = Array.from({ length: count }, (_, index) => (index === 0 ? template : plain));
  return { 'pact:matcher:type': 'type', min: count, max: count, value } as unknown as Matcher<Item[]>;
}

/** What tells a product from others. The rest is as a new product has it. */
export type ProductTold = Pick<Product, 'name' | 'slug'> & Partial<Product>;

export function productItem({
  name,
  slug,
  status = 'draft',
  gtin = null,
  ...told
}: ProductTold): Parts<ProductListItem> {
  return {
    id: anyId,
    name,
    slug,
    status,
    gtin,
    completeness: anyCompleteness,
    registry_status: told.registry_status ?? 'none',
    unique_product_identifier: regex(`^urn:[^:]+:nordlicht:${slug}$`, `urn:dpp:nordlicht:${slug}`),
    created_at: anyTime,
    updated_at: anyTime,
  };
}

export function wholeProduct(told: ProductTold): Parts<Product> {
  const { product_group = null, model = null, registry_id = null } = told;
  return { ...productItem(told), product_group, model, registry_id };
}

export function passport(
  product: Pick<Product, 'name' | 'slug' | 'status'>,
  values: readonly Template<PassportValue>[],
  { content_hash = anyHash, salt = anySalt }: Partial<Parts<Pick<PassportVersion, 'content_hash' | 'salt'>>> = {},
): Template<Passport> {
  return {
    product: { id: anyId, ...product, completeness: anyCompleteness },
    template_version: anyVersion,
    values,
    latest_version: { content_hash, salt, created_at: anyTime },
  };
}

/** A value as it is read. What is absent here is as a write leaves it that does not name it. */
export function passportValue(
  told: Pick<PassportValue, 'field_key' | 'value'> & Partial<PassportValue>,
): Template<PassportValue> {
  return {
    unit: null,
    source: 'import',
    access_level: 'public',
    is_unknown: false,
    needs_review: false,
    ...told,
    locale: anyLanguage,
    updated_at: anyTime,
  };
}
