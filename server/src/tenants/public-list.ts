/** The public list of a tenant's passports. A tenant has none unless it opened it. */
import type { Knex } from 'knex';
import { columnsOf, lookup } from '../database/lookup.ts';
import { slugForm } from './rules.ts';
import { type PageSettings, pageColumns, type Tenant } from './store.ts';

/** A tenant whose list is open. */
export type ListedTenant = Pick<Tenant, 'id' | 'slug' | 'language'> & PageSettings;

const listedBySlug = lookup<ListedTenant, { slug: string }>(
  columnsOf('tenants', ['id', 'slug', 'name', 'language', ...pageColumns]),
  (database, { slug }) => database('tenants').where({ slug }).whereNotNull('listed_at'),
);

/** A look-up of a tenant by its slug. It takes the same time for a tenant without a list and for an unknown one. */
export async function findListedTenant(database: Knex, slug: string): Promise<ListedTenant | undefined> {
  // The slug of a tenant that is being imported has another form.
  return slugForm.test(slug) ? listedBySlug(database, { slug }) : undefined;
}

/** Opens the list. A list that is open stays as it is. */
export async function openPublicList(database: Knex, tenantId: string, now: Date): Promise<void> {
  await database('tenants').where({ id: tenantId }).whereNull('listed_at').update({ listed_at: now.toISOString() });
}

export async function closePublicList(database: Knex, tenantId: string): Promise<void> {
  await database('tenants').where({ id: tenantId }).update({ listed_at: null });
}
