/** A search finds the same products as a scan of all names, whatever the names and the text. */

import { describe, expect, test } from '@jest/globals';
import { fold } from '@product-passport/openapi';
import fc from 'fast-check';
import { listProducts } from '../../server/src/products/list.ts';
import { databaseKinds } from '../support/database.ts';
import { useService } from '../support/service.ts';
import { storeProducts } from '../support/tenant.ts';

const count = 4000;
/** `SEARCHES=10000` takes a minute for each database. */
const searches = Number(process.env.SEARCHES ?? 400);
const statuses = ['draft', 'active', 'archived'] as const;
const statusOf = (index: number) => statuses[index % 3] ?? 'draft';

/** Few characters, so that texts are found: of every fold, of SQL's and FTS5's syntax, and of several UTF-16 units. */
const characters = fc.constantFrom(
  ...'aAbBéÉe\u0301ßẞſSςσΣıİiI%_\\"\'*^():+-{}.,; \t\u00a0ﬃ日本語のД🧵🧑‍🍳\ufffd\ufffe\uffff\u{10ffff}',
  'AND',
  'OR',
  'NOT',
  'NEAR',
  'name',
);
const text = (maxLength: number) => fc.array(characters, { minLength: 1, maxLength }).map((parts) => parts.join(''));

/** The slugs of the products whose folded name contains the folded text, in the order of creation. */
function scan(folded: string[], text: string, status: string | undefined): string[] {
  return folded.flatMap((name, index) =>
    name.includes(text) && (status === undefined || statusOf(index) === status) ? [`p-${index}`] : [],
  );
}

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);

  async function newTenant(names: string[]): Promise<string> {
    const { tenant } = await service.newTenant();
    for (let start = 0; start < names.length; start += 2000) {
      const products = names.slice(start, start + 2000).map((name, index) => ({
        ...{ name, slug: `p-${start + index}` },
        status: statusOf(start + index),
      }));
      await storeProducts(service.database, tenant, products);
    }
    return tenant.id;
  }

  test(`SRCH-2 ${searches} random texts find among ${count} random names what a scan finds`, async () => {
    const seed = 20_261_122;
    const names = fc.sample(text(12), { numRuns: count, seed }).map((name) => name.trim() || 'x');
    const tenantId = await newTenant(names);
    // Other tenants have the same names, before and after.
    await newTenant(names.slice(0, 2000));
    const folded = names.map((name) => fold(name));
    const parts = fc.sample(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 6 }), text(4)), {
      numRuns: searches,
      seed,
    });
    let found = 0;
    const wrong: string[] = [];
    const tryOne = async (run: number): Promise<void> => {
      const [which = 0, from = 0, length = 1, random = ''] = parts[run] ?? [];
      const name = Array.from(names[which % count] ?? '');
      const start = from % name.length;
      const search = run % 3 === 0 ? random : name.slice(start, start + length).join('');
      const status = run % 5 === 0 ? statuses[run % 3] : undefined;
      const slugs = scan(folded, fold(search), status);
      const offset = from % (slugs.length + 2);
      const page = await listProducts(service.database, tenantId, { search, status }, { limit: 5, offset });
      const items = page.items.parsed();
      const result = JSON.stringify([page.total, items.map(({ slug }) => slug)]);
      const expected = JSON.stringify([slugs.length, slugs.slice(offset, offset + 5)]);
      if (result !== expected) wrong.push(JSON.stringify({ search, status, offset, result, expected }));
      found += slugs.length;
    };
    for (let run = 0; run < searches; run += 4) await Promise.all([0, 1, 2, 3].map((index) => tryOne(run + index)));
    expect(wrong).toEqual([]);
    expect(found).toBeGreaterThan(searches);
  }, 300_000);
});
