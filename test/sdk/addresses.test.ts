import { describe, expect, test } from '@jest/globals';
import { createClient } from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { apiKey, baseUrl, fakeFetch, json, siteUrl } from '../support/fake-fetch.ts';
import { thrown } from '../support/thrown.ts';

const refused = expect.objectContaining({ name: 'ArgumentError' });

describe('baseUrl', () => {
  test.each([
    ['https://passport.example.com/api/v1', 'https://passport.example.com'],
    ['https://passport.example.com/api/v1/', 'https://passport.example.com'],
    ['http://127.0.0.1:3000/api/v1', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000/api/v1', 'http://[::1]:3000'],
    ['https://host.example/dpp/api/v1', 'https://host.example/dpp'],
    ['https://HOST.example:443/a b/{slug}/api/v1', 'https://host.example/a%20b/%7Bslug%7D'],
  ])('%s', async (address, root) => {
    const { fetch, requests } = fakeFetch(json({}));
    const client = createClient({ baseUrl: address, apiKey, fetch });
    await client.products.get('x');
    expect(requests[0]?.url).toBe(`${root}/api/v1/products/x`);
    expect(client.siteUrl).toBe(root);
  });

  test.each([
    '',
    'passport.example.com/api/v1',
    '/api/v1',
    'https://passport.example.com',
    'https://passport.example.com/api/v2',
    'https://passport.example.com/xapi/v1x',
    'https://passport.example.com/api/v1/products',
    'https://passport.example.com/api/v1//',
    'https://user:hunter2@passport.example.com/api/v1',
    'https://hunter2@passport.example.com/api/v1',
    'https://passport.example.com/api/v1?key=hunter2',
    'https://passport.example.com/api/v1?',
    'https://passport.example.com/api/v1#hunter2',
    'https://passport.example.com/?hunter2=/api/v1',
    'https://passport.example.com/#hunter2/api/v1',
    'ftp://passport.example.com/api/v1',
    'file:///api/v1',
  ])('rejects %j without quoting it', (address) => {
    const error = thrown(() => createClient({ baseUrl: address, apiKey }));
    expect(error).toEqual(refused);
    expect(error).toMatchObject({ argument: 'baseUrl' });
    expect(String(error)).not.toContain('hunter2');
  });
});

test.each(['', undefined])('an address or a key of %j is reported as missing', (nothing) => {
  expect(() => createClient({ baseUrl: nothing as string, apiKey })).toThrow(/^baseUrl is missing: /);
  expect(() => createClient({ baseUrl, apiKey: nothing as string })).toThrow(/^apiKey is missing: /);
});

describe('siteUrl', () => {
  test('defaults to baseUrl without /api/v1', () => {
    expect(createClient({ baseUrl, apiKey }).siteUrl).toBe(siteUrl);
    expect(createClient({ baseUrl, apiKey, siteUrl: 'https://public.example/' }).siteUrl).toBe(
      'https://public.example',
    );
  });

  test.each(['https://passport.example.com', 'https://passport.example.com/', 'https://host.example/dpp/'])(
    '%s',
    async (address) => {
      const { fetch, requests } = fakeFetch(json({}));
      await createPublicClient({ siteUrl: address, fetch }).passports.document('t', 'p');
      expect(requests[0]?.url).toBe(`${address.replace(/\/$/, '')}/p/t/p/jsonld`);
    },
  );

  test.each(['', 'nordlicht', baseUrl, 'https://u:p@host.example', 'https://host.example/?a', 'ws://host.example'])(
    'refuses %j',
    (address) => {
      expect(thrown(() => createPublicClient({ siteUrl: address }))).toEqual(refused);
      expect(thrown(() => createClient({ baseUrl, apiKey, siteUrl: address }))).toEqual(refused);
    },
  );
});

describe('apiKey', () => {
  test.each(['', ' ', 'a b', 'a\nX-Injected: 1', 'a\r\n', 'schlüssel', '\u0000', undefined, null, 7])(
    'rejects %j without quoting it',
    (key) => {
      const error = thrown(() => createClient({ baseUrl, apiKey: key as string }));
      expect(error).toMatchObject({ name: 'ArgumentError', argument: 'apiKey' });
      expect(String(error)).not.toContain('Injected');
    },
  );
});
