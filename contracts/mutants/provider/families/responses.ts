/** Mistakes in the shape of responses, and texts from the inside of the service. */
import type { ProductList } from '@product-passport/sdk';
import { at, type Place } from '../call.ts';
import { error, withBody } from '../change.ts';
import { type Mutant, wrong } from '../row.ts';

interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string };
}

function errorAt({ body: _, ...place }: Place): Place<ErrorBody> {
  return place;
}

export const responses: readonly Mutant[] = [
  wrong('json-in-latin-1', 'JSON has the bytes of ISO 8859-1, although its type says UTF-8.')
    .failsIn('HTTP-6.listProducts', 'body is not valid UTF-8')
    .responds(at.list, async (response) => {
      const bytes = new Uint8Array(Buffer.from(await response.text(), 'latin1'));
      return new Response(bytes, { status: response.status, headers: response.headers });
    }),
  wrong('error-without-envelope', 'An error has its code and message at the top.')
    .failsIn('HTTP-6.getProduct', '/error')
    .json(errorAt(at.product), ({ error }) => error, 404),
  wrong('error-as-text', 'An error is a text instead of an object.')
    .failsIn('HTTP-6.getMe', '/error')
    .json(errorAt(at.me), ({ error }) => ({ error: error.message }), 401),
  wrong('error-without-message', 'An error has no message.')
    .failsIn('HTTP-6.putPassport', 'message')
    .json(errorAt(at.write), ({ error: { code } }) => ({ error: { code } }), 400),
  wrong('errors-with-200', 'Errors have status 200.')
    .failsIn('TEN-1.getProduct', 'must be 404, is 200')
    .status(at.ofProduct, 404, 200),
  wrong('json-as-html', 'JSON is sent as text/html.')
    .failsIn('HTTP-6.getScanStatistics', 'text/html')
    .header(at.scans, 'content-type', 'text/html; charset=utf-8'),
  wrong('wrapped-in-data', 'Responses are wrapped in `data`.')
    .failsIn('HTTP-6.listCarriers', '/items')
    .json(at.carriers, (data) => ({ data })),
  wrong('camel-case', 'Names of members are in camel case.')
    .failsIn('HTTP-6.getProduct', '/unique_product_identifier')
    .text(at.product, (text) =>
      text.replace(/"\w+":/g, (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())),
    ),
  wrong('country-missing', 'The tenant has no country.')
    .failsIn('HTTP-6.getMe', '/tenant/country')
    .members(at.me, ({ tenant }) => ({ tenant: { ...tenant, country: undefined } })),
  wrong('null-as-false', 'A missing GTIN is false.')
    .failsIn('HTTP-6.getProduct', '/gtin')
    .members(at.product, ({ gtin }) => ({ gtin: gtin ?? false })),
  wrong('surplus-member', 'A response has a member that the contract does not name.')
    .failsIn('HTTP-7.getMe', 'internal_id')
    .json(at.me, (body) => ({ ...body, internal_id: 7 })),
  wrong('unknown-product-500', 'An unknown product causes an exception.')
    .failsIn('PROD-7.unknown', 'the faulty request must get 404, gets 500')
    .errors(at.product, 'not_found', 500, 'internal_error'),
  wrong('stack-in-message', 'The message of an error is a stack trace.')
    .failsIn('LEAK-3.stack-trace', 'contains a stack trace')
    .errors(
      at.product,
      'not_found',
      404,
      'not_found',
      'Error: no rows\n    at com.acme.Products.find(Products.java:41)',
    ),
  wrong('stack-in-member', 'The framework adds the stack to errors in development mode.')
    .failsIn('LEAK-3.stack-trace', 'contains a stack trace')
    .json(
      errorAt(at.write),
      (body) => ({ ...body, stack: 'TypeError: x\n    at putPassport (passports.js:12:7)' }),
      400,
    ),
  wrong('sql-in-message', 'The message of an error is that of the database.')
    .failsIn('LEAK-3.sql', 'contains SQL')
    .errors(at.passport, 'not_found', 404, 'not_found', "SELECT * FROM products WHERE slug = 'x' returned no rows"),
  wrong('path-in-message', 'The message of an error names a file of the server.')
    .failsIn('LEAK-3.file-path', 'contains a path of the server')
    .errors(at.create, 'invalid_json', 400, 'invalid_json', 'Unexpected end in /srv/passports/src/body.py'),
  wrong('other-tenant-in-suggestion', 'A 404 suggests products of all tenants.')
    .failsIn('LEAK-2.other-tenant', 'contains data of the second tenant')
    .onStatus(at.product, 404, async (_, call) => {
      const { items } = await call.get('/api/v1/products?limit=200').ofOther.reply<ProductList>();
      return error(404, 'not_found', `Did you mean ${items.map(({ name }) => name).join(' or ')}?`);
    }),
  wrong('token-in-header', 'A debug header lists the access tokens of the tenant.')
    .failsIn('LEAK-1.access-token', 'contains an access token')
    .header(at.scans, 'x-debug-tokens', (_, { provider }) => JSON.stringify(provider.access_tokens)),
  wrong('connection-closed', 'The statistics end in a closed connection.')
    .failsIn('SCAN-2.default', 'closed the connection without a response')
    .instead(at.scans, () => Promise.reject(new TypeError('The worker died.'))),
  wrong('empty-body', 'A write gets 200 without a body.')
    .failsIn('PASS-1.updated', 'the body is missing')
    .onStatus(at.write, 200, (response) => withBody(response, '')),
];
