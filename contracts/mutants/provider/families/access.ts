/** Mistakes with API keys, and those that mix up tenants. */

import type { ProductList } from '@product-passport/sdk';
import { at, type Call, type Route } from '../call.ts';
import {
  again,
  asks,
  type Change,
  error,
  instead,
  kept,
  members,
  notes,
  onStatus,
  redirect,
  refuses,
  withHeader,
  withStatus,
} from '../change.ts';
import { type WrongProvider, wrong } from '../row.ts';
import { opensIf } from './public-side.ts';

const refused = 'the faulty request must get 401';

const hasNoKey = ({ headers }: Call): boolean => !headers.has('authorization');
const isRevoked = ({ key, provider }: Call): boolean => key === provider.revoked_api_key;

/** Takes this part of the Authorization header for the key. */
function readsKey(pattern: RegExp): Change {
  return asks(at.api, (call) => call.with({ key: pattern.exec(call.authorization)?.[1] }));
}

export const authentication: readonly WrongProvider[] = [
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
  wrong('status-without-key', 'The authentication filter does not cover changes of the status.')
    .failsIn('AUTH-1.setProductStatus', `${refused}, gets 403`)
    .asFirstTenant(at.status, hasNoKey),
  wrong('revoked-key-publishes', 'Revocation is not checked for changes of the status.')
    .failsIn('AUTH-3.revoked-setProductStatus', `${refused}, gets 403`)
    .asFirstTenant(at.status, isRevoked),
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

// Tenants.

const asUnknown = 'the faulty request must get 404';

const ofOther = (call: Call): Call => call.ofOther;

/** Asks the other tenant, too, if the key's own tenant does not have the product. */
const fromOtherTenant = (route: Route): Change => again(route, 404, ofOther);

/** Changes the response for a product of the other tenant, and writes nothing to it. */
function changeForeign(route: Route, change: (response: Response) => Response): Change {
  return onStatus(route, 404, async (response, call) =>
    (await call.get(`/api/v1/products/${call.slug}`).ofOther.send()).status === 404 ? undefined : change(response),
  );
}

/** A slug that both tenants use names the product of this one. */
function sharedSlugsIn(tenant: 0 | 1): Change {
  return onStatus(at.product, 200, async (_, call) => {
    const found = await call.with({ key: call.keys[tenant] }).send();
    return found.status === 200 ? found : undefined;
  });
}

/** The products of both tenants. */
function ofBoth(own: ProductList, theirs: ProductList): Partial<ProductList> {
  return { items: [...own.items, ...theirs.items], total: own.total + theirs.total };
}

const isOfSecond = ({ key, keys }: Call): boolean => key === keys[1];

export const tenancy: readonly WrongProvider[] = [
  wrong('reads-foreign-product', 'A product is found by its slug in all tenants.')
    .failsIn('TEN-1.getProduct', `${asUnknown}, gets 200`)
    .does(fromOtherTenant(at.product)),
  wrong('reads-foreign-passport', 'The passport of a product is found in all tenants.')
    .failsIn('TEN-1.getPassport', `${asUnknown}, gets 200`)
    .does(fromOtherTenant(at.passport)),
  wrong('writes-foreign-passport', 'The tenant is not checked on write.')
    .failsIn('TEN-1.putPassport', `${asUnknown}, gets 200`)
    .does(fromOtherTenant(at.write)),
  wrong('foreign-write-stored', 'The tenant is checked after the write: the response is 404, the values are stored.')
    .failsIn('TEN-1.write-stores-nothing', "the owner's value must be")
    .also(at.write, 404, ofOther),
  wrong('reads-foreign-carriers', 'The carriers of a product are found in all tenants.')
    .failsIn('TEN-1.listCarriers', `${asUnknown}, gets 200`)
    .does(fromOtherTenant(at.carriers)),
  wrong('no-carriers-instead-of-404', 'The carriers of a foreign product are an empty list.')
    .failsIn('TEN-1.listCarriers', 'must be 404, is 200')
    .onStatus(at.carriers, 404, () => Response.json({ items: [] })),
  wrong('foreign-product-403', 'A foreign product gets 403, which says that it exists.')
    .failsIn('TEN-1.getProduct', `${asUnknown}, gets 403`)
    .does(changeForeign(at.ofProduct, () => error(403, 'forbidden'))),
  wrong('foreign-product-other-message', 'The message for a foreign product differs from that for an unknown one.')
    .failsIn('TEN-1.getProduct', 'the body must be')
    .does(changeForeign(at.product, () => error(404, 'not_found', 'The product belongs to another tenant.'))),
  wrong(
    'foreign-status-other-message',
    'The message for the status of a foreign product differs from that for an unknown one.',
  )
    .failsIn('TEN-1.setProductStatus-same', 'the response for the product of another tenant must be')
    .does(changeForeign(at.status, () => error(404, 'not_found', 'The product belongs to another tenant.'))),
  wrong('lists-foreign-products', 'The list has no condition on the tenant.')
    .failsIn('TEN-2.list', 'a product of the second tenant')
    .membersWith(at.list, ofOther, ofBoth),
  wrong('search-in-all-tenants', 'The search forgets the condition on the tenant, because OR binds weaker than AND.')
    .failsIn('TEN-2.search', 'a product of the second tenant')
    .membersWith({ ...at.list, query: 'search=' }, ofOther, ofBoth),
  wrong('total-of-all-tenants', 'The count of the list has no condition on the tenant.')
    .failsIn('TEN-2.list', 'total must be')
    .membersWith(at.list, ofOther, (own, theirs) => ({ total: own.total + theirs.total })),
  wrong('products-total-of-all-tenants', 'products_total counts the products of all tenants.')
    .failsIn('TEN-2.products-total', "the second tenant's products_total must be")
    .membersWith(at.me, ofOther, (own, theirs) => ({ products_total: own.products_total + theirs.products_total })),
  wrong('tenant-of-first-key', 'GET /me returns the first tenant for every key.')
    .failsIn('TEN-2.tenant', "the second tenant's slug must be")
    .asFirstTenant(at.me, isOfSecond),
  wrong('cache-without-key', 'A shared cache stores responses by address, without the key.')
    .failsIn('TEN-2.tenant', "the second tenant's slug must be")
    .remembers<Response, string>((cached) =>
      instead(at.me, async (call) => {
        if (call.key === '') return undefined;
        const response = cached.get(call.url) ?? (await call.send());
        if (response.status === 200) cached.set(call.url, response);
        return response.clone();
      }),
    ),
  wrong('scans-of-all-tenants', 'The scan statistics count the views of all tenants.')
    .failsIn('TEN-2.scans', 'must not count for the other tenant')
    .membersWith(at.scans, ofOther, (own, theirs) => ({ total: own.total + theirs.total })),
  wrong('top-products-of-all-tenants', 'top_products names the products of all tenants.')
    .failsIn('TEN-2.scans', 'in top_products must be')
    .membersWith(at.scans, ofOther, (own, { top_products }) => ({
      top_products: [...own.top_products, ...top_products],
    })),
  wrong('slug-unique-in-all-tenants', 'The unique index of the slug has no tenant: the second tenant gets a suffix.')
    .failsIn('TEN-3.same-slug-and-gtin', 'the slug of the second tenant must be')
    .asks(at.create, async (call) => {
      const { slug, ...body } = await call.creation();
      if (typeof slug !== 'string') return undefined;
      const { status } = await call.get(`/api/v1/products/${slug}`).ofOther.send();
      return status === 200 ? call.withJson({ ...body, slug: `${slug}-2` }) : undefined;
    }),
  wrong('gtin-unique-in-all-tenants', 'The unique index of the GTIN has no tenant: a second one cannot use the GTIN.')
    .failsIn('TEN-3.same-slug-and-gtin', 'must respond with a product, responds with 409')
    .remembers<string>((owners) =>
      refuses(at.create, 409, 'gtin_taken', async (call) => {
        const { gtin } = await call.creation();
        return typeof gtin === 'string' && kept(owners, gtin, call.key) !== call.key;
      }),
    ),
  wrong('foreign-product-other-header', 'A header of the response for a foreign product names its tenant.')
    .failsIn('TEN-1.getProduct-same', 'the response for the product of another tenant must be')
    .does(changeForeign(at.product, (response) => withHeader(response, 'x-tenant', 'other'))),
  wrong('list-of-first-key', 'GET /products returns the products of the first tenant for every key.')
    .failsIn('TEN-2.list', "the owner's list must contain")
    .asFirstTenant(at.list, isOfSecond),
  wrong('listed-identifier-without-tenant', 'The identifiers in the list lack the tenant.')
    .failsIn('TEN-2.list', ', not a product of ')
    .text(at.list, (text) => text.replaceAll(/urn:dpp:[^:]+:/g, 'urn:dpp:')),
  wrong('tenants-with-one-id', 'GET /me returns the id of the installation, which all tenants share.')
    .failsIn('TEN-2.tenant', 'both keys get the tenant with the same id')
    .members(at.me, ({ tenant }) => ({ tenant: { ...tenant, id: '00000000-0000-7000-8000-000000000001' } })),
  wrong('tenants-with-one-slug', 'GET /me returns the slug of the newest tenant for every key.')
    .failsIn('TEN-2.tenant', 'both keys get the tenant with the same slug')
    .members(at.me, ({ tenant }, { provider }) => ({ tenant: { ...tenant, slug: provider.tenants[1]?.slug } })),
  wrong('repeated-gtin-dropped', 'A GTIN that a product of any tenant has is dropped.')
    .failsIn('TEN-3.same-slug-and-gtin', 'the GTINs must be')
    .remembers<string>((owners) =>
      members(at.create, ({ id, gtin }) => (kept(owners, gtin, id) === id ? {} : { gtin: null })),
    ),
  wrong('gtin-as-id', 'The id of a new product is its GTIN.')
    .failsIn('TEN-3.same-slug-and-gtin', 'the products must have different ids')
    .members(at.create, ({ id, gtin }) => ({ id: gtin ?? id })),
  wrong('shared-slug-of-newest-tenant', 'A slug that two tenants use is found in the newest tenant.')
    .failsIn('TEN-3.same-slug-and-gtin', "the name of the first tenant's product must be")
    .does(sharedSlugsIn(1)),
  wrong('shared-slug-of-oldest-tenant', 'A slug that two tenants use is found in the oldest tenant.')
    .failsIn('TEN-3.same-slug-and-gtin', "the name of the second tenant's product must be")
    .does(sharedSlugsIn(0)),
  wrong('slug-as-name', 'A creation stores the slug as the name.')
    .failsIn('TEN-3.same-slug-and-gtin', 'the products must keep their own names')
    .created(({ slug, name }) => ({ name: slug ?? name })),
  wrong('id-of-body-used', 'A creation takes the id from the body.')
    .failsIn('TEN-4.create', 'the id must come from the service')
    .remembers<string>((ids) => [
      notes(at.create, async (call) => {
        const { slug, id } = Object(await call.json());
        if (typeof id === 'string') ids.set(slug, id);
      }),
      members(at.product, ({ id, slug }) => ({ id: ids.get(slug) ?? id })),
    ]),
  wrong('tenant-of-body-used', 'A creation stores the product for the tenant of the body, too.')
    .failsIn('TEN-4.create', 'the status for the tenant of tenant_id must be 404, is 200')
    .also(at.create, 200, async (call) => ((await call.text()).includes('"tenant_id"') ? call.ofOther : undefined)),
  wrong('foreign-product-in-cache', 'A header says that the cache has a product of another tenant.')
    .failsIn('TEN-1.getPassport-same', 'the response for the product of another tenant must be')
    .does(changeForeign(at.ofProduct, (response) => withHeader(response, 'x-cache', 'HIT'))),
];
