import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type ClientOptions, createClient, isApiError } from '../../sdk/src/index.ts';
import { createPublicClient, type PublicClientOptions, verifyPassport } from '../../sdk/src/public.ts';
import { apiKey, fakeFetch, json, refusal } from './fake-fetch.ts';

const readme = readFileSync(new URL('../../sdk/README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
const imports = /^import \{ ([\w, ]+) \} from '@product-passport\/sdk(?:\/public)?';$/gm;

test('the README can be copied: its code runs from top to bottom', async () => {
  const product = { id: '1', slug: 'usb-c-kabel', name: 'Kabel', completeness: 33 };
  let creates = 0;
  const noValues = '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'; // SHA-256 of []
  const passport = {
    name: 'Kabel',
    hasDigitalProductPassport: { 'dpp:publicContentHash': noValues },
    additionalProperty: [],
  };
  const { fetch, requests } = fakeFetch(({ method, url }) => {
    const { pathname } = new URL(url);
    if (pathname.endsWith('/no-such-product/passport')) return refusal(404, 'not_found', 'There is no such resource.');
    if (pathname.startsWith('/01/')) return new Response(null, { status: 307, headers: { location: '/p/t/p/jsonld' } });
    if (pathname.endsWith('/jsonld')) return json(passport);
    if (pathname === '/api/v1/me') return json({ tenant: { name: 'Nordlicht' }, products_total: 1 });
    if (method === 'POST' && ++creates === 2) return refusal(400, 'name_required');
    if (method === 'PUT') return json({ updated: 2, completeness: 33 });
    return json({ ...product, items: [product], total: 1, limit: 200, offset: 0 });
  });
  const lines: string[] = [];
  const scope: Record<string, unknown> = {
    createClient: (options: ClientOptions) => createClient({ ...options, fetch }),
    verifyPassport,
    createPublicClient: (options: PublicClientOptions) => createPublicClient({ ...options, fetch }),
    isApiError,
    process: { env: { PASSPORT_API_KEY: apiKey } },
    console: { log: (...parts: unknown[]) => lines.push(parts.join(' ')) },
  };
  const code = blocks.join('\n');
  const imported = [...code.matchAll(imports)].flatMap(([, names = '']) => names.split(', '));
  expect(imported).toEqual(['createClient', 'createPublicClient', 'verifyPassport', 'isApiError']);

  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  await new AsyncFunction(...Object.keys(scope), code.replaceAll(imports, ''))(...Object.values(scope));

  expect(lines).toEqual([
    'Nordlicht has 1 products',
    '1 of 1',
    'usb-c-kabel 33',
    '33 percent complete',
    'GET /api/v1/products/usb-c-kabel/passport 1 ok ',
    'Kabel has its public values unchanged',
    'GET /api/v1/products/no-such-product/passport → 404 not_found: There is no such resource. (attempts: 1)',
    'ApiError name_required',
  ]);
  expect(requests).toHaveLength(10);
});
