/** The service of `verify client`: what it does conforms to the contract, and the same seed does the same. */

import { beforeAll, expect, test } from '@jest/globals';
import { readContract } from '@product-passport/openapi';
import {
  createDropper,
  createLimiter,
  type Disturbance,
  randomOf,
} from '../../contracts/conformance/client/disturbances.ts';
import { type ClientService, openService } from '../../contracts/conformance/client/service.ts';
import { createJudge } from '../../contracts/judge/judge.ts';
import { ending } from '../support/ending.ts';

const kinds: readonly Disturbance[] = ['limits', 'drops', 'fields', 'values', 'pages'];
const judge = createJudge(undefined, { profile: 'description' });

let service: ClientService;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await openService(readContract(), new Set(kinds), 1);
  ending.defer(() => service.close());
  headers = { authorization: `Bearer ${service.provider.tenants?.[0]?.api_key}` };
});

/** The response after the pause of a 429. Every response keeps the description, with nothing but additions. */
async function read(path: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(service.provider.base_url + path, { ...init, headers: { ...headers, ...init.headers } });
  const body = await response.text();
  const line = { method: init.method ?? 'GET', path: `/api/v1${path.split('?')[0]}` };
  const findings = judge.response({ ...line, status: response.status, headers: response.headers, body });
  expect(findings.filter(({ severity }) => severity === 'failure')).toEqual([]);
  if (response.status !== 429) return JSON.parse(body);
  await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after')) * 1000));
  return read(path, init);
}

test('every response conforms to the contract, and has an unknown field and an unknown value where it may', async () => {
  const me = await read('/me');
  expect(me).toMatchObject({ added_later: {}, tenant: { added_later: {}, plan: 'added_later', slug: 'nordlicht' } });
  const product = await read('/products/fahrradhelm');
  expect(product).toMatchObject({ added_later: {}, status: 'active', registry_status: 'added_later' });
  expect(product).toMatchObject({ product_group: 'other' });
  const passport = await read('/products/fahrradhelm/passport');
  expect(passport).toMatchObject({
    values: expect.arrayContaining([expect.objectContaining({ added_later: expect.anything() })]),
  });
  const carriers = await read('/products/fahrradhelm/carriers');
  expect(carriers).toMatchObject({ items: [{ type: 'added_later', status: 'added_later' }] });
  expect(await read('/analytics/scans')).toMatchObject({ by_view_role: { consumer: expect.any(Number) } });
  expect(service.requests.filter(({ event }) => event === 'limited')).toHaveLength(1);
});

test('a page has at most 50 products, and the list grows while it is read', async () => {
  const page = (offset: number) =>
    read(`/products?status=active&limit=200&offset=${offset}`) as Promise<{ items: object[] }>;
  const first = await page(0);
  expect(first).toMatchObject({ total: 100, limit: 50 });
  expect(first.items).toHaveLength(50);
  expect(await page(50)).toMatchObject({ total: 101 });
  expect((await page(100)).items).toHaveLength(1);
});

test('the response to the second new product is lost, and the product exists', async () => {
  const create = (slug: string) => {
    const body = JSON.stringify({ slug, name: slug });
    return read('/products', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  };
  expect(await create('one')).toMatchObject({ slug: 'one' });
  await expect(create('two')).rejects.toThrow('fetch failed');
  expect(await read('/products/two')).toMatchObject({ slug: 'two' });
  // A body that was lost once is not lost again.
  expect(await create('two')).toMatchObject({ slug: 'two-2' });
});

test('the times of the disturbances follow from the seed, and each comes at most three times', () => {
  const timesOf = (seed: number): string => {
    const random = randomOf(seed);
    const secondsToWait = createLimiter(random);
    const isDropped = createDropper(random);
    // One request in three seconds: each 429 is a new one.
    const limited = Array.from({ length: 500 }, (_, index) => secondsToWait(index * 3000) !== undefined);
    const dropped = Array.from({ length: 500 }, (_, index) => isDropped(String(index)));
    const places = (list: readonly boolean[]) => list.flatMap((is, index) => (is ? [index] : []));
    expect(places(limited)).toHaveLength(3);
    expect(places(limited)[0]).toBeLessThan(2);
    expect(places(dropped)).toHaveLength(3);
    expect(places(dropped)[0]).toBe(1);
    return JSON.stringify([places(limited), places(dropped)]);
  };
  expect(timesOf(1)).toBe(timesOf(1));
  expect(new Set(Array.from({ length: 20 }, (_, seed) => timesOf(seed))).size).toBeGreaterThan(15);
});
