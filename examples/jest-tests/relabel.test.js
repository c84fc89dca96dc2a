// In this repository: npm test -w examples/jest-tests
const { apiError, createFakeClient, networkError, pageOf } = require('@product-passport/sdk/testing');
const { relabel } = require('./relabel.js');

const items = Array.from({ length: 250 }, (_, index) => ({ id: String(index), slug: `kabel-${index}` }));
const value = { field_key: 'halogen_free', value: true };

test('writes to every product of every page, and returns the failed writes', async () => {
  const client = createFakeClient({
    listProducts: ({ query }) => pageOf(items, query),
    putPassport: ({ slug, body }) =>
      slug === 'kabel-7' ? apiError('not_found') : { updated: body.length, completeness: 50 },
  });
  expect(await relabel(client, 'kabel', value)).toEqual(['kabel-7: not_found']);

  const [first, ...rest] = client.calls;
  expect(first).toMatchObject({ operation: 'listProducts', query: { search: 'kabel', limit: 200 } });
  expect(rest.filter(({ operation }) => operation === 'putPassport')).toHaveLength(250);
  expect(rest[0]).toMatchObject({ slug: 'kabel-0', body: [value] });
});

test('throws if the service is unreachable', async () => {
  const client = createFakeClient({ listProducts: networkError() });
  await expect(relabel(client, 'kabel', value)).rejects.toMatchObject({ name: 'NetworkError' });
});
