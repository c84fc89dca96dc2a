import type { Knex } from 'knex';
import { repeated } from '../database/state.ts';
import { isPostgres, statement } from '../database/statement.ts';
import { duration, type Limit, rateLimit, sharedRateLimit } from '../http/rate-limit.ts';

/** The database's clock, because the clocks of instances differ. */
const now = 'CAST(EXTRACT(EPOCH FROM now()) * 1000 AS bigint)';
/** `now()` is the start of a statement. One that waited less may have made a window that ends a little later. */
const maxWait = 5000;
/** A window that ends much later was made before the clock moved back. */
const isOpen = `rate_windows.ends_at > ${now} AND rate_windows.ends_at <= ${now} + ${duration * 1000 + maxWait}`;
/** The last sixteen requests are granted singly, so that instances share them to the end. */
const shareOf = (left: string): string => `GREATEST(0, LEAST(${left}, GREATEST(1, (${left}) / 16)))`;

const share = statement<{ granted: number; milliseconds: string }, { tenant: string; limit: number }>(
  (database, { tenant, limit }) => {
    const whole = shareOf('CAST(? AS integer)');
    const rest = shareOf('CAST(? AS integer) - rate_windows.used');
    return database.raw(
      `INSERT INTO rate_windows (tenant_id, ends_at, used, granted)
       VALUES (?, ${now} + ${duration * 1000}, ${whole}, ${whole})
       ON CONFLICT (tenant_id) DO UPDATE SET
         ends_at = CASE WHEN ${isOpen} THEN rate_windows.ends_at ELSE excluded.ends_at END,
         used = CASE WHEN ${isOpen} THEN rate_windows.used + ${rest} ELSE excluded.used END,
         granted = CASE WHEN ${isOpen} THEN ${rest} ELSE excluded.granted END
       RETURNING granted, LEAST(ends_at - ${now}, ${duration * 1000}) AS milliseconds`,
      [tenant, ...Array<number>(8).fill(limit)],
    );
  },
);

/**
 * Limits the requests of each tenant. Instances over one PostgreSQL share the limit. Over SQLite each counts its own
 * requests: reads must not wait for the file's one writer.
 */
export function tenantLimit(database: Knex, perMinute: number): Limit {
  if (!isPostgres(database)) return rateLimit(perMinute);
  return sharedRateLimit(async (tenant) => {
    try {
      const row = await repeated(database, () => share.first(database, { tenant, limit: perMinute }));
      return { granted: row?.granted ?? 0, milliseconds: Number(row?.milliseconds ?? 0) };
    } catch (error) {
      if ((error as { code?: unknown }).code !== '25006') throw error;
      // Reads go on while PostgreSQL is read-only. Each instance then counts for itself.
      return { granted: Math.ceil(perMinute / 60), milliseconds: 1000 };
    }
  });
}
