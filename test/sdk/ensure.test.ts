import { describe, expect, test } from '@jest/globals';
import { createClient } from '../../sdk/src/index.ts';
import { apiKey, baseUrl, fakeFetch, html, json, refusal, rejection } from '../support/fake-fetch.ts';
import { useService } from '../support/service.ts';

const input = { name: 'USB-C-Kabel', slug: 'usb-c-kabel' };
const connected = (...answers: Parameters<typeof fakeFetch>) => {
  const { fetch, requests } = fakeFetch(...answers);
  const { products } = createClient({ baseUrl, apiKey, maxAttempts: 1, fetch });
  return { products, sent: () => requests.map(({ method, url }) => `${method} ${url.slice(baseUrl.length)}`) };
};
const read = 'GET /products/usb-c-kabel';

describe('a product of a slug', () => {
  test('that is there is given, and nothing is written', async () => {
    const product = { id: '1', slug: 'usb-c-kabel', name: 'Another name' };
    const { products, sent } = connected(json(product));
    expect(await products.ensure(input)).toEqual({ product, created: false });
    expect(sent()).toEqual([read]);
  });

  test('that is not there is created', async () => {
    const product = { id: '1', ...input };
    const { products, sent } = connected(refusal(404, 'not_found'), json(product));
    expect(await products.ensure(input).result()).toEqual({ ok: true, value: { product, created: true } });
    expect(sent()).toEqual([read, 'POST /products']);
  });

  test('that another took in between is a conflict, with the product that was made', async () => {
    const product = { id: '2', slug: 'usb-c-kabel-2' };
    const { products } = connected(refusal(404, 'not_found'), json(product));
    const error = await rejection(products.ensure(input));
    expect(error).toMatchObject({ name: 'ConflictError', code: 'slug_taken', product });
    expect(error).toHaveProperty('message', expect.stringContaining('usb-c-kabel-2'));
  });

  test('that comes with another slug, as from a static mock, is not taken for it', async () => {
    const { products, sent } = connected(json({ id: '1', slug: 'another\nslug' }));
    expect(await rejection(products.ensure(input))).toMatchObject({
      name: 'UnexpectedAnswerError',
      code: 'unexpected_answer',
      operation: 'getProduct',
      message: expect.stringContaining('product another slug came instead. A static mock cannot do this'),
    });
    expect(sent()).toEqual([read]);
  });

  test.each([
    ['a gateway that does not know it', html(404, 'no')],
    ['another refusal', refusal(401, 'invalid_api_key')],
  ])('is not created after %s', async (_what, answer) => {
    const { products, sent } = connected(answer, json({ id: '1', ...input }));
    expect(await products.ensure(input).result()).toMatchObject({ ok: false, error: { operation: 'getProduct' } });
    expect(sent()).toEqual([read]);
  });

  test.each([{ name: 'x' }, undefined, null])('needs a slug, which %j has not', async (product) => {
    const { products, sent } = connected(json({}));
    const error = await rejection(products.ensure(product as typeof input));
    expect(error).toMatchObject({ name: 'ArgumentError', argument: 'slug' });
    expect(sent()).toEqual([]);
  });

  test('is what was given, also where the program goes on with the same object', async () => {
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

describe('at a service', () => {
  const service = useService('SQLite');

  test('a create whose answer was lost is repeated without a second product', async () => {
    const { key } = await service.newTenant({ slug: 'nordlicht' });
    const address = `http://127.0.0.1:${service.port}/api/v1`;
    const losing = createClient({
      baseUrl: address,
      apiKey: key,
      fetch: async (request) => {
        const answer = await fetch(request);
        if (request.method === 'POST') throw new TypeError('terminated');
        return answer;
      },
    });
    expect(await rejection(losing.products.ensure(input))).toMatchObject({ name: 'NetworkError' });
    const client = createClient({ baseUrl: address, apiKey: key });
    expect(await client.products.ensure(input)).toMatchObject({ product: input, created: false });
    expect((await client.me.get()).products_total).toBe(1);
  });
});
