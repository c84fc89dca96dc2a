import { describe, expect, test } from '@jest/globals';
import { type CreateProduct, createClient } from '../../sdk/src/index.ts';
import { apiKey, baseUrl, fakeFetch, json, rejection } from '../support/fake-fetch.ts';

function connected() {
  const { fetch, requests } = fakeFetch(json({}));
  return { client: createClient({ baseUrl, apiKey, fetch }), requests };
}

async function refusalOf(send: (client: ReturnType<typeof createClient>) => Promise<unknown>) {
  const { client, requests } = connected();
  const error = await rejection(send(client));
  expect(requests).toEqual([]);
  return error;
}

describe('a value that JSON cannot express is rejected with its place, and nothing is sent', () => {
  const circle: { a: { self?: unknown } } = { a: {} };
  circle.a.self = circle;

  test.each([
    ['NaN', { weight: Number.NaN }, '.weight is NaN'],
    ['Infinity', [0, Number.NEGATIVE_INFINITY], '[1] is -Infinity'],
    ['a Map', { by: new Map([['a', 1]]) }, '.by is a Map'],
    ['a Set', [[new Set([1])]], '[0][0] is a Set'],
    ['a typed array', new Uint8Array(2), ' is a Uint8Array'],
    ['a regular expression', /x/, ' is a RegExp'],
    ['a promise, which somebody forgot to await', Promise.resolve(1), ' is a Promise'],
    ['a function', { get: () => 1 }, '.get is a function'],
    ['a symbol', [Symbol('x')], '[0] is a symbol'],
    ['a bigint', 1n, ' is a bigint'],
    ['an undefined element', [1, undefined], '[1] is undefined'],
    ['a hole', new Array(1), '[0] is undefined'],
    ['an invalid date', { on: new Date('soon') }, '.on is an invalid date'],
    ['a circle', circle, '.a.self is a circular reference'],
    ['what a toJSON gives', { toJSON: () => ({ x: Number.NaN }) }, '.x is NaN'],
  ])('%s in a value', async (_name, value, message) => {
    const good = { field_key: 'a', value: 1 };
    const error = await refusalOf((client) => client.passports.put('x', [good, good, { field_key: 'b', value }]));
    const place = `[2].value${message.replace(/ is .*/, '')}`;
    expect(error).toMatchObject({ name: 'ArgumentError', code: 'invalid_argument', argument: place });
    expect(String(error)).toContain(`[2].value${message}, which cannot be sent as JSON`);
  });

  test('a missing element of the array of values', async () => {
    const values = [undefined] as unknown as [];
    expect(await refusalOf((client) => client.passports.put('x', values))).toMatchObject({ argument: '[0]' });
  });

  test.each([
    [{ name: 'a', model: Number.NaN }, 'model'],
    [new Map([['name', 'a']]), 'the body'],
    [() => {}, 'the body'],
  ])('in a new product: %p', async (product, argument) => {
    const body = product as unknown as CreateProduct;
    expect(await refusalOf((client) => client.products.create(body))).toMatchObject({
      name: 'ArgumentError',
      argument,
    });
  });
});

test('everything else is sent as JSON.stringify writes it', async () => {
  class Weight {
    kilograms = 2;
  }
  const twice = { same: [1] };
  const value = {
    ...{ date: new Date(0), url: new URL('https://example.com/'), own: { toJSON: () => 'own' }, weight: new Weight() },
    ...{ none: null, absent: undefined, bare: Object.assign(Object.create(null), { a: 1 }), zero: -0, '': ['', true] },
    ...{ twice: [twice, twice, { twice }] },
  };
  const values = [{ field_key: 'a', value, unit: undefined as unknown as null }];
  const { client, requests } = connected();
  await client.passports.put('x', values);
  expect(await requests[0]?.text()).toBe(JSON.stringify(values));
  expect(requests[0]?.headers.get('content-type')).toBe('application/json');
});
