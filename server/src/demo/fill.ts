import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PassportValueInput, TokenRole, ViewRole } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { createToken, revokeToken } from '../access/token.ts';
import type { StoredCarrier } from '../carriers/rules.ts';
import { insertCarrier } from '../carriers/store.ts';
import { secret } from '../database/installation.ts';
import { isPostgres } from '../database/statement.ts';
import { imageHash, plainWebpSize, type Size } from '../images/rules.ts';
import { setImage } from '../images/store.ts';
import { createProduct, moveProduct } from '../lifecycle/lifecycle.ts';
import { writePassport } from '../passports/write.ts';
import { type CreateProduct, lockProduct, type Product, updateProduct } from '../products/store.ts';
import { visitorHash } from '../scans/recorder.ts';
import { insertScans, type Scan } from '../scans/store.ts';
import type { Services } from '../services.ts';
import { createKey, revokeKey } from '../tenants/keys.ts';
import { hasTenants, insertTenant, openPublicList, type Tenant, updatePages } from '../tenants/store.ts';

type FillServices = Pick<Services, 'database' | 'urnNamespace' | 'now'>;

interface DemoProduct extends CreateProduct {
  tenant_slug: string;
  slug: string;
  status: Product['status'];
  registry_status: Product['registry_status'];
  registry_id: string | null;
  carriers: Pick<StoredCarrier, 'type' | 'nfc_tag_uid' | 'status'>[];
  /** What its image shows; absent if it has none. The image is the file with its slug. */
  image_alt?: string;
  scan_weights: Record<ViewRole, number>;
  values: PassportValueInput[];
  /** What is written after the publication, one version each: the state of a battery. Absent: nothing. */
  later_measurements?: PassportValueInput[][];
}

const demo: {
  tenants: (Omit<Tenant, 'id'> & { pages: Parameters<typeof updatePages>[2] })[];
  access_tokens: { tenant_slug: string; role: TokenRole; revoked: boolean }[];
  active_product: DemoKeys['active_product'];
  products: DemoProduct[];
} = JSON.parse(readFileSync(new URL('../../data/demo_products.json', import.meta.url), 'utf8'));

const day = 86_400_000;
/** The length of the demo's history, in days. */
const historyDays = 28;

/** The keys and tokens of a demo. They are shown once and not stored. */
export interface DemoKeys {
  tenants: { slug: string; api_key: string }[];
  /** A second key of the first tenant, which may change the status of products. */
  publishing_api_key: string;
  revoked_api_key: string;
  access_tokens: { tenant: string; product: string | null; role: TokenRole; token: string; revoked: boolean }[];
  /** A token for the active product, expired since yesterday. */
  expired_access_token: string;
  /** A product with a GTIN and with values of every access level. */
  active_product: { tenant: string; slug: string };
}

/**
 * Fills an empty database with the demo, in one transaction: three tenants, their products with passports and carriers,
 * scans of the last four weeks, a key for each tenant and a revoked one, and access tokens: of both roles, a revoked one, and
 * one for a single product.
 *
 * @param options.filled runs in the same transaction, at its end
 * @returns the keys, or `undefined` if the database already has a tenant
 */
export function fillDemo(
  { database, ...services }: FillServices,
  { filled = async () => {} }: { filled?: (transaction: Knex.Transaction) => Promise<void> } = {},
): Promise<DemoKeys | undefined> {
  return database.transaction(async (transaction) => {
    // Two servers that start at the same time must fill it once. In SQLite the transaction holds the write lock.
    if (isPostgres(transaction)) {
      // Filling takes longer than the limit for waiting on a lock.
      await transaction.raw('SET LOCAL lock_timeout = 0');
      await transaction.raw('SET LOCAL statement_timeout = 0');
      await transaction.raw('LOCK TABLE tenants IN SHARE ROW EXCLUSIVE MODE');
    }
    if (await hasTenants(transaction)) return undefined;
    const keys = await fill({ ...services, database: transaction });
    await filled(transaction);
    return keys;
  });
}

async function fill(services: FillServices): Promise<DemoKeys> {
  const { database } = services;
  const now = services.now();
  // In the demo's history, products are created before their first scan.
  let clock = now.getTime() - (historyDays + 2) * day;
  const tick = (): Date => {
    clock += 60_000;
    return new Date(clock);
  };
  const past = { ...services, now: tick };

  const tenants = new Map<string, Tenant>();
  const keys: DemoKeys = {
    tenants: [],
    publishing_api_key: '',
    revoked_api_key: '',
    access_tokens: [],
    expired_access_token: '',
    active_product: demo.active_product,
  };
  for (const { pages, ...entry } of demo.tenants) {
    const tenant = await insertTenant(database, entry, past.now());
    if (!tenant) throw new Error(`The demo has the tenant ${entry.slug} twice.`);
    tenants.set(tenant.slug, tenant);
    const { bytes, width, height } = demoImage(tenant.slug);
    const logo = { logo_sha256: imageHash(bytes), logo_width: width, logo_height: height, logo_bytes: bytes };
    await updatePages(database, tenant.id, { ...pages, ...logo });
    await openPublicList(database, tenant.id, now);
    const { key } = await createKey(database, tenant.id, 'demo', past.now());
    keys.tenants.push({ slug: tenant.slug, api_key: key });
    if (keys.revoked_api_key === '') {
      const publishing = await createKey(database, tenant.id, 'demo, publishes', past.now(), 'publish');
      keys.publishing_api_key = publishing.key;
      const revoked = await createKey(database, tenant.id, 'demo, revoked', past.now());
      await revokeKey(database, tenant.id, revoked.id, past.now());
      keys.revoked_api_key = revoked.key;
    }
  }

  const tenantOf = (slug: string) => tenants.get(slug) as Tenant;
  const issue = (tenant: Tenant, product_id: string | null, role: TokenRole, days: number) => {
    const expiresAt = new Date(now.getTime() + days * day);
    return createToken(database, tenant.id, { product_id, role, expiresAt }, past.now());
  };
  for (const { tenant_slug, role, revoked } of demo.access_tokens) {
    const tenant = tenantOf(tenant_slug);
    const { id, token } = await issue(tenant, null, role, 365);
    if (revoked) await revokeToken(database, tenant.id, id, past.now());
    keys.access_tokens.push({ tenant: tenant_slug, product: null, role, token, revoked });
  }

  const salt = await secret(database, 'scan_secret');
  for (const entry of demo.products) {
    const tenant = tenantOf(entry.tenant_slug);
    const product = await addProduct(past, tenant, entry);
    if (entry.status !== 'draft') await insertScans(database, history(entry, tenant.id, product.id, now, salt));
    if (tenant.slug !== demo.active_product.tenant || entry.slug !== demo.active_product.slug) continue;
    const { token } = await issue(tenant, product.id, 'recycler', 365);
    keys.access_tokens.push({ tenant: tenant.slug, product: entry.slug, role: 'recycler', token, revoked: false });
    keys.expired_access_token = (await issue(tenant, product.id, 'recycler', -1)).token;
  }
  return keys;
}

async function addProduct(services: FillServices, tenant: Tenant, entry: DemoProduct): Promise<Product> {
  const { database, now } = services;
  const { slug } = entry;
  const product = await createProduct(services, tenant, entry);
  await writePassport(services, tenant, slug, entry.values);
  if (entry.image_alt !== undefined) {
    const image = { ...demoImage(slug), alt: entry.image_alt };
    await setImage(database, { tenantId: tenant.id, productId: product.id }, image, now());
  }
  for (const carrier of entry.carriers) await insertCarrier(database, tenant.id, product.id, carrier, now());
  if (entry.status !== 'draft') await moveProduct(services, tenant.id, slug, 'active');
  for (const values of entry.later_measurements ?? []) await writePassport(services, tenant, slug, values);
  if (entry.status === 'archived') await moveProduct(services, tenant.id, slug, 'archived');
  if (entry.registry_status !== 'none') {
    const { registry_status, registry_id } = entry;
    await database.transaction(async (transaction) => {
      const current = await lockProduct(transaction, tenant.id, slug);
      if (current) await updateProduct(transaction, tenant.id, current, { registry_status, registry_id }, now());
    });
  }
  return product;
}

/** The image of a product, or the logo of a tenant. */
function demoImage(slug: string): Size & { bytes: Buffer } {
  const bytes = readFileSync(new URL(`../../data/demo_images/${slug}.webp`, import.meta.url));
  const size = plainWebpSize(bytes);
  if (!size) throw new Error(`The image of ${slug} was not made by tools/demo-images.ts.`);
  return { bytes, ...size };
}

/** Scans spread evenly over the last four weeks. The product's weights are the numbers of scans. */
function history(entry: DemoProduct, tenantId: string, productId: string, now: Date, salt: KeyObject): Scan[] {
  return Object.entries(entry.scan_weights).flatMap(([role, weight]) =>
    Array.from({ length: weight }, (_, index) => {
      const at = new Date(now.getTime() - Math.floor((index * historyDays) / weight) * day);
      // Addresses reserved for documentation (RFC 5737).
      return {
        tenantId,
        productId,
        at,
        role: role as ViewRole,
        visitorHash: visitorHash(salt, at, `192.0.2.${index}`),
      };
    }),
  );
}
