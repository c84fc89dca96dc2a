/** `products.ensure`: what it finds, what it creates, and when it looks again. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { connect, type FakeResponse, html, json, refusal } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

const input = { name: 'USB-C-Kabel', slug: 'usb-c-kabel' };
const product = { id: '1', ...input };
const missing = refusal(404, 'not_found');
const [read, create] = ['GET /api/v1/products/usb-c-kabel', 'POST /api/v1/products'];
const created = { product, created: true, differs: [] };

beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0); // no pause
});
afterEach(() => {
  jest.restoreAllMocks();
});

test('an existing product is returned, and what it has otherwise, because the API cannot change it', async () => {
  const found = { ...product, name: 'Another', gtin: '09520001000072', product_group: 'cable', model: null };
  const { client, sent } = connect(json(found));
  const other = { ...input, gtin: '9520001000072', product_group: 'toy', model: 'M1' };
  const differs = ['name', 'product_group', 'model'];
  expect(await client.products.ensure(other)).toEqual({ product: found, created: false, differs });
  expect(sent()).toEqual([read]);
  const same = { slug: 'usb-c-kabel', name: ' Another ', gtin: null, model: undefined };
  expect((await client.products.ensure(same)).differs).toEqual([]);
});

test('the input is copied when the call begins, and its error names the method', async () => {
  const program = { ...input };
  const { client, requests } = connect([
    () => {
      program.slug = 'changed-meanwhile';
      return missing.clone();
    },
    json(product),
  ]);
  expect(await client.products.ensure(program)).toEqual(created);
  expect(await requests[1]?.json()).toEqual(input);
  const name = {
    toJSON: () => {
      throw new Error('no name');
    },
  } as unknown as string;
  expect(await rejection(client.products.ensure({ slug: 'x', name }))).toMatchObject({ argument: 'products.ensure' });
});

test.each([{ name: 'x' }, undefined, null])('%j has no slug: nothing is sent', async (program) => {
  const { client, sent } = connect(json({}));
  const message = 'slug must be one segment of a path, without / \\ %';
  expect(await rejection(client.products.ensure(program as typeof input))).toMatchObject({ message });
  expect(sent()).toEqual([]);
});

const unexpected = { name: 'UnexpectedResponseError', code: 'unexpected_response' };
const instead = expect.stringContaining('got product another slug instead. A static mock cannot do this');
const conflict = { name: 'ConflictError', code: 'slug_taken', product: { slug: 'usb-c-kabel-2' } };
const taken = expect.stringContaining('"usb-c-kabel-2"');
const lost = new TypeError('terminated');
const unauthorized = refusal(401, 'invalid_api_key');
const badGateway = html(502, '');
const twice = [read, create];
test.each<[string, FakeResponse[], object, string[]]>([
  ['another slug was found', [json({ slug: 'another\nslug' })], { ...unexpected, message: instead }, [read]],
  ['a gateway does not know the address', [html(404, 'no'), json(product)], { operation: 'getProduct' }, [read]],
  ['the look is refused', [unauthorized, json(product)], { operation: 'getProduct' }, [read]],
  ['the create is refused', [missing, refusal(400, 'invalid_gtin')], { code: 'invalid_gtin', attempts: 1 }, twice],
  ['another program took the slug', [missing, json({ slug: 'usb-c-kabel-2' })], { ...conflict, message: taken }, twice],
  ['the second look fails', [missing, lost, unauthorized], { operation: 'getProduct', status: 401 }, [...twice, read]],
  [
    'maxAttempts creates failed',
    [missing, badGateway, missing, badGateway, missing, badGateway],
    { operation: 'createProduct', attempts: 3 },
    [...twice, ...twice, ...twice],
  ],
])('is an error if %s', async (_what, responses, error, expected) => {
  const { client, sent } = connect(responses, { maxAttempts: 3 });
  expect(await client.products.ensure(input).result()).toMatchObject({ ok: false, error });
  expect(sent()).toEqual(expected);
});

describe('a create', () => {
  const never = () => new Promise<Response>(() => {});
  test.each<[string, FakeResponse[], string[]]>([
    ['of a missing product is sent once', [], []],
    ['is sent again after a lost response, if the product does not exist', [lost, missing], [create, read]],
    ["is sent again after a gateway's 502", [badGateway, missing], [create, read]],
    ['is sent again after a 429 without a look: the service did nothing', [refusal(429, 'rate_limited')], [create]],
  ])('%s', async (_what, failures, before) => {
    const { client, sent, attempts } = connect([missing, ...failures, json(product)], { maxAttempts: 3 });
    expect(await client.products.ensure(input)).toEqual(created);
    expect(sent()).toEqual([read, ...before, create]);
    expect(attempts).toHaveLength(sent().length);
  });

  test('that timed out and arrived is found', async () => {
    const { client, sent } = connect([missing, never, json(product)], { maxAttempts: 3 });
    expect(await client.products.ensure(input, { timeoutMs: 20 })).toEqual(created);
    expect(sent()).toEqual([read, create, read]);
  });

  test('of products.create is not repeated', async () => {
    const { client, sent } = connect(new TypeError('terminated'), { maxAttempts: 3 });
    expect(await rejection(client.products.create(input))).toMatchObject({ name: 'NetworkError', attempts: 1 });
    expect(sent()).toEqual([create]);
  });
});
