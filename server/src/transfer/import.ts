import { isDeepStrictEqual } from 'node:util';
import { completeness, dayOf, productUrn, serialsOf } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { adoptSecret } from '../access/secrets.ts';
import { isPostgres } from '../database/statement.ts';
import { pictureProblem } from '../images/encode.ts';
import { templateAt } from '../templates/catalogue.ts';
import { findTenant, type Tenant } from '../tenants/store.ts';
import { hiddenSlug, type ImageLine, type ProductLine, type TenantLine, type TokenSecretLine } from './format.ts';
import { giveWay } from './gtins.ts';
import { hideUnproven } from './history.ts';
import { type ReadLine, RefusedLine, readExport } from './reader.ts';
import { newBatch, refuseGaps, revealKeys, storeLines, tenantRow } from './write.ts';

/** Secrets of tokens in memory. An installation has a few. */
const maxSecrets = 1000;

interface ImportOptions {
  database: Knex;
  /** Accepts an active product whose GTIN is active under another tenant. */
  shareGtin: boolean;
  /** Receives the number of products that are stored. */
  progress?: (products: number) => void;
  /** Runs in the transaction that shows the tenant. */
  shown?: (transaction: Knex.Transaction) => Promise<void>;
}

export interface Imported {
  /** The slug. */
  tenant: string;
  products: number;
  /** Of these, products whose URN, completeness or serial number is not that of the file. */
  corrected: number;
  /** Older versions that are not public, because their hashes do not fit or the file does not show that they were. */
  not_public_versions: number;
}

/** The id and the slug of a tenant that is in the database, but hidden. */
type Hidden = Pick<Tenant, 'id' | 'slug'>;

/**
 * Imports one tenant. It is stored in several transactions, so that other writers wait little, and hidden until all of it is
 * there. An import that fails removes what it stored.
 *
 * @throws RefusedLine
 */
export async function importTenant(
  { database, shareGtin, progress, shown }: ImportOptions,
  chunks: AsyncIterable<Buffer>,
): Promise<Imported> {
  const secrets: [number: number, line: TokenSecretLine][] = [];
  const imported = { products: 0, corrected: 0 };
  let hidden: Hidden = { id: '', slug: '' };
  let end = 0;

  const batch = newBatch(database, async (contents) => {
    const last = contents.at(-1)?.number ?? 0;
    const before = (transaction: Knex.Transaction) => requireHidden(transaction, hidden, last);
    await storeLines(database, contents, { tenantId: hidden.id, shareGtin, hideKeys: true }, before);
    progress?.(imported.products);
  });

  /** The product to store: what can be computed is not taken from the file. */
  function recomputed(number: number, line: ProductLine): ProductLine {
    const problem = contradiction(line);
    if (problem) throw new RefusedLine(number, problem);
    const computed = withComputed(line, hidden.slug);
    imported.products += 1;
    if (!isDeepStrictEqual(computed.product, line.product)) imported.corrected += 1;
    return computed;
  }

  async function take(read: ReadLine): Promise<void> {
    const { number, line } = read;
    switch (line.type) {
      case 'header':
      case 'installation':
      case 'audit_entries':
      case 'trailer':
        return;
      case 'token_secret':
        if (secrets.push([number, line]) <= maxSecrets) return;
        throw new RefusedLine(number, 'the file has too many secrets.');
      case 'tenant':
        if (line.pages?.logo) await requirePicture(number, line.pages.logo);
        hidden = await begin(database, number, line);
        return;
      case 'tenant_end':
        await batch.flush();
        end = number;
        return;
      default:
        if (line.type === 'image') await requirePicture(number, line);
        await batch.add(read, line.type === 'product' ? recomputed(number, line) : line);
    }
  }

  try {
    for await (const read of readExport('tenant', chunks)) await take(read);
    const { id, slug } = hidden;
    const not_public_versions = await hideUnproven(database, id);
    await database.transaction(async (transaction) => {
      // Others may have activated a GTIN while the tenant was hidden. First, because a GTIN is locked before a tenant.
      await giveWay(transaction, id, { number: end, shareGtin });
      await requireHidden(transaction, hidden, end);
      await refuseGaps(transaction, end, id);
      for (const [number, line] of secrets) await adopt(transaction, number, line);
      await revealKeys(transaction, id);
      const taken = await transaction('tenants').where({ slug }).first('id');
      if (taken) throw new RefusedLine(end, `another tenant took the slug ${slug} during the import.`);
      await transaction('tenants').where({ id }).update({ slug });
      await shown?.(transaction);
    });
    return { tenant: slug, ...imported, not_public_versions };
  } catch (error) {
    if (hidden.id !== '') await removeHidden(database, hidden.slug);
    throw error;
  }
}

/** Creates the hidden tenant. */
async function begin(database: Knex, number: number, line: TenantLine): Promise<Hidden> {
  const { slug } = line.tenant;
  return database.transaction(async (transaction) => {
    const fault = await conflict(transaction, line.tenant);
    if (fault) throw new RefusedLine(number, fault);
    const row = { ...tenantRow(line), slug: hiddenSlug(slug) };
    const inserted = await transaction('tenants').insert(row).onConflict().ignore().returning('id');
    if (inserted.length === 0) throw new RefusedLine(number, `another process imports the tenant ${slug}.`);
    return line.tenant;
  });
}

/** @throws RefusedLine if another process removed what is stored */
async function requireHidden(transaction: Knex.Transaction, { id, slug }: Hidden, number: number): Promise<void> {
  const hidden = transaction('tenants').where({ id, slug: hiddenSlug(slug) });
  if (await hidden.first('id')) return;
  throw new RefusedLine(number, `another process discarded the import of the tenant ${slug}.`);
}

async function adopt(transaction: Knex.Transaction, number: number, line: TokenSecretLine): Promise<void> {
  const { kid, value, created_at, accepted_until } = line;
  if (accepted_until === null)
    throw new RefusedLine(number, 'accepted_until must be a time in the export of a tenant.');
  if (await adoptSecret(transaction, { kid, value, created_at, accepted_until })) return;
  const advice = 'Run `product-passport token rotate-secret` on the source, issue new tokens, and export it again';
  throw new RefusedLine(number, `this database has another secret with the same kid. ${advice}.`);
}

/** @throws RefusedLine if the bytes of an image are not a picture */
async function requirePicture(number: number, { bytes }: Pick<ImageLine, 'bytes'>): Promise<void> {
  const problem = await pictureProblem(Buffer.from(bytes, 'base64'));
  if (problem !== undefined) throw new RefusedLine(number, problem);
}

/** Why a tenant cannot be imported. */
async function conflict(transaction: Knex.Transaction, { id, slug }: Tenant): Promise<string | undefined> {
  if (await transaction('tenants').where('slug', hiddenSlug(slug)).first('id')) {
    const advice = `If no process imports it now, remove what is left with \`product-passport import --discard ${slug}\``;
    return `an import of the tenant ${slug} did not end. ${advice}.`;
  }
  const isThere = (await transaction('tenants').where({ id }).first('id')) !== undefined;
  if (!isThere && !(await findTenant(transaction, slug))) return undefined;
  const fault = isThere ? `the tenant ${slug} is already in this database` : `another tenant has the slug ${slug}`;
  return `${fault}. An import does not change a tenant. Import into another database.`;
}

/** A product with the URN, the completeness and the serial number that follow from its line, whatever the line says. */
function withComputed(line: ProductLine, tenantSlug: string): ProductLine {
  const { product, passport } = line;
  const { values, template_version, latest_version } = passport;
  // The namespace belongs to the installation that created the product.
  const [, namespace = ''] = product.unique_product_identifier.split(':');
  const template = templateAt(product.product_group, template_version);
  const computed = {
    unique_product_identifier: productUrn(namespace, tenantSlug, product.slug),
    // A passport that nobody wrote has 0, also if its template requires nothing.
    completeness: values.length === 0 ? 0 : completeness(template, values, dayOf(latest_version.created_at)),
    serial_number: serialsOf(values).serial_number,
  };
  return { ...line, product: { ...product, ...computed } };
}

/** Why a product cannot be what its line says. */
function contradiction({ product, activated_at }: ProductLine): string | undefined {
  const { status, registry_status, registry_id } = product;
  if (status === 'active' && activated_at === null) return 'an active product needs the time in activated_at.';
  if (status === 'draft' && activated_at !== null) return 'a draft was never active: activated_at must be null.';
  const isRegistered = ['registered', 'deactivated'].includes(registry_status);
  if (isRegistered === (registry_id !== null)) return undefined;
  return isRegistered
    ? 'a registered product needs product.registry_id.'
    : 'only a registered product has a registry_id.';
}

/** Rows in one transaction, so that other writers wait little. */
const rowsAtOnce = 2000;

/** In an order in which no row refers to one that is gone. */
const tables = [
  'gtin_tenants',
  'access_tokens',
  'api_keys',
  'scan_days',
  'scan_counts',
  'scans',
  'status_changes',
  'carriers',
  'product_images',
  'passport_values',
  'passport_versions',
  'products',
  'product_counts',
];

/**
 * Removes what an import stored that did not end. The names of its products stay in SQLite's search index under a number
 * that no tenant gets again.
 *
 * @param removed runs in the last transaction, which removes the tenant
 * @returns the number of removed products, or `undefined` if no import of this tenant is there
 */
export async function removeHidden(
  database: Knex,
  slug: string,
  removed: (transaction: Knex.Transaction) => Promise<void> = async () => {},
): Promise<number | undefined> {
  const tenant = await database('tenants')
    .where({ slug: hiddenSlug(slug) })
    .first('id');
  if (!tenant) return undefined;
  const key = isPostgres(database) ? 'ctid' : 'rowid';
  let products = 0;
  for (const table of tables) {
    // A tenant's GTINs may be on several nodes, where another row has the same `ctid`.
    const row = table === 'gtin_tenants' ? 'gtin14' : key;
    for (let deleted = rowsAtOnce; deleted === rowsAtOnce; ) {
      deleted = await database.transaction((transaction) =>
        transaction(table)
          .where({ tenant_id: tenant.id })
          .whereRaw(`${row} IN (SELECT ${row} FROM ?? WHERE tenant_id = ? LIMIT ?)`, [table, tenant.id, rowsAtOnce])
          .delete(),
      );
      if (table === 'products') products += deleted;
    }
  }
  await database.transaction(async (transaction) => {
    await transaction('tenants').where({ id: tenant.id }).delete();
    await removed(transaction);
  });
  return products;
}
