import { isDeepStrictEqual } from 'node:util';
import { type Client, isApiError, type PassportValue, type Product } from '@product-passport/sdk';
import type { Article, ArticleValue } from './article.ts';
import { patiently } from './patience.ts';

/** What became of an article. */
export interface Brought {
  readonly kind: 'created' | 'updated' | 'unchanged';
  /** The fields that were written. */
  readonly written: readonly string[];
  /** How complete the passport is now, in percent. */
  readonly completeness: number;
}

/** The service has something else under the article's slug. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/**
 * Brings one article into the service: creates it if it is not there, and writes the values that differ. After a lost
 * answer the whole article is gone through again, never the one request: it looks for the slug before it creates, so
 * that an article which the service did create is found and not created twice.
 */
export function bring(client: Client, article: Article, stop: AbortSignal): Promise<Brought> {
  let tried = false;
  return patiently(async () => {
    const { slug } = article.product;
    let product = await find(client, slug);
    if (!product) {
      tried = true;
      product = await create(client, article);
    }
    refuseOther(product, article);

    const passport = await client.passports.get(slug);
    const changed = article.values.filter((value) => differs(value, passport.values));
    const kind = tried ? 'created' : 'updated';
    if (changed.length === 0) {
      return { kind: tried ? kind : 'unchanged', written: [], completeness: passport.product.completeness };
    }
    const { completeness } = await client.passports.put(slug, changed);
    return { kind, written: changed.map(({ field_key }) => field_key), completeness };
  }, stop);
}

async function find(client: Client, slug: string): Promise<Product | undefined> {
  try {
    return await client.products.get(slug);
  } catch (error) {
    if (isApiError(error, 'getProduct') && error.code === 'not_found') return undefined;
    throw error;
  }
}

async function create(client: Client, { product }: Article): Promise<Product> {
  const created = await client.products.create(product);
  if (created.slug === product.slug) return created;
  // The slug was free a moment ago: the service has appended a suffix, and the product is there to be looked at.
  throw new ConflictError(`somebody else created ${product.slug} just now; this one became ${created.slug}`);
}

/** The API has no way to change master data, and another name or GTIN may mean another product. */
function refuseOther(found: Product, { product }: Article): void {
  for (const member of ['name', 'product_group', 'gtin', 'model'] as const) {
    if (found[member] === product[member]) continue;
    const [there, here] = [found[member], product[member]].map((value) => (value === null ? 'none' : `"${value}"`));
    throw new ConflictError(`the service has ${product.slug} with ${member} ${there}, the row says ${here}`);
  }
}

function differs(value: ArticleValue, stored: readonly PassportValue[]): boolean {
  const found = stored.find(({ field_key }) => field_key === value.field_key);
  if (!found) return true;
  return (['value', 'unit', 'access_level', 'is_unknown'] as const).some(
    (member) => !isDeepStrictEqual(found[member], value[member]),
  );
}
