/** Mistakes with API keys. */
import {
  also,
  api,
  asFirstTenant,
  asks,
  type Change,
  document,
  error,
  errors,
  errorsInto,
  everywhere,
  hasNoKey,
  header,
  jsonOf,
  keyOf,
  keysOf,
  list,
  onStatus,
  page,
  queryOf,
  redirect,
  refuses,
  resolver,
  responds,
  type Service,
  withKey,
  withQuery,
  withStatus,
  write,
} from '../change.ts';
import { type Mutant, wrong } from '../row.ts';

const refused = 'the faulty request must get 401';

const isRevoked = (request: Request, { provider }: Service): boolean => keyOf(request) === provider.revoked_api_key;

/** Takes this part of the Authorization header for the key. */
function readsKey(pattern: RegExp): Change {
  return asks(api, (request) => {
    const [, key] = pattern.exec(request.headers.get('authorization') ?? '') ?? [];
    return key === undefined ? undefined : withKey(request, key);
  });
}

export const authentication: readonly Mutant[] = [
  wrong('reads-without-key', 'A route without the authentication filter lists the products of the first tenant.')
    .failsIn('AUTH-1.listProducts', `${refused}, gets 200`)
    .does(asFirstTenant(list, hasNoKey)),
  wrong('writes-without-key', 'The authentication filter covers GET only.')
    .failsIn('AUTH-1.putPassport', `${refused}, gets 200`)
    .does(asFirstTenant(write, hasNoKey)),
  wrong('write-before-key-check', 'The write is stored before the key is checked.')
    .failsIn('AUTH-1.stores-nothing', 'the stored value must be')
    .does(
      also(write, 401, (request, service) =>
        keyOf(request) === '' ? withKey(request, keysOf(service)[0]) : undefined,
      ),
    ),
  wrong('missing-key-403', 'A missing key gets 403.')
    .failsIn('AUTH-1.getMe', `${refused}, gets 403`)
    .does(errors(api, 'invalid_api_key', 403)),
  wrong('missing-key-login-page', 'A missing key gets a redirect to the login page.')
    .failsIn('AUTH-1.getMe', `${refused}, gets 302`)
    .does(errorsInto(api, 'invalid_api_key', () => redirect('/login', 302))),
  wrong('own-code-for-missing-key', 'A missing key gets the framework’s code `unauthorized`.')
    .failsIn('AUTH-1.getMe', 'error.code must be "invalid_api_key", is "unauthorized"')
    .does(errors(api, 'invalid_api_key', 401, 'unauthorized')),
  wrong('basic-scheme', 'The scheme of the Authorization header is not checked.')
    .failsIn('AUTH-2.basic-scheme', `${refused}, gets 200`)
    .does(readsKey(/^\S+ (\S+)$/)),
  wrong('bare-key', 'The key is accepted without a scheme.')
    .failsIn('AUTH-2.no-scheme', `${refused}, gets 200`)
    .does(readsKey(/^(\S+)$/)),
  wrong('key-in-query', 'The key is also read from the query, where proxies log it.')
    .failsIn('AUTH-2.key-in-query', 'gets 200')
    .does(
      asks(api, (request) => {
        const key = queryOf(request, 'api_key');
        return key === null
          ? undefined
          : withKey(
              withQuery(request, (query) => query.delete('api_key')),
              key,
            );
      }),
    ),
  wrong('blank-token-500', 'A blank token causes an exception.')
    .failsIn('AUTH-2.no-token', `${refused}, gets 500`)
    .does(
      refuses(api, 500, 'internal_error', ({ headers }) => /^bearer\s*$/i.test(headers.get('authorization') ?? '')),
    ),
  wrong('revoked-key-works', 'A cache keeps a revoked key valid.')
    .failsIn('AUTH-3.revoked-getMe', `${refused}, gets 200`)
    .does(asFirstTenant(api, isRevoked)),
  wrong('revoked-key-writes', 'Revocation is checked for reads only.')
    .failsIn('AUTH-3.revoked-putPassport', `${refused}, gets 200`)
    .does(asFirstTenant(write, isRevoked)),
  wrong('revoked-key-told-apart', 'A revoked key gets a code of its own.')
    .failsIn('AUTH-3.revoked-getMe', 'error.code must be "invalid_api_key", is "api_key_revoked"')
    .does(refuses(api, 401, 'api_key_revoked', isRevoked)),
  wrong('key-by-prefix', 'The column of the key is too short, so that only the beginning of a key is compared.')
    .failsIn('AUTH-3.extended', `${refused}, gets 200`)
    .does(
      asks(api, (request, service) => {
        const found = keysOf(service).find((key) => keyOf(request).startsWith(key));
        return found === undefined ? undefined : withKey(request, found);
      }),
    ),
  wrong('key-in-sql', 'The key is pasted into the SQL condition.')
    .failsIn('AUTH-3.sql', `${refused}, gets 200`)
    .does(asFirstTenant(api, (request) => /'='|'1'/.test(keyOf(request)))),
  wrong('unknown-key-404', 'An unknown key gets 404, because its tenant is missing.')
    .failsIn('AUTH-3.unknown', `${refused}, gets 404`)
    .does(onStatus(api, 401, (_, request) => (keyOf(request) === '' ? undefined : error(404, 'not_found')))),
  wrong('page-needs-key', 'The passport page is behind the authentication filter.')
    .failsIn('AUTH-5.page', 'without a key the status must be 200, is 401')
    .does(refuses(page, 401, 'invalid_api_key', hasNoKey)),
  wrong('document-refuses-wrong-key', 'The JSON-LD document refuses a request with an unknown key.')
    .failsIn('AUTH-5.jsonld', 'an unknown key')
    .does(
      refuses(
        document,
        401,
        'invalid_api_key',
        (request, service) => !['', ...keysOf(service)].includes(keyOf(request)),
      ),
    ),
  wrong('key-opens-page', 'The page shows every value to a client that sends the key of the tenant.')
    .failsIn('AUTH-5.page', 'the body must not change with a valid key')
    .does(
      asks(page, (request, service) => {
        const inspector = service.provider.access_tokens.find(({ role }) => role === 'inspector');
        if (keyOf(request) !== keysOf(service)[0] || inspector === undefined) return undefined;
        return withQuery(request, (query) => query.set('zugang', inspector.token));
      }),
    ),
  wrong('resolver-needs-key', 'The resolver is behind the authentication filter.')
    .failsIn('AUTH-5.resolver', 'without a key the status must be 302 or 307, is 401')
    .does(refuses(resolver, 401, 'invalid_api_key', hasNoKey)),
  wrong('key-in-header', 'A debug header repeats the Authorization header.')
    .failsIn('AUTH-6.key-in-response', 'contains an API key')
    .does(header(everywhere, 'x-debug-authorization', (_, { headers }) => headers.get('authorization') ?? 'none')),
  wrong('key-in-message', 'The message for a revoked key repeats the key.')
    .failsIn('AUTH-6.key-in-response', 'contains an API key')
    .does(
      errorsInto(api, 'invalid_api_key', (_, request) =>
        error(401, 'invalid_api_key', `The key ${keyOf(request)} is not valid.`),
      ),
    ),
  wrong('no-challenge', 'The 401 for a missing key has no WWW-Authenticate header.')
    .failsIn('AUTH-1.challenge', 'WWW-Authenticate must be "Bearer"')
    .does(errors(api, 'invalid_api_key', 401, 'invalid_api_key')),
  wrong('revoked-key-other-message', 'The message says that a key was revoked.')
    .failsIn('AUTH-3.same-bytes', 'the body for a revoked key must be')
    .does(refuses(api, 401, 'invalid_api_key', isRevoked, 'The key was revoked.')),
  wrong('unknown-method-501', 'A method that the path does not have gets 501.')
    .failsIn('AUTH-4.unknown-method', 'the status with a key must be 405, is 501')
    .does(errors(api, 'method_not_allowed', 501, 'not_implemented')),
  wrong(
    'key-changes-redirect-status',
    'The resolver redirects a client that sends a key with 302, and others with 307.',
  )
    .failsIn('AUTH-5.resolver', 'the status with a valid key must be 307, is 302')
    .does(responds(resolver, (response, request) => (keyOf(request) === '' ? undefined : withStatus(response, 302)))),
  wrong('key-changes-redirect-target', 'The resolver leads a client that sends a key to the API instead of the page.')
    .failsIn('AUTH-5.resolver', 'Location with a valid key must be')
    .does(header(resolver, 'location', (own, request) => (keyOf(request) === '' ? own : '/api/v1/products'))),
  wrong('key-checked-last', 'The key is checked after everything else.')
    .failsIn('AUTH-4.large-body', 'without a key the response must be 401 invalid_api_key, is 413 payload_too_large')
    .does(
      onStatus(api, 401, async (_, request, service) => {
        // A write without a fault would be stored.
        const isLarge = (await request.clone().text()).length > 2 ** 20;
        const isWrite = ['POST', 'PUT'].includes(request.method);
        if (isWrite && !isLarge && (await jsonOf(request)) !== undefined) return undefined;
        const refusal = await service.fetch(withKey(request, keysOf(service)[0]));
        return refusal.status < 400 ? undefined : refusal;
      }),
    ),
  wrong('wrong-key-403', 'A key that is wrong or missing gets 403.')
    .failsIn('AUTH-2.long-token', 'must get 401, gets 403')
    .does(errors(everywhere, 'invalid_api_key', 403, 'forbidden')),
  wrong('scheme-case-sensitive', 'The scheme of the key must be written Bearer.')
    .failsIn('AUTH-2.scheme-lower-case', 'bearer must be accepted, gets 401')
    .does(refuses(api, 401, 'invalid_api_key', ({ headers }) => !headers.get('authorization')?.startsWith('Bearer '))),
];
