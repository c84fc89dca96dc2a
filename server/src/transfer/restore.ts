import type { Knex } from 'knex';
import { insertRows } from '../database/rows.ts';
import { findTenant } from '../tenants/store.ts';
import { Batch, storeLines } from './batch.ts';
import type { AuditLine, InstallationLine, TenantLine, TokenSecretLine } from './format.ts';
import { RefusedLine } from './lines.ts';
import { type ReadLine, readExport } from './reader.ts';
import { type Content, refuseGaps, tenantRow } from './write.ts';

/** What a backup has. */
export interface BackupContent {
  tenants: number;
  products: number;
}

/**
 * Restores a backup of all tenants into a database that has none, in one transaction of the caller: a backup that is
 * refused, or a process that is killed, leaves nothing.
 */
export class BackupRestore {
  readonly #transaction: Knex.Transaction;
  readonly #progress: (products: number) => void;
  readonly #batch = new Batch((contents) => this.#store(contents));
  #tenantId = '';
  #tenants = 0;
  #products = 0;

  constructor(transaction: Knex.Transaction, progress: (products: number) => void) {
    this.#transaction = transaction;
    this.#progress = progress;
  }

  /** @throws RefusedLine */
  async run(chunks: AsyncIterable<Buffer>): Promise<BackupContent> {
    // A server that ran on the empty database may have made its own.
    for (const table of ['installation', 'token_secrets']) await this.#transaction(table).delete();
    for await (const read of readExport('all', chunks)) await this.#take(read);
    return { tenants: this.#tenants, products: this.#products };
  }

  async #take(read: ReadLine): Promise<void> {
    const { number, line } = read;
    switch (line.type) {
      case 'header':
      case 'trailer':
        return;
      case 'installation':
      case 'token_secret':
        return this.#insertOwn(line);
      case 'audit_entries':
        return this.#insertAudit(number, line);
      case 'tenant':
        return this.#begin(number, line);
      case 'tenant_end':
        await this.#batch.flush();
        return refuseGaps(this.#transaction, number, this.#tenantId);
      default:
        if (line.type === 'product') this.#products += 1;
        return this.#batch.add(read, line);
    }
  }

  async #insertOwn({ type, ...row }: InstallationLine | TokenSecretLine): Promise<void> {
    await this.#transaction(type === 'installation' ? 'installation' : 'token_secrets').insert(row);
  }

  /** Adds entries to those of the database. */
  async #insertAudit(number: number, { items }: AuditLine): Promise<void> {
    const ids = items.map(({ id }) => id);
    const taken = await this.#transaction('audit_entries').whereIn('id', ids).first('id');
    if (taken || new Set(ids).size < ids.length) {
      throw new RefusedLine(number, 'an audit entry before this one has the same id.');
    }
    const rows = items.map((item) => ({ ...item, arguments: JSON.stringify(item.arguments) }));
    await insertRows(this.#transaction, 'audit_entries', rows);
  }

  async #begin(number: number, line: TenantLine): Promise<void> {
    const { id, slug } = line.tenant;
    const sameId = await this.#transaction('tenants').where({ id }).first('id');
    if (sameId || (await findTenant(this.#transaction, slug)))
      throw new RefusedLine(number, 'a tenant before this line has the same id or slug.');
    await this.#transaction('tenants').insert(tenantRow(line));
    this.#tenantId = id;
    this.#tenants += 1;
  }

  async #store(contents: readonly Content[]): Promise<void> {
    await storeLines(this.#transaction, contents, { tenantId: this.#tenantId, shareGtin: true, hidden: false });
    this.#progress(this.#products);
  }
}

/** Reads a whole backup, and checks every line and every hash. */
export async function checkBackup(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of readExport('all', chunks)) {
    // The reader throws.
  }
}
