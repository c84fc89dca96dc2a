import { isDeepStrictEqual } from 'node:util';
import { type Client, isPassportError, type PassportValue, type Product } from '@product-passport/sdk';
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

/** The service has another product under the article's slug. */
export class OtherProductError extends Error {
  override readonly name = 'OtherProductError';
}

/**
 * Brings one article into the service: creates it if it is not there, and writes the values that differ. After a lost
 * answer the whole article is gone through again, never the one request: `ensure` looks for the slug before it creates,
 * so that an article which the service did create is found and not created twice.
 */
export function bring(client: Client, article: Article, stop: AbortSignal): Promise<Brought> {
  let isOurs = false; // Of a creation whose answer was lost it is taken to be.
  return patiently(async () => {
    const { slug } = article.product;
    const { product, created } = await client.products.ensure(article.product).catch((error: unknown) => {
      isOurs ||= isPassportError(error) && 'operation' in error && error.operation === 'createProduct';
      throw error;
    });
    isOurs ||= created;
    refuseOther(product, article);

    const passport = await client.passports.get(slug);
    const changed = article.values.filter((value) => differs(value, passport.values));
    const kind = isOurs ? 'created' : 'updated';
    if (changed.length === 0) {
      return { kind: isOurs ? kind : 'unchanged', written: [], completeness: passport.product.completeness };
    }
    const { completeness } = await client.passports.put(slug, changed);
    return { kind, written: changed.map(({ field_key }) => field_key), completeness };
  }, stop);
}

/** The API has no way to change master data, and another name or GTIN may mean another product. */
function refuseOther(found: Product, { product }: Article): void {
  for (const member of ['name', 'product_group', 'gtin', 'model'] as const) {
    if (found[member] === product[member]) continue;
    const [there, here] = [found[member], product[member]].map((value) => (value === null ? 'none' : `"${value}"`));
    throw new OtherProductError(`the service has ${product.slug} with ${member} ${there}, the row says ${here}`);
  }
}

function differs(value: ArticleValue, stored: readonly PassportValue[]): boolean {
  const found = stored.find(({ field_key }) => field_key === value.field_key);
  if (!found) return true;
  return (['value', 'unit', 'access_level', 'is_unknown'] as const).some(
    (member) => !isDeepStrictEqual(found[member], value[member]),
  );
}
