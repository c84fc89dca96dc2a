import type { Client, CreateProduct, PassportValueInput, ValueOf } from '@product-passport/sdk';
import type { PublicClient } from '@product-passport/sdk/public';

/** Optional values under `exactOptionalPropertyTypes`: the property exists and may be `undefined`. */
export async function use(client: Client, site: PublicClient, limit?: number, text?: string): Promise<void> {
  await client.products.list({ limit, offset: undefined, search: text, status: undefined }, { signal: undefined });
  await client.analytics.scans({ days: limit });
  await client.http.GET('/api/v1/products', { params: { query: { limit } }, timeoutMs: limit });
  const product: CreateProduct = { name: 'Cable', slug: text, product_group: text, gtin: text, model: undefined };
  await client.products.create(product);
  await client.products.ensure({ ...product, slug: 'cable' });
  const value: PassportValueInput = {
    field_key: 'x',
    value: 2,
    unit: text,
    source: undefined,
    access_level: undefined,
  };
  const typed: ValueOf<'cable'> = { field_key: 'cable_length', value: 2, unit: undefined, needs_review: undefined };
  await client.passports.put('cable', [value, typed, { ...value, is_unknown: undefined }]);
  await site.passports.document('skellig', 'cable', { zugang: text });
  await site.passports.page('skellig', 'cable', { zugang: text, lang: undefined });
  await site.resolve('09520001200045', { zugang: text });

  // @ts-expect-error: the name is required
  const nameless: CreateProduct = { name: text };
  // @ts-expect-error: the option is on
  const exact: { limit?: number } = { limit };
  [nameless, exact].length;
}
