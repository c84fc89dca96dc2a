/** Mistakes in the shape of responses, and texts from the inside of the service. */
import type { Me, Product, ProductList } from '@product-passport/sdk';
import {
  carriers,
  changeError,
  changeJson,
  changeResponse,
  create,
  error,
  jsonOf,
  list,
  type Mutant,
  me,
  ofProduct,
  otherKey,
  passport,
  product,
  respondWith,
  scans,
  withBody,
  withHeader,
  withKey,
  withStatus,
  write,
} from '../alter.ts';

export const responses: readonly Mutant[] = [
  {
    id: 'json-in-latin-1',
    mistake: 'JSON has the bytes of ISO 8859-1, although its type says UTF-8.',
    killedBy: 'HTTP-6.listProducts',
    because: 'body is not valid UTF-8',
    wrap: changeResponse(list, async (response) => {
      const bytes = new Uint8Array(Buffer.from(await response.text(), 'latin1'));
      return new Response(bytes, { status: response.status, headers: response.headers });
    }),
  },
  {
    id: 'error-without-envelope',
    mistake: 'An error has its code and message at the top.',
    killedBy: 'HTTP-6.getProduct',
    because: '/error',
    wrap: changeJson(product, ({ error: inner }: { error: object }) => inner, 404),
  },
  {
    id: 'error-as-text',
    mistake: 'An error is a text instead of an object.',
    killedBy: 'HTTP-6.getMe',
    because: '/error',
    wrap: changeJson(me, ({ error: inner }: { error: { message: string } }) => ({ error: inner.message }), 401),
  },
  {
    id: 'error-without-message',
    mistake: 'An error has no message.',
    killedBy: 'HTTP-6.putPassport',
    because: 'message',
    wrap: changeJson(write, ({ error: { code } }: { error: { code: string } }) => ({ error: { code } }), 400),
  },
  {
    id: 'errors-with-200',
    mistake: 'Errors have status 200.',
    killedBy: 'TEN-1.getProduct',
    because: 'must be 404, is 200',
    wrap: changeResponse(ofProduct, (response) => (response.status === 404 ? withStatus(response, 200) : response)),
  },
  {
    id: 'json-as-html',
    mistake: 'JSON is sent as text/html.',
    killedBy: 'HTTP-6.getScanStatistics',
    because: 'text/html',
    wrap: changeResponse(scans, (response) => withHeader(response, 'content-type', 'text/html; charset=utf-8')),
  },
  {
    id: 'wrapped-in-data',
    mistake: 'Responses are wrapped in `data`.',
    killedBy: 'HTTP-6.listCarriers',
    because: '/items',
    wrap: changeJson(carriers, (body: object) => ({ data: body })),
  },
  {
    id: 'camel-case',
    mistake: 'Names of members are in camel case.',
    killedBy: 'HTTP-6.getProduct',
    because: '/unique_product_identifier',
    wrap: changeJson(product, (body: Product) =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => [
          name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
          value,
        ]),
      ),
    ),
  },
  {
    id: 'country-missing',
    mistake: 'The tenant has no country.',
    killedBy: 'HTTP-6.getMe',
    because: '/tenant/country',
    wrap: changeJson(me, ({ tenant: { country: _, ...tenant }, ...rest }: Me) => ({ ...rest, tenant })),
  },
  {
    id: 'null-as-false',
    mistake: 'A missing GTIN is false.',
    killedBy: 'HTTP-6.getProduct',
    because: '/gtin',
    wrap: changeJson(product, (body: Product) => ({ ...body, gtin: body.gtin ?? false })),
  },
  {
    id: 'surplus-member',
    mistake: 'A response has a member that the contract does not name.',
    claims: ['reference'],
    killedBy: 'HTTP-7.getMe',
    because: 'internal_id',
    wrap: changeJson(me, (body: Me) => ({ ...body, internal_id: 7 })),
  },
  {
    id: 'unknown-product-500',
    mistake: 'An unknown product causes an exception.',
    killedBy: 'PROD-7.unknown',
    because: 'the faulty request must get 404, gets 500',
    wrap: changeError(product, 'not_found', () => error(500, 'internal_error')),
  },
  {
    id: 'stack-in-message',
    mistake: 'The message of an error is a stack trace.',
    killedBy: 'LEAK-3.stack-trace',
    because: 'contains a stack trace',
    wrap: changeError(product, 'not_found', () =>
      error(404, 'not_found', 'Error: no rows\n    at com.acme.Products.find(Products.java:41)'),
    ),
  },
  {
    id: 'stack-in-member',
    mistake: 'The framework adds the stack to errors in development mode.',
    killedBy: 'LEAK-3.stack-trace',
    because: 'contains a stack trace',
    wrap: changeJson(
      write,
      (body: object) => ({ ...body, stack: 'TypeError: x\n    at putPassport (passports.js:12:7)' }),
      400,
    ),
  },
  {
    id: 'sql-in-message',
    mistake: 'The message of an error is that of the database.',
    killedBy: 'LEAK-3.sql',
    because: 'contains SQL',
    wrap: changeError(passport, 'not_found', () =>
      error(404, 'not_found', "SELECT * FROM products WHERE slug = 'x' returned no rows"),
    ),
  },
  {
    id: 'path-in-message',
    mistake: 'The message of an error names a file of the server.',
    killedBy: 'LEAK-3.file-path',
    because: 'contains a path of the server',
    wrap: changeError(create, 'invalid_json', () =>
      error(400, 'invalid_json', 'Unexpected end in /srv/passports/src/body.py'),
    ),
  },
  {
    id: 'other-tenant-in-suggestion',
    mistake: 'A 404 suggests products of all tenants.',
    killedBy: 'LEAK-2.other-tenant',
    because: 'contains data of the second tenant',
    wrap: changeResponse(product, async (response, request, service) => {
      if (response.status !== 404) return response;
      const all = new Request(new URL('/api/v1/products?limit=200', request.url), { headers: request.headers });
      const others = (await jsonOf(await service.fetch(withKey(all, otherKey(request, service))))) as ProductList;
      return error(404, 'not_found', `Did you mean ${others.items.map(({ name }) => name).join(' or ')}?`);
    }),
  },
  {
    id: 'token-in-header',
    mistake: 'A debug header lists the access tokens of the tenant.',
    killedBy: 'LEAK-1.access-token',
    because: 'contains an access token',
    wrap: changeResponse(scans, (response, _request, service) =>
      withHeader(response, 'x-debug-tokens', service.provider.access_tokens.map(({ token }) => token).join(' ')),
    ),
  },
  {
    id: 'connection-closed',
    mistake: 'The statistics end in a closed connection.',
    killedBy: 'SCAN-2.default',
    because: 'closed the connection without a response',
    wrap: respondWith(scans, () => {
      throw new TypeError('The worker died.');
    }),
  },
  {
    id: 'empty-body',
    mistake: 'A write gets 200 without a body.',
    killedBy: 'PASS-1.updated',
    because: 'must respond with a JSON object',
    wrap: changeResponse(write, async (response) =>
      response.status === 200 && (await jsonOf(response)) !== undefined ? withBody(response, '') : response,
    ),
  },
];
