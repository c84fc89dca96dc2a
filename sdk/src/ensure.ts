import { type Api, type RequestOptions, toJson } from './api.ts';
import type { CreateProduct, Product } from './contract.ts';
import { ConflictError } from './errors.ts';
import { type ApiResponse, objectOf, type Read, readObject } from './response.ts';

/** What `products.ensure` found or created. */
export interface EnsureResult {
  readonly product: Product;
  /** Whether this call created it. A product found after a lost response to the create counts as created. */
  readonly created: boolean;
  /**
   * The members of the input that the product has with another value. The API cannot change them: no operation updates
   * what a product was created with.
   */
  readonly differs: readonly (keyof CreateProduct)[];
}

/** For comparisons: the service trims names, and stores GTINs as they are sent, with or without leading zeros. */
const normalized = (value: unknown) =>
  JSON.stringify(typeof value === 'string' ? value.trim().replace(/^0+(?=\d{8})/, '') : value);

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
  const wanted = { ...input };
  const { slug } = wanted;
  const body = await prepare('products.ensure', () => toJson(wanted));
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
  if (found) {
    const product = found.value;
    // A member without a value is not compared.
    const differs = (Object.keys(wanted) as (keyof CreateProduct)[]).filter(
      (name) => (wanted[name] ?? null) !== null && normalized(wanted[name]) !== normalized(product[name]),
    );
    return { ...found, value: { product, created: false, differs } };
  }
  const created = await send('createProduct', { body }, options, { deadline, recover: look });
  const product = created.value;
  if (product.slug !== slug) throw new ConflictError(slug, product);
  return { ...created, value: { product, created: true, differs: [] } };
}
