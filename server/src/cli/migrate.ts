import { connect, snapshot } from '../database/connection.ts';
import { migrationNames, migrationsTable } from '../database/migrations/index.ts';
import { explained, missingMigrations } from '../database/open.ts';
import { command, flag } from './command.ts';
import { requireFile, withDatabase } from './database.ts';
import { tableLines } from './output.ts';

export const commands = command({
  name: 'migrate',
  about: 'address',
  description: 'run the missing migrations of an older database; back it up first',
  example: 'migrate --status',
  options: { status: flag('--status', 'change nothing: list the migrations, and when each has run') },
  async run({ options, audit }) {
    if (options.status) return { items: await migrationStates(requireFile(options)) };
    let migrations: string[] = [];
    await withDatabase(
      options,
      async (database) => {
        // The migrations had a transaction of their own.
        if (migrations.length > 0) await database.transaction((transaction) => audit.record(transaction));
      },
      {
        migrate: 'every',
        migrated(names) {
          migrations = names;
        },
      },
    );
    return { migrations };
  },
  text({ items, migrations = [] }) {
    if (items) {
      const rows = items.map(({ name, ran_at }) => [name, ran_at ?? 'missing']);
      return tableLines(['MIGRATION', 'RAN'], rows, 'There are no migrations.');
    }
    if (migrations.length === 0) return 'The database is already up to date.';
    return [...migrations.map((name) => `Ran ${name}.`), 'The database is up to date.'];
  },
});

/**
 * All migrations of this program, in their order, and when each has run.
 *
 * @throws UnusableDatabase if the database belongs to another program, or is newer than this one
 */
async function migrationStates(address: string): Promise<{ name: string; ran_at: string | null }[]> {
  const database = connect(address, { unlimited: true });
  try {
    return await snapshot(database, async (transaction) => {
      const missing = await missingMigrations(transaction, address);
      const names = migrationNames();
      const rows = missing.length === names.length ? [] : await transaction(migrationsTable).select('*');
      const times = new Map(rows.map(({ name, migration_time }) => [name, new Date(migration_time).toISOString()]));
      return names.map((name) => ({ name, ran_at: times.get(name) ?? null }));
    });
  } catch (error) {
    throw explained(address, error);
  } finally {
    await database.destroy();
  }
}
