/** `/sitemap.xml`: the passports of the tenants that opened their list, for search engines. */

import type { Server } from '@hapi/hapi';
import { ContractError } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { isPostgres, statement } from '../database/statement.ts';
import { Encoded } from '../http/encoded.ts';
import { representationOf } from '../http/representation.ts';
import { servePublic } from '../http/routes.ts';
import type { PassportCache } from '../passports/read.ts';
import { countProducts } from '../products/store.ts';
import type { TenantQueue } from '../tenants/queue.ts';
import { findListedTenant } from '../tenants/store.ts';

export interface SitemapOptions {
  database: Knex;
  siteUrl: () => string;
  cache: PassportCache;
  now: () => Date;
}

/** Positions in one part. The protocol allows 50,000 addresses; a part of 5,000 is made in a few milliseconds. */
const partSize = 5000;
/** Entries of an index that the protocol allows. */
const maxParts = 50_000;

const begin = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const listedTenants = statement<{ slug: string; products: number | null }>((database) =>
  database('tenants')
    .leftJoin('product_counts as counts', 'counts.tenant_id', 'tenants.id')
    .whereNotNull('listed_at')
    // The slug of a tenant that is being imported has a colon.
    .whereNot('slug', 'like', '%:%')
    .orderBy('tenants.id')
    .limit(maxParts)
    .select('slug', database.raw('counts.draft + counts.active + counts.archived AS products')),
);

/** The active products of a part as XML, which the database makes: the event loop is not held by 5,000 rows. */
const partOf = statement<
  { urls: string | Buffer | null },
  { tenantId: string; prefix: string; after: number; last: number }
>((database, { tenantId, prefix, after, last }) => {
  const url = "'<url><loc>' || ? || slug || '</loc><lastmod>' || updated_at || '</lastmod></url>'";
  const joined = isPostgres(database)
    ? `string_agg(${url}, '' ORDER BY position)`
    : `CAST(group_concat(${url}, '' ORDER BY position) AS BLOB)`;
  return database('products')
    .where({ tenant_id: tenantId, status: 'active' })
    .where('position', '>', after)
    .where('position', '<=', last)
    .select(database.raw(`${joined} AS urls`, [prefix]));
});

/** Adds the index and its parts. They are cached for a minute; a list that is closed has no parts from then on. */
export function addSitemap(
  server: Server,
  { database, siteUrl, cache, now }: SitemapOptions,
  queue: TenantQueue,
): void {
  const minute = (): number => Math.floor(now().getTime() / 60_000);

  serve('/sitemap.xml', () => {
    const site = siteUrl();
    return cache.get(`sitemap ${site} ${minute()}`, async () =>
      Encoded.of(indexOf(site, await listedTenants.all(database, {}))),
    );
  });
  serve('/sitemap.{tenant}.{part}.xml', async ({ tenant: slug = '', part = '' }) => {
    const tenant = /^[1-9][0-9]{0,6}$/.test(part) ? await findListedTenant(database, slug) : undefined;
    if (!tenant || Number(part) > partsOf(await countProducts(database, tenant.id)))
      throw new ContractError('not_found');
    const site = siteUrl();
    const last = Number(part) * partSize;
    return cache.get(`sitemap ${site} ${tenant.id} ${part} ${minute()}`, () =>
      queue.run(tenant.id, async () => {
        const list = `${site}/p/${tenant.slug}`;
        const range = { prefix: `${list}/`, after: last - partSize, last };
        const found = await partOf.first(database, { tenantId: tenant.id, ...range });
        // A part without an address would be invalid, so each has that of the list.
        const parts = [`${begin}<urlset ${namespace}><url><loc>${list}</loc></url>`, found?.urls ?? '', '</urlset>\n'];
        return Encoded.ofJson(...parts);
      }),
    );
  });

  function serve(path: string, find: (params: Record<string, string>) => Promise<Encoded<object | string>>): void {
    servePublic(
      server,
      path,
      async (request, h) => {
        const map = await find(request.params as Record<string, string>);
        const { tag } = map;
        const body = async (acceptsGzip: boolean) => (acceptsGzip ? cache.gzipped(tag, async () => map) : map);
        return representationOf({ type: 'application/xml', tag, body, headers: {} }, request, h);
      },
      'json',
    );
  }
}

/** Positions have no gaps, so the number of products is the last position. */
function partsOf(products: number): number {
  return Math.max(Math.ceil(products / partSize), 1);
}

function indexOf(site: string, tenants: readonly { slug: string; products: number | null }[]): string {
  const parts = tenants.flatMap(({ slug, products }) =>
    Array.from({ length: partsOf(products ?? 0) }, (_, index) => `${site}/sitemap.${slug}.${index + 1}.xml`),
  );
  const entries = parts.slice(0, maxParts).map((part) => `<sitemap><loc>${part}</loc></sitemap>`);
  return `${begin}<sitemapindex ${namespace}>${entries.join('')}</sitemapindex>\n`;
}
