/** The products of many identifiers at once, of any tenants. Only the reads of EN 18222 have such a request. */
import type { NamedProduct, PassportPath } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { isPostgres, statement, textsOf } from '../database/statement.ts';

/** The tenant whose product with the GTIN was activated first, for each GTIN. */
const owners = statement<{ gtin14: string; tenant_id: string }, { gtins: string }>((database, { gtins }) => {
  const texts = isPostgres(database) ? 'json_array_elements_text(?::json)' : 'json_each(?)';
  return database.raw(
    `SELECT wanted.value AS gtin14, (
       SELECT products.tenant_id FROM products JOIN tenants ON tenants.id = products.tenant_id
       WHERE products.gtin14 = wanted.value AND products.status = 'active' AND tenants.slug NOT LIKE '%:%'
       ORDER BY products.activated_at, products.id LIMIT 1
     ) AS tenant_id
     FROM ${texts} AS wanted${isPostgres(database) ? '(value)' : ''}`,
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
  position: number;
  tenant_id: string;
  slug?: string;
  urn?: string | undefined;
  gtin14?: string;
  serial?: string | undefined;
}

const productsOf = statement<{ position: number; slug: string | null }, { wanted: string }>((database, { wanted }) => {
  const columns = ['position', 'tenant_id', 'slug', 'urn', 'gtin14', 'serial'];
  const given = isPostgres(database)
    ? `json_to_recordset(?::json) AS wanted(${columns.map((name) => `${name} ${name === 'position' ? 'int' : 'text'}`).join()})`
    : `(SELECT ${columns.map((name) => `value ->> '${name}' AS ${name}`).join()} FROM json_each(?)) AS wanted`;
  const active = `SELECT products.slug FROM products WHERE products.tenant_id = wanted.tenant_id AND products.status = 'active'`;
  const first = 'ORDER BY products.activated_at, products.id LIMIT 1';
  return database.raw(
    `SELECT wanted.position, CASE
       WHEN wanted.slug IS NOT NULL THEN (${active} AND products.slug = wanted.slug
         AND (wanted.urn IS NULL OR products.unique_product_identifier = wanted.urn))
       WHEN wanted.serial IS NOT NULL THEN (${active} AND products.gtin14 = wanted.gtin14
         AND products.public_serial = wanted.serial ${first})
       ELSE (${active} AND products.gtin14 = wanted.gtin14 AND products.serial_number IS NULL ${first})
     END AS slug FROM ${given}`,
    [wanted],
  );
});

/** The active product of each identifier, whose tenant has an operator. In the order of the identifiers. */
export async function findSlugs(
  database: Knex,
  named: readonly (NamedProduct | undefined)[],
): Promise<(PassportPath | undefined)[]> {
  const gtins = new Set(named.flatMap((one) => (one && 'gtin' in one ? [one.gtin] : [])));
  const ofGtin = new Map(
    (await owners.all(database, { gtins: JSON.stringify([...gtins]) })).map((row) => [row.gtin14, row.tenant_id]),
  );
  const slugs = named.flatMap((one) => (one && 'path' in one ? [one.path.tenant] : []));
  const ids = [...ofGtin.values()].filter((id) => id !== null);
  const tenants = await tenantsOf.all(database, { slugs: JSON.stringify(slugs), ids: JSON.stringify(ids) });
  const wanted = named.flatMap((one, position): Wanted[] => {
    if (!one) return [];
    const isPath = 'path' in one;
    const tenant = tenants.find(({ id, slug }) => (isPath ? slug === one.path.tenant : id === ofGtin.get(one.gtin)));
    if (!tenant) return [];
    const key = isPath ? { slug: one.path.product, urn: one.urn } : { gtin14: one.gtin, serial: one.serial };
    return [{ position, tenant_id: tenant.id, ...key }];
  });
  const found = await productsOf.all(database, { wanted: JSON.stringify(wanted) });
  const bySlot = new Map(found.map(({ position, slug }) => [Number(position), slug]));
  const tenantAt = new Map(wanted.map(({ position, tenant_id }) => [position, tenant_id]));
  return named.map((_, position) => {
    const product = bySlot.get(position);
    const tenant = tenants.find(({ id }) => id === tenantAt.get(position));
    return product && tenant ? { tenant: tenant.slug, product } : undefined;
  });
}
