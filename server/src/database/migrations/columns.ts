import type { Knex } from 'knex';

type Column = (table: Knex.CreateTableBuilder, name: string) => Knex.ColumnBuilder;

/** Text compares by its bytes on every database, so that lists have the same order everywhere. */
export function textColumns(knex: Knex): { text: Column; textOrNull: Column } {
  const type = knex.client.driverName === 'pg' ? 'text COLLATE "C"' : 'text';
  const textOrNull: Column = (table, name) => table.specificType(name, type).nullable();
  return { text: (table, name) => textOrNull(table, name).notNullable(), textOrNull };
}
