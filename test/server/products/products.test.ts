import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dayOf, readContract, requirementsOn } from '@product-passport/openapi';
import { nullFields } from '../../../contracts/states/new-product.ts';
import { checkValues, templates } from '../../../sdk/src/templates.ts';
import { templateKeys, templateOf, uniqueFields } from '../../../server/src/templates/catalogue.ts';
import { databaseKinds, onStatement } from '../../support/database.ts';
import { type Client, useService } from '../../support/service.ts';

const products = '/api/v1/products';
const demo = readFileSync(new URL('../../../server/data/demo_products.json', import.meta.url), 'utf8');

describe.each(databaseKinds)('%s', (kind) => {
  let clock: () => Date = () => new Date();
  const service = useService(kind, { now: () => clock() });
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
    await client.create('Tasse');
  });

  test.each([
    ['spaceship', ''],
    ['Textile', ' The closest is textile.'],
    ['foot-wear', ' The closest is footwear.'],
    [`textile${'x'.repeat(100_000)}`, ''],
  ])('the message of the unknown product group %j names the known ones%s', async (product_group, closest) => {
    const { json } = await client.call({ method: 'POST', path: products, body: { name: 'a', product_group } });
    const message = `product_group must be one of: ${templateKeys.join(', ')}.`;
    expect(json).toEqual({ error: { code: 'unknown_product_group', message: message + closest } });
    expect(JSON.stringify(readContract())).toContain(JSON.stringify(message));
  });

  // The bodies are the same on both databases: the largest ones are sent to the second, too.
  test.each(kind === 'SQLite' ? templateKeys : ['battery'])(
    'each body that /docs/fields/%s shows completes a passport as the page says, and each example fits',
    async (group) => {
      const response = await fetch(`http://127.0.0.1:${service.port}/docs/fields/${group}`);
      const page = await response.text();
      const shown = [...page.matchAll(/<pre[^>]*><code>(.*?)<\/code>/gs)].map(([, html = '']) =>
        html
          .replaceAll(/<[^>]+>/g, '')
          .replaceAll('&quot;', '"')
          .replaceAll('&lt;', '<')
          .replaceAll('&amp;', '&')
          .replaceAll('&#39;', "'"),
      );
      const texts = shown.filter((text) => /^[[{]/.test(text));
      const parsed = texts.map((text) => JSON.parse(text));
      const [bodies = [], elements = []] = [parsed.filter(Array.isArray), parsed.filter((one) => !Array.isArray(one))];
      // What the page says of each body: how many fields are required, and for which category.
      const said = Array.from(
        page.matchAll(/(\d+) (?:required fields|fields for <code>(\w+)<)/g),
        ([, ...says]) => says,
      );
      const category = templateOf(group).data_points?.category;
      const ofCategory = bodies.map((body) => body.find((one: { field_key: string }) => one.field_key === category));
      expect(said).toEqual(bodies.map((body, index) => [`${body.length}`, ofCategory[index]?.value]));
      for (const body of bodies) {
        const complete = await client.create({ name: group, product_group: group });
        expect(await client.write(complete.slug, body)).toEqual({ updated: body.length, completeness: 100 });
        // The demo has no such item, so its tenants can publish what the page shows.
        for (const { field_key, value } of body)
          if (uniqueFields.includes(field_key)) expect(demo).not.toContain(`"${value}"`);
        const { required } = requirementsOn(templateOf(group), body, dayOf(new Date()));
        expect(body.map(({ field_key }: { field_key: string }) => field_key)).toEqual(required.map(({ key }) => key));
        expect(checkValues(templates[group] ?? templates.other, body)).toEqual([]);
      }
      const { slug } = await client.create({ name: group, product_group: group });
      expect(elements.map(({ field_key }) => field_key).sort()).toEqual(
        templateOf(group)
          .fields.map(({ key }) => key)
          .sort(),
      );
      const findings = checkValues(templates[group] ?? templates.other, elements);
      // The page also shows what is not asked for yet.
      expect(findings.filter(({ code }) => code !== 'not_asked')).toEqual([]);
      expect(await client.write(slug, elements)).toMatchObject({ updated: elements.length });
    },
  );

  test('the page of a group has the members of a list, and the ranges', async () => {
    const page = await (await fetch(`http://127.0.0.1:${service.port}/docs/fields/textile`)).text();
    const [, field = ''] = page.split('id="fibre_composition"');
    expect(field).toMatch(/list of \{ fibre: text, share: number, % \}.*?<li>share 0 to 100<\/li>/s);
  });

  test('PROD-8 updated_at changes with the status', async () => {
    const { slug, updated_at } = await client.create('Uhr');
    const times = [updated_at];
    for (const move of ['activate', 'archive'] as const) {
      await service[move](client, slug);
      times.push((await client.product(slug)).updated_at);
    }
    expect(new Set(times).size).toBe(3);
    expect(times.toSorted()).toEqual(times);
  });

  test('PROD-8 updated_at increases even if the clock stops or goes back', async () => {
    const tenant = await service.newTenant();
    try {
      clock = () => new Date('2030-01-01T00:00:00.000Z');
      await tenant.create('Rückwärts');
      await tenant.write('rueckwaerts', [{ field_key: 'a', value: 1 }]);
      clock = () => new Date('2029-06-01T00:00:00.000Z');
      await tenant.write('rueckwaerts', [{ field_key: 'b', value: 2 }]);
    } finally {
      clock = () => new Date();
    }
    expect(await tenant.product('rueckwaerts')).toMatchObject({
      created_at: '2030-01-01T00:00:00.000Z',
      updated_at: '2030-01-01T00:00:00.002Z',
    });
    const { values, latest_version } = await tenant.passport('rueckwaerts');
    expect(values.map((value) => value.updated_at)).toEqual(['2030-01-01T00:00:00.001Z', '2030-01-01T00:00:00.002Z']);
    expect(latest_version.created_at).toBe('2030-01-01T00:00:00.002Z');
  });

  test('absent and null optional fields mean the same, and unknown fields are ignored', async () => {
    const absent = await client.create('Gleich');
    const nothing = { slug: null, ...nullFields };
    const other = { completeness: 100, status: 'active', registry_status: 'registered', registry_id: 'x', urn: 'y' };
    const own = { id: absent.id, created_at: absent.created_at, unique_product_identifier: 'urn:x:y:z' };
    for (const more of [nothing, other, { ...nothing, ...other, ...own }]) {
      const { id, slug, unique_product_identifier, created_at, updated_at, ...made } = await client.create({
        name: 'Gleich',
        ...more,
      });
      expect(absent).toMatchObject(made);
      expect(id).not.toBe(absent.id);
      expect(slug).toMatch(/^gleich-\d$/);
      expect(unique_product_identifier).toBe(`urn:dpp:${client.tenant.slug}:${slug}`);
      expect(updated_at).toBe(created_at);
    }
    expect(absent).toMatchObject({ ...nullFields, registry_id: null });
  });
});

describe('slugs', () => {
  describe.each(databaseKinds)('%s', (kind) => {
    const service = useService(kind);

    /** Uses suffixes of a slug, as a hostile tenant would. */
    async function occupy({ tenant }: Client, slug: string, suffixes: string): Promise<void> {
      const product = await service.database('products').where({ tenant_id: tenant.id, slug }).first();
      // The database makes `is_item`.
      const columns = Object.keys(product).flatMap((name) => (name === 'is_item' ? [] : [`"${name}"`]));
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
    const range = (first: number, last: number) =>
      `SELECT ${first} UNION ALL SELECT n + 1 FROM suffix WHERE n < ${last}`;
    const doublings = 'SELECT CAST(2 AS bigint) UNION ALL SELECT n * 2 - 1 FROM suffix WHERE n < 1125899906842624';

    /** Creates a product and counts the SQL statements and the values in them. */
    async function measured(client: Client, body: string | object) {
      let [statements, values] = [0, 0];
      const stop = onStatement(service.database, ({ bindings = [] }) => {
        statements += 1;
        values += bindings.length;
      });
      const { slug } = await client.create(body);
      stop();
      return { slug, statements, values };
    }

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

    test('PROD-3 slugs that are equal after truncation share their suffixes', async () => {
      const client = await service.newTenant();
      const slugs = ['x', 'y'].map((end) => `${'a'.repeat(99)}${end}`);
      const made = [];
      for (const slug of [...slugs, ...slugs, ...slugs]) made.push((await client.create({ name: 'X', slug })).slug);
      expect(made).toEqual([...slugs, ...[2, 3, 4, 5].map((nth) => `${'a'.repeat(98)}-${nth}`)]);
    });
  });
});
