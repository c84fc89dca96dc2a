import { randomBytes } from 'node:crypto';
import Joi from 'joi';
import type { Knex } from 'knex';
import { europe } from '../languages/languages.ts';
import { createKey } from '../tenants/keys.ts';
import { slugForm } from '../tenants/rules.ts';
import { findTenant, insertTenant, type NewTenant, type Tenant } from '../tenants/store.ts';
import { checked, conflict, notFound, textOf } from './input.ts';

const form = Joi.object<Partial<NewTenant>>({
  slug: textOf(slugForm, 'a to z, 0 to 9 and single hyphens between them').max(100),
  name: Joi.string().trim().max(500),
  country: textOf(/^[A-Z]{2}$/, 'two capital letters'),
  language: Joi.valid(...europe),
  plan: Joi.valid('starter', 'business', 'enterprise'),
});

/** Creates a tenant and its API key. */
export async function newTenant(
  { database, now }: { database: Knex; now: () => Date },
  body: unknown,
): Promise<Tenant & { api_key: string }> {
  const {
    slug = `tenant-${randomBytes(6).toString('hex')}`,
    name = slug,
    country = 'DE',
    language,
    plan = 'business',
  } = checked(form, body);
  return database.transaction(async (transaction) => {
    const tenant = await insertTenant(transaction, { slug, name, country, language, plan }, now());
    if (!tenant) {
      throw conflict(`The slug ${slug} is taken. Leave it out, and the sandbox makes a free one.`);
    }
    const { key } = await createKey(transaction, tenant.id, 'sandbox', now());
    return { ...tenant, api_key: key };
  });
}

/** @throws ControlError `not_found` */
export async function requireTenant(database: Knex, slug: string): Promise<Tenant> {
  const tenant = await findTenant(database, slug);
  if (!tenant) throw notFound('There is no tenant with this slug. Create it with POST /_sandbox/tenants.');
  return tenant;
}
