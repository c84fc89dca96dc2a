import { connect } from './connection.ts';
import { objectsIn, type SchemaObject } from './copy.ts';
import { migrationNames } from './migrations/index.ts';

/** How a SQLite file differs from what its migrations create. */
export interface SchemaDifference {
  /** Whether a migration of this program ran there. */
  isOurs: boolean;
  /** What this program did not create. */
  foreign: SchemaObject[];
  missing: SchemaObject[];
}

/** The tables of SQLite's ANALYZE. */
const statistics = new Set(['sqlite_stat1', 'sqlite_stat4']);

/**
 * Compares the tables, indexes, views and triggers of a SQLite file with those that its migrations create. A file of a
 * newer version has migrations that this program does not have. It is not compared, because it cannot be opened either.
 */
export async function compareSchema(path: string): Promise<SchemaDifference> {
  const { objects, migrations } = await objectsIn(path);
  if (migrations.some((name) => !migrationNames().includes(name))) return { isOurs: true, foreign: [], missing: [] };
  const expected = await objectsOf(migrations);
  const [found, known] = [objects, expected].map((list) => new Set(list.map(formOf))) as [Set<string>, Set<string>];
  return {
    isOurs: migrations.length > 0,
    foreign: objects.filter((object) => !known.has(formOf(object)) && !statistics.has(object.name)),
    missing: expected.filter((object) => !found.has(formOf(object))),
  };
}

/** A comparable form of an object. SQLite keeps the statement as it was typed, and Knex may quote and space it differently. */
function formOf({ type, name, table, sql }: SchemaObject): string {
  return JSON.stringify([type, name, table, sql?.replace(/[\s`"]+/g, '').toLowerCase()]);
}

/** What migrations create in an empty database. */
async function objectsOf(migrations: readonly string[]): Promise<SchemaObject[]> {
  const database = connect(':memory:', { unlimited: true });
  try {
    for (const name of migrations) await database.migrate.up({ name } as object);
    return await database('sqlite_master').select('type', 'name', 'tbl_name as table', 'sql');
  } finally {
    await database.destroy();
  }
}
