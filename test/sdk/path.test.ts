import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createClient } from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { apiKey, baseUrl, fakeFetch, json, rejection, siteUrl } from '../support/fake-fetch.ts';

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
