import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import ts from 'typescript';
import { createClient, isPassportError, type RequestOptions } from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { operationsOfContract } from '../support/documented.ts';
import { apiKey, baseUrl, fakeFetch, html, json, refusal, siteUrl } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

type Fetch = ReturnType<typeof fakeFetch>['fetch'];
type Calls = Record<string, (fetch: Fetch, options?: RequestOptions) => PromiseLike<unknown>>;

const client = (fetch: Fetch) => createClient({ baseUrl, apiKey, maxAttempts: 1, fetch });
const site = (fetch: Fetch) => createPublicClient({ siteUrl, maxAttempts: 1, fetch });
const value = { field_key: 'cable_length', value: 2, unit: 'm' };

const apiCalls: Calls = {
  getMe: (fetch, options) => client(fetch).me.get(options),
  listProducts: (fetch, options) =>
    client(fetch).products.list({ status: 'active', search: 'Größe & 50 %', limit: 2, offset: 4 }, options),
  createProduct: (fetch, options) => client(fetch).products.create({ name: 'Wollmütze Förde', gtin: null }, options),
  getProduct: (fetch, options) => client(fetch).products.get('the-slug', options),
  getPassport: (fetch, options) => client(fetch).passports.get('the-slug', options),
  putPassport: (fetch, options) => client(fetch).passports.put('the-slug', [value], options),
  listCarriers: (fetch, options) => client(fetch).carriers.list('the-slug', options),
  getScanStatistics: (fetch, options) => client(fetch).analytics.scans({ days: 7 }, options),
};
const query = { zugang: 'a token' };
const resolve: Calls[string] = (fetch, options) => site(fetch).resolve('09520001000072', query, options);
const publicCalls: Calls = {
  getPassportPage: (fetch, options) => site(fetch).passports.page('the-tenant', 'the-product', query, options),
  getPassportJsonld: (fetch, options) => site(fetch).passports.document('the-tenant', 'the-product', query, options),
  resolveGtin: resolve,
};
const calls: Calls = { ...apiCalls, ...publicCalls };
const queries: Record<string, string> = {
  listProducts: '?status=active&search=Gr%C3%B6%C3%9Fe%20%26%2050%20%25&limit=2&offset=4',
  getScanStatistics: '?days=7',
  getPassportPage: '?zugang=a+token',
  getPassportJsonld: '?zugang=a+token',
  resolveGtin: '?zugang=a+token&linkType=gs1%3Adpp',
};
const filled = (path: string) =>
  path
    .replace('{slug}', 'the-slug')
    .replace('{tenant}', 'the-tenant')
    .replace('{product}', 'the-product')
    .replace('{gtin}', '09520001000072');

test('the two entries have a method for every operation of the contract, and no other', () => {
  expect(Object.keys(calls).sort()).toEqual(
    operationsOfContract()
      .map(({ operationId }) => operationId)
      .sort(),
  );
});

describe.each(operationsOfContract())('$operationId', ({ operationId, method, path }) => {
  const call = calls[operationId] ?? (() => Promise.reject(new Error('no such method')));

  test('sends the method, path and query of the contract, and the key only to the API', async () => {
    const { fetch, requests } = fakeFetch(html(502, ''));
    await rejection(call(fetch));
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request?.method).toBe(method);
    expect(request?.url).toBe(siteUrl + filled(path) + (queries[operationId] ?? ''));
    expect(request?.headers.get('authorization')).toBe(operationId in apiCalls ? `Bearer ${apiKey}` : null);
    expect(request?.redirect).toBe('manual');
  });

  test('names its operation, method and path in an error', async () => {
    const error = await rejection(call(fakeFetch(html(502, 'Bad Gateway')).fetch));
    expect(isPassportError(error)).toBe(true);
    // The page of a list has its offset.
    const page = operationId === 'listProducts' ? '?offset=4' : '';
    expect(error).toMatchObject({ operation: operationId, method, path: filled(path) + page });
  });
});

describe('the options of a call apply to all its requests', () => {
  type Row = [name: string, before: Response[], call: Calls[string]];
  const rows = (some: Calls): Row[] => Object.entries(some).map(([name, call]) => [name, [], call]);
  const page = json({ items: [{ id: 'x' }], total: 2, limit: 1, offset: 0 });
  const many = Array.from({ length: 1001 }, () => value);
  const list = (fetch: Fetch, options?: RequestOptions) => client(fetch).products.list({}, options);
  const next = (items: AsyncIterable<unknown>) => {
    const walk = items[Symbol.asyncIterator]();
    return walk.next().then(() => walk.next());
  };
  const ensure: Calls[string] = (fetch, options) =>
    client(fetch).products.ensure({ name: 'x', slug: 'the-slug' }, options);
  const api: Row[] = [
    ...rows(apiCalls),
    ['products.list, its next product', [page], (fetch, options) => next(list(fetch, options))],
    ['products.list, its next page', [page], (fetch, options) => next(list(fetch, options).pages())],
    ['products.ensure, its read', [], ensure],
    ['products.ensure, its create', [refusal(404, 'not_found')], ensure],
    ['passports.put, its next part', [json({})], (fetch, options) => client(fetch).passports.put('x', many, options)],
  ];
  const redirect = new Response(null, { status: 307, headers: { location: '/p/t/p/jsonld' } });
  const publicSide: Row[] = [...rows(publicCalls), ['resolve, its next request', [redirect], resolve]];

  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each([...api, ...publicSide])('%s: signal', async (_name, before, call) => {
    const controller = new AbortController();
    const reason = new Error('The user went away.');
    const { fetch, requests } = fakeFetch(...before, ({ signal }) => {
      controller.abort(reason);
      signal.throwIfAborted();
      return html(502, '');
    });
    const error = await rejection(call(fetch, { signal: controller.signal }));
    expect(error).toMatchObject({ name: 'AbortError', code: 'aborted' });
    expect((error as Error).cause).toBe(reason);
    expect(requests).toHaveLength(before.length + 1);
    expect(requests.at(-1)?.signal.aborted).toBe(true);
  });

  test.each(api)('%s: maxAttempts', async (_name, before, call) => {
    jest.spyOn(Math, 'random').mockReturnValue(0); // no pause
    const { fetch } = fakeFetch(...before, refusal(429, 'rate_limited'), refusal(401, 'invalid_api_key'));
    expect(await rejection(call(fetch, { maxAttempts: 2 }))).toMatchObject({ code: 'invalid_api_key', attempts: 2 });
  });

  test.each(api)('%s: maxWaitMs', async (_name, before, call) => {
    const body = { error: { code: 'rate_limited', message: 'Later.' } };
    const { fetch } = fakeFetch(...before, json(body, { status: 429, headers: { 'retry-after': '5' } }));
    const options = { maxAttempts: 2, maxWaitMs: 1_000 };
    expect(await rejection(call(fetch, options))).toMatchObject({ code: 'rate_limited', attempts: 1 });
  });

  test.each(api)('%s: headers, beside those of the SDK', async (_name, before, call) => {
    const { fetch, requests } = fakeFetch(...before, refusal(401, 'invalid_api_key'));
    await rejection(call(fetch, { headers: { 'Idempotency-Key': 'row 7' } }));
    expect(requests.at(-1)?.headers.get('idempotency-key')).toBe('row 7');
    expect(requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${apiKey}`);
  });

  test.each(api)('%s: timeoutMs', async (_name, before, call) => {
    const late = () => new Promise<Response>((resolve) => setTimeout(resolve, 500, html(502, '')));
    const { fetch } = fakeFetch(...before, late);
    expect(await rejection(call(fetch, { timeoutMs: 20 }))).toMatchObject({ name: 'TimeoutError', code: 'timeout' });
  });
});

describe('a value is the body, as the service sent it', () => {
  const { listProducts: _, ...plain } = apiCalls;

  test.each(Object.entries(plain))('%s', async (_operationId, call) => {
    const body = { id: 'x', a_field_of_tomorrow: [1, { deep: null }] };
    expect(await call(fakeFetch(json(body)).fetch)).toEqual(body);
  });
});

test('bodies are JSON, and null, unicode and numbers arrive unchanged', async () => {
  const { fetch, requests } = fakeFetch(json({ updated: 1, completeness: 0 }));
  await apiCalls.createProduct?.(fetch);
  await apiCalls.putPassport?.(fetch);
  expect(requests.map((request) => request.headers.get('content-type'))).toEqual([
    'application/json',
    'application/json',
  ]);
  expect(await requests[0]?.json()).toEqual({ name: 'Wollmütze Förde', gtin: null });
  expect(await requests[1]?.json()).toEqual([value]);
});

test('a query without values is not sent', async () => {
  const { fetch, requests } = fakeFetch(json({ items: [], total: 0, limit: 50, offset: 0 }));
  await client(fetch).products.list();
  await client(fetch).products.list({});
  await client(fetch).analytics.scans();
  expect(requests.map(({ url }) => new URL(url).search)).toEqual(['', '', '']);
});

test("without the option fetch, the runtime's fetch is used", async () => {
  const server = createServer((_request, response) => response.end('{"from":"a socket"}'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    expect(await createClient({ baseUrl: `http://127.0.0.1:${port}/api/v1`, apiKey, maxAttempts: 1 }).me.get()).toEqual(
      {
        from: 'a socket',
      },
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every field of the contract's types that the SDK exports, those of nested objects too, and its docstring. */
function fieldsOfContract(): Map<string, string> {
  const file = `${root}sdk/src/contract.ts`;
  const read = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, root);
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} exports nothing.`);

  /** The text of the docstring, or of its `@description`, which the generated types have and editors show as well. */
  const textOf = (field: ts.Symbol): string => {
    const described = field.getJsDocTags(checker).find(({ name }) => name === 'description');
    return ts.displayPartsToString([...field.getDocumentationComment(checker), ...(described?.text ?? [])]);
  };

  const fields = new Map<string, string>();
  const walk = (type: ts.Type, name: string): void => {
    if (type.isUnionOrIntersection()) for (const part of type.types) walk(part, name);
    if (checker.isArrayType(type))
      for (const item of checker.getTypeArguments(type as ts.TypeReference)) walk(item, name);
    if (!(type.flags & ts.TypeFlags.Object) || checker.isArrayType(type) || checker.isTupleType(type)) return;
    for (const field of type.getProperties()) {
      const place = `${name}.${field.name}`;
      fields.set(place, textOf(field));
      walk(checker.getTypeOfSymbol(field), place);
    }
  };
  for (const exported of checker.getExportsOfModule(module))
    walk(checker.getDeclaredTypeOfSymbol(exported), exported.name);
  return fields;
}

test('every field of the exported types has a docstring', () => {
  const fields = fieldsOfContract();
  expect(fields.size).toBeGreaterThan(74);
  expect([...fields].filter(([, text]) => text.trim() === '').map(([place]) => place)).toEqual([]);
  expect(fields.get('ProductListItem.id')).toBe('Opaque identifier.');
  expect(fields.get('CreateProduct.model')).toBe('Model or variant. At most 500 characters.');
  expect(fields.get('ProductQuery.limit')).toBe(
    'The maximum number of products on a page. 1 to 200, default 50; the service moves other numbers to the nearest bound.',
  );
});

describe('a value in a path', () => {
  const { fetch, requests } = fakeFetch(json({}));
  const client = createClient({ baseUrl, apiKey, fetch });
  const site = createPublicClient({ siteUrl, fetch });

  const takers: Record<string, { argument: string; call: (value: string) => PromiseLike<unknown> }> = {
    'products.get': { argument: 'slug', call: (value) => client.products.get(value) },
    'passports.get': { argument: 'slug', call: (value) => client.passports.get(value) },
    'passports.put': { argument: 'slug', call: (value) => client.passports.put(value, []) },
    'carriers.list': { argument: 'slug', call: (value) => client.carriers.list(value) },
    'public page, tenant': { argument: 'tenant', call: (value) => site.passports.page(value, 'p') },
    'public page, product': { argument: 'product', call: (value) => site.passports.page('t', value) },
    'public document, tenant': { argument: 'tenant', call: (value) => site.passports.document(value, 'p') },
    'public document, product': { argument: 'product', call: (value) => site.passports.document('t', value) },
    resolve: { argument: 'gtin', call: (value) => site.resolve(value) },
  };

  /** Every word of one to three of the pieces. */
  function words(pieces: string[]): string[] {
    const one = pieces;
    const two = one.flatMap((a) => pieces.map((b) => a + b));
    const three = two.flatMap((a) => pieces.map((b) => a + b));
    return [...one, ...two, ...three];
  }

  /** What a path segment is after any number of decodings, at each hop between here and the handler. */
  function decodings(value: string): string[] {
    const all = [value];
    for (let last = value; ; ) {
      const next = last.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
      if (next === last) return all;
      all.push(next);
      last = next;
    }
  }

  const leavesItsPlace = (value: string) =>
    decodings(value).some((text) => text.split(/[/\\]/).some((part) => part === '' || part === '.' || part === '..'));

  const dots = ['.', '%2e', '%2E', '%252e', '%%32e', '/', '%2f', '\\', '%5C', 'a', ' '];

  describe.each(Object.entries(takers))('%s', (_name, { argument, call }) => {
    test('rejects every value of dots, slashes and their encodings that leaves its segment', async () => {
      requests.length = 0;
      const bad = ['', ...words(dots)].filter(leavesItsPlace);
      expect(bad.length).toBeGreaterThan(500);
      for (const word of bad) {
        expect([word, await rejection(call(word))]).toMatchObject([
          word,
          { name: 'ArgumentError', code: 'invalid_argument', argument },
        ]);
      }
      expect(requests).toEqual([]);
    });

    test('rejects a value that is not a string, as a program without types may pass it', async () => {
      requests.length = 0;
      for (const value of [undefined, null, 4012345678901, {}, ['a']]) {
        expect(await rejection(call(value as unknown as string))).toMatchObject({ name: 'ArgumentError', argument });
      }
      expect(requests).toEqual([]);
    });
  });

  test('any value, in any encoding, is rejected or arrives as one segment', async () => {
    const encodings: ((text: string) => string)[] = [
      (text) => text,
      encodeURIComponent,
      (text) => Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
      (text) => Array.from(new TextEncoder().encode(text), (byte) => `%25${byte.toString(16).toUpperCase()}`).join(''),
      (text) => text.replaceAll('%', '%25'),
      (text) => text.replaceAll('.', '\u3002').normalize('NFKC'),
    ];
    const piece = fc.oneof(
      fc.constantFrom(...dots, '..', '%2e%2e%2f', '%00', '?', '#', ';'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    const value = fc
      .tuple(fc.array(piece, { maxLength: 5 }), fc.array(fc.constantFrom(...encodings), { maxLength: 3 }))
      .map(([pieces, layers]) => layers.reduce((text, encode) => encode(text), pieces.join('').toWellFormed()));
    let arrived = 0;
    await fc.assert(
      fc.asyncProperty(value, async (slug) => {
        requests.length = 0;
        const { ok } = await client.passports.get(slug).result();
        expect(requests).toHaveLength(ok ? 1 : 0);
        if (leavesItsPlace(slug)) expect(ok).toBe(false);
        for (const { url } of requests) {
          const parts = new URL(url).pathname.split('/');
          expect([parts.length, parts[5], decodeURIComponent(parts[4] ?? '')]).toEqual([6, 'passport', slug]);
          arrived += 1;
        }
      }),
      { numRuns: 2_000 },
    );
    expect(arrived).toBeGreaterThan(100);
  });

  test('every other value arrives unchanged as one segment', async () => {
    requests.length = 0;
    const good = [
      'usb-c-kabel',
      'A.B',
      '...',
      '.a',
      'a..',
      'ä ö',
      '?x=1',
      '#x',
      'a&b=c',
      '{slug}',
      '$&',
      ';a=1',
      'a:b@c',
    ];
    for (const slug of good) await client.passports.get(slug);
    const segments = requests.map(({ url }) => new URL(url).pathname.split('/'));
    expect(segments.map((parts) => [parts.length, parts[5], decodeURIComponent(parts[4] ?? '')])).toEqual(
      good.map((slug) => [6, 'passport', slug]),
    );
  });

  test('a lone surrogate, which no URL can carry, is an argument error too', async () => {
    requests.length = 0;
    for (const { call, argument } of Object.values(takers)) {
      expect(await rejection(call('a\ud800'))).toMatchObject({ name: 'ArgumentError', argument });
    }
    expect(await rejection(client.products.list({ search: '\ud800' }))).toMatchObject({
      name: 'ArgumentError',
      cause: { name: 'URIError' },
    });
    expect(requests).toEqual([]);
  });
});
