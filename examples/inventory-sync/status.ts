/** What the program does with the status of products, by the rules of the service. It needs a key that may publish. */
import type { Client, Product } from '@product-passport/sdk';
import { eachInOrder } from '@product-passport/sdk/bulk';
import { slugOf } from './article.ts';

/** Why a status was not changed; `undefined` if it was. */
export type Refusal = string | undefined;

/**
 * Publishes a draft whose passport fits its template. It never accepts findings, and leaves archived products archived:
 * somebody withdrew them.
 *
 * @returns `null` for a product that is not a draft
 */
export async function publish(client: Client, { slug, status }: Product): Promise<Refusal | null> {
  return status === 'draft' ? change(client, slug, 'active') : null;
}

/**
 * Archives the products of a list, one after the other. A product that is merely missing from an export stays.
 *
 * @param numbers article numbers or slugs. What cannot be one is refused without a request.
 */
export async function* archive(
  client: Client,
  numbers: readonly string[],
): AsyncGenerator<{ slug: string; refusal: Refusal }> {
  const work = async (slug: string) => {
    const isSlug = slugOf(slug) === slug;
    return {
      slug,
      refusal: isSlug ? await change(client, slug, 'archived') : 'has no digit and no letter from a to z',
    };
  };
  const slugs = new Set(numbers.map((number) => slugOf(number) || number));
  for await (const outcome of eachInOrder([...slugs], work, { concurrency: 1 })) {
    if (!outcome.ok) throw outcome.error;
    yield outcome.value;
  }
}

async function change(client: Client, slug: string, status: 'active' | 'archived'): Promise<Refusal> {
  const result = await client.products.setStatus(slug, { status }).result();
  if (result.ok) return undefined;
  const { error } = result;
  // These concern the product alone.
  if (error.name === 'ApiError' && [404, 409].includes(error.status)) return `${error.code}: ${error.detail}`;
  throw error;
}
