/** Mistakes that mix up tenants. */
import type { ProductList } from '@product-passport/sdk';
import { at, type Call, type Place } from '../call.ts';
import { again, type Change, error, instead, kept, members, notes, onStatus, refuses, withHeader } from '../change.ts';
import { type Mutant, wrong } from '../row.ts';

const refused = 'the faulty request must get 404';

const ofOther = (call: Call): Call => call.ofOther;

/** Asks the other tenant, too, if the key's own tenant does not have the product. */
const fromOtherTenant = (place: Place): Change => again(place, 404, ofOther);

/** Changes the response for a product of the other tenant. */
function changeForeign(place: Place, change: (response: Response) => Response): Change {
  return onStatus(place, 404, async (response, call) =>
    (await call.ofOther.send()).status === 404 ? undefined : change(response),
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

export const tenancy: readonly Mutant[] = [
  wrong('reads-foreign-product', 'A product is found by its slug in all tenants.')
    .failsIn('TEN-1.getProduct', `${refused}, gets 200`)
    .does(fromOtherTenant(at.product)),
  wrong('reads-foreign-passport', 'The passport of a product is found in all tenants.')
    .failsIn('TEN-1.getPassport', `${refused}, gets 200`)
    .does(fromOtherTenant(at.passport)),
  wrong('writes-foreign-passport', 'The tenant is not checked on write.')
    .failsIn('TEN-1.putPassport', `${refused}, gets 200`)
    .does(fromOtherTenant(at.write)),
  wrong('foreign-write-stored', 'The tenant is checked after the write: the response is 404, the values are stored.')
    .failsIn('TEN-1.write-stores-nothing', "the owner's value must be")
    .also(at.write, 404, ofOther),
  wrong('reads-foreign-carriers', 'The carriers of a product are found in all tenants.')
    .failsIn('TEN-1.listCarriers', `${refused}, gets 200`)
    .does(fromOtherTenant(at.carriers)),
  wrong('no-carriers-instead-of-404', 'The carriers of a foreign product are an empty list.')
    .failsIn('TEN-1.listCarriers', 'must be 404, is 200')
    .onStatus(at.carriers, 404, () => Response.json({ items: [] })),
  wrong('foreign-product-403', 'A foreign product gets 403, which says that it exists.')
    .failsIn('TEN-1.getProduct', `${refused}, gets 403`)
    .does(changeForeign(at.ofProduct, () => error(403, 'forbidden'))),
  wrong('foreign-product-other-message', 'The message for a foreign product differs from that for an unknown one.')
    .failsIn('TEN-1.getProduct', 'the body must be')
    .does(changeForeign(at.product, () => error(404, 'not_found', 'The product belongs to another tenant.'))),
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
