/** Mistakes of HTTP itself: bodies, content types, methods and headers. */
import {
  api,
  changeError,
  changeRequest,
  changeResponse,
  create,
  error,
  everywhere,
  jsonOf,
  type Mutant,
  page,
  respondWith,
  withBody,
  withHeader,
  withStatus,
} from '../alter.ts';

const refused = 'the faulty request must get 400';

/** Reads bodies that are almost JSON. */
function lenient(repair: (text: string) => string) {
  return changeRequest({ path: /^\/api\/v1\// }, async (request) => {
    if (request.body === null) return request;
    const text = await request.clone().text();
    const repaired = repair(text);
    return repaired === text ? request : new Request(request, { body: repaired });
  });
}

function isBroken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

export const http: readonly Mutant[] = [
  {
    id: 'trailing-comma-accepted',
    mistake: 'The parser accepts trailing commas.',
    killedBy: 'HTTP-1.createProduct-trailing-comma',
    because: `${refused}, gets 200`,
    wrap: lenient((text) => text.replace(/,(?=[}\]]$)/, '')),
  },
  {
    id: 'nan-accepted',
    mistake: 'The parser accepts NaN, as Python does.',
    killedBy: 'HTTP-1.createProduct-nan',
    because: `${refused}, gets 200`,
    wrap: lenient((text) => (isBroken(text) ? text.replace(':NaN', ':null') : text)),
  },
  {
    id: 'single-quotes-accepted',
    mistake: 'The parser accepts single quotes.',
    killedBy: 'HTTP-1.putPassport-single-quotes',
    because: `${refused}, gets 200`,
    wrap: lenient((text) => (isBroken(text) ? text.replaceAll("'", '"') : text)),
  },
  {
    id: 'second-value-ignored',
    mistake: 'The parser stops after the first value.',
    killedBy: 'HTTP-1.createProduct-second-value',
    because: `${refused}, gets 200`,
    wrap: lenient((text) => (isBroken(text) ? text.slice(0, text.length / 2) : text)),
  },
  {
    id: 'broken-json-500',
    mistake: 'Broken JSON causes an exception.',
    killedBy: 'HTTP-1.createProduct-truncated',
    because: `${refused}, gets 500`,
    wrap: changeError(api, 'invalid_json', (response) => withStatus(response, 500)),
  },
  {
    id: 'broken-json-own-code',
    mistake: 'Broken JSON gets the code bad_request.',
    killedBy: 'HTTP-1.putPassport-truncated',
    because: 'error.code must be "invalid_json", is "bad_request"',
    wrap: changeError(api, 'invalid_json', () => error(400, 'bad_request')),
  },
  {
    id: 'broken-json-page',
    mistake: 'Broken JSON gets the HTML page of the framework.',
    killedBy: 'HTTP-1.createProduct-truncated',
    because: 'error.code must be "invalid_json"',
    wrap: changeError(
      api,
      'invalid_json',
      () =>
        new Response('<!doctype html><title>400 Bad Request</title>', {
          status: 400,
          headers: { 'content-type': 'text/html' },
        }),
    ),
  },
  {
    id: 'broken-json-as-no-body',
    mistake: 'Broken JSON counts as an empty body.',
    killedBy: 'HTTP-1.createProduct-truncated',
    because: 'error.code must be "invalid_json", is "name_required"',
    wrap: changeError(create, 'invalid_json', () => error(400, 'name_required')),
  },
  {
    id: 'invalid-utf-8-replaced',
    mistake: 'Bytes that are not UTF-8 are replaced.',
    claims: ['reference'],
    killedBy: 'HTTP-1.createProduct-invalid-utf-8',
    because: `${refused}, gets 200`,
    wrap: changeRequest(create, async (request) => new Request(request, { body: await request.clone().text() })),
  },
  {
    id: 'any-content-type',
    mistake: 'The Content-Type of the request is not read.',
    claims: ['reference'],
    killedBy: 'HTTP-2.createProduct-text-plain',
    because: 'the faulty request must get 415, gets 200',
    wrap: changeRequest(create, (request) => {
      const headers = new Headers(request.headers);
      headers.set('content-type', 'application/json');
      return new Request(request.clone(), { headers });
    }),
  },
  {
    id: 'head-with-other-status',
    mistake: 'HEAD gets 405.',
    claims: ['reference'],
    killedBy: 'HTTP-3.head-getMe',
    because: 'the status of HEAD must be 200, is 405',
    wrap: respondWith(everywhere, (request) =>
      request.method === 'HEAD' ? error(405, 'method_not_allowed') : undefined,
    ),
  },
  {
    id: 'unknown-path-page',
    mistake: 'An unknown path gets the page of the single-page application.',
    claims: ['reference'],
    killedBy: 'HTTP-4.collection',
    because: 'the faulty request must get 404, gets 200',
    wrap: changeResponse(api, async (response, request) =>
      response.status === 404 && /\/verify-unknown$/.test(new URL(request.url).pathname)
        ? new Response('<!doctype html><title>App</title>', { headers: { 'content-type': 'text/html' } })
        : response,
    ),
  },
  {
    id: 'names-its-software',
    mistake: 'Responses name the software of the server.',
    claims: ['reference'],
    killedBy: 'HTTP-5.software',
    because: 'has x-powered-by',
    wrap: changeResponse(api, (response) => withHeader(response, 'x-powered-by', 'Express')),
  },
  {
    id: 'preflight-allows-get-only',
    mistake: 'The response to OPTIONS tells other sites that they may send GET only.',
    claims: ['reference'],
    killedBy: 'HTTP-3.options-getPassportPage',
    because: 'Access-Control-Allow-Methods must be',
    wrap: changeResponse({ method: 'OPTIONS', path: /^\/p\// }, (response) =>
      withHeader(response, 'access-control-allow-methods', 'GET'),
    ),
  },
  {
    id: 'head-with-body',
    mistake: 'HEAD gets the body of GET.',
    claims: ['reference'],
    killedBy: 'HTTP-3.head-getMe',
    because: 'the body of HEAD must be ""',
    wrap: respondWith({ method: 'HEAD', path: /^/ }, (request, service) =>
      service.fetch(new Request(request, { method: 'GET' })),
    ),
  },
  {
    id: 'head-without-headers',
    mistake: 'HEAD gets the status only, without the headers of GET.',
    claims: ['reference'],
    killedBy: 'HTTP-3.head-getMe',
    because: 'the headers of HEAD must be',
    wrap: changeResponse({ method: 'HEAD', path: /^/ }, ({ status }) => new Response(null, { status })),
  },
  {
    id: 'page-not-modified',
    mistake: 'The page gets 304, although the client sends no ETag.',
    killedBy: 'TEN-2.scans',
    because: 'the status of the passport page must be 200, is 304',
    wrap: respondWith(page, () => new Response(null, { status: 304 })),
  },
  {
    id: 'faults-ignored',
    mistake: 'A request with a parameter or a body that is wrong succeeds.',
    claims: ['reference'],
    killedBy: 'PAGE-2.limit-word',
    because: 'the faulty request must get 400, gets 200',
    wrap: changeResponse(api, async (response, request, { fetch }) => {
      if (![400, 415].includes(response.status)) return response;
      const { url, method, headers } = request;
      if (method === 'PUT') return Response.json({ updated: 1, completeness: 0 });
      const right = await fetch(new Request(new URL(new URL(url).pathname, url), { headers }));
      if (method === 'GET') return right;
      const { items } = Object(await right.json());
      return Response.json(items[0], { status: 201 });
    }),
  },
  {
    id: 'refusals-422',
    mistake: 'Every refusal gets 422 with the code of the validation.',
    claims: ['reference'],
    killedBy: 'HTTP-2.putPassport-text-plain',
    because: 'the faulty request must get 415, gets 422',
    wrap: changeResponse(everywhere, (response) =>
      [400, 404, 413, 415].includes(response.status) ? error(422, 'validation_failed') : response,
    ),
  },
  {
    id: 'errors-with-path',
    mistake: 'Errors repeat the path of the request.',
    claims: ['reference'],
    killedBy: 'HTTP-7.other-link-path',
    because: 'body/path is not declared',
    wrap: changeResponse(everywhere, async (response, { url }) => {
      const body = response.status < 400 ? undefined : await jsonOf(response);
      const { pathname } = new URL(url);
      return body === undefined ? response : withBody(response, JSON.stringify({ ...Object(body), path: pathname }));
    }),
  },
  {
    id: 'options-404',
    mistake: 'OPTIONS gets 404.',
    claims: ['reference'],
    killedBy: 'HTTP-3.options-resolveGtin',
    because: 'the status must be 204, is 404',
    wrap: respondWith(everywhere, ({ method }) => (method === 'OPTIONS' ? error(404, 'not_found') : undefined)),
  },
  {
    id: 'content-type-compared',
    mistake: 'Content-Type is compared with the text application/json.',
    claims: ['reference'],
    killedBy: 'HTTP-2.supported-charset',
    because: 'must be accepted, gets 415',
    wrap: respondWith(api, ({ headers }) =>
      (headers.get('content-type') ?? 'application/json') === 'application/json'
        ? undefined
        : error(415, 'unsupported_media_type'),
    ),
  },
  {
    id: 'accept-406',
    mistake: 'A client that does not accept JSON gets 406.',
    claims: ['reference'],
    killedBy: 'HTTP-5.accept',
    because: 'must get 200, gets 406',
    wrap: respondWith(api, ({ headers }) =>
      headers.get('accept')?.includes('xml') ? error(406, 'not_acceptable') : undefined,
    ),
  },
  {
    id: 'slash-404',
    mistake: 'A slash at the end of a path gets 404.',
    claims: ['reference'],
    killedBy: 'HTTP-4.trailing-slash-me',
    because: 'must be 200, is 404',
    wrap: respondWith({ path: /.\/$/ }, () => error(404, 'not_found')),
  },
];
