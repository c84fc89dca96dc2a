/** Matchers for what varies between providers and runs. Everything else in a response is exact. */

import { MatchersV3 } from '@pact-foundation/pact';
import type { Passport, PassportValue, PassportVersion, Product, ProductListItem } from '@product-passport/sdk';
import { examples } from '../states/catalogue.ts';

type Matcher<Value> = MatchersV3.Matcher<Value>;

/** A value of this type, in which matchers may replace any part. */
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
export const anyHash = regex('^\\S+$', 'fb2eabec5efaaf7c6ff6aa3894d2808daa92a62e31e96719feb9db6effaffc29');
export const anySalt = regex('^[0-9a-f]{32}$', 'c03b7a5e91d84f26b7e0582d4a96f13e');
/** Each provider has its own templates, so the completeness of a passport varies. */
export const anyCompleteness = integer(33);
const anyVersion = integer(1);
/** The service's description names neither plans nor all registry statuses. */
export const anyPlan = string('business');
const anyRegistryStatus = string('none');
export const anyCount = integer(2);
const anyLanguage = string('en');

/** A URL of the provider that ends in this path. */
export function addressTo(path: string): MatchersV3.V3RegexMatcher {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return regex(`^https?://[^/]+${escaped}$`, `https://passport.example.com${path}`);
}

/**
 * A text of a request with this value in it. If a provider state returns the value, a verifier sends the returned value
 * instead of the example. The mock accepts only the example: with Pact's `fromProviderState` alone it would accept any text.
 */
export function sentValue(value: string, prefix = ''): string | Matcher<string> {
  const name = Object.entries(examples).find(([, example]) => example === value)?.[0];
  if (name === undefined) return prefix + value;
  const fromState = MatchersV3.fromProviderState(`${prefix}\${${name}}`, prefix + value);
  return { ...fromState, 'pact:matcher:type': 'equality' };
}

/**
 * A list of `count` items that match the template. Pact's `constrainedArrayLike` repeats the matching rules for every
 * item; here only the first item has them.
 */
export function listOf<Item>(count: number, template: Template<Item>): Matcher<Item[]> {
  const plain = MatchersV3.reify(template);
  const value = Array.from({ length: count }, (_, index) => (index === 0 ? template : plain));
  return { 'pact:matcher:type': 'type', min: count, max: count, value } as unknown as Matcher<Item[]>;
}

/** The serial number belongs to the reference profile. */
type OfAnyProvider<Item extends ProductListItem> = Omit<Item, 'serial_number'> & { serial_number?: string | null };
export type ListItem = OfAnyProvider<ProductListItem>;

/** The fields that differ from those of a new product. */
export type ProductFields = Pick<Product, 'name' | 'slug'> & Partial<Product>;

export function productItem({
  name,
  slug,
  status = 'draft',
  gtin = null,
  serial_number,
  ...fields
}: ProductFields): Parts<ListItem> {
  return {
    id: anyId,
    name,
    slug,
    status,
    gtin,
    ...(serial_number === undefined ? {} : { serial_number }),
    completeness: anyCompleteness,
    registry_status: fields.registry_status ?? anyRegistryStatus,
    unique_product_identifier: regex(`^urn:[^:]+:skellig:${slug}$`, `urn:dpp:skellig:${slug}`),
    created_at: anyTime,
    updated_at: anyTime,
  };
}

export function wholeProduct(fields: ProductFields): Parts<OfAnyProvider<Product>> {
  const { product_group = null, model = null, registry_id = null } = fields;
  return { ...productItem(fields), product_group, model, registry_id };
}

/** The salt belongs to the claim `reference`. */
type PassportOfAnyProvider = Omit<Passport, 'latest_version'> & {
  latest_version: Omit<PassportVersion, 'salt'> & Partial<Pick<PassportVersion, 'salt'>>;
};

export function passport(
  product: Pick<Product, 'name' | 'slug' | 'status'>,
  values: readonly Template<PassportValue>[],
  version: Partial<Parts<Pick<PassportVersion, 'content_hash' | 'salt'>>> = { salt: anySalt },
): Template<PassportOfAnyProvider> {
  return {
    product: { id: anyId, ...product, completeness: anyCompleteness },
    template_version: anyVersion,
    values,
    latest_version: { content_hash: anyHash, created_at: anyTime, ...version },
  };
}

/** A passport value in a response. Fields that are absent here have the value that a write gives them by default. */
export function passportValue(
  fields: Pick<PassportValue, 'field_key' | 'value'> & Partial<PassportValue>,
): Template<PassportValue> {
  return {
    unit: null,
    source: 'import',
    access_level: 'public',
    is_unknown: false,
    needs_review: false,
    ...fields,
    locale: anyLanguage,
    updated_at: anyTime,
  };
}
