import type { Schemas } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import { lookup } from '../database/lookup.ts';
import { pagesById } from '../database/rows.ts';

export type Tenant = Schemas['Tenant'];

const columns = ['id', 'name', 'slug', 'country', 'plan'] as const;

/** @returns the tenant, or `undefined` if the slug is taken */
export async function insertTenant(database: Knex, tenant: Omit<Tenant, 'id'>, now: Date): Promise<Tenant | undefined> {
  const row = { id: uuid(), ...tenant, created_at: now.toISOString() };
  const inserted = await database('tenants').insert(row).onConflict('slug').ignore().returning('id');
  return inserted.length > 0 ? { id: row.id, ...tenant } : undefined;
}

const tenantBySlug = lookup<Tenant, { slug: string }>(columns, (database, { slug }) =>
  database('tenants').where({ slug }),
);

/** One of the look-ups across tenants. */
export function findTenant(database: Knex, slug: string): Promise<Tenant | undefined> {
  return tenantBySlug(database, { slug });
}

/** What a tenant's pages look like. */
export interface Brand {
  name: string;
  /** `null`: the colour of this program. */
  color: string | null;
}

/** Changes what is given, and returns all of it. */
export async function updateBrand(database: Knex, tenantId: string, brand: Partial<Brand>): Promise<Brand> {
  const [updated] = await database('tenants').where({ id: tenantId }).update(brand).returning(['name', 'color']);
  return updated;
}

/** `listed_at`: when the tenant opened its public list. `null`: it has none. */
type Shown = Pick<Brand, 'color'> & { listed_at: string | null };

/** All tenants, page by page: an installation may have a million. */
export function walkTenants(database: Knex): AsyncGenerator<(Tenant & Shown)[], void> {
  return pagesById(() => database('tenants').select(...columns, 'color', 'listed_at'));
}

export async function hasTenants(database: Knex): Promise<boolean> {
  return (await database('tenants').first('id')) !== undefined;
}

export async function countTenants(database: Knex): Promise<number> {
  const row = await database('tenants').count({ count: '*' }).first();
  return Number(row?.count);
}
