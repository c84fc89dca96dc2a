/** Mistakes with API keys. */
import { at, type Call } from '../call.ts';
import { asks, type Change, error, redirect, withStatus } from '../change.ts';
import { type Mutant, wrong } from '../row.ts';
import { opensIf } from './public-side.ts';

const refused = 'the faulty request must get 401';

const hasNoKey = ({ headers }: Call): boolean => !headers.has('authorization');
const isRevoked = ({ key, provider }: Call): boolean => key === provider.revoked_api_key;

/** Takes this part of the Authorization header for the key. */
function readsKey(pattern: RegExp): Change {
  return asks(at.api, (call) => call.with({ key: pattern.exec(call.authorization)?.[1] }));
}

export const authentication: readonly Mutant[] = [
  wrong('reads-without-key', 'A route without the authentication filter lists the products of the first tenant.')
    .failsIn('AUTH-1.listProducts', `${refused}, gets 200`)
    .asFirstTenant(at.list, hasNoKey),
  wrong('writes-without-key', 'The authentication filter covers GET only.')
    .failsIn('AUTH-1.putPassport', `${refused}, gets 200`)
    .asFirstTenant(at.write, hasNoKey),
  wrong('write-before-key-check', 'The write is stored before the key is checked.')
    .failsIn('AUTH-1.stores-nothing', 'the stored value must be')
    .also(at.write, 401, (call) => (call.key === '' ? call.with({ key: call.keys[0] }) : undefined)),
  wrong('missing-key-403', 'A missing key gets 403.')
    .failsIn('AUTH-1.getMe', `${refused}, gets 403`)
    .errors(at.api, 'invalid_api_key', 403),
  wrong('missing-key-login-page', 'A missing key gets a redirect to the login page.')
    .failsIn('AUTH-1.getMe', `${refused}, gets 302`)
    .errorsInto(at.api, 'invalid_api_key', () => redirect('/login', 302)),
  wrong('own-code-for-missing-key', 'A missing key gets the framework’s code `unauthorized`.')
    .failsIn('AUTH-1.getMe', 'error.code must be "invalid_api_key", is "unauthorized"')
    .errors(at.api, 'invalid_api_key', 401, 'unauthorized'),
  wrong('basic-scheme', 'The scheme of the Authorization header is not checked.')
    .failsIn('AUTH-2.basic-scheme', `${refused}, gets 200`)
    .does(readsKey(/^\S+ (\S+)$/)),
  wrong('bare-key', 'The key is accepted without a scheme.')
    .failsIn('AUTH-2.no-scheme', `${refused}, gets 200`)
    .does(readsKey(/^(\S+)$/)),
  wrong('key-in-query', 'The key is also read from the query, where proxies log it.')
    .failsIn('AUTH-2.key-in-query', 'gets 200')
    .asks(at.api, (call) => {
      const key = call.query.get('api_key');
      return key === null ? undefined : call.with({ key, query: { api_key: null } });
    }),
  wrong('blank-token-500', 'A blank token causes an exception.')
    .failsIn('AUTH-2.no-token', `${refused}, gets 500`)
    .refuses(at.api, 500, 'internal_error', ({ authorization }) => /^bearer\s*$/i.test(authorization)),
  wrong('revoked-key-works', 'A cache keeps a revoked key valid.')
    .failsIn('AUTH-3.revoked-getMe', `${refused}, gets 200`)
    .asFirstTenant(at.api, isRevoked),
  wrong('revoked-key-writes', 'Revocation is checked for reads only.')
    .failsIn('AUTH-3.revoked-putPassport', `${refused}, gets 200`)
    .asFirstTenant(at.write, isRevoked),
  wrong('revoked-key-told-apart', 'A revoked key gets a code of its own.')
    .failsIn('AUTH-3.revoked-getMe', 'error.code must be "invalid_api_key", is "api_key_revoked"')
    .refuses(at.api, 401, 'api_key_revoked', isRevoked),
  wrong('key-by-prefix', 'The column of the key is too short, so that only the beginning of a key is compared.')
    .failsIn('AUTH-3.extended', `${refused}, gets 200`)
    .asks(at.api, (call) => call.with({ key: call.keys.find((key) => call.key.startsWith(key)) })),
  wrong('key-in-sql', 'The key is pasted into the SQL condition.')
    .failsIn('AUTH-3.sql', `${refused}, gets 200`)
    .asFirstTenant(at.api, ({ key }) => /'='|'1'/.test(key)),
  wrong('unknown-key-404', 'An unknown key gets 404, because its tenant is missing.')
    .failsIn('AUTH-3.unknown', `${refused}, gets 404`)
    .onStatus(at.api, 401, (_, { key }) => (key === '' ? undefined : error(404, 'not_found'))),
  wrong('page-needs-key', 'The passport page is behind the authentication filter.')
    .failsIn('AUTH-5.page', 'without a key the status must be 200, is 401')
    .refuses(at.page, 401, 'invalid_api_key', hasNoKey),
  wrong('document-refuses-wrong-key', 'The JSON-LD document refuses a request with an unknown key.')
    .failsIn('AUTH-5.jsonld', 'an unknown key')
    .refuses(at.document, 401, 'invalid_api_key', ({ key, keys }) => !['', ...keys].includes(key)),
  wrong('key-opens-page', 'The page shows every value to a client that sends the key of the tenant.')
    .failsIn('AUTH-5.page', 'the body must not change with a valid key')
    .does(opensIf(({ key, keys }) => key === keys[0], at.page)),
  wrong('resolver-needs-key', 'The resolver is behind the authentication filter.')
    .failsIn('AUTH-5.resolver', 'without a key the status must be 302 or 307, is 401')
    .refuses(at.resolver, 401, 'invalid_api_key', hasNoKey),
  wrong('key-in-header', 'A debug header repeats the Authorization header.')
    .failsIn('AUTH-6.key-in-response', 'contains an API key')
    .header(at.everywhere, 'x-debug-authorization', (_, { headers }) => headers.get('authorization') ?? 'none'),
  wrong('key-in-message', 'The message for a revoked key repeats the key.')
    .failsIn('AUTH-6.key-in-response', 'contains an API key')
    .errorsInto(at.api, 'invalid_api_key', (_, { key }) =>
      error(401, 'invalid_api_key', `The key ${key} is not valid.`),
    ),
  wrong('no-challenge', 'The 401 for a missing key has no WWW-Authenticate header.')
    .failsIn('AUTH-1.challenge', 'WWW-Authenticate must be "Bearer"')
    .errors(at.api, 'invalid_api_key', 401, 'invalid_api_key'),
  wrong('revoked-key-other-message', 'The message says that a key was revoked.')
    .failsIn('AUTH-3.same-bytes', 'the body for a revoked key must be')
    .refuses(at.api, 401, 'invalid_api_key', isRevoked, 'The key was revoked.'),
  wrong('unknown-method-501', 'A method that the path does not have gets 501.')
    .failsIn('AUTH-4.unknown-method', 'the status with a key must be 405, is 501')
    .errors(at.api, 'method_not_allowed', 501, 'not_implemented'),
  wrong('key-changes-redirect-status', 'The resolver redirects with 302 if the client sends a key, otherwise with 307.')
    .failsIn('AUTH-5.resolver', 'the status with a valid key must be 307, is 302')
    .responds(at.resolver, (response, { key }) => (key === '' ? undefined : withStatus(response, 302))),
  wrong('key-changes-redirect-target', 'The resolver leads a client that sends a key to the API instead of the page.')
    .failsIn('AUTH-5.resolver', 'Location with a valid key must be')
    .header(at.resolver, 'location', (own, { key }) => (key === '' ? own : '/api/v1/products')),
  wrong('key-checked-last', 'The key is checked after everything else.')
    .failsIn('AUTH-4.large-body', 'without a key the response must be 401 invalid_api_key, is 413 payload_too_large')
    .onStatus(at.api, 401, async (_, call) => {
      // A write without a fault would be stored.
      const isLarge = (await call.text()).length > 2 ** 20;
      const isWrite = ['POST', 'PUT'].includes(call.method);
      if (isWrite && !isLarge && (await call.json()) !== undefined) return undefined;
      const refusal = await call.with({ key: call.keys[0] }).send();
      return refusal.status < 400 ? undefined : refusal;
    }),
  wrong('wrong-key-403', 'A key that is wrong or missing gets 403.')
    .failsIn('AUTH-2.long-token', 'must get 401, gets 403')
    .errors(at.everywhere, 'invalid_api_key', 403, 'forbidden'),
  wrong('scheme-case-sensitive', 'The scheme of the key must be written Bearer.')
    .failsIn('AUTH-2.scheme-lower-case', 'bearer must be accepted, gets 401')
    .refuses(at.api, 401, 'invalid_api_key', ({ authorization }) => !authorization.startsWith('Bearer ')),
];
