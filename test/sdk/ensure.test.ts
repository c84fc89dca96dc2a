import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createClient } from '../../sdk/src/index.ts';
import { apiKey, baseUrl, fakeFetch, html, json, refusal } from '../support/fake-fetch.ts';
import { useService } from '../support/service.ts';
import { rejection } from '../support/thrown.ts';

const input = { name: 'USB-C-Kabel', slug: 'usb-c-kabel' };
const connected = (...responses: Parameters<typeof fakeFetch>) => {
  const { fetch, requests } = fakeFetch(...responses);
  const { products } = createClient({ baseUrl, apiKey, maxAttempts: 1, fetch });
  return { products, sent: () => requests.map(({ method, url }) => `${method} ${url.slice(baseUrl.length)}`) };
};
const read = 'GET /products/usb-c-kabel';

describe('products.ensure', () => {
  test('returns an existing product and writes nothing', async () => {
    const product = { id: '1', slug: 'usb-c-kabel', name: 'Another name' };
    const { products, sent } = connected(json(product));
    expect(await products.ensure(input)).toEqual({ product, created: false, differs: ['name'] });
    expect(sent()).toEqual([read]);
  });

  test('says what an existing product has otherwise, because the API cannot change it', async () => {
    const product = { id: '1', slug: 'usb-c-kabel', name: 'Another', gtin: '09520001000072', product_group: 'cable' };
    const { products } = connected(json({ ...product, model: null }));
    const wish = { ...input, gtin: '9520001000072', product_group: 'toy', model: 'M1' };
    expect((await products.ensure(wish)).differs).toEqual(['name', 'product_group', 'model']);
    const same = { slug: 'usb-c-kabel', name: ' Another ', gtin: null, model: undefined };
    expect((await products.ensure(same)).differs).toEqual([]);
  });

  test('is named by an error of its input', async () => {
    const { products } = connected(json({}));
    const nameless = {
      toJSON: () => {
        throw new Error('no name');
      },
    };
    expect(await rejection(products.ensure({ slug: 'x', name: nameless as unknown as string }))).toMatchObject({
      argument: 'products.ensure',
    });
  });

  test('creates a missing product', async () => {
    const product = { id: '1', ...input };
    const { products, sent } = connected(refusal(404, 'not_found'), json(product));
    expect(await products.ensure(input).result()).toEqual({ ok: true, value: { product, created: true, differs: [] } });
    expect(sent()).toEqual([read, 'POST /products']);
  });

  test('rejects with a ConflictError and the new product if another program took the slug', async () => {
    const product = { id: '2', slug: 'usb-c-kabel-2' };
    const { products } = connected(refusal(404, 'not_found'), json(product));
    const error = await rejection(products.ensure(input));
    expect(error).toMatchObject({ name: 'ConflictError', code: 'slug_taken', product });
    expect(error).toHaveProperty('message', expect.stringContaining('usb-c-kabel-2'));
  });

  test('rejects a response with another slug, as from a static mock', async () => {
    const { products, sent } = connected(json({ id: '1', slug: 'another\nslug' }));
    expect(await rejection(products.ensure(input))).toMatchObject({
      name: 'UnexpectedResponseError',
      code: 'unexpected_response',
      operation: 'getProduct',
      message: expect.stringContaining('got product another slug instead. A static mock cannot do this'),
    });
    expect(sent()).toEqual([read]);
  });

  test.each([
    ['a gateway that does not know it', html(404, 'no')],
    ['another refusal', refusal(401, 'invalid_api_key')],
  ])('creates nothing after %s', async (_what, response) => {
    const { products, sent } = connected(response, json({ id: '1', ...input }));
    expect(await products.ensure(input).result()).toMatchObject({ ok: false, error: { operation: 'getProduct' } });
    expect(sent()).toEqual([read]);
  });

  test.each([{ name: 'x' }, undefined, null])('requires a slug: %j', async (product) => {
    const { products, sent } = connected(json({}));
    const error = await rejection(products.ensure(product as typeof input));
    expect(error).toMatchObject({
      name: 'ArgumentError',
      message: 'slug must be one segment of a path, without / \\ %',
    });
    expect(sent()).toEqual([]);
  });

  test('sends its input unchanged, even if the program changes the object meanwhile', async () => {
    const { fetch, requests } = fakeFetch(({ method }) =>
      method === 'GET' ? refusal(404, 'not_found') : json({ id: '1', ...input }),
    );
    const product = { ...input };
    const call = createClient({ baseUrl, apiKey, fetch }).products.ensure(product);
    product.slug = 'another';
    expect(await call).toMatchObject({ created: true });
    expect(await requests[1]?.json()).toEqual(input);
  });
});

describe('with a service', () => {
  const service = useService('SQLite');

  /** A client that loses the responses to its first creates, and the requests that it sent. */
  async function losing(lost: number) {
    const { key } = await service.newTenant({ slug: `nordlicht-${lost}` });
    const sent: string[] = [];
    let creates = 0;
    const client = createClient({
      baseUrl: `http://127.0.0.1:${service.port}/api/v1`,
      apiKey: key,
      fetch: async (url, init) => {
        sent.push(init.method);
        const response = await fetch(url, init);
        if (init.method === 'POST' && creates++ < lost) throw new TypeError('terminated');
        return response;
      },
    });
    return { client, sent };
  }

  test('finds the product of a create whose response was lost, and does not repeat the create', async () => {
    const { client, sent } = await losing(1);
    expect(await client.products.ensure(input)).toMatchObject({ product: input, created: true });
    expect(sent).toEqual(['GET', 'POST', 'GET']);
    expect((await client.me.get()).products_total).toBe(1);
  });

  test('with one attempt the program repeats the call, and no second product is created', async () => {
    const { client } = await losing(2);
    const once = client.products.ensure(input, { maxAttempts: 1 });
    expect(await rejection(once)).toMatchObject({ name: 'NetworkError', operation: 'createProduct' });
    expect(await client.products.ensure(input)).toMatchObject({ product: input, created: false });
    expect((await client.me.get()).products_total).toBe(1);
  });
});

describe('a failed create is repeated after another look', () => {
  const product = { id: '1', ...input };
  const missing = () => refusal(404, 'not_found');
  const create = 'POST /products';
  const patient = (...responses: Parameters<typeof fakeFetch>) => {
    jest.spyOn(Math, 'random').mockReturnValue(0); // no pause
    const { fetch, requests } = fakeFetch(...responses);
    const told: unknown[] = [];
    const client = createClient({ baseUrl, apiKey, fetch, onAttempt: (attempt) => told.push(attempt.outcome) });
    return {
      client,
      told,
      sent: () => requests.map(({ method, url }) => `${method} ${url.slice(baseUrl.length)}`),
    };
  };
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each<[string, Response | Error]>([
    ['a lost response', new TypeError('terminated')],
    ['a 500', refusal(500, 'internal_error')],
    ["a gateway's 502", html(502, '')],
    ['a 503', refusal(503, 'service_unavailable')],
    ["a gateway's 504", html(504, '')],
  ])('%s: the create is sent again if the product does not exist', async (_what, failure) => {
    const { client, sent, told } = patient(missing(), failure, missing(), json(product));
    expect(await client.products.ensure(input)).toEqual({ product, created: true, differs: [] });
    expect(sent()).toEqual([read, create, read, create]);
    expect(told).toHaveLength(4);
  });

  test('after a timeout, too', async () => {
    const never = () => new Promise<Response>(() => {});
    const { client, sent } = patient(missing(), never, json(product));
    expect(await client.products.ensure(input, { timeoutMs: 20 })).toEqual({ product, created: true, differs: [] });
    expect(sent()).toEqual([read, create, read]);
  });

  test('after a 429 it is sent again without a look, because the service did nothing', async () => {
    const { client, sent } = patient(missing(), refusal(429, 'rate_limited'), json(product));
    expect(await client.products.ensure(input)).toEqual({ product, created: true, differs: [] });
    expect(sent()).toEqual([read, create, create]);
  });

  test('at most maxAttempts times', async () => {
    const { client, sent } = patient(({ method }) => (method === 'GET' ? missing() : html(502, '')));
    expect(await rejection(client.products.ensure(input))).toMatchObject({ operation: 'createProduct', attempts: 3 });
    expect(sent()).toEqual([read, create, read, create, read, create]);
  });

  test('a refusal is final', async () => {
    const { client, sent } = patient(missing(), refusal(400, 'invalid_gtin'));
    expect(await rejection(client.products.ensure(input))).toMatchObject({ code: 'invalid_gtin', attempts: 1 });
    expect(sent()).toEqual([read, create]);
  });

  test('a failed look ends the call', async () => {
    const { client, sent } = patient(missing(), new TypeError('terminated'), refusal(401, 'invalid_api_key'));
    expect(await rejection(client.products.ensure(input))).toMatchObject({ operation: 'getProduct', status: 401 });
    expect(sent()).toEqual([read, create, read]);
  });

  test('products.create is not repeated', async () => {
    const { client, sent } = patient(new TypeError('terminated'));
    expect(await rejection(client.products.create(input))).toMatchObject({ name: 'NetworkError', attempts: 1 });
    expect(sent()).toEqual([create]);
  });
});
