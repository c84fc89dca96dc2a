/** Mistakes of HTTP itself: bodies, content types, methods and headers. */
import type { ProductList } from '@product-passport/sdk';
import { jsonIn } from '../../../conformance/http/exchange.ts';
import { at, jsonOf, type Place } from '../call.ts';
import { type Change, error, html, onStatus, reads, withBody } from '../change.ts';
import { type Mutant, wrong } from '../row.ts';

const refused = 'the faulty request must get 400';

/** Reads a body that is not JSON as another text. */
function repairs(repair: (text: string) => string): Change {
  return reads([at.api], (text) => (jsonIn(text) === undefined ? repair(text) : text));
}

const head: Place = { ...at.everywhere, method: 'HEAD' };
const unknownPath: Place = { path: /^\/api\/v1\/(.*\/)?verify-unknown$/ };
/** A client without a body sends no content type. */
const plain: readonly (string | null)[] = ['application/json', null];

export const http: readonly Mutant[] = [
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
