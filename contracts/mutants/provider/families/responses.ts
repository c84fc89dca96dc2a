/** Mistakes in the shape of responses, texts from the inside of the service, and mistakes of HTTP itself. */
import type { ProductList } from '@product-passport/sdk';
import { jsonIn } from '../../../conformance/http/exchange.ts';
import { at, jsonOf, type Route } from '../call.ts';
import { type Change, error, html, onStatus, reads, withBody } from '../change.ts';
import { type WrongProvider, wrong } from '../row.ts';

interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string };
}

function errorAt({ body: _, ...route }: Route): Route<ErrorBody> {
  return route;
}

export const responses: readonly WrongProvider[] = [
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

// Bodies, content types, methods and headers.

const refused = 'the faulty request must get 400';

/** Reads a body that is not JSON as another text. */
function repairs(repair: (text: string) => string): Change {
  return reads([at.api], (text) => (jsonIn(text) === undefined ? repair(text) : text));
}

const head: Route = { ...at.everywhere, method: 'HEAD' };
const unknownPath: Route = { path: /^\/api\/v1\/(.*\/)?verify-unknown$/ };
/** A client without a body sends no content type. */
const plain: readonly (string | null)[] = ['application/json', null];

export const http: readonly WrongProvider[] = [
  wrong('trailing-comma-accepted', 'The parser accepts trailing commas.')
    .failsIn('HTTP-1.createProduct-trailing-comma', `${refused}, gets 200`)
    .does(repairs((text) => text.replace(/,(?=[}\]]$)/, ''))),
  wrong('nan-accepted', 'The parser accepts NaN, as Python does.')
    .failsIn('HTTP-1.createProduct-nan', `${refused}, gets 200`)
    .does(repairs((text) => text.replace(':NaN', ':null'))),
  wrong('single-quotes-accepted', 'The parser accepts single quotes.')
    .failsIn('HTTP-1.putPassport-single-quotes', `${refused}, gets 200`)
    .does(repairs((text) => text.replaceAll("'", '"'))),
  wrong('second-value-ignored', 'The parser stops after the first value.')
    .failsIn('HTTP-1.createProduct-second-value', `${refused}, gets 200`)
    .does(repairs((text) => text.slice(0, text.length / 2))),
  wrong('broken-json-500', 'Broken JSON causes an exception.')
    .failsIn('HTTP-1.createProduct-truncated', `${refused}, gets 500`)
    .errors(at.api, 'invalid_json', 500),
  wrong('broken-json-own-code', 'Broken JSON gets the code bad_request.')
    .failsIn('HTTP-1.putPassport-truncated', 'error.code must be "invalid_json", is "bad_request"')
    .errors(at.api, 'invalid_json', 400, 'bad_request'),
  wrong('broken-json-page', 'Broken JSON gets the HTML page of the framework.')
    .failsIn('HTTP-1.createProduct-truncated', 'error.code must be "invalid_json"')
    .errorsInto(at.api, 'invalid_json', () => html('400 Bad Request', 400)),
  wrong('broken-json-as-no-body', 'Broken JSON counts as an empty body.')
    .failsIn('HTTP-1.createProduct-truncated', 'error.code must be "invalid_json", is "name_required"')
    .errors(at.create, 'invalid_json', 400, 'name_required'),
  wrong('invalid-utf-8-replaced', 'Bytes that are not UTF-8 are replaced.')
    .failsIn('HTTP-1.createProduct-invalid-utf-8', `${refused}, gets 200`)
    .asks(at.create, async (call) => call.with({ text: await call.text() })),
  wrong('any-content-type', 'The Content-Type of the request is not read.')
    .failsIn('HTTP-2.createProduct-text-plain', 'the faulty request must get 415, gets 200')
    .asksWith(at.create, 'content-type', 'application/json'),
  wrong('head-with-other-status', 'HEAD gets 405.')
    .failsIn('HTTP-3.head-getMe', 'the status of HEAD must be 200, is 405')
    .instead(head, () => error(405, 'method_not_allowed')),
  wrong('unknown-path-page', 'An unknown path gets the page of the single-page application.')
    .failsIn('HTTP-4.collection', 'the faulty request must get 404, gets 200')
    .onStatus(unknownPath, 404, () => html('App')),
  wrong('names-its-software', 'Responses name the software of the server.')
    .failsIn('HTTP-5.software', 'has x-powered-by')
    .header(at.api, 'x-powered-by', 'Express'),
  wrong('preflight-allows-get-only', 'The response to OPTIONS tells other sites that they may send GET only.')
    .failsIn('HTTP-3.options-getPassportPage', 'Access-Control-Allow-Methods must be')
    .header({ method: 'OPTIONS', path: /^\/p\// }, 'access-control-allow-methods', 'GET'),
  wrong('head-with-body', 'HEAD gets the body of GET.')
    .failsIn('HTTP-3.head-getMe', 'the body of HEAD must be ""')
    .asks(head, (call) => call.with({ method: 'GET' })),
  wrong('head-without-headers', 'HEAD gets the status only, without the headers of GET.')
    .failsIn('HTTP-3.head-getMe', 'the headers of HEAD must be')
    .responds(head, ({ status }) => new Response(null, { status })),
  wrong('page-not-modified', 'The page gets 304, although the client sends no ETag.')
    .failsIn('TEN-2.scans', 'the status of the passport page must be 200, is 304')
    .instead(at.page, () => new Response(null, { status: 304 })),
  wrong('faults-ignored', 'A request with a parameter or a body that is wrong succeeds.')
    .failsIn('PAGE-2.limit-word', 'the faulty request must get 400, gets 200')
    .responds(at.api, async ({ status }, call) => {
      if (![400, 415].includes(status)) return undefined;
      if (call.method === 'PUT') return Response.json({ updated: 1, completeness: 0 });
      const right = call.get(call.path);
      if (call.method === 'GET') return right.send();
      return Response.json((await right.reply<ProductList>()).items[0], { status: 201 });
    }),
  wrong('refusals-422', 'Every refusal gets 422 with the code of the validation.')
    .failsIn('HTTP-2.putPassport-text-plain', 'the faulty request must get 415, gets 422')
    .together([400, 404, 413, 415].map((one) => onStatus(at.everywhere, one, () => error(422, 'validation_failed')))),
  wrong('errors-with-path', 'Errors repeat the path of the request.')
    .failsIn('HTTP-7.other-link-path', 'body/path is not declared')
    .responds(at.everywhere, async (response, { path }) => {
      const body = response.status < 400 ? undefined : await jsonOf(response);
      return body === undefined ? undefined : withBody(response, JSON.stringify({ ...Object(body), path }));
    }),
  wrong('options-404', 'OPTIONS gets 404.')
    .failsIn('HTTP-3.options-resolveGtin', 'the status must be 204, is 404')
    .instead({ ...at.everywhere, method: 'OPTIONS' }, () => error(404, 'not_found')),
  wrong('content-type-compared', 'Content-Type is compared with the text application/json.')
    .failsIn('HTTP-2.supported-charset', 'must be accepted, gets 415')
    .refuses(at.api, 415, 'unsupported_media_type', ({ headers }) => !plain.includes(headers.get('content-type'))),
  wrong('accept-406', 'A client that does not accept JSON gets 406.')
    .failsIn('HTTP-5.accept', 'must get 200, gets 406')
    .refuses(at.api, 406, 'not_acceptable', ({ headers }) => headers.get('accept')?.includes('xml') ?? false),
  wrong('slash-404', 'A slash at the end of a path gets 404.')
    .failsIn('HTTP-4.trailing-slash-me', 'must be 200, is 404')
    .instead({ path: /.\/$/ }, () => error(404, 'not_found')),
];
