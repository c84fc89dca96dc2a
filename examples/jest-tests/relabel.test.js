// In this repository: npm test -w examples/jest-tests
// It needs no service. With PRODUCT_PASSPORT_TEST_URL and PRODUCT_PASSPORT_TEST_KEY it writes 63 products into that service.
const { createClient } = require('@product-passport/sdk');
const {
  apiError,
  createFakeClient,
  createFakeService,
  networkError,
  pageOf,
} = require('@product-passport/sdk/testing');
const { relabel } = require('./relabel.js');

const value = { field_key: 'halogen_free', value: true };

test('writes to every product of every page, and returns the failed writes', async () => {
  const items = Array.from({ length: 120 }, (_, index) => ({ id: String(index), slug: `cable-${index}` }));
  const client = createFakeClient({
    listProducts: ({ query }) => pageOf(items, query),
    putPassport: ({ slug, body }) =>
      slug === 'cable-7' ? apiError('not_found') : { updated: body.length, completeness: 50 },
  });
  expect(await relabel(client, 'cable', value)).toEqual(['cable-7: not_found']);

  const [first, ...rest] = client.calls;
  expect(first).toMatchObject({ operation: 'listProducts', query: { search: 'cable' } });
  expect(rest.filter(({ operation }) => operation === 'putPassport')).toHaveLength(120);
  expect(rest[0]).toMatchObject({ slug: 'cable-0', body: [value] });
});

test('throws if the service is unreachable', async () => {
  const client = createFakeClient({ listProducts: networkError() });
  await expect(relabel(client, 'cable', value)).rejects.toMatchObject({ name: 'NetworkError' });
});

describe('with a service: one in memory, or that of PRODUCT_PASSPORT_TEST_URL', () => {
  const { provider, fetch } = createFakeService();
  // Not PRODUCT_PASSPORT_URL: a shell that runs your programs has it, and a test must not write into that service.
  const { PRODUCT_PASSPORT_TEST_URL: url, PRODUCT_PASSPORT_TEST_KEY: key } = process.env;
  const service = url
    ? { baseUrl: url, apiKey: key }
    : { baseUrl: provider.base_url, fetch, apiKey: provider.tenants[0].api_key };
  const client = createClient(service);

  test('adds the value to the products that match, and changes nothing else', async () => {
    const mark = Date.now();
    const names = Array.from({ length: 60 }, (_, index) => `Cable ${mark} ${index}`); // more than a page
    // A service may be unavailable for a moment: `ensure` may then try again, and `create` may not. A service may also
    // choose another slug: the error then has the product.
    const create = async (name) => {
      const wanted = { slug: name.toLowerCase().replaceAll(' ', '-'), name, product_group: 'cable' };
      const { ok, value: ensured, error } = await client.products.ensure(wanted).result();
      if (!ok && error.name !== 'ConflictError') throw error;
      return (ensured ?? error).product;
    };
    const [other, ...matching] = await Promise.all([`Netzteil ${mark}`, ...names].map(create));
    expect((await client.products.list({ search: `cable ${mark}` })).items).toHaveLength(50);
    expect(matching.map(({ name, status }) => [name, status])).toEqual(names.map((name) => [name, 'draft']));
    const length = { field_key: 'cable_length', value: 2, unit: 'm' };
    await client.passports.put(matching[0].slug, [length]);

    expect(await relabel(client, `cable ${mark}`, value)).toEqual([]);

    const byKey = (one, next) => (one.field_key < next.field_key ? -1 : 1); // a service may list them in any order
    const values = async ({ slug }) => (await client.passports.get(slug)).values.toSorted(byKey);
    expect(await Promise.all(matching.slice(1).map(values))).toEqual(
      names.slice(1).map(() => [expect.objectContaining(value)]),
    );
    expect(await values(matching[0])).toEqual([expect.objectContaining(length), expect.objectContaining(value)]);
    expect(await values(other)).toEqual([]);
  });

  // The program relies on all of this, so its tests say so.
  test('a product and its passport read as they were written', async () => {
    const { tenant } = await client.me.get();
    const name = `Charging Cable ${Date.now()}`;
    const made = await client.products.create({ name, product_group: 'cable', model: 'L-1' });
    expect(made).toMatchObject({ name, status: 'draft' });
    expect(tenant.country).toMatch(/^[a-z]{2}$/i);
    expect(made.unique_product_identifier).toContain(tenant.slug);
    expect(Date.parse(made.updated_at)).toBeGreaterThanOrEqual(Date.parse(made.created_at));
    expect(made.created_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect((await client.products.create({ name: 'Netzteil' })).id).not.toBe(made.id);

    const hashes = [];
    for (const change of [value, { ...value, value: false }, { field_key: 'cable_length', value: 2, unit: 'm' }]) {
      const { completeness } = await client.passports.put(made.slug, [change]);
      const product = await client.products.get(made.slug);
      const passport = await client.passports.get(made.slug);
      expect(passport.product).toMatchObject({ name, slug: made.slug });
      expect(passport.template_version).toEqual(expect.any(Number));
      const [written] = passport.values.filter(({ field_key }) => field_key === change.field_key);
      expect(written).toMatchObject({ ...change, source: 'import', access_level: 'public' });
      expect(Date.parse(passport.latest_version.created_at)).toBeGreaterThan(0);
      hashes.push(passport.latest_version.content_hash);
      expect(product.completeness).toBe(completeness);
      const [listed] = (await client.products.list({ search: name })).items;
      expect({ ...product, ...listed }).toEqual(product);
    }
    expect(new Set(hashes).size).toBe(3);
  });

  test('throws if the key is wrong, and the error does not repeat the key', async () => {
    const stranger = createClient({ ...service, apiKey: 'ppk_of-nobody' });
    const error = await relabel(stranger, 'cable', value).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'invalid_api_key', status: 401 });
    expect(`${error}`).not.toContain('ppk_of-nobody');
  });
});
