/**
 * In Jest's jsdom, as tests of a web page have it: there is no TextDecoder, no Request and no Response. The variable POLYFILL
 * names a package that adds a `fetch` without streams.
 */
const polyfill = process.env.POLYFILL;
if (polyfill) require(polyfill);
const { createClient } = require('@product-passport/sdk');
const { apiError, createFakeClient, createFakeService, sample } = require('@product-passport/sdk/testing');

const whole = 'TextDecoder' in globalThis ? test : test.skip;
const some = 'Request' in globalThis ? test : test.skip;

test('the module loads, and has samples', () => {
  expect(typeof document).toBe('object');
  expect(sample.product({ slug: 'helm' })).toMatchObject({ slug: 'helm', status: 'active' });
  expect(sample.product()).not.toBe(sample.product());
});

some('the fake client reads, writes and refuses', async () => {
  const client = createFakeClient({
    getMe: sample.me(),
    putPassport: sample.writeResult({ updated: 1 }),
    getProduct: apiError('not_found'),
  });
  expect((await client.me.get()).tenant.slug).toBe('skellig');
  expect(await client.passports.put('helm', [{ field_key: 'material', value: 'Größe ✓' }])).toMatchObject({
    updated: 1,
  });
  await expect(client.products.get('helm')).rejects.toMatchObject({ name: 'ApiError', code: 'not_found' });
  expect(client.calls.map(({ operation }) => operation)).toEqual(['getMe', 'putPassport', 'getProduct']);
});

whole('the fake service stores', async () => {
  const { fetch, provider } = createFakeService();
  const { base_url: baseUrl, tenants } = provider;
  const client = createClient({ baseUrl, apiKey: tenants[0].api_key, fetch, dangerouslyAllowBrowser: true });
  const { slug } = await client.products.create({ name: 'Helm' });
  await expect(client.passports.get(slug)).rejects.toThrow(/^fetch has a programming error: .*digest/);
  // jsdom has no crypto.subtle.
  Object.defineProperty(globalThis, 'crypto', { value: require('node:crypto').webcrypto });
  await client.passports.put(slug, [{ field_key: 'product_weight', value: 80, unit: 'g' }]);
  expect((await client.passports.get(slug)).values).toMatchObject([{ value: 80 }]);
});
