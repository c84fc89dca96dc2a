import { isDeepStrictEqual } from 'node:util';
import {
  type Client,
  isPassportError,
  type PassportError,
  type PassportValue,
  type Product,
} from '@product-passport/sdk';
import type { Article, ArticleValue, Rejection } from './article.ts';

/** The result for one article. */
interface Brought {
  readonly kind: 'created' | 'updated' | 'unchanged';
  /** The fields that were written. */
  readonly written: readonly string[];
  /** How complete the passport is now, in percent. */
  readonly completeness: number;
}

/** The service has another product under the article's slug. */
class OtherProductError extends Error {
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

/** The result for one row. */
export type Outcome =
  | { readonly kind: 'created' | 'updated' | 'unchanged'; readonly article: Article; readonly brought: Brought }
  | { readonly kind: 'repeated' | 'rejected'; readonly row: Rejection }
  /** The result is unknown: the service did not respond. */
  | { readonly kind: 'open'; readonly why: string };

/** Decides whether a failure concerns this row alone or ends the run. */
export function outcomeOfFailure({ line, number }: Article, error: unknown): Outcome {
  if (error instanceof OtherProductError) return { kind: 'rejected', row: { line, number, reason: error.message } };
  if (!isPassportError(error)) throw error;
  if (error.name === 'ConflictError') return { kind: 'rejected', row: { line, number, reason: error.message } };
  if (error.name === 'ApiError' && [400, 404, 413].includes(error.status)) {
    return { kind: 'rejected', row: { line, number, reason: `${error.code}: ${error.detail}` } };
  }
  return { kind: 'open', why: explain(error) };
}

/** The reason why the run ends, for people. */
export function explain(error: PassportError): string {
  if (error.name === 'NetworkError') return `the service does not respond (${reasonOf(error.cause)})`;
  if (error.name === 'TimeoutError') return 'the service took too long to respond';
  if (error.name === 'ApiError' && error.status === 401) return 'the service refuses the key';
  return error.message;
}

/** The code or message of the innermost cause: `ECONNREFUSED` instead of `fetch failed`. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown reason';
  const { code } = cause as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : cause.cause ? reasonOf(cause.cause) : cause.message;
}
