import { connect, snapshot } from '../database/connection.ts';
import { migrationNames, migrationsTable } from '../database/migrations/index.ts';
import { explained, missingMigrations } from '../database/open.ts';
import { requireCoordinator, type Spreading, spreadingOf, spreadTables, textOfSpreading } from '../database/spread.ts';
import { OperatorError } from '../operator-error.ts';
import { command, flag, option, wholeNumber } from './command.ts';
import { requireFile, withDatabase } from './database.ts';
import { tableLines } from './output.ts';

interface Result {
  /** With `--status`: all migrations of this program, in their order, and when each has run. */
  items?: { name: string; ran_at: string | null }[];
  /** Otherwise: those that ran now. */
  migrations?: string[];
  /** `undefined`: the tables are not spread, or this was not asked for. */
  spread: Spreading | undefined;
}

/** Of Citus. */
const maxShards = 64_000;

export const commands = command({
  name: 'migrate',
  about: 'address',
  description: 'run the missing migrations of an older database; back it up first',
  example: 'migrate --status',
  options: {
    status: flag('--status', 'change nothing: list the migrations, and when each has run').conflicts('distribute'),
    distribute: flag('--distribute', 'also spread the tables over the nodes of a Citus cluster, by tenant'),
    shards: option(
      '--shards <number>',
      'shards of each table, with --distribute (default: citus.shard_count of the coordinator)',
      wholeNumber(maxShards, 1),
    ),
  },
  prepare({ distribute, shards }) {
    if (shards !== undefined && !distribute) throw new OperatorError('--shards needs --distribute.', 2);
  },
  async run({ options, audit }): Promise<Result> {
    const address = requireFile(options);
    if (options.status) return statusOf(address);
    if (options.distribute) await requireCoordinator(address);
    let migrations: string[] = [];
    const spread = await withDatabase(
      options,
      async (database) => {
        const isNew = options.distribute && (await spreadTables(database, address, options.shards));
        // The migrations and the spreading had transactions of their own.
        if (migrations.length > 0 || isNew) await database.transaction((transaction) => audit.record(transaction));
        return options.distribute && spreadingOf(database);
      },
      {
        migrate: 'every',
        unlimited: options.distribute ?? false,
        migrated(names) {
          migrations = names;
        },
      },
    );
    return { migrations, spread };
  },
  text({ items, migrations = [], spread }) {
    const spreading = spread ? [`The tables are spread: ${textOfSpreading(spread)}.`] : [];
    if (items) {
      const rows = items.map(({ name, ran_at }) => [name, ran_at ?? 'missing']);
      return [...tableLines(['MIGRATION', 'RAN'], rows, 'There are no migrations.'), ...spreading];
    }
    if (migrations.length === 0) return ['The database is already up to date.', ...spreading];
    return [...migrations.map((name) => `Ran ${name}.`), 'The database is up to date.', ...spreading];
  },
});

/** @throws UnusableDatabase if the database belongs to another program, or is newer than this one */
async function statusOf(address: string): Promise<Result> {
  const database = connect(address, { unlimited: true });
  try {
    return await snapshot(
      database,
      async (transaction) => {
        const missing = await missingMigrations(transaction, address);
        const names = migrationNames();
        const rows = missing.length === names.length ? [] : await transaction(migrationsTable).select('*');
        const times = new Map(rows.map(({ name, migration_time }) => [name, new Date(migration_time).toISOString()]));
        return {
          items: names.map((name) => ({ name, ran_at: times.get(name) ?? null })),
          spread: await spreadingOf(transaction),
        };
      },
      'read committed',
    );
  } catch (error) {
    throw explained(address, error);
  } finally {
    await database.destroy();
  }
}
