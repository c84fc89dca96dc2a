import type { Knex } from 'knex';
import type { AuditEntry } from '../audit/store.ts';
import { insertRows, pagesById } from '../database/rows.ts';
import type { AuditLine } from './format.ts';
import { RefusedLine } from './lines.ts';

/** The audit trail, in the order of its ids. */
export async function* auditLines(transaction: Knex.Transaction): AsyncGenerator<AuditLine> {
  const pages = pagesById<Omit<AuditEntry, 'arguments'> & { arguments: string }>(() =>
    transaction('audit_entries').select('id', 'time', 'command', 'arguments', 'os_user', 'version', 'changes'),
  );
  for await (const rows of pages) {
    yield { type: 'audit_entries', items: rows.map((row) => ({ ...row, arguments: JSON.parse(row.arguments) })) };
  }
}

/** Adds entries to those of the database. */
export async function writeAudit(transaction: Knex.Transaction, number: number, { items }: AuditLine): Promise<void> {
  const ids = items.map(({ id }) => id);
  const taken = await transaction('audit_entries').whereIn('id', ids).first('id');
  if (taken || new Set(ids).size < ids.length) {
    throw new RefusedLine(number, 'an audit entry before this one has the same id.');
  }
  const rows = items.map((item) => ({ ...item, arguments: JSON.stringify(item.arguments) }));
  await insertRows(transaction, 'audit_entries', rows);
}
