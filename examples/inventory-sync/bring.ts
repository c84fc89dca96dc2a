import { isDeepStrictEqual } from 'node:util';
import type { Client, PassportValue, Product } from '@product-passport/sdk';
import type { Article, ArticleValue } from './article.ts';

/** The result for one article. */
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
 * Imports one article: creates the product if it does not exist, and writes the values that differ. All of it can be
 * repeated: `ensure` looks for the slug before it creates, also after the response to its create was lost.
 */
export async function bring(client: Client, article: Article): Promise<Brought> {
  const { slug } = article.product;
  const { product, created } = await client.products.ensure(article.product);
  refuseOther(product, article);

  const passport = await client.passports.get(slug);
  const changed = article.values.filter((value) => differs(value, passport.values));
  const kind = created ? 'created' : 'updated';
  if (changed.length === 0) {
    return { kind: created ? kind : 'unchanged', written: [], completeness: passport.product.completeness };
  }
  const { completeness } = await client.passports.put(slug, changed);
  return { kind, written: changed.map(({ field_key }) => field_key), completeness };
}

/** The API cannot change master data, and another name or GTIN may mean another product. */
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
