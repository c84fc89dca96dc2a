import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';

/** A run of a command that changed something. */
export interface AuditEntry {
  id: string;
  time: string;
  command: string;
  /** As typed, without secrets and without the address of the database. */
  arguments: string[];
  os_user: string;
  /** The version of the program. */
  version: string;
  /** How many changes the run has made. Commands for one thing make one change. */
  changes: number;
}

const columns = ['id', 'time', 'command', 'arguments', 'os_user', 'version', 'changes'] as const;

/** A run of a command. Its entry is stored with its first change. */
export class AuditedRun {
  readonly #entry: Omit<AuditEntry, 'changes'>;

  constructor(entry: Omit<AuditEntry, 'id' | 'time' | 'changes'>, now: Date) {
    this.#entry = { id: uuid(), time: now.toISOString(), ...entry };
  }

  /** Counts one change, in the transaction that makes it. */
  async record(transaction: Knex.Transaction): Promise<void> {
    await transaction('audit_entries')
      .insert({ ...this.#entry, arguments: JSON.stringify(this.#entry.arguments), changes: 1 })
      .onConflict('id')
      .merge({ changes: transaction.raw('audit_entries.changes + 1') });
  }
}

interface AuditFilter {
  /** Only entries from this time on. */
  since?: string | undefined;
  /** Only entries that are older than the one with this id. */
  before?: string | undefined;
  limit: number;
}

/** Entries, newest first. Their ids are in the order of time. */
export async function listEntries(database: Knex, { since, before, limit }: AuditFilter): Promise<AuditEntry[]> {
  const query = database('audit_entries').orderBy('id', 'desc').limit(limit).select(columns);
  if (since !== undefined) void query.where('time', '>=', since);
  if (before !== undefined) void query.where('id', '<', before);
  const rows: (Omit<AuditEntry, 'arguments'> & { arguments: string })[] = await query;
  return rows.map((row) => ({ ...row, arguments: JSON.parse(row.arguments) }));
}
