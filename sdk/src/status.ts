import { type Api, type RequestOptions, toJson } from './api.ts';
import type { Product, ProductStatusChange } from './contract.ts';
import type { ApiResponse } from './response.ts';

/**
 * Changes the status of a product. A change whose response was lost may have arrived, so `setStatus` reads the product
 * before it repeats the change.
 */
export async function setStatus(
  { send, prepare, deadlineOf }: Api,
  slug: string,
  change: ProductStatusChange,
  options: RequestOptions | undefined,
): Promise<ApiResponse<Product>> {
  const deadline = deadlineOf(options);
  const path = { slug };
  const { status } = { ...change };
  const body = await prepare('products.setStatus', () => toJson(change));
  const recover = async () => {
    const found = await send('getProduct', { path }, options, { deadline });
    return found.value.status === status ? found : undefined;
  };
  return send('setProductStatus', { path, body }, options, { deadline, recover });
}
