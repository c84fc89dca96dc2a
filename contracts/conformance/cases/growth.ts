/** The growth of the tenant's list in this run: products of one name, created at the same time, and a walk meanwhile. */
import type { Product, ProductListItem } from '@product-passport/sdk';
import { type Api, createdProduct } from '../api.ts';
import type { Context } from '../case.ts';

interface Growth {
  /** Three new products with one name. No other product of the run is as new. */
  readonly products: readonly [Product, Product, Product];
  /** `products_total` before and after. */
  readonly totals: readonly [number, number];
  /** The slugs of the first products before. */
  readonly before: readonly string[];
  /** The slugs on the pages that were read meanwhile. */
  readonly during: readonly string[];
}

const pageSize = 10;
const pages = 10;

/** Creates three products of one name at the same time, while the list is read page by page. Once in a run. */
export function grow({ once }: Context): Promise<Growth> {
  return once('growth', async ({ api, send, world }) => {
    const group = await world.groupOfKeys();
    const { products_total: total } = await api.me();
    const before = (await api.list({ limit: pageSize * pages })).items.map(slugOf);
    const creations = Promise.all(
      ['one', 'two', 'three'].map(async (model) =>
        createdProduct(
          await send({ method: 'POST', path: '/api/v1/products', json: { ...group, name: 'Verify growth', model } }),
        ),
      ),
    );
    // Both at once: a creation may fail while a page is read.
    const [made, during] = await Promise.all([creations, pagesOf(api)]);
    const products = made as [Product, Product, Product];
    return { products, totals: [total, (await api.me()).products_total], before, during };
  });
}

async function pagesOf(api: Api): Promise<string[]> {
  const slugs: string[] = [];
  for (let page = 0; page < pages; page += 1) {
    const { items } = await api.list({ limit: pageSize, offset: page * pageSize });
    slugs.push(...items.map(slugOf));
  }
  return slugs;
}

const slugOf = ({ slug }: ProductListItem): string => slug;
