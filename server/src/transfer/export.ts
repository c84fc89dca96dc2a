import { createHash } from 'node:crypto';
import { dayOf, isTooOpen } from '@product-passport/openapi';
import type { Knex } from 'knex';
import type { AuditEntry } from '../audit/store.ts';
import { isPostgres, pagesByKey, statement } from '../database/statement.ts';
import { withheldVersions } from '../passports/published-versions.ts';
import { type ConfirmedValues, confirmedText, type Version, walkValues } from '../passports/store.ts';
import { type Product, productColumns } from '../products/store.ts';
import { blockingIn, templateOf } from '../templates/catalogue.ts';
import { legalColumns, operatorColumns, type Tenant, walkTenants } from '../tenants/store.ts';
import {
  type AuditLine,
  formatName,
  formatVersion,
  type Header,
  type HistoryLine,
  type ImageLine,
  isHidden,
  type Line,
  maxLineBytes,
  type ProductLine,
  type Row,
  type SectionName,
  sectionNames,
  sections,
  type TenantLine,
  type TokenSecretLine,
} from './format.ts';

/** Characters of text that are written at once. */
const textAtOnce = 256 * 1024;

interface ExportOptions {
  /** The tenant; without one, all tenants and everything that belongs to the installation. */
  tenant?: Tenant | undefined;
  /** Adds API keys (as hashes), access tokens, and the secrets that sign tokens. */
  secrets: boolean;
  /** Version of this program. */
  program: string;
  now: Date;
  /** Receives the number of products that were written so far. */
  progress?: ((products: number) => void) | undefined;
}

/**
 * The text of an export, in pieces that end with a line. Reads by key in pages, so that the memory does not grow with the
 * tenant.
 *
 * @param transaction a snapshot that stays open until the last piece is read
 */
export async function* exportText(transaction: Knex.Transaction, options: ExportOptions): AsyncGenerator<string> {
  const digest = createHash('sha256');
  let [lines, products] = [0, 0];
  let text = '';
  for await (const line of linesOf(transaction, options)) {
    const written = `${JSON.stringify(line)}\n`;
    if (written.length > maxLineBytes) throw new Error(`A line of the type ${line.type} is too long to be imported.`);
    digest.update(written);
    lines += 1;
    if (line.type === 'product') options.progress?.(++products);
    text += written;
    if (text.length < textAtOnce) continue;
    yield text;
    text = '';
  }
  yield `${text}${JSON.stringify({ type: 'trailer', lines, sha256: digest.digest('hex') })}\n`;
}

async function* linesOf(transaction: Knex.Transaction, options: ExportOptions): AsyncGenerator<Line> {
  const { tenant, secrets, program, now } = options;
  const kind: Header['kind'] = tenant ? 'tenant' : 'all';
  yield {
    type: 'header',
    format: formatName,
    version: formatVersion,
    kind,
    secrets,
    created_at: now.toISOString(),
    program,
  };
  if (!tenant)
    for (const { name, value } of await transaction('installation').orderBy('name')) {
      yield { type: 'installation', name, value };
    }
  if (secrets) yield* tokenSecrets(transaction, tenant, now);
  if (!tenant) yield* auditLines(transaction);
  for await (const tenants of tenant ? [[tenant]] : walkTenants(transaction)) {
    for (const each of tenants) {
      // A tenant that is being imported is left out.
      if (!isHidden(each.slug)) yield* tenantLines(transaction, each, options);
    }
  }
}

async function* tenantLines(
  transaction: Knex.Transaction,
  tenant: Tenant,
  { tenant: only, secrets }: ExportOptions,
): AsyncGenerator<Line> {
  yield await tenantLine(transaction, tenant);
  yield* productLines(transaction, tenant.id);
  for (const name of sectionNames) {
    const isLeftOut = name === 'scans' ? only !== undefined : ['access_tokens', 'api_keys'].includes(name) && !secrets;
    if (isLeftOut) continue;
    for await (const items of itemsOf(transaction, tenant.id, name)) yield { type: name, items };
  }
  yield* imageLines(transaction, tenant.id);
  yield* historyLines(transaction, tenant.id);
  yield { type: 'tenant_end' };
}

/** The beginning of a tenant, with its logo. */
async function tenantLine(transaction: Knex.Transaction, { id }: Tenant): Promise<TenantLine> {
  const row = await transaction('tenants').where({ id }).first();
  const texts = Object.fromEntries(
    ['color', 'listed_at', 'scans_off_at', ...legalColumns, ...operatorColumns].map((column) => [column, row[column]]),
  );
  const { logo_sha256: sha256, logo_width: width, logo_height: height, logo_bytes: bytes } = row;
  const set = Object.entries({
    ...texts,
    logo: sha256 === null ? null : { sha256, width, height, bytes: bytes.toString('base64') },
  }).filter(([, value]) => value !== null);
  const { name, slug, country, language, plan, created_at } = row;
  const pages = set.length > 0 && { pages: Object.fromEntries(set) };
  return { type: 'tenant', tenant: { id, name, slug, country, language, plan }, created_at, ...pages };
}

/** The audit trail, in the order of its ids. */
async function* auditLines(transaction: Knex.Transaction): AsyncGenerator<AuditLine> {
  const all = () =>
    transaction('audit_entries').select('id', 'time', 'command', 'arguments', 'os_user', 'version', 'changes');
  const pages = pagesByKey<Omit<AuditEntry, 'arguments'> & { arguments: string }>(all, ['id']);
  for await (const rows of pages) {
    yield { type: 'audit_entries', items: rows.map((row) => ({ ...row, arguments: JSON.parse(row.arguments) })) };
  }
}

/** The latest version of a product stands with it. */
const isOlder = `version < (SELECT MAX(version) FROM passport_versions AS latest
  WHERE latest.tenant_id = ? AND latest.product_id = passport_versions.product_id)`;

/** The rows of a list, in the order of their key. */
async function* itemsOf(transaction: Knex.Transaction, tenantId: string, name: SectionName): AsyncGenerator<Row[]> {
  const { table, key, columns } = sections[name];
  const all = () => {
    const rows = transaction(table).where({ tenant_id: tenantId }).select(columns);
    return name === 'versions' ? rows.whereRaw(isOlder, tenantId) : rows;
  };
  // PostgreSQL's driver gives a bigint as text.
  const withNumber = (row: Row) => ('count' in row ? { ...row, count: Number(row.count) } : row);
  for await (const rows of pagesByKey<Row>(all, key)) yield rows.map(withNumber);
}

/** The secrets that sign tokens: all, or those of the tenant's valid tokens, each until its last one expires. */
async function* tokenSecrets(
  transaction: Knex.Transaction,
  tenant: Tenant | undefined,
  now: Date,
): AsyncGenerator<TokenSecretLine> {
  const query = transaction('token_secrets').orderBy('token_secrets.kid');
  const rows: Omit<TokenSecretLine, 'type'>[] = tenant
    ? await query
        .join('access_tokens', 'access_tokens.kid', 'token_secrets.kid')
        .where('access_tokens.tenant_id', tenant.id)
        .whereNull('access_tokens.revoked_at')
        .where('access_tokens.expires_at', '>', now.toISOString())
        .groupBy('token_secrets.kid', 'token_secrets.value', 'token_secrets.created_at')
        .select('token_secrets.kid', 'token_secrets.value', 'token_secrets.created_at')
        .max({ accepted_until: 'access_tokens.expires_at' })
    : await query.select('kid', 'value', 'created_at', 'accepted_until');
  for (const { kid, value, created_at, accepted_until } of rows) {
    yield { type: 'token_secret', kid, value, created_at, accepted_until };
  }
}

/**
 * Runs reads in one snapshot that may stay open for long. On SQLite the write-ahead log grows until it ends, because
 * SQLite cannot move newer pages into the file.
 */
export function longSnapshot<Result>(
  database: Knex,
  read: (transaction: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  const isolation = isPostgres(database) ? ({ isolationLevel: 'repeatable read' } as const) : {};
  // Not a reader of a SQLite file, which ends what takes longer than a request may.
  return database.transaction(read, { ...isolation, readOnly: true });
}

/** Products in one statement. */
const productsAtOnce = 500;

type ExportedRow = Product &
  Omit<Version, 'created_at'> & {
    position: number;
    activated_at: string | null;
    withheld_versions: string | null;
    unfinished: string | null;
    versioned_at: string;
  };

const ownColumns = ['position', 'activated_at', 'withheld_versions', 'unfinished'];
const versionColumns = ['version', 'template_version', 'content_hash', 'salt', 'public_hash'];

const page = statement<ExportedRow, { tenantId: string; after: number; last: number }>(
  (database, { tenantId, after, last }) =>
    database('products')
      .join('passport_versions as latest', (join) =>
        join.on('latest.tenant_id', 'products.tenant_id').andOn('latest.product_id', 'products.id'),
      )
      .where('products.tenant_id', tenantId)
      .where('products.position', '>', after)
      .where('products.position', '<=', last)
      .where(
        'latest.version',
        database('passport_versions')
          .max('version')
          .where({ tenant_id: tenantId })
          .whereRaw('product_id = products.id'),
      )
      .orderBy('products.position')
      .select([
        ...[...productColumns, ...ownColumns].map((column) => `products.${column}`),
        ...versionColumns.map((column) => `latest.${column}`),
        'latest.created_at as versioned_at',
      ]),
);

/** The tenant's products with their passports, in the order of their positions. */
export async function* productLines(transaction: Knex, tenantId: string): AsyncGenerator<ProductLine> {
  for (let after = 0; ; after += productsAtOnce) {
    const rows = await page.all(transaction, { tenantId, after, last: after + productsAtOnce });
    if (rows.length === 0) return;
    for await (const { row, ...passport } of walkValues(transaction, tenantId, rows)) yield productLine(row, passport);
  }
}

function productLine(row: ExportedRow, { values, confirmed }: ConfirmedValues): ProductLine {
  const product = Object.fromEntries(productColumns.map((column) => [column, row[column]])) as unknown as Product;
  const { id, name, slug, status, completeness } = product;
  const { content_hash, salt, template_version, versioned_at } = row;
  const withheld = withheldVersions(row.withheld_versions);
  return {
    type: 'product',
    position: row.position,
    activated_at: row.activated_at,
    ...(withheld.length > 0 && { withheld_versions: withheld }),
    ...(confirmedText(confirmed) !== null && { confirmed }),
    ...(row.unfinished !== null && { unfinished: JSON.parse(row.unfinished) }),
    version: row.version,
    public_hash: row.public_hash,
    product,
    passport: {
      product: { id, name, slug, status, completeness },
      template_version,
      values,
      latest_version: { content_hash, salt, created_at: versioned_at },
    },
  };
}

const imageColumns = ['product_id', 'sha256', 'media_type', 'width', 'height', 'alt', 'created_at', 'bytes'] as const;

/** The values of tenants that are more open than their templates, and that nobody confirmed. */
export async function countTooOpen(database: Knex, tenants: AsyncIterable<Tenant[]> | Tenant[][]): Promise<number> {
  let count = 0;
  for await (const page of tenants) {
    for (const { id } of page) {
      for await (const { product, passport, confirmed } of productLines(database, id)) {
        const template = templateOf(product.product_group);
        count += blockingIn(template, passport.values, dayOf(new Date()), confirmed).filter(isTooOpen).length;
      }
    }
  }
  return count;
}

/** The images of a tenant's products, each in a separate line. 50 in memory have at most 5 MB. */
export async function* imageLines(transaction: Knex.Transaction, tenantId: string): AsyncGenerator<ImageLine> {
  type ImageRow = Omit<ImageLine, 'type' | 'bytes'> & { bytes: Buffer };
  const images = () => transaction('product_images').where({ tenant_id: tenantId }).select(imageColumns);
  for await (const rows of pagesByKey<ImageRow>(images, ['product_id'], 50)) {
    for (const { bytes, ...image } of rows) yield { type: 'image', ...image, bytes: bytes.toString('base64') };
  }
}

/** Versions in one line. What one of them replaced has at most 2 MiB of values, and a line at most 32 MiB. */
const versionsInLine = 10;

/** What the versions of a tenant's passports replaced. */
async function* historyLines(transaction: Knex.Transaction, tenantId: string): AsyncGenerator<HistoryLine> {
  const versions = () =>
    transaction('passport_versions')
      .where({ tenant_id: tenantId })
      .whereNotNull('replaced')
      .select('product_id', 'version', 'replaced');
  type VersionRow = { product_id: string; version: number; replaced: string };
  for await (const rows of pagesByKey<VersionRow>(versions, ['product_id', 'version'], versionsInLine)) {
    yield { type: 'history', items: rows.map((row) => ({ ...row, replaced: JSON.parse(row.replaced) })) };
  }
}
