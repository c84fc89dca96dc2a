/**
 * The products of many identifiers at once, of any tenants: the only request over several tenants. It takes three statements.
 * Where the tables are spread, each GTIN and each tenant has a statement of its own, which goes to one shard.
 */
import type { NamedProduct, PassportPath } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { wasSpread } from '../database/migrations/table.ts';
import { isPostgres, statement, textsOf } from '../database/statement.ts';
import { findTenantOfGtin } from './gtins.ts';

type Owner = { gtin14: string; tenant_id: string | null };

/** The tenant of each GTIN, as `findTenantOfGtin` finds it. */
const ownersOf = statement<Owner, { gtins: string }>((database, { gtins }) => {
  const given = isPostgres(database) ? 'json_array_elements_text(?::json) AS wanted(value)' : 'json_each(?) AS wanted';
  return database.raw(
    `SELECT wanted.value AS gtin14, (
       SELECT gtin_tenants.tenant_id FROM gtin_tenants JOIN tenants ON tenants.id = gtin_tenants.tenant_id
       WHERE gtin_tenants.gtin14 = wanted.value AND is_active AND tenants.slug NOT LIKE '%:%'
       ORDER BY gtin_tenants.activated_at, gtin_tenants.tenant_id LIMIT 1
     ) AS tenant_id FROM ${given}`,
    [gtins],
  );
});

/** Tenants by slug or by id. A tenant without an operator has none of these reads. */
const tenantsOf = statement<{ id: string; slug: string }, { slugs: string; ids: string }>((database, { slugs, ids }) =>
  database('tenants')
    .whereNotNull('economic_operator_id')
    .where((either) =>
      either.whereRaw(`slug IN (${textsOf(database)})`, slugs).orWhereRaw(`id IN (${textsOf(database)})`, ids),
    )
    .select('id', 'slug'),
);

/** A product to look for: by its slug, with the URN that it must have, or by its GTIN, with the serial number of an item. */
interface Wanted {
  /** Of the identifier. */
  position: number;
  tenant_id: string;
  slug?: string;
  urn?: string | undefined;
  gtin14?: string;
  serial?: string | undefined;
}

const wantedColumns = ['position', 'tenant_id', 'slug', 'urn', 'gtin14', 'serial'] as const;

type Found = { position: number; slug: string | null };

/** @param tenant SQL for the tenant of a wanted product */
function activeProducts(database: Knex, tenant: string, bindings: readonly Knex.Value[]): Knex.Raw {
  const types = wantedColumns.map((name) => `${name} ${name === 'position' ? 'int' : 'text'}`);
  const values = wantedColumns.map((name) => `value ->> '${name}' AS ${name}`);
  const given = isPostgres(database)
    ? `json_to_recordset(?::json) AS wanted(${types.join()})`
    : `(SELECT ${values.join()} FROM json_each(?)) AS wanted`;
  const active = `SELECT products.slug FROM products WHERE products.tenant_id = ${tenant} AND products.status = 'active'`;
  const first = 'ORDER BY products.activated_at, products.id LIMIT 1';
  return database.raw(
    `SELECT wanted.position, CASE
       WHEN wanted.slug IS NOT NULL THEN (${active} AND products.slug = wanted.slug
         AND (wanted.urn IS NULL OR products.unique_product_identifier = wanted.urn))
       WHEN wanted.serial IS NOT NULL THEN (${active} AND products.gtin14 = wanted.gtin14
         AND products.public_serial = wanted.serial ${first})
       ELSE (${active} AND products.gtin14 = wanted.gtin14 AND products.serial_number IS NULL ${first})
     END AS slug FROM ${given}`,
    [...bindings],
  );
}

const productsOf = statement<Found, { wanted: string }>((database, { wanted }) =>
  activeProducts(database, 'wanted.tenant_id', [wanted]),
);

const productsOfTenant = statement<Found, { tenantId: string; wanted: string }>((database, { tenantId, wanted }) =>
  activeProducts(database, '?', [tenantId, tenantId, tenantId, wanted]),
);

/** One look-up after the other: a hundred at once would take all connections from the other requests. */
async function ownersApart(database: Knex, gtins: readonly string[]): Promise<Owner[]> {
  const owners: Owner[] = [];
  for (const gtin14 of gtins) {
    const owner = await findTenantOfGtin(database, gtin14);
    owners.push({ gtin14, tenant_id: owner?.tenant_id ?? null });
  }
  return owners;
}

async function productsApart(database: Knex, wanted: readonly Wanted[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const [tenantId, own] of Map.groupBy(wanted, ({ tenant_id }) => tenant_id)) {
    found.push(...(await productsOfTenant.all(database, { tenantId, wanted: JSON.stringify(own) })));
  }
  return found;
}

/** The active product of each identifier whose tenant has an operator, in the order of the identifiers. */
export async function findSlugs(
  database: Knex,
  named: readonly (NamedProduct | undefined)[],
): Promise<(PassportPath | undefined)[]> {
  const apart = await wasSpread(database);
  const gtins = [...new Set(named.flatMap((one) => (one && 'gtin' in one ? [one.gtin] : [])))];
  const owners = apart
    ? await ownersApart(database, gtins)
    : await ownersOf.all(database, { gtins: JSON.stringify(gtins) });
  const ownerOf = new Map(owners.map(({ gtin14, tenant_id }) => [gtin14, tenant_id]));
  const slugs = named.flatMap((one) => (one && 'path' in one ? [one.path.tenant] : []));
  const ids = owners.flatMap(({ tenant_id }) => tenant_id ?? []);
  const tenants = await tenantsOf.all(database, { slugs: JSON.stringify(slugs), ids: JSON.stringify(ids) });
  const wanted = named.flatMap((one, position): Wanted[] => {
    if (!one) return [];
    const tenant = tenants.find(({ id, slug }) =>
      'path' in one ? slug === one.path.tenant : id === ownerOf.get(one.gtin),
    );
    if (!tenant) return [];
    const key = 'path' in one ? { slug: one.path.product, urn: one.urn } : { gtin14: one.gtin, serial: one.serial };
    return [{ position, tenant_id: tenant.id, ...key }];
  });
  const found = apart
    ? await productsApart(database, wanted)
    : await productsOf.all(database, { wanted: JSON.stringify(wanted) });
  const paths: (PassportPath | undefined)[] = named.map(() => undefined);
  for (const { position, slug } of found) {
    const tenantId = wanted.find((one) => one.position === Number(position))?.tenant_id;
    const tenant = tenants.find(({ id }) => id === tenantId);
    if (slug !== null && tenant) paths[Number(position)] = { tenant: tenant.slug, product: slug };
  }
  return paths;
}
