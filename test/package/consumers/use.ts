import { type Client, createClient, isApiError, type Product, type ProductListItem } from '@product-passport/sdk';
import { createDppClient, type EuPassport } from '@product-passport/sdk/dpp';
import { createPublicClient, type PassportDocument } from '@product-passport/sdk/public';
import { apiError, createFakeClient, pageOf } from '@product-passport/sdk/testing';

export async function use(): Promise<unknown[]> {
  const options = { baseUrl: 'https://passport.example.com/api/v1', apiKey: 'ppk_x' };
  const client: Client = createClient({ ...options, fetch: (url, init) => fetch(url, init) });
  const product: Product = await client.products.create({ name: 'Cable', product_group: 'cable' });
  const items: ProductListItem[] = [];
  for await (const item of client.products.list({ status: 'active' })) items.push(item);
  await client.passports.put(product.slug, [{ field_key: 'cable_length', value: 2 }]).catch((error: unknown) => {
    if (isApiError(error) && error.code === 'not_found') return error.detail.length;
    throw error;
  });
  const site = createPublicClient({ siteUrl: client.siteUrl, fetch: globalThis.fetch });
  const { data, response } = await client.http.GET('/api/v1/products/{slug}', {
    params: { path: { slug: product.slug } },
  });
  const status: string = data.registry_status;
  const document: PassportDocument = await site.passports.document('skellig', product.slug);
  const passport: EuPassport = await createDppClient({ baseUrl: `${client.siteUrl}/dpp/v1` }).get('x');
  const fake = createFakeClient({
    listProducts: ({ query }) => pageOf(items, query),
    getProduct: ({ slug }) => ({ ...product, slug }),
    createProduct: apiError('name_required'),
  });
  const slugs: string[] = fake.calls.map((call) => (call.operation === 'getProduct' ? call.slug : document.name));

  // Lines that must not compile. They reveal types that are `any`.
  // @ts-expect-error: a product requires a name
  client.products.create({ gtin: '09520001200045' });
  // @ts-expect-error: a slug is a string
  const wrong: number = product.slug;
  // @ts-expect-error: a path needs its values
  client.http.GET('/api/v1/products/{slug}');
  // @ts-expect-error: this operation does not exist
  createFakeClient({ getProducts: apiError('not_found') });
  // @ts-expect-error: getProduct cannot fail with name_required
  createFakeClient({ getProduct: apiError('name_required') });
  return [slugs, wrong, status, passport.dppStatus, response.headers.get('etag')];
}
