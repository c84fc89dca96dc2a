/** Mistakes when products are created and read. */
import type { CreateProduct, Me, Product, ProductList } from '@product-passport/sdk';
import {
  type At,
  changeBody,
  changeError,
  changeJson,
  changeRequest,
  changeResponse,
  create,
  error,
  jsonOf,
  keyOf,
  list,
  type Mutant,
  matches,
  me,
  product,
  respondWith,
  segments,
  withBody,
  withPath,
  withStatus,
  write,
} from '../alter.ts';

/** A creation, and a read of the single product. */
const everyProduct: At = { path: /^\/api\/v1\/products(\/[^/]+)?$/ };

const creates = 'POST /api/v1/products must respond with a product';

export const products: readonly Mutant[] = [
  {
    id: 'created-201',
    mistake: 'A creation gets 201, as other APIs do.',
    killedBy: 'PROD-1.status',
    because: 'the status must be 200, is 201',
    wrap: changeResponse(create, (response) => (response.status === 200 ? withStatus(response, 201) : response)),
  },
  {
    id: 'created-active',
    mistake: 'A new product is active.',
    killedBy: 'PROD-1.draft',
    because: 'status must be "draft", is "active"',
    wrap: changeJson(create, (body: Product) => ({ ...body, status: 'active' })),
  },
  {
    id: 'created-only-id',
    mistake: 'A creation returns the id and the slug only.',
    killedBy: 'PROD-1.same-body',
    because: 'the product must be',
    wrap: changeJson(create, ({ id, slug }: Product) => ({ id, slug })),
  },
  {
    id: 'name-in-lower-case',
    mistake: 'The stored name is in lower case.',
    killedBy: 'PROD-1.name',
    because: 'the product must be',
    wrap: changeBody(create, (body: CreateProduct) =>
      typeof body.name === 'string' ? { ...body, name: body.name.toLowerCase() } : body,
    ),
  },
  {
    id: 'urn-without-tenant',
    mistake: 'The URN has no tenant slug.',
    killedBy: 'PROD-1.urn',
    because: 'unique_product_identifier must end in',
    wrap: changeJson(create, (body: Product) => ({
      ...body,
      unique_product_identifier: `urn:dpp:${body.slug}`,
    })),
  },
  {
    id: 'urn-of-version',
    mistake: 'The identifier contains the number of writes, so that every write changes it.',
    killedBy: 'PROD-1.urn-stays',
    because: 'unique_product_identifier after a change must be',
    wrap: (service) => {
      const writes = new Map<string, number>();
      const read = changeJson(product, (body: Product) => ({
        ...body,
        unique_product_identifier: `urn:dpp${writes.get(body.slug) ?? ''}:nordlicht:${body.slug}`,
      }))(service);
      return async (request) => {
        const response = await read(request);
        const [, , , slug = ''] = segments(request);
        if (matches(write, request) && response.status === 200) writes.set(slug, (writes.get(slug) ?? 0) + 1);
        return response;
      };
    },
  },
  {
    id: 'group-lost',
    mistake: 'The product group of a creation is checked and thrown away.',
    killedBy: 'PROD-1.group',
    because: 'the product must contain "textile"',
    wrap: changeJson(everyProduct, (body: Product) =>
      'product_group' in body ? { ...body, product_group: null } : body,
    ),
  },
  {
    id: 'model-lost',
    mistake: 'The model of a creation is thrown away.',
    killedBy: 'PROD-1.model',
    because: 'the product must contain',
    wrap: changeBody(create, (body: CreateProduct) =>
      typeof body?.model === 'string' ? { ...body, model: null } : body,
    ),
  },
  {
    id: 'emoji-lost',
    mistake: 'The column of the name has an encoding without emoji.',
    killedBy: 'PROD-1.name-emoji',
    because: 'name must be',
    wrap: changeBody(create, (body: CreateProduct) =>
      typeof body?.name === 'string' ? { ...body, name: body.name.replace(/\p{Emoji_Presentation}/gu, '?') } : body,
    ),
  },
  {
    id: 'name-cut',
    mistake: 'The column of the name holds 255 characters, and the database cuts longer names.',
    killedBy: 'PROD-1.name-long',
    because: 'the name must be stored whole',
    wrap: changeBody(create, (body: CreateProduct) =>
      typeof body?.name === 'string' ? { ...body, name: body.name.slice(0, 255) } : body,
    ),
  },
  {
    id: 'list-disagrees',
    mistake: 'The list shows the identifier in upper case.',
    killedBy: 'PROD-1.listed',
    because: 'unique_product_identifier in the list must be',
    wrap: changeJson(list, (body: ProductList) => ({
      ...body,
      items: body.items.map((item) => ({
        ...item,
        unique_product_identifier: item.unique_product_identifier.replace('urn:', 'URN:'),
      })),
    })),
  },
  {
    id: 'listed-later',
    mistake: 'The list shows a new product after a minute only.',
    killedBy: 'PROD-1.listed',
    because: 'the list must have the new product',
    wrap: changeJson(list, (body: ProductList) => ({
      ...body,
      items: body.items.filter(({ created_at }) => Date.now() - Date.parse(created_at) > 60_000),
    })),
  },
  {
    id: 'products-total-cached',
    mistake: 'A cache keeps products_total.',
    claims: ['reference'],
    killedBy: 'PROD-1.products-total',
    because: 'the growth of products_total must be 3, is 0',
    wrap: (service) => {
      const cached = new Map<string, number>();
      return changeJson(me, (body: Me, request) => {
        const products_total = cached.get(keyOf(request)) ?? body.products_total;
        cached.set(keyOf(request), products_total);
        return { ...body, products_total };
      })(service);
    },
  },
  {
    id: 'gtin-as-14-digits',
    mistake: 'The GTIN is stored as 14 digits.',
    killedBy: 'PROD-2.13-digits',
    because: 'gtin must be "9520001999017", is "09520001999017"',
    wrap: changeBody(create, (body: CreateProduct) =>
      typeof body.gtin === 'string' && /^\d{8,14}$/.test(body.gtin)
        ? { ...body, gtin: body.gtin.padStart(14, '0') }
        : body,
    ),
  },
  {
    id: 'gtin-as-number',
    mistake: 'The GTIN is stored as a number and loses its zeros.',
    killedBy: 'PROD-2.12-digits-zeros',
    because: 'gtin must be "000001234190", is "1234190"',
    wrap: changeJson(product, (body: Product) => ({ ...body, gtin: body.gtin?.replace(/^0+/, '') ?? null })),
  },
  {
    id: 'gtin-of-13-digits-only',
    mistake: 'Only GTINs of 13 digits are accepted.',
    killedBy: 'PROD-2.8-digits',
    because: `${creates}, responds with 400`,
    wrap: respondWith(create, async (request) => {
      const { gtin } = ((await jsonOf(request)) ?? {}) as CreateProduct;
      return typeof gtin === 'string' && gtin.length !== 13 ? error(400, 'invalid_gtin') : undefined;
    }),
  },
  {
    id: 'gtin-not-checked',
    mistake: 'The length of the GTIN is not checked.',
    killedBy: 'PROD-2.refused-9-digits',
    because: 'the faulty request must get 400, gets 200',
    wrap: changeBody(create, (body: CreateProduct) =>
      typeof body.gtin === 'string' && /^\d{7,15}$/.test(body.gtin) && ![8, 12, 13, 14].includes(body.gtin.length)
        ? { ...body, gtin: '9520001999017' }
        : body,
    ),
  },
  {
    id: 'slug-ignored',
    mistake: 'The service adds a prefix to the slug of the request.',
    claims: ['reference'],
    only: ['PROD-3'],
    killedBy: 'PROD-3.given',
    because: '404',
    wrap: changeBody(create, (body: CreateProduct) =>
      typeof body?.slug === 'string' ? { ...body, slug: `p-${body.slug}` } : body,
    ),
  },
  {
    id: 'slug-from-name',
    mistake: 'The slug of the request is thrown away, and one is made from the name.',
    killedBy: 'PROD-3.sent',
    because: 'slug must contain',
    wrap: changeBody(create, (body: CreateProduct) =>
      typeof body?.slug === 'string' ? { ...body, slug: undefined } : body,
    ),
  },
  {
    id: 'taken-slug-409',
    mistake: 'A slug that is taken gets 409.',
    killedBy: 'PROD-3.taken',
    because: `${creates}, responds with 409`,
    wrap: respondWith(create, async (request, service) => {
      const { slug } = ((await jsonOf(request)) ?? {}) as CreateProduct;
      if (typeof slug !== 'string') return undefined;
      const { headers } = request;
      const found = await service.fetch(new Request(`${request.url}/${encodeURIComponent(slug)}`, { headers }));
      return found.status === 200 ? error(409, 'slug_taken') : undefined;
    }),
  },
  {
    id: 'taken-slug-returns-other',
    mistake: 'A slug that is taken returns the product that has it.',
    killedBy: 'PROD-3.taken',
    because: 'slug must be verify-taken-slug with a suffix',
    wrap: respondWith(create, async (request, service) => {
      const { slug } = ((await jsonOf(request)) ?? {}) as CreateProduct;
      if (typeof slug !== 'string') return undefined;
      const { headers } = request;
      const found = await service.fetch(new Request(`${request.url}/${encodeURIComponent(slug)}`, { headers }));
      return found.status === 200 ? found : undefined;
    }),
  },
  {
    id: 'suffix-race',
    mistake: 'The free slug is looked up before the insert, so that products created together get the same one.',
    killedBy: 'PROD-3.concurrent',
    because: 'the number of different slugs',
    wrap: (service) => {
      const made = new Map<string, { readonly at: number; readonly slug: string }>();
      return changeJson(create, (body: Product) => {
        const last = made.get(body.name);
        if (last !== undefined && performance.now() - last.at < 50) return { ...body, slug: last.slug };
        made.set(body.name, { at: performance.now(), slug: body.slug });
        return body;
      })(service);
    },
  },
  {
    id: 'suffix-not-shown',
    mistake: 'getProduct shows the slug without its number.',
    killedBy: 'PROD-3.concurrent',
    because: 'the slug of the product read must be',
    wrap: changeJson(product, (body: Product) => ({ ...body, slug: body.slug.replace(/-\d+$/, '') })),
  },
  {
    id: 'suffix-not-read',
    mistake: 'getProduct ignores the number at the end of the slug.',
    killedBy: 'PROD-3.taken',
    because: 'the slug of the product read must be',
    wrap: changeRequest(product, (request) => withPath(request, new URL(request.url).pathname.replace(/-\d+$/, ''))),
  },
  {
    id: 'slug-too-short',
    mistake: 'The service cuts the slug of a long name at 50 characters.',
    claims: ['reference'],
    killedBy: 'PROD-3.made-long',
    because: 'slug must have up to 100 characters, has 50',
    wrap: changeJson(create, (body: Product) => ({ ...body, slug: body.slug.slice(0, 50) })),
  },
  {
    id: 'constant-id',
    mistake: 'Every product has the same id.',
    killedBy: 'PROD-3.ids',
    because: 'the number of different ids',
    wrap: changeJson(create, (body: Product) => ({ ...body, id: '1' })),
  },
  {
    id: 'identifier-of-name',
    mistake: 'Products of one name have one identifier.',
    killedBy: 'PROD-3.ids',
    because: 'the number of different identifiers',
    wrap: changeJson(create, (body: Product) => ({ ...body, unique_product_identifier: `urn:dpp:${body.name}` })),
  },
  {
    id: 'missing-name-422',
    mistake: 'A missing name gets the 422 of the framework.',
    killedBy: 'PROD-4.absent',
    because: 'the faulty request must get 400, gets 422',
    wrap: changeError(create, 'name_required', (response) => withStatus(response, 422)),
  },
  {
    id: 'missing-name-own-code',
    mistake: 'A missing name gets a code for all invalid fields.',
    killedBy: 'PROD-4.absent',
    because: 'error.code must be "name_required", is "validation_failed"',
    wrap: changeError(create, 'name_required', () => error(400, 'validation_failed')),
  },
  {
    id: 'missing-name-default',
    mistake: 'A product without a name gets a default name.',
    killedBy: 'PROD-4.absent',
    because: 'the faulty request must get 400, gets 200',
    wrap: changeBody(create, (body: CreateProduct) =>
      typeof body === 'object' && body !== null && !('name' in body) ? { ...(body as object), name: 'Unnamed' } : body,
    ),
  },
  {
    id: 'unknown-group-accepted',
    mistake: 'An unknown product group is stored as `other`.',
    killedBy: 'PROD-5.unknown-1',
    because: 'the faulty request must get 400, gets 200',
    wrap: changeResponse(create, async (response, request, service) => {
      if (((await jsonOf(response.clone())) as { error?: { code: string } }).error?.code !== 'unknown_product_group') {
        return response;
      }
      const body = { ...((await jsonOf(request)) as CreateProduct), product_group: 'other' };
      return service.fetch(new Request(request.clone(), { body: JSON.stringify(body) }));
    }),
  },
  {
    id: 'groups-in-capitals',
    mistake: 'Product groups are compared with names in capitals.',
    killedBy: 'PROD-5.tyre',
    because: `${creates}, responds with 400 unknown_product_group`,
    wrap: changeBody(create, (body: CreateProduct) =>
      typeof body?.product_group === 'string' && body.product_group !== body.product_group.toUpperCase()
        ? { ...body, product_group: 'no-such-group' }
        : body,
    ),
  },
  {
    id: 'unknown-product-200',
    mistake: 'An unknown product gets 200 with null.',
    killedBy: 'PROD-7.unknown',
    because: 'the faulty request must get 404, gets 200',
    wrap: changeResponse(product, (response) => (response.status === 404 ? Response.json({}) : response)),
  },
  {
    id: 'unknown-product-own-code',
    mistake: 'An unknown product gets the code product_not_found.',
    killedBy: 'PROD-7.unknown',
    because: 'error.code must be "not_found", is "product_not_found"',
    wrap: changeError(product, 'not_found', () => error(404, 'product_not_found')),
  },
  {
    id: 'wildcard-slug',
    mistake: 'A slug with % finds a product by LIKE.',
    claims: ['reference'],
    killedBy: 'PROD-7.wildcard-get',
    because: 'the faulty request must get 404, gets 200',
    wrap: respondWith(product, (request, service) =>
      request.url.includes('%25') ? service.fetch(withPath(request, '/api/v1/products/fahrradhelm')) : undefined,
    ),
  },
  {
    id: 'local-times',
    mistake: 'Times are written as on a German wall clock.',
    killedBy: 'PROD-8.parse',
    because: 'created_at',
    wrap: changeJson(create, (body: Product) => ({ ...body, created_at: '22.11.2026 09:30' })),
  },
  {
    id: 'times-in-seconds',
    mistake: 'Times are numbers of seconds.',
    killedBy: 'HTTP-6.getProduct',
    because: '/created_at',
    wrap: changeJson(product, (body: Product) => ({ ...body, created_at: Date.parse(body.created_at) / 1000 })),
  },
  {
    id: 'updated-before-created',
    mistake: 'updated_at of a new product is the beginning of 1970.',
    killedBy: 'PROD-8.parse',
    because: 'must not be after updated_at',
    wrap: changeJson(create, (body: Product) => ({ ...body, updated_at: '1970-01-01T00:00:00.000Z' })),
  },
  {
    id: 'updated-at-of-read',
    mistake: 'updated_at is the time of the read.',
    claims: ['reference'],
    killedBy: 'PROD-8.moves',
    because: 'updated_at after writes that change nothing',
    wrap: changeJson(product, (body: Product) => ({ ...body, updated_at: new Date().toISOString() })),
  },
  {
    id: 'created-at-moves',
    mistake: 'A write of passport values sets created_at.',
    killedBy: 'PROD-8.creation',
    because: 'created_at after a change must be',
    wrap: (service) => {
      const written = new Set<string>();
      return async (request) => {
        const { pathname } = new URL(request.url);
        if (matches(write, request)) await new Promise((resolve) => setTimeout(resolve, 2));
        const response = await service.fetch(request);
        if (matches(write, request)) written.add(pathname.replace(/\/passport$/, ''));
        if (!product.path.test(pathname) || response.status !== 200 || !written.has(pathname)) return response;
        const body = (await jsonOf(response)) as Product;
        return withBody(
          response,
          JSON.stringify({ ...body, created_at: body.updated_at, updated_at: body.updated_at }),
        );
      };
    },
  },
  {
    id: 'master-data-of-first-product',
    mistake: 'The master data of each product are those of the first one.',
    claims: ['reference'],
    killedBy: 'PROD-5.textile-returned',
    because: 'product_group must be "textile", is "shoes"',
    wrap: changeJson(everyProduct, (body: Product) => ({
      ...body,
      ...('slug' in body && { name: 'First', gtin: '09520001000010', product_group: 'shoes', model: 'F1' }),
    })),
  },
  {
    id: 'numbered-slugs',
    mistake: 'Slugs are numbers, not made from the name.',
    claims: ['reference'],
    killedBy: 'PROD-3.made-umlauts',
    because: 'slug must be',
    wrap: (service) => {
      let count = 0;
      return changeBody(create, (body: CreateProduct) => {
        count += 1;
        return { ...body, slug: `item-${count}` };
      })(service);
    },
  },
];
