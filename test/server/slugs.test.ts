/** Suffixes of slugs in use: different under concurrent creates, and found quickly if many are in use. */
import { describe, expect, test } from '@jest/globals';
import type { Client } from '../support/client.ts';
import { databaseKinds, startService, useService } from '../support/service.ts';

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);

  /** Uses suffixes of a slug, as a hostile tenant would. */
  async function occupy({ tenant }: Client, slug: string, suffixes: string): Promise<void> {
    const product = await service.database('products').where({ tenant_id: tenant.id, slug }).first();
    const columns = Object.keys(product).map((name) => `"${name}"`);
    const counts = { tenant_id: tenant.id };
    const { draft } = await service.database('product_counts').where(counts).first();
    const copied = columns.map((name) => {
      if (name === '"position"') return `${draft} + row_number() OVER (ORDER BY suffix.n)`;
      return ['"id"', '"slug"'].includes(name) ? `product.${name} || '-' || suffix.n` : `product.${name}`;
    });
    await service.database.raw(
      `INSERT INTO products (${columns}) WITH RECURSIVE suffix (n) AS (${suffixes})
        SELECT ${copied} FROM products AS product, suffix WHERE product.tenant_id = ? AND product.slug = ?`,
      [tenant.id, slug],
    );
    const used = await service.database('products').where(counts).count({ count: '*' }).first();
    await service.database('product_counts').where(counts).update({ draft: used?.count });
  }
  const range = (first: number, last: number) => `SELECT ${first} UNION ALL SELECT n + 1 FROM suffix WHERE n < ${last}`;
  const doublings = 'SELECT CAST(2 AS bigint) UNION ALL SELECT n * 2 - 1 FROM suffix WHERE n < 1125899906842624';

  /** Creates a product and counts the SQL statements and the values in them. */
  async function measured(client: Client, body: string | object) {
    let [statements, values] = [0, 0];
    const count = ({ bindings = [] }: { bindings?: unknown[] }) => {
      statements += 1;
      values += bindings.length;
    };
    service.database.on('query', count);
    const { slug } = await client.create(body);
    service.database.off('query', count);
    return { slug, statements, values };
  }

  test('PROD-3 with 20,000 products of one name a create looks up few slugs', async () => {
    const client = await service.newTenant();
    await client.create('Tasse');
    const unique = await measured(client, 'Teller');
    await occupy(client, 'tasse', range(2, 20_000));
    const first = await measured(client, 'Tasse');
    expect(first.slug).toBe('tasse-20001');
    // Twice the number of doublings from 2 to 20,000: once up, once down.
    expect(first.statements).toBeLessThan(unique.statements + 2 * 15 + 15);
    expect(first.values).toBeLessThan(unique.values + 200);
  });

  test('PROD-3 explicitly used suffixes make neither creates slow nor suffixes long', async () => {
    const client = await service.newTenant();
    const unique = await measured(client, 'Tasse');
    // Uses each suffix that a search with doubling steps would try, and runs of suffixes between them.
    await occupy(client, 'tasse', doublings);
    await client.create('Teller');
    for (const [first, last] of [
      [2, 5000],
      [6000, 9000],
    ] as const)
      await occupy(client, 'teller', range(first, last));
    const slugs = new Set<string>();
    for (const body of ['Tasse', 'Tasse', 'Teller', { name: 'X', slug: 'teller-9500' }, 'Teller', 'Teller']) {
      const { slug, statements, values } = await measured(client, body);
      expect(values).toBeLessThan(unique.values + 200);
      expect(statements).toBeLessThan(unique.statements + 2 * 15 + 15);
      expect(slug.length).toBeLessThan('teller-100000'.length);
      slugs.add(slug);
    }
    expect(slugs.size).toBe(6);
  });

  test('PROD-3 an explicitly used suffix is skipped', async () => {
    const client = await service.newTenant();
    const bodies = ['Tasse', 'Tasse', ...[3, 4].map((n) => ({ name: 'X', slug: `tasse-${n}` }))];
    for (const body of bodies) await client.create(body);
    const made = [];
    for (const _ of [1, 2, 3]) made.push((await client.create('Tasse')).slug);
    expect(made).toEqual(['tasse-5', 'tasse-6', 'tasse-7']);
  });

  test('PROD-3 slugs that are equal after truncation share their suffixes', async () => {
    const client = await service.newTenant();
    const slugs = ['x', 'y'].map((end) => `${'a'.repeat(99)}${end}`);
    const made = [];
    for (const slug of [...slugs, ...slugs, ...slugs]) made.push((await client.create({ name: 'X', slug })).slug);
    expect(made).toEqual([...slugs, ...[2, 3, 4, 5].map((nth) => `${'a'.repeat(98)}-${nth}`)]);
  });

  test('PROD-3 each tenant has its own suffixes', async () => {
    for (const client of [await service.newTenant(), await service.newTenant()]) {
      for (const slug of ['tasse', 'tasse-2', 'tasse-3']) expect((await client.create('Tasse')).slug).toBe(slug);
    }
  });

  test('PROD-3 concurrent creates on two servers, some with explicit suffixes, all get different slugs', async () => {
    const client = await service.newTenant();
    const other = (await startService(kind, { on: service.database })).clientOf(client);
    const bodies = Array.from({ length: 15 }, (_, index) => [
      'Gleich',
      { name: 'X', slug: `gleich-${index + 2}` },
      // Their suffixes collide.
      { name: 'X', slug: `${'a'.repeat(98)}-x` },
      { name: 'X', slug: `${'a'.repeat(98)}-y` },
    ]).flat();
    const made = await Promise.all(bodies.map((body, index) => (index % 3 === 0 ? other : client).create(body)));
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(bodies.length);
    expect((await client.me()).products_total).toBe(bodies.length);
  });
});
