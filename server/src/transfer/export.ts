import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { AuditEntry } from '../audit/store.ts';
import { isPostgres, pagesByKey } from '../database/statement.ts';
import { legalColumns, type Tenant, walkTenants } from '../tenants/store.ts';
import {
  type AuditLine,
  countLine,
  formatName,
  formatVersion,
  type Header,
  type Line,
  maxLineBytes,
  noCounts,
  type Row,
  type SectionName,
  sectionNames,
  sections,
  type TenantLine,
  type TokenSecretLine,
} from './format.ts';
import { isHidden } from './hidden.ts';
import { historyLines } from './history.ts';
import { imageLines } from './images.ts';
import { productLines } from './products.ts';

/** Characters of text that are written at once. */
const textAtOnce = 256 * 1024;

export interface ExportOptions {
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
  options: ExportOptions,
): AsyncGenerator<Line> {
  const counts = noCounts();
  for await (const line of linesOfTenant(transaction, tenant, options)) {
    countLine(counts, line);
    yield line;
  }
  yield { type: 'tenant_end', counts };
}

async function* linesOfTenant(
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
  if (!only) yield* historyLines(transaction, tenant.id);
}

/** The beginning of a tenant, with its logo. */
async function tenantLine(transaction: Knex.Transaction, { id }: Tenant): Promise<TenantLine> {
  const row = await transaction('tenants').where({ id }).first();
  const texts = Object.fromEntries(
    ['color', 'listed_at', 'scans_off_at', ...legalColumns].map((column) => [column, row[column]]),
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
  WHERE latest.tenant_id = passport_versions.tenant_id AND latest.product_id = passport_versions.product_id)`;

/** The rows of a list, in the order of their key. */
async function* itemsOf(transaction: Knex.Transaction, tenantId: string, name: SectionName): AsyncGenerator<Row[]> {
  const { table, key, columns } = sections[name];
  const all = () => {
    const rows = transaction(table).where({ tenant_id: tenantId }).select(columns);
    return name === 'versions' ? rows.whereRaw(isOlder) : rows;
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
