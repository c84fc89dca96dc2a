/** Each method: its value, the options of its call, the values of its path, and methods of several requests. The pact has the requests. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { readDocument } from '../../openapi/src/index.ts';
import { isPassportError, type RequestOptions } from '../../sdk/src/index.ts';
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
  setProductStatus: ({ client }, options) => client.products.setStatus('the-slug', { status: 'active' }, options),
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
  // The reads of EN 18222 have an entry of their own.
  const own = operationsOfContract().filter(({ side }) => side.root !== '/dpp/v1');
  const ids = own.map(({ operationId }) => operationId);
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

describe('products.setStatus', () => {
  const [active, draft] = ['active', 'draft'].map((status) => json({ slug: 'cup', status }));
  const [read, change] = ['GET /api/v1/products/cup', 'POST /api/v1/products/cup/status'];
  const lost = new TypeError('terminated');

  beforeEach(() => {
    jest.spyOn(Math, 'random').mockReturnValue(0); // no pause
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each<[string, FakeResponse[], string[]]>([
    ['is sent once', [active], [change]],
    ['that was lost and arrived is found', [lost, active], [change, read]],
    ['that was lost on its way is sent again', [lost, draft, active], [change, read, change]],
    ['is sent again after a 429 without a look', [refusal(429, 'rate_limited'), active], [change, change]],
  ] as [string, FakeResponse[], string[]][])('a change %s', async (_what, responses, expected) => {
    const { client, sent, requests } = connect(responses, { maxAttempts: 3 });
    expect(await client.products.setStatus('cup', { status: 'active', open: ['x'] })).toEqual({
      slug: 'cup',
      status: 'active',
    });
    expect(sent()).toEqual(expected);
    expect(await requests[0]?.json()).toEqual({ status: 'active', open: ['x'] });
  });

  test('a refused change is not repeated', async () => {
    const { client, sent } = connect([refusal(409, 'not_ready')], { maxAttempts: 3 });
    const error = await rejection(client.products.setStatus('cup', { status: 'active' }));
    expect(error).toMatchObject({ name: 'ApiError', code: 'not_ready', attempts: 1 });
    expect(sent()).toEqual([change]);
  });
});

describe('products.find', () => {
  const gtin = '9520001000010';
  const asked = (serial: string, more = '') => `GET /api/v1/products?gtin=${gtin}&serial=${serial}&limit=200${more}`;
  const row = (slug: string, more: object = {}) => ({ id: slug, slug, gtin, status: 'draft', ...more });
  const page = (items: object[], offset = 0, total = offset + items.length) =>
    json({ items, total, limit: 200, offset });
  const model = row('model', { gtin: `0${gtin}`, serial_number: null });
  const [one, twin] = [
    row('one', { serial_number: 'SN 1' }),
    row('twin', { serial_number: 'SN 1', status: 'archived' }),
  ];
  const others = [row('other', { gtin: '95200002', serial_number: 'SN 1' }), row('none', { gtin: null })];
  const passport = (...values: object[]) => json({ values: values.map((each) => ({ is_unknown: false, ...each })) });
  const serial = { field_key: 'serial_number', value: 'SN 1' };
  const read = (slug: string) => `GET /api/v1/products/${slug}/passport`;

  test.each<[string, object, FakeResponse[], string | undefined, string[]]>([
    ['the item', { serial: 'SN 1' }, [page([one])], 'one', [asked('SN%201')]],
    ['the product that is no item', {}, [page([model])], 'model', [asked('')]],
    ['nothing', { serial: 'SN 2' }, [page([])], undefined, [asked('SN%202')]],
    [
      'an item of a status',
      { serial: 'SN 1', status: 'draft' },
      [page([one, twin])],
      'one',
      [`GET /api/v1/products?gtin=${gtin}&serial=SN%201&status=draft&limit=200`],
    ],
    [
      'in a list that ignores the parameters',
      { serial: 'SN 1' },
      [page([model, ...others], 0, 4), page([one], 3)],
      'one',
      [asked('SN%201'), asked('SN%201', '&offset=3')],
    ],
    [
      'by passports, if rows have no serial number',
      { serial: 'SN 1' },
      [
        page([others[1] ?? {}, row('a'), row('b'), row('c')]),
        passport(),
        passport(serial),
        passport({ ...serial, is_unknown: true }),
      ],
      'b',
      [asked('SN%201'), ...['a', 'b', 'c'].map(read)],
    ],
    [
      'no item by passports',
      {},
      [page([row('a'), row('b')]), passport(serial), passport()],
      'b',
      [asked(''), read('a'), read('b')],
    ],
    ...['\u{1F50B}1', 'SS'].map((end): [string, object, FakeResponse[], string, string[]] => {
      const [whole, listed] = [`${'S'.repeat(199)}${end}`, `${'S'.repeat(199)}${end === 'SS' ? 'S' : ''}`];
      const rows = ['prefix', 'long'].map((slug) => row(slug, { serial_number: listed }));
      const passports = [listed, whole].map((value) => passport({ ...serial, value }));
      const reads = ['prefix', 'long'].map(read);
      return [
        `a long one that ends in ${end}`,
        { serial: whole },
        [page(rows), ...passports],
        'long',
        [asked(listed), ...reads],
      ];
    }),
  ])('finds %s', async (_what, query, responses, slug, expected) => {
    const { client, sent } = connect(responses);
    const { value, status } = await client.products.find({ gtin, ...query }).withResponse();
    expect([value?.slug, status, sent()]).toEqual([slug, 200, expected]);
  });

  test('two that fit are an error with both slugs, and never the first', async () => {
    const { client } = connect([page([one], 0, 2), page([twin], 1)]);
    const error = await rejection(client.products.find({ gtin, serial: 'SN 1' }));
    expect(error).toMatchObject({ name: 'AmbiguousError', code: 'ambiguous', slugs: ['one', 'twin'] });
    expect(isPassportError(error)).toBe(true);
    expect(String(error)).toBe('AmbiguousError: several products fit: "one", "twin"');
  });

  test.each([
    ['gtin', undefined],
    ['gtin', { gtin: '' }],
    ['gtin', { gtin: '123456789' }],
    ['gtin', { gtin: ' 95200002' }],
    ['serial', { gtin, serial: '' }],
  ])('a wrong %s is refused before anything is sent: %j', async (argument, query) => {
    const { client, requests } = connect(page([model]));
    const error = await rejection(client.products.find(query as { gtin: string }));
    expect([error, requests.length]).toEqual([expect.objectContaining({ name: 'ArgumentError', argument }), 0]);
  });

  test('the refusal of a page, and a list that stops early, end the search', async () => {
    const { client } = connect([page([one], 0, 2), refusal(401, 'invalid_api_key')]);
    expect(await client.products.find({ gtin, serial: 'SN 1' }).result()).toMatchObject({
      ok: false,
      error: { name: 'ApiError', code: 'invalid_api_key' },
    });
    const { client: stalled } = connect([page([one], 0, 2), page([], 1, 2), page([], 1, 2)]);
    expect(await rejection(stalled.products.find({ gtin, serial: 'SN 1' }))).toMatchObject({ code: 'pages_stalled' });
  });
});

describe('products.ensure', () => {
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
    // The months belong to a version of the API that this SDK does not know.
    const found = {
      ...product,
      name: 'Another',
      gtin: '09520001000072',
      product_group: 'cable',
      model: null,
      months: 24,
    };
    const { client, sent } = connect(json(found));
    const other = { ...input, gtin: '9520001000072', product_group: 'toy', model: 'null', months: 0 };
    const differs = ['name', 'product_group', 'model', 'months'];
    expect(await client.products.ensure(other)).toEqual({ product: found, created: false, differs });
    expect(sent()).toEqual([read]);
    expect((await client.products.ensure({ ...input, name: 'Another', model: '' })).differs).toEqual(['model']);
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
    [
      'another program took the slug',
      [missing, json({ slug: 'usb-c-kabel-2' })],
      { ...conflict, message: taken },
      twice,
    ],
    [
      'the second look fails',
      [missing, lost, unauthorized],
      { operation: 'getProduct', status: 401 },
      [...twice, read],
    ],
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
});

describe('passports.put', () => {
  const mebibyte = 1_048_576;
  const many = (count: number, value: unknown = 1) =>
    Array.from({ length: count }, (_, index) => ({ field_key: `key_${index}`, value }));
  const wrote = (updated: number, completeness: number, findings?: string) =>
    json({ updated, completeness }, findings === undefined ? {} : { headers: { 'passport-findings': findings } });
  const filled = (more: number) => {
    const rest = mebibyte - JSON.stringify(many(2, '')).length;
    return many(2, '').map((value, index) => (index === 0 ? value : { ...value, value: 'x'.repeat(rest + more) }));
  };
  // Each element has three nodes and its items. The body is one more.
  const nodes = Array<number>(2854).fill(1);

  test.each<[string, ReturnType<typeof many>, number[]]>([
    ['no value', [], [0]],
    ['1,000 values', many(1000), [1000]],
    ['2,001 values', many(2001), [1000, 1000, 1]],
    ['more than 1 MiB, counted in bytes', many(10, 'ü'.repeat(150_000)), [3, 3, 3, 1]],
    ['exactly 1 MiB', filled(0), [2]],
    ['one more byte', filled(1), [1, 1]],
    ['a value that is too big', [...many(1), ...many(1, 'x'.repeat(mebibyte)), ...many(1)], [1, 1, 1]],
    ['20,000 nodes', many(7, nodes), [7]],
    ['more than 20,000 nodes', many(8, nodes), [7, 1]],
  ])('sends %s in the fewest requests, in order', async (_what, values, expected) => {
    const { client, requests } = connect(wrote(1, 5));
    const { updated } = await client.passports.put('x', values);
    const texts = await Promise.all(requests.map((request) => request.text()));
    const sent = texts.map((text) => JSON.parse(text));
    expect(sent.map(({ length }) => length)).toEqual(expected);
    expect(sent.flat()).toEqual(values);
    expect(updated).toBe(expected.length);
    const tooBig = values.length === 3 ? 1 : 0; // the service refuses it
    expect(texts.filter((text) => Buffer.byteLength(text) > mebibyte)).toHaveLength(tooBig);
  });

  test('covers all requests with its result', async () => {
    const { client } = connect([wrote(1000, 10), wrote(1000, 20), wrote(1, 30)]);
    expect(await client.passports.put('x', many(2001))).toEqual({ updated: 2001, completeness: 30 });
  });

  test.each<[sent: (string | undefined)[], findings?: number]>([
    [['0'], 0],
    [['3', '0', '12'], 15],
    [['3', undefined]],
    [[undefined]],
    ...['', 'many', '-1', '1.5', '1e3', '1, 1', '9'.repeat(20)].map((text): [string[]] => [[text]]),
  ])('sums the header Passport-Findings: %j', async (sent, ...findings) => {
    const { client } = connect(sent.map((each) => wrote(1, 10, each)));
    const result = await client.passports.put('x', many(1000 * sent.length));
    expect('findings' in result ? [result.findings] : []).toEqual(findings);
  });

  test.each<[string, FakeResponse[], number, number]>([
    ['the first request fails', [refusal(404, 'not_found')], 0, 1],
    ['the third request fails', [wrote(1000, 10), wrote(1000, 20), refusal(400, 'invalid_request')], 2000, 3],
  ])('counts the values written before, and sends no more, if %s', async (_what, responses, applied, sent) => {
    const { client, requests } = connect(responses);
    expect(await rejection(client.passports.put('x', many(4000)))).toMatchObject({ name: 'ApiError', applied });
    expect(requests).toHaveLength(sent);
  });

  test.each<[unknown, string]>([
    [[...many(1500), ...many(1, Number.NaN)], '[1500].value'],
    ...[undefined, null, 'abc', { length: 1, 0: many(1)[0] }].map((values): [unknown, string] => [values, 'values']),
  ])('sends nothing for values that cannot be sent', async (values, argument) => {
    const { client, requests } = connect(wrote(1, 1));
    const error = await rejection(client.passports.put('x', values as []));
    expect(error).toMatchObject({ name: 'ArgumentError', argument });
    expect(requests).toEqual([]);
  });

  test('splits by the limits of the contract', () => {
    const put = operationsOfContract().find(({ operationId }) => operationId === 'putPassport');
    expect(put?.body?.schema).toMatchObject({ type: 'array', maxItems: 1000 });
    expect(readDocument()).toMatchObject({ info: { description: expect.stringContaining('at most 1 MiB') } });
  });
});
