/** TEN: a key reads and writes nothing but its own tenant's data. */
import type { Contract, Operation } from '@product-passport/openapi';
import type { Product, ProductListItem } from '@product-passport/sdk';
import { type Api, maxPages, passportPath, productPath, walk } from '../api.ts';
import { type Ask, type Case, CaseFailure, type Context, check, checkEqual, family, type Reply } from '../case.ts';
import type { Exposure } from '../exposure.ts';
import { needsOf, pathOf, validStatus } from '../valid-requests.ts';
import { pagePath } from '../world.ts';
import { stableHeaders } from './http.ts';
import { grow } from './products.ts';

/** A text in the name and the passport of a product of the second tenant. No other tenant's response may contain it. */
export const foreignMarker = 'zq81fxk40vw';

const foreignData: Exposure = 'data of another tenant';
const paths = '/paths/~1api~1v1';
const needs = ['second tenant'] as const;
const foreign = family('TEN-1', { claim: 'core', clause: '/components/responses/NotFound', needs });
const lists = family('TEN-2', { claim: 'core', clause: `${paths}~1products/get`, needs });
const ofKey = family('TEN-2', { claim: 'core', clause: `${paths}~1me/get`, needs });
const statisticsOf = family('TEN-2', { claim: 'core', clause: `${paths}~1analytics~1scans/get`, needs });
const sideBySide = family('TEN-3', { claim: 'core', clause: `${paths}~1products/post`, needs });
const ownedByServer = family('TEN-4', { claim: 'reference', clause: '/components/schemas/CreateProduct' });

export function tenancy({ operations }: Contract): readonly Case[] {
  const ofProduct = operations.filter(({ side, path }) => side.secured && path.includes('{'));
  return [
    ...ofProduct.flatMap(foreignProduct),
    foreignWrite,
    ...ownRowsOnly,
    ...totals,
    ...statistics,
    sameSlugAndGtin,
    fieldsOfTheServer,
  ];
}

/** The product of the second tenant that the first tenant must not see. */
function foreignProductOf({ world }: Context): Promise<Product> {
  return world.otherProduct('tenancy', { name: `Verify tenancy ${foreignMarker}` });
}

async function foreignAsk(operation: Operation, context: Context, product: Partial<Product>): Promise<Ask> {
  const ask = { method: operation.method, path: pathOf(operation, product) };
  if (operation.operationId === 'setProductStatus') return { ...ask, json: { status: 'archived' } };
  if (operation.operationId !== 'putPassport') return ask;
  return { ...ask, json: [{ field_key: await context.world.fieldKey(), value: `Verify ${foreignMarker}` }] };
}

function foreignProduct(operation: Operation): Case[] {
  const { operationId, claim, also } = operation;
  const needs = needsOf(operation);
  return [
    foreign.with({ claim, also, needs })(
      operationId,
      `${operationId} for another tenant's product gets 404 not_found.`,
      async (context) => {
        const { world, refused } = context;
        const product = await foreignProductOf(context);
        const ask = await foreignAsk(operation, context, product);
        const before = await unknownBody(operation, context, 'before');
        // No key of the second tenant may publish.
        const [good, fault] =
          operationId === 'setProductStatus'
            ? [await validStatus(context), { path: ask.path }]
            : [{ ...ask, key: world.otherTenant().api_key }, { key: world.tenant().api_key }];
        const reply = await refused(good, fault, { status: 404, code: 'not_found' });
        // A message may name the slug, and may contain a time or an id of the request.
        const isStable = (await unknownBody(operation, context, 'after')) === before;
        if (isStable) checkEqual(reply.text.replaceAll(product.slug, '{slug}'), before, 'the body');
      },
    ),
    // It needs no key that may publish: a product that is not there is checked first.
    foreign.with({ claim: 'reference', also, needs: needs.filter((need) => need !== 'publishing key') })(
      `${operationId}-same`,
      `${operationId} responds the same for another tenant's product and for an unknown one.`,
      async (context) => {
        const product = await foreignProductOf(context);
        const reply = await context.sendFaulty(await foreignAsk(operation, context, product));
        const slug = unknownSlug(context, 'same');
        const unknown = await context.sendFaulty(await foreignAsk(operation, context, { slug }));
        checkEqual(comparable(reply), comparable(unknown), 'the response for the product of another tenant');
      },
    ),
  ];
}

function unknownSlug({ world }: Context, name: string): string {
  return `verify-unknown-${name}-${world.runId}`;
}

/** The body for a product that no tenant has, without its slug. */
async function unknownBody(operation: Operation, context: Context, name: string): Promise<string> {
  const slug = unknownSlug(context, name);
  const { status, text } = await context.sendFaulty(await foreignAsk(operation, context, { slug }));
  checkEqual(status, 404, 'the status for an unknown product');
  return text.replaceAll(slug, '{slug}');
}

const comparable = (reply: Reply) => ({ ...reply, headers: stableHeaders(reply) });

const foreignWrite = foreign.with({ needs: ['field key'] })(
  'write-stores-nothing',
  "A write to another tenant's product stores nothing.",
  async (context) => {
    const { world, sendFaulty } = context;
    const { slug } = await foreignProductOf(context);
    const owner = world.otherTenant().api;
    const field = await world.fieldKey();
    const own = `Verify ${foreignMarker} ${world.runId}`;
    await owner.put(slug, [{ field_key: field, value: own }]);
    const intruded = `Verify intruder ${world.runId}`;
    const json = [{ field_key: field, value: intruded }];
    await sendFaulty({ method: 'PUT', path: passportPath(slug), json });
    const { values } = await owner.passport(slug);
    const stored = values.find(({ field_key }) => field_key === field)?.value;
    const exposes = stored === intruded ? 'change of another tenant' : undefined;
    checkEqual(stored, own, "the owner's value", { exposes });
  },
);

/** Lists in which a condition on the tenant could be missing. */
const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  list: {},
  status: { status: 'draft' },
  search: { search: foreignMarker },
  'search-and-status': { search: foreignMarker, status: 'draft' },
};

const limit = 200;

const ownRowsOnly = Object.entries(queries).map(([name, query]) =>
  lists(
    name,
    `A list with ${name === 'list' ? 'no filter' : name.replaceAll('-', ' ')} has products of the key's tenant only.`,
    async (context) => {
      const { api, world } = context;
      const product = await foreignProductOf(context);
      const owners = await walk(world.otherTenant().api, { ...query, limit });
      const ids = new Set(owners.map(({ id }) => id));
      const own = await walk(api, { ...query, limit });
      const leaked = own.find(({ id }) => ids.has(id));
      const exposes = leaked && foreignData;
      const isListed = ids.has(product.id) || !isWhole(owners);
      check(isListed, `the owner's list must contain ${product.slug}`, { exposes });
      check(leaked === undefined, `the list contains ${leaked?.slug}, a product of the second tenant`, { exposes });
      const { tenant } = await api.me();
      const stranger = own.find((item) => !item.unique_product_identifier.includes(`:${tenant.slug}:`));
      const named = stranger?.unique_product_identifier;
      check(stranger === undefined, `the list contains ${named}, not a product of ${tenant.slug}`);
      if (isWhole(own)) checkEqual((await api.list({ ...query, limit: 1 })).total, own.length, 'total');
    },
  ),
);

const isWhole = (items: readonly ProductListItem[]): boolean => items.length < limit * maxPages;

const totals: readonly Case[] = [
  ofKey('products-total', 'New products of one tenant do not change products_total of another.', async (context) => {
    const { api } = context.world.otherTenant();
    const { products_total: before } = await api.me();
    // The first case that calls it: the products are created between the two readings.
    await grow(context);
    checkEqual((await api.me()).products_total, before, "the second tenant's products_total");
  }),
  ofKey('tenant', 'GET /me returns the tenant of the key.', async ({ api, world }) => {
    const { tenant } = await api.me();
    const other = world.otherTenant();
    const { tenant: second } = await other.api.me();
    const exposes = second.slug === tenant.slug && second.slug !== other.slug ? foreignData : undefined;
    checkEqual(second.slug, other.slug, "the second tenant's slug", { exposes });
    check(tenant.id !== second.id, 'both keys get the tenant with the same id');
    check(tenant.slug !== second.slug, 'both keys get the tenant with the same slug', { exposes: foreignData });
  }),
];

const maxTopProducts = 20;

/** The products that the statistics name belong to the tenant. */
async function checkTopProducts(tenantApi: Api, other: Api): Promise<void> {
  const { top_products } = await tenantApi.scans({ days: 365 });
  for (const { slug, name } of top_products.slice(0, maxTopProducts)) {
    const own = await tenantApi.product(slug).catch(asFailure);
    if (!(own instanceof CaseFailure) && own.name === name) continue;
    const theirs = await other.product(slug).catch(asFailure);
    const exposes = !(theirs instanceof CaseFailure) && theirs.name === name ? foreignData : undefined;
    if (own instanceof CaseFailure) throw new CaseFailure(own.message, { ...own, exposes });
    checkEqual(own.name, name, `the name of ${slug} in top_products`, { exposes });
  }
}

function asFailure(error: unknown): CaseFailure {
  if (error instanceof CaseFailure) return error;
  throw error;
}

/** How often a page is viewed to see whom it counts for. */
const views = 3;

const statistics: readonly Case[] = [
  statisticsOf('top-products', "The statistics name products of the key's tenant only.", async ({ api, world }) => {
    const other = world.otherTenant().api;
    await checkTopProducts(api, other);
    await checkTopProducts(other, api);
  }),
  statisticsOf.with({ claim: 'public', needs: ['active product'] })(
    'scans',
    "A view of one tenant's page does not count for another tenant.",
    async ({ api, world, send }) => {
      const product = await world.activeProduct();
      const { tenant, slug } = product;
      const second = world.otherTenant();
      const [owner, stranger] = tenant === second.slug ? [second.api, api] : [api, second.api];
      const totalsNow = async () => [(await owner.scans()).total, (await stranger.scans()).total] as const;
      const before = await totalsNow();
      for (let view = 0; view < views; view += 1) {
        const { status } = await send({ path: pagePath(product) });
        checkEqual(status, 200, 'the status of the passport page');
      }
      const after = await totalsNow();
      const [owned, strange] = [after[0] - before[0], after[1] - before[1]];
      // Other people may view a page of the other tenant meanwhile.
      const isOwn = strange < Math.max(owned, 1);
      check(
        isOwn,
        `${views} views of ${tenant}/${slug} must not count for the other tenant, but its total grew by ${strange}`,
      );
      await checkTopProducts(stranger, owner);
    },
  ),
];

const sameSlugAndGtin = sideBySide(
  'same-slug-and-gtin',
  'Two tenants may have products with the same slug and the same GTIN.',
  async ({ api, world }) => {
    const gtin = '9520001777011';
    const own = await world.product('two-tenants', { name: 'Verify first tenant', gtin });
    const other = await world.otherProduct('two-tenants', { name: 'Verify second tenant', gtin });
    // The description does not say that a slug is stored as sent.
    if (own.slug === 'verify-two-tenants') checkEqual(other.slug, own.slug, 'the slug of the second tenant');
    checkEqual([own.gtin, other.gtin], [gtin, gtin], 'the GTINs');
    check(own.id !== other.id, 'the products must have different ids');
    const { name: first } = await api.product(own.slug);
    const exposes = (name: string, foreign: string) => ({ exposes: name === foreign ? foreignData : undefined });
    checkEqual(first, own.name, "the name of the first tenant's product", exposes(first, other.name));
    const { name: second } = await world.otherTenant().api.product(other.slug);
    checkEqual(second, other.name, "the name of the second tenant's product", exposes(second, own.name));
    check(own.name !== other.name, 'the products must keep their own names');
  },
);

const old = '2001-02-03T04:05:06.000Z';

const fieldsOfTheServer = ownedByServer.with({ needs: ['second tenant'] })(
  'create',
  'The service ignores id, tenant_id, status, completeness and created_at in the body of createProduct.',
  async ({ api, world, send, sendFaulty }) => {
    const other = world.otherTenant();
    const { tenant } = await other.api.me();
    const slug = 'verify-fields-of-the-server';
    const id = '00000000-0000-7000-8000-000000000000';
    const fields = { id, tenant_id: tenant.id, status: 'active', completeness: 100, created_at: old };
    const found = await send({ path: productPath(slug) });
    if (found.status === 404) {
      const json = { name: 'Verify fields of the server', slug, ...fields };
      await sendFaulty({ method: 'POST', path: '/api/v1/products', json });
    }
    const product = await api.product(slug);
    check(product.id !== id, 'the id must come from the service');
    checkEqual(product.status, 'draft', 'status');
    checkEqual(product.completeness, 0, 'completeness');
    check(product.created_at !== old, 'created_at must come from the service');
    const { status } = await send({ path: productPath(slug), key: other.api_key });
    const exposes = status === 200 ? 'change of another tenant' : undefined;
    checkEqual(status, 404, 'the status for the tenant of tenant_id', { exposes });
  },
);
