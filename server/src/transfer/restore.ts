import type { Knex } from 'knex';
import { insertRows } from '../database/statement.ts';
import { findTenant } from '../tenants/store.ts';
import type { AuditLine, InstallationLine, TenantLine, TokenSecretLine } from './format.ts';
import { hideUnproven } from './history.ts';
import { RefusedLine, readExport } from './reader.ts';
import { newBatch, refuseGaps, storeLines, tenantRow } from './write.ts';

/** What a backup has. */
export interface BackupContent {
  tenants: number;
  products: number;
  /** Older versions that are not public, because their hashes do not fit or the file does not show that they were. */
  not_public_versions: number;
}

/**
 * Restores a backup of all tenants into a database that has none, in one transaction of the caller: a backup that is
 * refused, or a process that is killed, leaves nothing.
 *
 * @param progress receives the number of products that are stored
 * @throws RefusedLine
 */
export async function restoreBackup(
  transaction: Knex.Transaction,
  chunks: AsyncIterable<Buffer>,
  progress: (products: number) => void,
): Promise<BackupContent> {
  // A server that ran on the empty database may have made its own.
  for (const table of ['installation', 'token_secrets']) await transaction(table).delete();
  const content: BackupContent = { tenants: 0, products: 0, not_public_versions: 0 };
  let tenantId = '';
  const batch = newBatch(transaction, async (contents) => {
    await storeLines(transaction, contents, { tenantId, shareGtin: true });
    progress(content.products);
  });
  for await (const read of readExport('all', chunks)) {
    const { number, line } = read;
    switch (line.type) {
      case 'header':
      case 'trailer':
        break;
      case 'installation':
      case 'token_secret':
        await insertOwn(transaction, line);
        break;
      case 'audit_entries':
        await insertAudit(transaction, number, line);
        break;
      case 'tenant':
        await insertTenant(transaction, number, line);
        tenantId = line.tenant.id;
        content.tenants += 1;
        break;
      case 'tenant_end':
        await batch.flush();
        await refuseGaps(transaction, number, tenantId);
        content.not_public_versions += await hideUnproven(transaction, tenantId);
        break;
      default:
        if (line.type === 'product') content.products += 1;
        await batch.add(read, line);
    }
  }
  return content;
}

async function insertOwn(transaction: Knex.Transaction, { type, ...row }: InstallationLine | TokenSecretLine) {
  await transaction(type === 'installation' ? 'installation' : 'token_secrets').insert(row);
}

/** Adds entries to those of the database. */
async function insertAudit(transaction: Knex.Transaction, number: number, { items }: AuditLine): Promise<void> {
  const ids = items.map(({ id }) => id);
  const taken = await transaction('audit_entries').whereIn('id', ids).first('id');
  if (taken || new Set(ids).size < ids.length) {
    throw new RefusedLine(number, 'an audit entry before this one has the same id.');
  }
  const rows = items.map((item) => ({ ...item, arguments: JSON.stringify(item.arguments) }));
  await insertRows(transaction, 'audit_entries', rows);
}

async function insertTenant(transaction: Knex.Transaction, number: number, line: TenantLine): Promise<void> {
  const { id, slug } = line.tenant;
  const sameId = await transaction('tenants').where({ id }).first('id');
  if (sameId || (await findTenant(transaction, slug)))
    throw new RefusedLine(number, 'a tenant before this line has the same id or slug.');
  await transaction('tenants').insert(tenantRow(line));
}

/** Reads a whole backup, and checks every line and every hash. */
export async function checkBackup(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of readExport('all', chunks)) {
    // The reader throws.
  }
}
