import { defaultLocale, type EconomicOperator, type Schemas } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import { columnsOf, isPostgres, lookup, pagesByKey, statement, textsOf } from '../database/statement.ts';

export interface Tenant extends ApiTenant {
  /** The language of its texts, the `locale` of its values. */
  language: string;
}

/** A tenant as the API shows it. */
export type ApiTenant = Schemas['Tenant'];

export type NewTenant = Omit<ApiTenant, 'id'> & {
  /** Default: by the country. */
  language?: string | undefined;
};

export const apiColumns = ['id', 'name', 'slug', 'country', 'plan'] as const;
const tenantColumns = [...apiColumns, 'language'] as const;

/** @returns the tenant, or `undefined` if the slug is taken */
export async function insertTenant(
  database: Knex,
  { language, ...given }: NewTenant,
  now: Date,
): Promise<Tenant | undefined> {
  const tenant = { id: uuid(), ...given, language: language ?? defaultLocale(given.country) };
  const row = { ...tenant, created_at: now.toISOString() };
  const inserted = await database('tenants').insert(row).onConflict('slug').ignore().returning('id');
  return inserted.length > 0 ? tenant : undefined;
}

const tenantBySlug = lookup<Tenant, { slug: string }>(columnsOf('tenants', tenantColumns), (database, { slug }) =>
  database('tenants').where({ slug }),
);

/** One of the look-ups across tenants. */
export function findTenant(database: Knex, slug: string): Promise<Tenant | undefined> {
  return tenantBySlug(database, { slug });
}

const settings = statement<Pick<Tenant, 'language'> & Pick<PageSettings, 'scans_off_at'>, { tenantId: string }>(
  (database, { tenantId }) => database('tenants').where({ id: tenantId }).select('language', 'scans_off_at'),
);

const keptCounts = statement<object, { tenantId: string }>((database, { tenantId }) =>
  database('product_counts').where({ tenant_id: tenantId }).select('tenant_id').forKeyShare(),
);

/**
 * The settings of a tenant that has a product. They cannot change until the transaction ends.
 *
 * PostgreSQL locks the row of the tenant's counts, which stands for them: every node of a cluster has the row in `tenants`, and
 * those who lock it there wait for each other in circles.
 */
async function keepSettings(transaction: Knex.Transaction, tenantId: string) {
  if (isPostgres(transaction)) await keptCounts.all(transaction, { tenantId });
  // Another statement, because the first one may have waited for a change.
  return settings.first(transaction, { tenantId });
}

/**
 * Waits for transactions that rely on the settings of a tenant: for scans that are being stored, and for writes of passports.
 * No others run until the transaction ends.
 */
export async function lockSettings(transaction: Knex.Transaction, tenant_id: string): Promise<void> {
  if (!isPostgres(transaction)) return;
  await transaction('product_counts').insert({ tenant_id }).onConflict('tenant_id').ignore();
  await transaction('product_counts').where({ tenant_id }).forUpdate().first('tenant_id');
}

/** The language of a tenant that has a product. It cannot change until the transaction ends. */
export async function lockLanguage(transaction: Knex.Transaction, tenantId: string): Promise<string | undefined> {
  return (await keepSettings(transaction, tenantId))?.language;
}

/**
 * Changes the language of a tenant, unless a passport has a value: it is found by its field and its language.
 *
 * @returns the slug of a product whose passport has a value
 */
export async function changeLanguage(
  transaction: Knex.Transaction,
  tenantId: string,
  language: string,
): Promise<string | undefined> {
  // The next statement finds the values of the writes that it has waited for.
  await lockSettings(transaction, tenantId);
  const found = await transaction('passport_values')
    .join('products', (join) =>
      join.on('products.tenant_id', 'passport_values.tenant_id').andOn('products.id', 'passport_values.product_id'),
    )
    .where('passport_values.tenant_id', tenantId)
    .first('products.slug');
  if (found) return found.slug;
  await transaction('tenants').where({ id: tenantId }).update({ language });
  return undefined;
}

const keptGroup = statement<object, { ids: string }>((database, { ids }) =>
  database('product_counts')
    .whereRaw(`tenant_id IN (${textsOf(database)})`, ids)
    // Every transaction uses the same order: no deadlocks.
    .orderBy('tenant_id')
    .select('tenant_id')
    .forKeyShare(),
);
const countingGroup = statement<{ id: string }, { ids: string }>((database, { ids }) =>
  database('tenants')
    .whereRaw(`id IN (${textsOf(database)})`, ids)
    .whereNull('scans_off_at')
    .select('id'),
);

/**
 * The tenants of these that count views. None of them can switch until the transaction ends.
 *
 * @param ids one, or where tables are not spread any number
 */
export async function lockCounting(transaction: Knex.Transaction, ids: readonly string[]): Promise<Set<string>> {
  const [id = '', ...others] = ids;
  if (others.length === 0) {
    const settings = await keepSettings(transaction, id);
    return new Set(settings?.scans_off_at === null ? [id] : []);
  }
  const group = { ids: JSON.stringify(ids) };
  if (isPostgres(transaction)) await keptGroup.all(transaction, group);
  const counting = await countingGroup.all(transaction, group);
  return new Set(counting.map((row) => row.id));
}

/** Switches the scans of a tenant on or off. After the commit, no server stores a scan of a tenant whose scans are off. */
export async function switchScans(
  transaction: Knex.Transaction,
  tenantId: string,
  change: { on: boolean; now: Date },
): Promise<void> {
  await lockSettings(transaction, tenantId);
  const row = transaction('tenants').where({ id: tenantId });
  if (change.on) await row.update({ scans_off_at: null });
  else await row.whereNull('scans_off_at').update({ scans_off_at: change.now.toISOString() });
}

/** Addresses at the end of a tenant's pages. */
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

/** The operator and the facility of its passports in the reads of EN 18222. */
export const operatorColumns = ['economic_operator_id', 'facility_id'] as const;

/** What a tenant can set for its pages and passports. */
export type PageSettings = Brand & Legal & EconomicOperator & { listed_at: string | null; scans_off_at: string | null };

/** The columns of `PageSettings`, without the tenant's name. */
export const pageColumns = [
  'color',
  ...legalColumns,
  ...logoColumns,
  'listed_at',
  'scans_off_at',
  ...operatorColumns,
] as const;

/** Changes the given settings, and returns all. */
export async function updatePages(
  database: Knex,
  tenantId: string,
  settings: Partial<Brand & Legal & EconomicOperator & { logo_bytes: Buffer | null }>,
): Promise<PageSettings> {
  const query = database('tenants').where({ id: tenantId });
  const [updated] = await query.update(settings).returning(['name', ...pageColumns]);
  return updated;
}

/** The settings of a tenant that exists. */
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

/** A tenant's logo with its size, if it has one. */
export async function readLogo(database: Knex, tenantId: string) {
  const { logo_sha256: sha256, logo_width: width, logo_height: height } = await findPageSettings(database, tenantId);
  if (sha256 === null || width === null || height === null) return undefined;
  const bytes = await logoBytes(database, { tenantId, sha256 });
  return bytes && { bytes, width, height };
}

/** All tenants, page by page: an installation may have a million. */
export function walkTenants(database: Knex): AsyncGenerator<(Tenant & Omit<PageSettings, 'name'>)[], void> {
  return pagesByKey(() => database('tenants').select(...tenantColumns, ...pageColumns), ['id']);
}

export async function hasTenants(database: Knex): Promise<boolean> {
  return (await database('tenants').first('id')) !== undefined;
}

export async function countTenants(database: Knex): Promise<number> {
  const row = await database('tenants').count({ count: '*' }).first();
  return Number(row?.count);
}

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

/** Closes the list. The pages of the products stay. */
export async function closePublicList(database: Knex, tenantId: string): Promise<void> {
  await database('tenants').where({ id: tenantId }).update({ listed_at: null });
}

/** Colours that the command line accepts by name. */
export const colors = {
  green: '#14532d',
  teal: '#0b4f55',
  blue: '#12467e',
  navy: '#1e2f66',
  indigo: '#3b2f87',
  violet: '#562c7e',
  plum: '#6d2259',
  red: '#7f1d24',
  rust: '#78350f',
  brown: '#52392a',
  olive: '#46490f',
  slate: '#334155',
} as const;

/** The form of a tenant's slug. */
export const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Characters of an address. */
const maxAddressLength = 500;

/** Whether a page can link to an address: https, a host with a dot, no password. The server never fetches it. */
export function isPageAddress(text: string): boolean {
  if (text.length > maxAddressLength || !/^https:\/\/[!-;=?-~]+$/.test(text)) return false;
  const { hostname, username, password } = URL.parse(text) ?? { hostname: '', username: '', password: '' };
  return /^[^.]+(?:\.[^.]+)+$/.test(hostname) && username === '' && password === '' && !/["'`\\]/.test(text);
}
