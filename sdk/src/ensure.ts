import type { Api, RequestOptions } from './api.ts';
import type { ApiResponse } from './api-promise.ts';
import type { CreateProduct, Product } from './contract.ts';
import { ConflictError } from './errors.ts';
import { JsonText, toJson } from './json.ts';
import { objectOf, type Read, readObject } from './response.ts';

/** What `products.ensure` found or created. */
export interface EnsureResult {
  readonly product: Product;
  /** Whether this call created it. A product found after a lost response to the create counts as created. */
  readonly created: boolean;
}

/**
 * Gets the product with this slug, or creates it. A create whose response was lost may have arrived, so `ensure` looks
 * for the slug again before it repeats the create.
 */
export async function ensure(
  { send, prepare, deadlineOf }: Api,
  input: CreateProduct & { slug: string },
  options: RequestOptions | undefined,
): Promise<ApiResponse<EnsureResult>> {
  const deadline = deadlineOf(options);
  // Copied now, because the program may change its object during the first request.
  const { slug } = { ...input };
  const body = prepare('createProduct', () => new JsonText(toJson({ ...input })));
  // A 404 is an expected outcome and not a failure.
  const read: Read = (received, _url, fail) => {
    if (received.response.status === 404 && Object(objectOf(received.text)?.error).code === 'not_found') return null;
    const found = readObject(received);
    if (!found || found.slug === slug) return found;
    return fail(`got product ${found.slug} instead. A static mock cannot do this: use the reference server`);
  };
  const look = async () => {
    const found = await send('getProduct', { path: { slug } }, options, { read, deadline });
    return found.value ? found : undefined;
  };

  const found = await look();
  if (found) return { ...found, value: { product: found.value, created: false } };
  const { value: product, response } = await send('createProduct', { body }, options, { deadline, recover: look });
  if (product.slug !== slug) throw new ConflictError(slug, product);
  return { value: { product, created: true }, response };
}
