import { type Read, readObject } from './answer.ts';
import type { Api, RequestOptions } from './api.ts';
import type { CreateProduct, Product } from './contract.ts';
import { ConflictError, isApiError } from './errors.ts';
import { JsonText, toJson } from './json.ts';
import type { Received } from './result.ts';

/** What `products.ensure` found or created. */
export interface Ensured {
  readonly product: Product;
  /** Whether this call created it. A product that is found after a lost response to the create counts as created. */
  readonly created: boolean;
}

/**
 * Gets the product with this slug, or creates it. A create whose response was lost may have arrived, so it is repeated
 * only after another look.
 *
 * @param endOf when a call with these options ends
 */
export async function ensure(
  { send, prepare }: Api,
  input: CreateProduct & { slug: string },
  options: RequestOptions | undefined,
  endOf: (options?: RequestOptions) => number,
): Promise<Received<Ensured>> {
  const until = endOf(options);
  // As it is now: the program may change its object during the look.
  const { slug } = { ...input };
  const body = prepare('createProduct', () => new JsonText(toJson({ ...input })));
  const read: Read = (answer, _url, refuse) => {
    const found = readObject(answer);
    if (!found || found.slug === slug) return found;
    return refuse(`product ${found.slug} came instead. A static mock cannot do this: use the reference server`);
  };
  const look = () =>
    send('getProduct', { path: { slug } }, options, { read, until }).catch((error: unknown) => {
      if (!isApiError(error, 'getProduct', 'not_found')) throw error;
      return undefined;
    });

  const found = await look();
  if (found) return { ...found, value: { product: found.value, created: false } };
  const { value: product, response } = await send('createProduct', { body }, options, { until, recover: look });
  if (product.slug !== slug) throw new ConflictError(slug, product);
  return { value: { product, created: true }, response };
}
