/** Prism as teams start it, `prism mock openapi.yaml`, and the SDK: every operation of the contract is called. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readContract } from '../../openapi/src/index.ts';
import { createClient, UnexpectedResponseError } from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { freePort, type Running, root, start } from '../support/program.ts';

let prism: Running;
let siteUrl = '';
/** The operations that the SDK called, and the status of the response. */
const called = new Map<string, number>();

beforeAll(async () => {
  const port = await freePort();
  siteUrl = `http://127.0.0.1:${port}`;
  const command = `node ${root}node_modules/@stoplight/prism-cli/dist/index.js mock openapi.yaml --port ${port}`;
  prism = await start(command, /Prism is listening/, { NODE_OPTIONS: '' });
});
afterAll(() => prism.stop());

const { operations } = readContract();
const patterns = operations.map(({ operationId, method, path }) => ({
  operationId,
  method,
  form: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The real `fetch`, which notes the operation of each request. */
const noting: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const response = await fetch(request);
  const { pathname } = new URL(request.url);
  const found = patterns.find(({ method, form }) => method === request.method && form.test(pathname));
  called.set(found?.operationId ?? pathname, response.status);
  return response;
};

const slug = 'usb-c-kabel-240-w-2-m';
const api = () => createClient({ baseUrl: `${siteUrl}/api/v1`, apiKey: 'any', fetch: noting, maxAttempts: 1 });
const site = () => createPublicClient({ siteUrl, fetch: noting, maxAttempts: 1 });

test.each<[string, () => PromiseLike<unknown>, unknown]>([
  ['me.get', () => api().me.get(), { tenant: { slug: 'nordlicht' } }],
  ['products.list', () => api().products.list(), { total: 3, offset: 0 }],
  ['products.create', () => api().products.create({ name: 'USB-C-Kabel' }), { slug, status: 'draft' }],
  ['products.get', () => api().products.get(slug), { slug: 'merinopullover-fjord' }],
  ['passports.get', () => api().passports.get(slug), { product: { slug } }],
  ['passports.put', () => api().passports.put(slug, [{ field_key: 'material', value: 1 }]), { updated: 3 }],
  ['carriers.list', () => api().carriers.list(slug), { items: [{ type: 'qr' }, { type: 'nfc' }] }],
  ['analytics.scans', () => api().analytics.scans({ days: 3 }), { days: 3, total: 7 }],
  ['passports.page', () => site().passports.page('nordlicht', slug), expect.stringMatching(/^<!doctype html>/i)],
  ['passports.document', () => site().passports.document('nordlicht', slug), { '@type': expect.anything() }],
])('%s', async (_method, call, expected) => {
  const value = await call();
  if (typeof value === 'string') expect(value).toEqual(expected);
  else expect(value).toMatchObject(expected as object);
});

test('products.ensure and resolve say that a static mock cannot do this', async () => {
  const says = /A static mock cannot do this: use the reference server/;
  const links = operations.filter(({ path }) => path.startsWith('/01/'));
  expect(links.length).toBeGreaterThan(5);
  const paths = links.map(({ path }) => path.replace('{gtin}', '09520001000072').replaceAll(/\{\w+\}/g, 'A-1'));
  for (const path of paths) {
    const resolving = site().resolve(`${siteUrl}${path}`);
    await expect(resolving).rejects.toThrow(says);
    await expect(resolving).rejects.toBeInstanceOf(UnexpectedResponseError);
  }
  await expect(api().products.ensure({ name: 'USB-C-Kabel', slug: 'usb-c-kabel' })).rejects.toThrow(says);
});

test('each operation of the contract was called, and each had a response of the contract', async () => {
  // The SDK has no method for it.
  await noting(`${siteUrl}/.well-known/gs1resolver`);
  expect(Object.fromEntries(called)).toEqual(
    Object.fromEntries(operations.map(({ operationId }) => [operationId, 200])),
  );
});
