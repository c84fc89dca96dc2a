/** Mistakes that mix up tenants. */
import type { CarrierList, CreateProduct, Me, Product, ProductList, ScanStatistics } from '@product-passport/sdk';
import {
  carriers,
  changeBody,
  changeJson,
  changeRequest,
  changeResponse,
  changeText,
  create,
  error,
  jsonOf,
  keyOf,
  keysOf,
  list,
  type Mutant,
  me,
  ofProduct,
  otherKey,
  passport,
  product,
  respondWith,
  type Service,
  scans,
  segments,
  withBody,
  withHeader,
  withKey,
  withPath,
  write,
} from '../alter.ts';

const refused = 'the faulty request must get 404';

/** Asks the other tenant, too, if the key's own tenant does not have the product. */
function fromOtherTenant(at: typeof product) {
  return changeResponse(at, (response, request, service) =>
    response.status === 404 ? service.fetch(withKey(request, otherKey(request, service))) : response,
  );
}

/** Changes the response for a product of the other tenant. */
function changeForeign(at: typeof product, change: (response: Response) => Response) {
  return changeResponse(at, async (response, request, service) => {
    if (response.status !== 404) return response;
    const foreign = await service.fetch(withKey(request, otherKey(request, service)));
    return foreign.status === 404 ? response : change(response);
  });
}

/** A slug that both tenants use names the product of this one. */
function sharedSlugsIn(tenant: 0 | 1) {
  return changeResponse(product, async (response, request, service) => {
    const found = await service.fetch(withKey(request, keysOf(service)[tenant]));
    return response.status === 200 && found.status === 200 ? found : response;
  });
}

/** The response that the other tenant gets for the same request. */
async function others<Body>(request: Request, service: Parameters<typeof otherKey>[1]): Promise<Body> {
  return (await jsonOf(await service.fetch(withKey(request, otherKey(request, service))))) as Body;
}

export const tenancy: readonly Mutant[] = [
  {
    id: 'reads-foreign-product',
    mistake: 'A product is found by its slug in all tenants.',
    killedBy: 'TEN-1.getProduct',
    because: `${refused}, gets 200`,
    wrap: fromOtherTenant(product),
  },
  {
    id: 'reads-foreign-passport',
    mistake: 'The passport of a product is found in all tenants.',
    killedBy: 'TEN-1.getPassport',
    because: `${refused}, gets 200`,
    wrap: fromOtherTenant(passport),
  },
  {
    id: 'writes-foreign-passport',
    mistake: 'The tenant is not checked on write.',
    killedBy: 'TEN-1.putPassport',
    because: `${refused}, gets 200`,
    wrap: fromOtherTenant(write),
  },
  {
    id: 'foreign-write-stored',
    mistake: 'The tenant is checked after the write: the response is 404, and the values are stored.',
    killedBy: 'TEN-1.write-stores-nothing',
    because: "the owner's value must be",
    wrap: changeResponse(write, async (response, request, service) => {
      if (response.status === 404) await service.fetch(withKey(request, otherKey(request, service)));
      return response;
    }),
  },
  {
    id: 'reads-foreign-carriers',
    mistake: 'The carriers of a product are found in all tenants.',
    killedBy: 'TEN-1.listCarriers',
    because: `${refused}, gets 200`,
    wrap: fromOtherTenant(carriers),
  },
  {
    id: 'no-carriers-instead-of-404',
    mistake: 'The carriers of a foreign product are an empty list.',
    killedBy: 'TEN-1.listCarriers',
    because: 'must be 404, is 200',
    wrap: changeResponse(carriers, (response) =>
      response.status === 404 ? Response.json({ items: [] } satisfies CarrierList) : response,
    ),
  },
  {
    id: 'foreign-product-403',
    mistake: 'A foreign product gets 403, which says that it exists.',
    killedBy: 'TEN-1.getProduct',
    because: `${refused}, gets 403`,
    wrap: changeForeign(ofProduct, () => error(403, 'forbidden')),
  },
  {
    id: 'foreign-product-other-message',
    mistake: 'The message for a foreign product differs from that for an unknown one.',
    killedBy: 'TEN-1.getProduct',
    because: 'the body must be',
    wrap: changeForeign(product, () => error(404, 'not_found', 'The product belongs to another tenant.')),
  },
  {
    id: 'lists-foreign-products',
    mistake: 'The list has no condition on the tenant.',
    killedBy: 'TEN-2.list',
    because: 'a product of the second tenant',
    wrap: changeResponse(list, async (response, request, service) => {
      if (response.status !== 200) return response;
      const own = (await jsonOf(response)) as ProductList;
      const foreign = await others<ProductList>(request, service);
      const items = [...own.items, ...foreign.items];
      return withBody(response, JSON.stringify({ ...own, items, total: own.total + foreign.total }));
    }),
  },
  {
    id: 'search-in-all-tenants',
    mistake: 'The search forgets the condition on the tenant, because OR binds weaker than AND.',
    killedBy: 'TEN-2.search',
    because: 'a product of the second tenant',
    wrap: changeResponse(list, async (response, request, service) => {
      if (response.status !== 200 || !request.url.includes('search=')) return response;
      const own = (await jsonOf(response)) as ProductList;
      const foreign = await others<ProductList>(request, service);
      const items = [...own.items, ...foreign.items];
      return withBody(response, JSON.stringify({ ...own, items, total: own.total + foreign.total }));
    }),
  },
  {
    id: 'total-of-all-tenants',
    mistake: 'The count of the list has no condition on the tenant.',
    killedBy: 'TEN-2.list',
    because: 'total must be',
    wrap: changeResponse(list, async (response, request, service) => {
      if (response.status !== 200) return response;
      const own = (await jsonOf(response)) as ProductList;
      const { total } = await others<ProductList>(request, service);
      return withBody(response, JSON.stringify({ ...own, total: own.total + total }));
    }),
  },
  {
    id: 'products-total-of-all-tenants',
    mistake: 'products_total counts the products of all tenants.',
    killedBy: 'TEN-2.products-total',
    because: "the second tenant's products_total must be",
    wrap: changeResponse(me, async (response, request, service) => {
      if (response.status !== 200) return response;
      const own = (await jsonOf(response)) as Me;
      const { products_total } = await others<Me>(request, service);
      return withBody(response, JSON.stringify({ ...own, products_total: own.products_total + products_total }));
    }),
  },
  {
    id: 'tenant-of-first-key',
    mistake: 'GET /me returns the first tenant for every key.',
    killedBy: 'TEN-2.tenant',
    because: "the second tenant's slug must be",
    wrap: respondWith(me, (request, service) =>
      keyOf(request) === keysOf(service)[1] ? service.fetch(withKey(request, keysOf(service)[0])) : undefined,
    ),
  },
  {
    id: 'cache-without-key',
    mistake: 'A shared cache stores responses by address, without the key.',
    killedBy: 'TEN-2.tenant',
    because: "the second tenant's slug must be",
    wrap: (service) => {
      const cached = new Map<string, Response>();
      return async (request) => {
        const known = request.method === 'GET' && keyOf(request) !== '' ? cached.get(request.url) : undefined;
        if (known !== undefined) return known.clone();
        const response = await service.fetch(request);
        if (request.method === 'GET' && response.status === 200 && request.url.endsWith('/me')) {
          cached.set(request.url, response.clone());
        }
        return response;
      };
    },
  },
  {
    id: 'scans-of-all-tenants',
    mistake: 'The scan statistics count the views of all tenants.',
    killedBy: 'TEN-2.scans',
    because: 'must not count for the other tenant',
    wrap: changeResponse(scans, async (response, request, service) => {
      if (response.status !== 200) return response;
      const own = (await jsonOf(response)) as ScanStatistics;
      const foreign = await others<ScanStatistics>(request, service);
      return withBody(response, JSON.stringify({ ...own, total: own.total + foreign.total }));
    }),
  },
  {
    id: 'top-products-of-all-tenants',
    mistake: 'top_products names the products of all tenants.',
    killedBy: 'TEN-2.scans',
    because: 'in top_products must be',
    wrap: changeResponse(scans, async (response, request, service) => {
      if (response.status !== 200) return response;
      const own = (await jsonOf(response)) as ScanStatistics;
      const { top_products } = await others<ScanStatistics>(request, service);
      return withBody(response, JSON.stringify({ ...own, top_products: [...own.top_products, ...top_products] }));
    }),
  },
  {
    id: 'slug-unique-in-all-tenants',
    mistake: 'The unique index of the slug has no tenant: the second tenant gets a suffix.',
    killedBy: 'TEN-3.same-slug-and-gtin',
    because: 'the slug of the second tenant must be',
    wrap: respondWith(create, async (request, service) => {
      const body = (await jsonOf(request)) as { slug?: string } | undefined;
      if (typeof body?.slug !== 'string') return undefined;
      const taken = withPath(new Request(request.url, { headers: request.headers }), `/api/v1/products/${body.slug}`);
      const { status } = await service.fetch(withKey(taken, otherKey(request, service)));
      const free = { ...body, slug: `${body.slug}-2` };
      return status === 200 ? service.fetch(new Request(request, { body: JSON.stringify(free) })) : undefined;
    }),
  },
  {
    id: 'gtin-unique-in-all-tenants',
    mistake: 'The unique index of the GTIN has no tenant: the second tenant cannot use the GTIN.',
    killedBy: 'TEN-3.same-slug-and-gtin',
    because: 'must respond with a product, responds with 409',
    wrap: (service) => {
      const owners = new Map<string, string>();
      return respondWith(create, async (request) => {
        const { gtin } = ((await jsonOf(request)) ?? {}) as { gtin?: string };
        if (typeof gtin !== 'string') return undefined;
        const owner = owners.get(gtin) ?? keyOf(request);
        owners.set(gtin, owner);
        return owner === keyOf(request) ? undefined : error(409, 'gtin_taken');
      })(service);
    },
  },
  {
    id: 'foreign-product-other-header',
    mistake: 'A header of the response for a foreign product names its tenant.',
    claims: ['reference'],
    killedBy: 'TEN-1.getProduct-same',
    because: 'the response for the product of another tenant must be',
    wrap: changeForeign(product, (response) => withHeader(response, 'x-tenant', 'other')),
  },
  {
    id: 'list-of-first-key',
    mistake: 'GET /products returns the products of the first tenant for every key.',
    killedBy: 'TEN-2.list',
    because: "the owner's list must contain",
    wrap: changeRequest(list, (request, service) =>
      keyOf(request) === keysOf(service)[1] ? withKey(request, keysOf(service)[0]) : request,
    ),
  },
  {
    id: 'listed-identifier-without-tenant',
    mistake: 'The identifiers in the list lack the tenant.',
    killedBy: 'TEN-2.list',
    because: ', not a product of ',
    wrap: changeText(list, (text) => text.replaceAll(/urn:dpp:[^:]+:/g, 'urn:dpp:')),
  },
  {
    id: 'tenants-with-one-id',
    mistake: 'GET /me returns the id of the installation, which all tenants share.',
    killedBy: 'TEN-2.tenant',
    because: 'both keys get the tenant with the same id',
    wrap: changeJson(me, ({ tenant, ...rest }: Me) => ({
      ...rest,
      tenant: { ...tenant, id: '00000000-0000-7000-8000-000000000001' },
    })),
  },
  {
    id: 'tenants-with-one-slug',
    mistake: 'GET /me returns the slug of the newest tenant for every key.',
    killedBy: 'TEN-2.tenant',
    because: 'both keys get the tenant with the same slug',
    wrap: (service) =>
      changeJson(me, ({ tenant, ...rest }: Me) => ({
        ...rest,
        tenant: { ...tenant, slug: service.provider.tenants[1]?.slug },
      }))(service),
  },
  {
    id: 'repeated-gtin-dropped',
    mistake: 'A GTIN that a product of any tenant has is dropped.',
    killedBy: 'TEN-3.same-slug-and-gtin',
    because: 'the GTINs must be',
    wrap: (service) => {
      const used = new Set<string | null>();
      return changeJson(create, (body: Product) => {
        const isUsed = used.has(body.gtin);
        used.add(body.gtin);
        return isUsed ? { ...body, gtin: null } : body;
      })(service);
    },
  },
  {
    id: 'gtin-as-id',
    mistake: 'The id of a new product is its GTIN.',
    killedBy: 'TEN-3.same-slug-and-gtin',
    because: 'the products must have different ids',
    wrap: changeJson(create, (body: Product) => ({ ...body, id: body.gtin ?? body.id })),
  },
  {
    id: 'shared-slug-of-newest-tenant',
    mistake: 'A slug that two tenants use is found in the newest tenant.',
    killedBy: 'TEN-3.same-slug-and-gtin',
    because: "the name of the first tenant's product must be",
    wrap: sharedSlugsIn(1),
  },
  {
    id: 'shared-slug-of-oldest-tenant',
    mistake: 'A slug that two tenants use is found in the oldest tenant.',
    killedBy: 'TEN-3.same-slug-and-gtin',
    because: "the name of the second tenant's product must be",
    wrap: sharedSlugsIn(0),
  },
  {
    id: 'slug-as-name',
    mistake: 'A creation stores the slug as the name.',
    killedBy: 'TEN-3.same-slug-and-gtin',
    because: 'the products must keep their own names',
    wrap: changeBody(create, (body: CreateProduct | null) =>
      body?.slug === undefined ? body : { ...body, name: body.slug },
    ),
  },
  {
    id: 'id-of-body-used',
    mistake: 'A creation takes the id from the body.',
    claims: ['reference'],
    killedBy: 'TEN-4.create',
    because: 'the id must come from the service',
    wrap: (service) => {
      const ids = new Map<string, string>();
      const fetch = changeRequest(create, async (request) => {
        const { slug, id } = Object(await jsonOf(request));
        if (typeof id === 'string') ids.set(slug, id);
        return request;
      })(service) as Service['fetch'];
      const withId = changeJson(product, (body: Product) => ({ ...body, id: ids.get(body.slug) ?? body.id }));
      return withId({ ...service, fetch });
    },
  },
  {
    id: 'tenant-of-body-used',
    mistake: 'A creation stores the product for the tenant of the body, too.',
    claims: ['reference'],
    killedBy: 'TEN-4.create',
    because: 'the status for the tenant of tenant_id must be 404, is 200',
    wrap: changeResponse(create, async (response, request, service) => {
      const isNamed = (await request.clone().text()).includes('"tenant_id"');
      if (isNamed) await service.fetch(withKey(request, otherKey(request, service)));
      return response;
    }),
  },
  {
    id: 'foreign-product-in-cache',
    mistake: 'A header says that the cache has a product of another tenant.',
    claims: ['reference'],
    killedBy: 'TEN-1.getPassport-same',
    because: 'the response for the product of another tenant must be',
    wrap: changeResponse(ofProduct, async (response, request, service) => {
      const [, , , slug] = segments(request);
      const found = new Request(new URL(`/api/v1/products/${slug}`, request.url), { headers: request.headers });
      const foreign = await service.fetch(withKey(found, otherKey(request, service)));
      return response.status === 404 && foreign.status === 200 ? withHeader(response, 'x-cache', 'HIT') : response;
    }),
  },
];
