import type { Knex } from 'knex';

/**
 * The beginning of a tenant's slug while it is imported. No path and no command can name such a slug, so nobody sees the
 * tenant before it is complete.
 */
const prefix = 'importing:';

/** The slug of a tenant until its import is finished. */
export function hiddenSlug(slug: string): string {
  return `${prefix}${slug}`;
}

export function isImporting(slug: string): boolean {
  return slug.startsWith(prefix);
}

/** How far an import has come. */
export interface Import {
  tenant_id: string;
  /** The number of the last line that is stored. */
  lines: number;
  /** SHA-256 of the bytes from the second line to that one. */
  digest: string;
  started_at: string;
  finished_at: string | null;
}

export async function findImport(database: Knex, tenantId: string): Promise<Import | undefined> {
  return database('imports')
    .where({ tenant_id: tenantId })
    .first('tenant_id', 'lines', 'digest', 'started_at', 'finished_at');
}

export async function insertImport(transaction: Knex.Transaction, row: Import): Promise<void> {
  await transaction('imports').insert(row);
}

/**
 * Notes that lines are stored, in the transaction that stores them.
 *
 * @returns whether nobody else stored lines since `before`
 */
export async function moveImport(
  transaction: Knex.Transaction,
  tenantId: string,
  before: Pick<Import, 'lines' | 'digest'>,
  after: Partial<Pick<Import, 'lines' | 'digest' | 'finished_at'>>,
): Promise<boolean> {
  const changed = await transaction('imports')
    .where({ tenant_id: tenantId, lines: before.lines, digest: before.digest })
    .whereNull('finished_at')
    .update(after);
  return changed === 1;
}
