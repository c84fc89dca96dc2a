/** Each operation: its value, the options of its call, and the values of its path. The pact has its requests. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { RequestOptions } from '../../sdk/src/index.ts';
import { operationsOfContract } from '../support/documented.ts';
import { connect, type FakeResponse, html, json, refusal, siteUrl } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

type Call = (to: ReturnType<typeof connect>, options?: RequestOptions) => PromiseLike<unknown>;

const value = { field_key: 'cable_length', value: 2, unit: 'm' };
const product = { name: 'Wollmütze Förde', gtin: null };
const list = { status: 'active', search: 'Größe & 50 %', limit: 2, offset: 4 } as const;
const apiCalls: Record<string, Call> = {
  getMe: ({ client }, options) => client.me.get(options),
  listProducts: ({ client }, options) => client.products.list(list, options),
  createProduct: ({ client }, options) => client.products.create(product, options),
  getProduct: ({ client }, options) => client.products.get('the-slug', options),
  getPassport: ({ client }, options) => client.passports.get('the-slug', options),
  putPassport: ({ client }, options) => client.passports.put('the-slug', [value], options),
  listCarriers: ({ client }, options) => client.carriers.list('the-slug', options),
  getScanStatistics: ({ client }, options) => client.analytics.scans({ days: 7 }, options),
};
const zugang = { zugang: 'a token' };
const publicCalls: Record<string, Call> = {
  getPassportPage: ({ site }, options) => site.passports.page('the-tenant', 'the-product', zugang, options),
  getPassportJsonld: ({ site }, options) => site.passports.document('the-tenant', 'the-product', zugang, options),
  resolveGtin: ({ site }, options) => site.resolve('09520001000072', zugang, options),
};
const calls = { ...apiCalls, ...publicCalls };
test('the two entries have a method for every operation of the contract, and no other', () => {
  const ids = operationsOfContract().map(({ operationId }) => operationId);
  expect(Object.keys(calls).sort()).toEqual(ids.sort());
});

test('a query without values is not sent', async () => {
  const { client, sent } = connect(json({ items: [], total: 0, limit: 50, offset: 0 }));
  await client.products.list();
  await client.products.list({});
  await client.analytics.scans();
  expect(sent()).toEqual(['GET /api/v1/products', 'GET /api/v1/products', 'GET /api/v1/analytics/scans']);
});

describe('the options of a call apply to all its requests', () => {
  type Row = [name: string, before: Response[], call: Call];
  const rows = (some: Record<string, Call>): Row[] => Object.entries(some).map(([name, call]) => [name, [], call]);
  const page = json({ items: [{ id: 'x' }], total: 2, limit: 1, offset: 0 });
  const many = Array.from({ length: 1001 }, () => value);
  const second = (items: AsyncIterable<unknown>) => {
    const walk = items[Symbol.asyncIterator]();
    return walk.next().then(() => walk.next());
  };
  const ensure: Call = ({ client }, options) => client.products.ensure({ name: 'x', slug: 'the-slug' }, options);
  const ofApi: Row[] = [
    ...rows(apiCalls),
    ['products.list, its next product', [page], ({ client }, options) => second(client.products.list({}, options))],
    [
      'products.list, its next page',
      [page],
      ({ client }, options) => second(client.products.list({}, options).pages()),
    ],
    ['products.ensure, its read', [], ensure],
    ['products.ensure, its create', [refusal(404, 'not_found')], ensure],
    ['passports.put, its next part', [json({})], ({ client }, options) => client.passports.put('x', many, options)],
  ];
  const redirect = new Response(null, { status: 307, headers: { location: '/p/t/p/jsonld' } });
  const ofPublic: Row[] = [
    ...rows(publicCalls),
    ['resolve, its next request', [redirect], publicCalls.resolveGtin as Call],
  ];

  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each([...ofApi, ...ofPublic])('%s: signal', async (_name, before, call) => {
    const controller = new AbortController();
    const reason = new Error('The user went away.');
    const ended = ({ signal }: Request) => {
      controller.abort(reason);
      signal.throwIfAborted();
      return html(502, '');
    };
    const to = connect([...before, ended]);
    const error = await rejection(call(to, { signal: controller.signal }));
    expect(error).toMatchObject({ name: 'AbortError', code: 'aborted' });
    expect((error as Error).cause).toBe(reason);
    expect(to.requests).toHaveLength(before.length + 1);
    expect(to.requests.at(-1)?.signal.aborted).toBe(true);
  });

  const busy = json({ error: { code: 'rate_limited', message: '' } }, { status: 429, headers: { 'retry-after': '5' } });
  const late = () => new Promise<Response>((resolve) => setTimeout(resolve, 500, html(502, '')));
  test.each([...ofApi, ...ofPublic])('%s: maxAttempts, maxWaitMs and timeoutMs', async (_name, before, call) => {
    jest.spyOn(Math, 'random').mockReturnValue(0); // no pause
    const failure = (options: RequestOptions, ...responses: FakeResponse[]) =>
      rejection(call(connect([...before, ...responses]), options));
    const refused = [refusal(429, 'rate_limited'), refusal(401, 'invalid_api_key')];
    expect(await failure({ maxAttempts: 2 }, ...refused)).toMatchObject({ code: 'invalid_api_key', attempts: 2 });
    const impatient = { maxAttempts: 2, maxWaitMs: 1_000 };
    expect(await failure(impatient, busy)).toMatchObject({ code: 'rate_limited', attempts: 1 });
    expect(await failure({ timeoutMs: 20 }, late)).toMatchObject({ name: 'TimeoutError', code: 'timeout' });
  });
});

describe('a value in a path', () => {
  const { client, site, requests } = connect(json({}));
  const takers: [string, string, (value: string) => PromiseLike<unknown>][] = [
    ['products.get', 'slug', (value) => client.products.get(value)],
    ['passports.get', 'slug', (value) => client.passports.get(value)],
    ['passports.put', 'slug', (value) => client.passports.put(value, [])],
    ['carriers.list', 'slug', (value) => client.carriers.list(value)],
    ['http', 'slug', (slug) => client.http.GET('/api/v1/products/{slug}', { params: { path: { slug } } })],
    ['public page, tenant', 'tenant', (value) => site.passports.page(value, 'p')],
    ['public page, product', 'product', (value) => site.passports.page('t', value)],
    ['public document, tenant', 'tenant', (value) => site.passports.document(value, 'p')],
    ['public document, product', 'product', (value) => site.passports.document('t', value)],
    ['resolve', 'gtin', (value) => site.resolve(value)],
  ];

  /** What a path segment is after any number of decodings, at each hop between here and the handler. */
  function decodings(value: string): string[] {
    const next = value.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return next === value ? [value] : [value, ...decodings(next)];
  }

  const leavesItsPlace = (value: string) =>
    decodings(value).some((text) => text.split(/[/\\]/).some((part) => ['', '.', '..'].includes(part)));

  /** Every word of one to three pieces. */
  const pieces = ['.', '%2e', '%2E', '%252e', '%%32e', '/', '%2f', '\\', '%5C', 'a', ' '];
  const longer = (words: string[]) => words.flatMap((word) => pieces.map((piece) => word + piece));
  const words = [...pieces, ...longer(pieces), ...longer(longer(pieces))];
  const untyped = [undefined, null, 4012345678901, {}, ['a']] as unknown as string[];

  test.each(takers)(
    '%s: refused if it leaves its segment, is not text, or no URL can carry it',
    async (_n, argument, call) => {
      requests.length = 0;
      const bad = ['', ...words].filter(leavesItsPlace);
      expect(bad.length).toBeGreaterThan(500);
      for (const word of [...bad, ...untyped, 'a\ud800']) {
        const refused = { name: 'ArgumentError', code: 'invalid_argument', argument };
        expect([word, await rejection(call(word))]).toMatchObject([word, refused]);
      }
      expect(requests).toEqual([]);
    },
  );

  test('any other value arrives unchanged as one segment', async () => {
    const names = ['ä ö', ...'usb-c-kabel A.B ... .a a.. ?x=1 #x a&b=c {slug} $& ;a=1 a:b@c'.split(' ')];
    const good = [...names, '\0', 'a\n', ...words.filter((word) => !/[/\\%]/.test(word) && !leavesItsPlace(word))];
    requests.length = 0;
    for (const slug of good) await client.passports.get(slug);
    const segments = requests.map(({ url }) => new URL(url).pathname.split('/'));
    expect(segments.map((parts) => [parts.length, parts[5], decodeURIComponent(parts[4] ?? '')])).toEqual(
      good.map((slug) => [6, 'passport', slug]),
    );
    expect(requests[1]?.url).toBe(`${siteUrl}/api/v1/products/usb-c-kabel/passport`);
  });
});
