/** Mistakes that mix up tenants. */
import type { ProductList } from '@product-passport/sdk';
import {
  type At,
  again,
  also,
  asFirstTenant,
  type Change,
  carriers,
  create,
  created,
  creationOf,
  error,
  instead,
  jsonOf,
  keyOf,
  keysOf,
  list,
  matches,
  me,
  members,
  membersWith,
  notes,
  ofOther,
  ofProduct,
  onStatus,
  passport,
  product,
  readOf,
  refuses,
  type Service,
  scans,
  segments,
  text,
  together,
  withHeader,
  withKey,
  withText,
  write,
} from '../change.ts';
import { type Mutant, wrong } from '../row.ts';

const refused = 'the faulty request must get 404';

/** Asks the other tenant, too, if the key's own tenant does not have the product. */
const fromOtherTenant = (at: At): Change => again(at, 404, ofOther);

/** Changes the response for a product of the other tenant. */
function changeForeign(at: At, change: (response: Response) => Response): Change {
  return onStatus(at, 404, async (response, request, service) =>
    (await service.fetch(ofOther(request, service))).status === 404 ? undefined : change(response),
  );
}

/** A slug that both tenants use names the product of this one. */
function sharedSlugsIn(tenant: 0 | 1): Change {
  return onStatus(product, 200, async (_, request, service) => {
    const found = await service.fetch(withKey(request, keysOf(service)[tenant]));
    return found.status === 200 ? found : undefined;
  });
}

/** The products of both tenants. */
function ofBoth(own: ProductList, theirs: ProductList): Partial<ProductList> {
  return { items: [...own.items, ...theirs.items], total: own.total + theirs.total };
}

const isOfSecond = (request: Request, service: Service): boolean => keyOf(request) === keysOf(service)[1];

export const tenancy: readonly Mutant[] = [
  wrong('reads-foreign-product', 'A product is found by its slug in all tenants.')
    .failsIn('TEN-1.getProduct', `${refused}, gets 200`)
    .does(fromOtherTenant(product)),
  wrong('reads-foreign-passport', 'The passport of a product is found in all tenants.')
    .failsIn('TEN-1.getPassport', `${refused}, gets 200`)
    .does(fromOtherTenant(passport)),
  wrong('writes-foreign-passport', 'The tenant is not checked on write.')
    .failsIn('TEN-1.putPassport', `${refused}, gets 200`)
    .does(fromOtherTenant(write)),
  wrong(
    'foreign-write-stored',
    'The tenant is checked after the write: the response is 404, and the values are stored.',
  )
    .failsIn('TEN-1.write-stores-nothing', "the owner's value must be")
    .does(also(write, 404, ofOther)),
  wrong('reads-foreign-carriers', 'The carriers of a product are found in all tenants.')
    .failsIn('TEN-1.listCarriers', `${refused}, gets 200`)
    .does(fromOtherTenant(carriers)),
  wrong('no-carriers-instead-of-404', 'The carriers of a foreign product are an empty list.')
    .failsIn('TEN-1.listCarriers', 'must be 404, is 200')
    .does(onStatus(carriers, 404, () => Response.json({ items: [] }))),
  wrong('foreign-product-403', 'A foreign product gets 403, which says that it exists.')
    .failsIn('TEN-1.getProduct', `${refused}, gets 403`)
    .does(changeForeign(ofProduct, () => error(403, 'forbidden'))),
  wrong('foreign-product-other-message', 'The message for a foreign product differs from that for an unknown one.')
    .failsIn('TEN-1.getProduct', 'the body must be')
    .does(changeForeign(product, () => error(404, 'not_found', 'The product belongs to another tenant.'))),
  wrong('lists-foreign-products', 'The list has no condition on the tenant.')
    .failsIn('TEN-2.list', 'a product of the second tenant')
    .does(membersWith(list, ofOther, ofBoth)),
  wrong('search-in-all-tenants', 'The search forgets the condition on the tenant, because OR binds weaker than AND.')
    .failsIn('TEN-2.search', 'a product of the second tenant')
    .does(membersWith({ ...list, query: 'search=' }, ofOther, ofBoth)),
  wrong('total-of-all-tenants', 'The count of the list has no condition on the tenant.')
    .failsIn('TEN-2.list', 'total must be')
    .does(membersWith(list, ofOther, (own, theirs) => ({ total: own.total + theirs.total }))),
  wrong('products-total-of-all-tenants', 'products_total counts the products of all tenants.')
    .failsIn('TEN-2.products-total', "the second tenant's products_total must be")
    .does(membersWith(me, ofOther, (own, theirs) => ({ products_total: own.products_total + theirs.products_total }))),
  wrong('tenant-of-first-key', 'GET /me returns the first tenant for every key.')
    .failsIn('TEN-2.tenant', "the second tenant's slug must be")
    .does(asFirstTenant(me, isOfSecond)),
  wrong('cache-without-key', 'A shared cache stores responses by address, without the key.')
    .failsIn('TEN-2.tenant', "the second tenant's slug must be")
    .does((service) => {
      const cached = new Map<string, Response>();
      return async (request) => {
        const isCached = matches(me, request) && keyOf(request) !== '';
        const response = (isCached && cached.get(request.url)) || (await service.fetch(request));
        if (isCached && response.status === 200) cached.set(request.url, response);
        return response.clone();
      };
    }),
  wrong('scans-of-all-tenants', 'The scan statistics count the views of all tenants.')
    .failsIn('TEN-2.scans', 'must not count for the other tenant')
    .does(membersWith(scans, ofOther, (own, theirs) => ({ total: own.total + theirs.total }))),
  wrong('top-products-of-all-tenants', 'top_products names the products of all tenants.')
    .failsIn('TEN-2.scans', 'in top_products must be')
    .does(
      membersWith(scans, ofOther, (own, { top_products }) => ({
        top_products: [...own.top_products, ...top_products],
      })),
    ),
  wrong('slug-unique-in-all-tenants', 'The unique index of the slug has no tenant: the second tenant gets a suffix.')
    .failsIn('TEN-3.same-slug-and-gtin', 'the slug of the second tenant must be')
    .does(
      instead(create, async (request, service) => {
        const { slug, ...body } = await creationOf(request);
        if (typeof slug !== 'string') return undefined;
        const { status } = await service.fetch(ofOther(readOf(request, `/api/v1/products/${slug}`), service));
        const free = JSON.stringify({ ...body, slug: `${slug}-2` });
        return status === 200 ? service.fetch(withText(request, free)) : undefined;
      }),
    ),
  wrong(
    'gtin-unique-in-all-tenants',
    'The unique index of the GTIN has no tenant: the second tenant cannot use the GTIN.',
  )
    .failsIn('TEN-3.same-slug-and-gtin', 'must respond with a product, responds with 409')
    .does((service) => {
      const owners = new Map<string, string>();
      const isTaken = async (request: Request): Promise<boolean> => {
        const { gtin } = await creationOf(request);
        if (typeof gtin !== 'string') return false;
        owners.set(gtin, owners.get(gtin) ?? keyOf(request));
        return owners.get(gtin) !== keyOf(request);
      };
      return refuses(create, 409, 'gtin_taken', isTaken)(service);
    }),
  wrong('foreign-product-other-header', 'A header of the response for a foreign product names its tenant.')
    .failsIn('TEN-1.getProduct-same', 'the response for the product of another tenant must be')
    .does(changeForeign(product, (response) => withHeader(response, 'x-tenant', 'other'))),
  wrong('list-of-first-key', 'GET /products returns the products of the first tenant for every key.')
    .failsIn('TEN-2.list', "the owner's list must contain")
    .does(asFirstTenant(list, isOfSecond)),
  wrong('listed-identifier-without-tenant', 'The identifiers in the list lack the tenant.')
    .failsIn('TEN-2.list', ', not a product of ')
    .does(text(list, (text) => text.replaceAll(/urn:dpp:[^:]+:/g, 'urn:dpp:'))),
  wrong('tenants-with-one-id', 'GET /me returns the id of the installation, which all tenants share.')
    .failsIn('TEN-2.tenant', 'both keys get the tenant with the same id')
    .does(members(me, ({ tenant }) => ({ tenant: { ...tenant, id: '00000000-0000-7000-8000-000000000001' } }))),
  wrong('tenants-with-one-slug', 'GET /me returns the slug of the newest tenant for every key.')
    .failsIn('TEN-2.tenant', 'both keys get the tenant with the same slug')
    .does((service) => {
      const slug = service.provider.tenants[1]?.slug;
      return members(me, ({ tenant }) => ({ tenant: { ...tenant, slug } }))(service);
    }),
  wrong('repeated-gtin-dropped', 'A GTIN that a product of any tenant has is dropped.')
    .failsIn('TEN-3.same-slug-and-gtin', 'the GTINs must be')
    .does((service) => {
      const used = new Set<string | null>();
      return members(create, ({ gtin }) => {
        const isUsed = used.has(gtin);
        used.add(gtin);
        return isUsed ? { gtin: null } : {};
      })(service);
    }),
  wrong('gtin-as-id', 'The id of a new product is its GTIN.')
    .failsIn('TEN-3.same-slug-and-gtin', 'the products must have different ids')
    .does(members(create, ({ id, gtin }) => ({ id: gtin ?? id }))),
  wrong('shared-slug-of-newest-tenant', 'A slug that two tenants use is found in the newest tenant.')
    .failsIn('TEN-3.same-slug-and-gtin', "the name of the first tenant's product must be")
    .does(sharedSlugsIn(1)),
  wrong('shared-slug-of-oldest-tenant', 'A slug that two tenants use is found in the oldest tenant.')
    .failsIn('TEN-3.same-slug-and-gtin', "the name of the second tenant's product must be")
    .does(sharedSlugsIn(0)),
  wrong('slug-as-name', 'A creation stores the slug as the name.')
    .failsIn('TEN-3.same-slug-and-gtin', 'the products must keep their own names')
    .does(created(({ slug, name }) => ({ name: slug ?? name }))),
  wrong('id-of-body-used', 'A creation takes the id from the body.')
    .failsIn('TEN-4.create', 'the id must come from the service')
    .does((service) => {
      const ids = new Map<string, string>();
      const noted = notes(create, async (request) => {
        const { slug, id } = Object(await jsonOf(request));
        if (typeof id === 'string') ids.set(slug, id);
      });
      return together([noted, members(product, ({ id, slug }) => ({ id: ids.get(slug) ?? id }))])(service);
    }),
  wrong('tenant-of-body-used', 'A creation stores the product for the tenant of the body, too.')
    .failsIn('TEN-4.create', 'the status for the tenant of tenant_id must be 404, is 200')
    .does(
      also(create, 200, async (request, service) => {
        const isNamed = (await request.clone().text()).includes('"tenant_id"');
        return isNamed ? ofOther(request, service) : undefined;
      }),
    ),
  wrong('foreign-product-in-cache', 'A header says that the cache has a product of another tenant.')
    .failsIn('TEN-1.getPassport-same', 'the response for the product of another tenant must be')
    .does(
      onStatus(ofProduct, 404, async (response, request, service) => {
        const [, , , slug] = segments(request);
        const foreign = await service.fetch(ofOther(readOf(request, `/api/v1/products/${slug}`), service));
        return foreign.status === 200 ? withHeader(response, 'x-cache', 'HIT') : undefined;
      }),
    ),
];
