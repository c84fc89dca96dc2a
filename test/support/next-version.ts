/** The next version of this program, which has one more migration. */
import { textColumns } from '../../server/src/database/migrations/0001_tables.ts';
import { migrations } from '../../server/src/database/migrations/index.ts';
import type { Database } from './service.ts';

export const nextMigration = '0002_made_up';

/** A made-up change of the tables. */
export async function addColours(database: Database): Promise<void> {
  await database.schema.alterTable('products', (table) => textColumns(database).textOrNull(table, 'made_up'));
}

/** Runs work as the next version of the program. */
export async function asNextVersion<Result>(work: () => Promise<Result>, up = addColours): Promise<Result> {
  migrations[nextMigration] = { up };
  try {
    return await work();
  } finally {
    delete migrations[nextMigration];
  }
}
