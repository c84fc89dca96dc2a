import type { Schemas } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import { columnsOf, lookup } from '../database/lookup.ts';
import { pagesById } from '../database/rows.ts';
import { statement } from '../database/statement.ts';

export type Tenant = Schemas['Tenant'];

export const tenantColumns = ['id', 'name', 'slug', 'country', 'plan'] as const;

/** @returns the tenant, or `undefined` if the slug is taken */
export async function insertTenant(database: Knex, tenant: Omit<Tenant, 'id'>, now: Date): Promise<Tenant | undefined> {
  const row = { id: uuid(), ...tenant, created_at: now.toISOString() };
  const inserted = await database('tenants').insert(row).onConflict('slug').ignore().returning('id');
  return inserted.length > 0 ? { id: row.id, ...tenant } : undefined;
}

const tenantBySlug = lookup<Tenant, { slug: string }>(columnsOf('tenants', tenantColumns), (database, { slug }) =>
  database('tenants').where({ slug }),
);

/** One of the look-ups across tenants. */
export function findTenant(database: Knex, slug: string): Promise<Tenant | undefined> {
  return tenantBySlug(database, { slug });
}

/** The columns of the addresses that a tenant's pages end with. */
export const legalColumns = ['imprint_url', 'privacy_url', 'accessibility_url', 'contact_url'] as const;

/** `null`: the pages have no link. */
export type Legal = Record<(typeof legalColumns)[number], string | null>;

/** The logo above a tenant's pages, without its bytes. All are `null` if there is none. */
export interface Logo {
  logo_sha256: string | null;
  logo_width: number | null;
  logo_height: number | null;
}

const logoColumns = ['logo_sha256', 'logo_width', 'logo_height'] as const;

/** What a tenant's pages look like. */
export interface Brand extends Logo {
  name: string;
  /** `#rrggbb`; `null`: the colour of this program. */
  color: string | null;
}

/** What a tenant can set for its pages. */
export type PageSettings = Brand & Legal & { listed_at: string | null };

/** The columns of `PageSettings`, without the tenant's name. */
export const pageColumns = ['color', ...legalColumns, ...logoColumns, 'listed_at'] as const;

/** Changes what is given, and returns all of it. */
export async function updatePages(
  database: Knex,
  tenantId: string,
  settings: Partial<Brand & Legal & { logo_bytes: Buffer | null }>,
): Promise<PageSettings> {
  const query = database('tenants').where({ id: tenantId });
  const [updated] = await query.update(settings).returning(['name', ...pageColumns]);
  return updated;
}

export async function findPageSettings(database: Knex, tenantId: string): Promise<PageSettings> {
  return database('tenants')
    .where({ id: tenantId })
    .first('name', ...pageColumns);
}

const logoBySlug = lookup<Pick<Logo, 'logo_sha256'> & { id: string }, { slug: string }>(
  columnsOf('tenants', ['id', 'logo_sha256']),
  (database, { slug }) => database('tenants').where({ slug }),
);

/** The tenant and the hash of its logo, without the bytes. */
export function findLogo(database: Knex, slug: string) {
  return logoBySlug(database, { slug });
}

const storedLogo = statement<{ logo_bytes: Buffer }, { tenantId: string; sha256: string }>(
  (database, { tenantId, sha256 }) =>
    database('tenants').where({ id: tenantId, logo_sha256: sha256 }).select('logo_bytes'),
);

/** The bytes of a tenant's logo, if it still has this one. */
export async function logoBytes(
  database: Knex,
  logo: { tenantId: string; sha256: string },
): Promise<Buffer | undefined> {
  return (await storedLogo.first(database, logo))?.logo_bytes;
}

/** All tenants, page by page: an installation may have a million. */
export function walkTenants(database: Knex): AsyncGenerator<(Tenant & Omit<PageSettings, 'name'>)[], void> {
  return pagesById(() => database('tenants').select(...tenantColumns, ...pageColumns));
}

export async function hasTenants(database: Knex): Promise<boolean> {
  return (await database('tenants').first('id')) !== undefined;
}

export async function countTenants(database: Knex): Promise<number> {
  const row = await database('tenants').count({ count: '*' }).first();
  return Number(row?.count);
}
