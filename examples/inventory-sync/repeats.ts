import { createHash } from 'node:crypto';
import type { Article } from './article.ts';

/** How this row relates to an earlier one: `same` repeats it, `conflict` contradicts it. */
export type Repeat = { readonly kind: 'same' | 'conflict'; readonly reason: string };

/**
 * Finds rows that repeat an earlier one. The first counts. Two rows of one article must never be in progress at the
 * same time: both would find no product, and both would create one.
 */
export function createRepeatFinder(): (article: Article) => Repeat | undefined {
  const bySlug = new Map<string, { line: number; number: string; digest: string }>();
  const byGtin = new Map<string, { line: number; number: string }>();

  return ({ line, number, product, values }) => {
    const digest = createHash('sha256')
      .update(JSON.stringify([number, product, values]))
      .digest('base64');
    const earlier = bySlug.get(product.slug);
    if (earlier?.digest === digest) return { kind: 'same', reason: `says the same as line ${earlier.line}` };
    if (earlier) {
      const reason =
        earlier.number === number
          ? `line ${earlier.line} differs for the same article: which one is right?`
          : `article number ${earlier.number} in line ${earlier.line} gives the same slug, ${product.slug}`;
      return { kind: 'conflict', reason };
    }

    const { gtin } = product;
    const padded = gtin?.padStart(14, '0'); // the same GTIN may be written with 8 to 14 digits
    const holder = padded === undefined ? undefined : byGtin.get(padded);
    if (holder) return { kind: 'conflict', reason: `GTIN ${gtin} is that of ${holder.number} in line ${holder.line}` };

    bySlug.set(product.slug, { line, number, digest });
    if (padded !== undefined) byGtin.set(padded, { line, number });
    return undefined;
  };
}
