/** The products that a program finds: enough for three pages, and complete, so that a program that reads has no findings. */
import type { FakeService } from '@product-passport/sdk/testing';

/** With the helmet of the fake service, exactly two pages of 50 active products. The list then grows by one. */
const count = 99;

const answers = [
  { field_key: 'manufacturer_name', value: 'Nordlicht GmbH' },
  { field_key: 'country_of_origin', value: 'DE' },
  { field_key: 'product_description', value: 'A sample.' },
  { field_key: 'recycling_instructions', value: 'Take it back to the shop.' },
];

/** Adds a product to a service, as another program of the tenant would. */
export type AddProduct = (name: string) => Promise<void>;

export async function addSampleProducts(service: FakeService): Promise<AddProduct> {
  const { base_url, tenants, active_product } = service.provider;
  const headers = { authorization: `Bearer ${tenants[0]?.api_key}`, 'content-type': 'application/json' };
  const send = (method: string, path: string, body: unknown): Promise<Response> =>
    service.fetch(`${base_url}${path}`, { method, headers, body: JSON.stringify(body) });
  const complete = (slug: string): Promise<Response> => send('PUT', `/products/${slug}/passport`, answers);
  const add = async (name: string): Promise<void> => {
    const response = await send('POST', '/products', { name, product_group: 'other' });
    const { slug }: { slug: string } = await response.json();
    await complete(slug);
    service.activate(active_product.tenant, slug);
  };
  await complete(active_product.slug);
  for (let number = 1; number <= count; number += 1) await add(`Sample ${String(number).padStart(3, '0')}`);
  return add;
}
