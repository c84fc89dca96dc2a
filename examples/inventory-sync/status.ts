/** What the program does with the status of products, by the rules of the service. It needs a key that may publish. */
import type { Client, Product } from '@product-passport/sdk';
import { eachInOrder } from '@product-passport/sdk/bulk';
import { slugOf } from './article.ts';
import { shown } from './kinds.ts';

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
 * @param lines article numbers or slugs. A number whose slug is that of another number is refused without a request, and so
 *   is what cannot be one.
 * @param numbers the article numbers of the export
 */
export async function* archive(
  client: Client,
  lines: readonly string[],
  numbers: ReadonlySet<string>,
): AsyncGenerator<{ name: string; refusal: Refusal; isLast: boolean }> {
  // A slug names its product, whatever the article number.
  const listed = lines.filter((line) => slugOf(line) !== line);
  const bySlug = Map.groupBy(new Set([...numbers, ...listed]), slugOf);
  const refusalOf = (line: string): Refusal => {
    const slug = slugOf(line);
    if (slug === '') return 'has no digit and no letter from a to z';
    const other = slug === line ? undefined : bySlug.get(slug)?.find((number) => number !== line);
    return other === undefined ? undefined : `article number ${shown(other)} gives the same slug, ${slug}`;
  };
  const work = async (name: string) => refusalOf(name) ?? (await change(client, name, 'archived'));
  const names = new Set(lines.map((line) => (refusalOf(line) === undefined ? slugOf(line) : line)));
  for await (const outcome of eachInOrder([...names], work, { concurrency: 1 })) {
    if (!outcome.ok) throw outcome.error;
    yield { name: outcome.item, refusal: outcome.value, isLast: outcome.index === names.size - 1 };
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
