/** Mistakes with API keys. */
import {
  api,
  changeError,
  changeRequest,
  changeResponse,
  document,
  error,
  everywhere,
  jsonOf,
  keyOf,
  keysOf,
  list,
  type Mutant,
  page,
  resolver,
  respondWith,
  withHeader,
  withKey,
  withQuery,
  withStatus,
  write,
} from '../alter.ts';

const refused = 'the faulty request must get 401';

export const authentication: readonly Mutant[] = [
  {
    id: 'reads-without-key',
    mistake: 'A route without the authentication filter lists the products of the first tenant.',
    killedBy: 'AUTH-1.listProducts',
    because: `${refused}, gets 200`,
    wrap: changeRequest(list, (request, service) =>
      request.headers.has('authorization') ? request : withKey(request, keysOf(service)[0]),
    ),
  },
  {
    id: 'writes-without-key',
    mistake: 'The authentication filter covers GET only.',
    killedBy: 'AUTH-1.putPassport',
    because: `${refused}, gets 200`,
    wrap: changeRequest(write, (request, service) =>
      request.headers.has('authorization') ? request : withKey(request, keysOf(service)[0]),
    ),
  },
  {
    id: 'write-before-key-check',
    mistake: 'The write is stored before the key is checked.',
    killedBy: 'AUTH-1.stores-nothing',
    because: 'the stored value must be',
    wrap: respondWith(write, async (request, service) => {
      if (keyOf(request) === '') await service.fetch(withKey(request, keysOf(service)[0]));
      return undefined;
    }),
  },
  {
    id: 'missing-key-403',
    mistake: 'A missing key gets 403.',
    killedBy: 'AUTH-1.getMe',
    because: `${refused}, gets 403`,
    wrap: changeError(api, 'invalid_api_key', (response) => withStatus(response, 403)),
  },
  {
    id: 'missing-key-login-page',
    mistake: 'A missing key gets a redirect to the login page.',
    killedBy: 'AUTH-1.getMe',
    because: `${refused}, gets 302`,
    wrap: changeError(
      api,
      'invalid_api_key',
      () => new Response(null, { status: 302, headers: { location: '/login' } }),
    ),
  },
  {
    id: 'own-code-for-missing-key',
    mistake: 'A missing key gets the framework’s code `unauthorized`.',
    killedBy: 'AUTH-1.getMe',
    because: 'error.code must be "invalid_api_key", is "unauthorized"',
    wrap: changeError(api, 'invalid_api_key', () => error(401, 'unauthorized')),
  },
  {
    id: 'basic-scheme',
    mistake: 'The scheme of the Authorization header is not checked.',
    killedBy: 'AUTH-2.basic-scheme',
    because: `${refused}, gets 200`,
    wrap: changeRequest(api, (request) => {
      const [, token] = /^\S+ (\S+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
      return token === undefined ? request : withKey(request, token);
    }),
  },
  {
    id: 'bare-key',
    mistake: 'The key is accepted without a scheme.',
    killedBy: 'AUTH-2.no-scheme',
    because: `${refused}, gets 200`,
    wrap: changeRequest(api, (request) => {
      const value = request.headers.get('authorization') ?? '';
      return /^\S+$/.test(value) ? withKey(request, value) : request;
    }),
  },
  {
    id: 'key-in-query',
    mistake: 'The key is also read from the query, where proxies log it.',
    killedBy: 'AUTH-2.key-in-query',
    because: 'gets 200',
    wrap: changeRequest(api, (request) => {
      const key = new URL(request.url).searchParams.get('api_key');
      if (key === null) return request;
      return withKey(
        withQuery(request, (query) => query.delete('api_key')),
        key,
      );
    }),
  },
  {
    id: 'blank-token-500',
    mistake: 'A blank token causes an exception.',
    killedBy: 'AUTH-2.no-token',
    because: `${refused}, gets 500`,
    wrap: respondWith(api, (request) =>
      /^bearer\s*$/i.test(request.headers.get('authorization') ?? '') ? error(500, 'internal_error') : undefined,
    ),
  },
  {
    id: 'revoked-key-works',
    mistake: 'A cache keeps a revoked key valid.',
    killedBy: 'AUTH-3.revoked-getMe',
    because: `${refused}, gets 200`,
    wrap: changeRequest(api, (request, service) =>
      keyOf(request) === service.provider.revoked_api_key ? withKey(request, keysOf(service)[0]) : request,
    ),
  },
  {
    id: 'revoked-key-writes',
    mistake: 'Revocation is checked for reads only.',
    killedBy: 'AUTH-3.revoked-putPassport',
    because: `${refused}, gets 200`,
    wrap: changeRequest(write, (request, service) =>
      keyOf(request) === service.provider.revoked_api_key ? withKey(request, keysOf(service)[0]) : request,
    ),
  },
  {
    id: 'revoked-key-told-apart',
    mistake: 'A revoked key gets a code of its own.',
    killedBy: 'AUTH-3.revoked-getMe',
    because: 'error.code must be "invalid_api_key", is "api_key_revoked"',
    wrap: respondWith(api, (request, service) =>
      keyOf(request) === service.provider.revoked_api_key ? error(401, 'api_key_revoked') : undefined,
    ),
  },
  {
    id: 'key-by-prefix',
    mistake: 'The column of the key is too short, so that only the beginning of a key is compared.',
    killedBy: 'AUTH-3.extended',
    because: `${refused}, gets 200`,
    wrap: changeRequest(api, (request, service) => {
      const found = keysOf(service).find((key) => keyOf(request).startsWith(key));
      return found === undefined ? request : withKey(request, found);
    }),
  },
  {
    id: 'key-in-sql',
    mistake: 'The key is pasted into the SQL condition.',
    killedBy: 'AUTH-3.sql',
    because: `${refused}, gets 200`,
    wrap: changeRequest(api, (request, service) =>
      keyOf(request).includes("'='") || keyOf(request).includes("'1'") ? withKey(request, keysOf(service)[0]) : request,
    ),
  },
  {
    id: 'unknown-key-404',
    mistake: 'An unknown key gets 404, because its tenant is missing.',
    killedBy: 'AUTH-3.unknown',
    because: `${refused}, gets 404`,
    wrap: changeResponse(api, (response, request) =>
      response.status === 401 && keyOf(request) !== '' ? error(404, 'not_found') : response,
    ),
  },
  {
    id: 'page-needs-key',
    mistake: 'The passport page is behind the authentication filter.',
    killedBy: 'AUTH-5.page',
    because: 'without a key the status must be 200, is 401',
    wrap: respondWith(page, (request) =>
      request.headers.has('authorization') ? undefined : error(401, 'invalid_api_key'),
    ),
  },
  {
    id: 'document-refuses-wrong-key',
    mistake: 'The JSON-LD document refuses a request with an unknown key.',
    killedBy: 'AUTH-5.jsonld',
    because: 'an unknown key',
    wrap: respondWith(document, (request, service) =>
      keyOf(request) !== '' && !keysOf(service).includes(keyOf(request)) ? error(401, 'invalid_api_key') : undefined,
    ),
  },
  {
    id: 'key-opens-page',
    mistake: 'The page shows every value to a client that sends the key of the tenant.',
    killedBy: 'AUTH-5.page',
    because: 'the body must not change with a valid key',
    wrap: changeRequest(page, (request, service) => {
      const inspector = service.provider.access_tokens.find(({ role }) => role === 'inspector');
      if (keyOf(request) !== keysOf(service)[0] || inspector === undefined) return request;
      return withQuery(request, (query) => query.set('zugang', inspector.token));
    }),
  },
  {
    id: 'resolver-needs-key',
    mistake: 'The resolver is behind the authentication filter.',
    killedBy: 'AUTH-5.resolver',
    because: 'without a key the status must be 302 or 307, is 401',
    wrap: respondWith(resolver, (request) =>
      request.headers.has('authorization') ? undefined : error(401, 'invalid_api_key'),
    ),
  },
  {
    id: 'key-in-header',
    mistake: 'A debug header repeats the Authorization header.',
    killedBy: 'AUTH-6.key-in-response',
    because: 'contains an API key',
    wrap: changeResponse(everywhere, (response, request) =>
      withHeader(response, 'x-debug-authorization', request.headers.get('authorization') ?? 'none'),
    ),
  },
  {
    id: 'key-in-message',
    mistake: 'The message for a revoked key repeats the key.',
    killedBy: 'AUTH-6.key-in-response',
    because: 'contains an API key',
    wrap: changeError(api, 'invalid_api_key', (_response, request) =>
      error(401, 'invalid_api_key', `The key ${keyOf(request)} is not valid.`),
    ),
  },
  {
    id: 'no-challenge',
    mistake: 'The 401 for a missing key has no WWW-Authenticate header.',
    claims: ['reference'],
    killedBy: 'AUTH-1.challenge',
    because: 'WWW-Authenticate must be "Bearer"',
    wrap: changeError(api, 'invalid_api_key', () => error(401, 'invalid_api_key')),
  },
  {
    id: 'revoked-key-other-message',
    mistake: 'The message says that a key was revoked.',
    claims: ['reference'],
    killedBy: 'AUTH-3.same-bytes',
    because: 'the body for a revoked key must be',
    wrap: respondWith(api, (request, service) =>
      keyOf(request) === service.provider.revoked_api_key
        ? error(401, 'invalid_api_key', 'The key was revoked.')
        : undefined,
    ),
  },
  {
    id: 'unknown-method-501',
    mistake: 'A method that the path does not have gets 501.',
    claims: ['reference'],
    killedBy: 'AUTH-4.unknown-method',
    because: 'the status with a key must be 405, is 501',
    wrap: changeError(api, 'method_not_allowed', () => error(501, 'not_implemented')),
  },
  {
    id: 'key-changes-redirect-status',
    mistake: 'The resolver redirects a client that sends a key with 302, and others with 307.',
    killedBy: 'AUTH-5.resolver',
    because: 'the status with a valid key must be 307, is 302',
    wrap: changeResponse(resolver, (response, request) =>
      keyOf(request) === '' ? response : withStatus(response, 302),
    ),
  },
  {
    id: 'key-changes-redirect-target',
    mistake: 'The resolver leads a client that sends a key to the API instead of the page.',
    killedBy: 'AUTH-5.resolver',
    because: 'Location with a valid key must be',
    wrap: changeResponse(resolver, (response, request) =>
      keyOf(request) === '' ? response : withHeader(response, 'location', '/api/v1/products'),
    ),
  },
  {
    id: 'key-checked-last',
    mistake: 'The key is checked after everything else.',
    claims: ['reference'],
    killedBy: 'AUTH-4.large-body',
    because: 'without a key the response must be 401 invalid_api_key, is 413 payload_too_large',
    wrap: changeResponse(api, async (response, request, service) => {
      if (response.status !== 401) return response;
      // A write without a fault would be stored.
      const isLarge = (await request.clone().text()).length > 2 ** 20;
      const isWrite = ['POST', 'PUT'].includes(request.method);
      if (isWrite && !isLarge && (await jsonOf(request)) !== undefined) return response;
      const refusal = await service.fetch(withKey(request, keysOf(service)[0]));
      return refusal.status < 400 ? response : refusal;
    }),
  },
  {
    id: 'wrong-key-403',
    mistake: 'A key that is wrong or missing gets 403.',
    claims: ['reference'],
    killedBy: 'AUTH-2.long-token',
    because: 'must get 401, gets 403',
    wrap: changeError(everywhere, 'invalid_api_key', () => error(403, 'forbidden')),
  },
  {
    id: 'scheme-case-sensitive',
    mistake: 'The scheme of the key must be written Bearer.',
    claims: ['reference'],
    killedBy: 'AUTH-2.scheme-lower-case',
    because: 'bearer must be accepted, gets 401',
    wrap: respondWith(api, ({ headers }) =>
      headers.get('authorization')?.startsWith('Bearer ') ? undefined : error(401, 'invalid_api_key'),
    ),
  },
];
