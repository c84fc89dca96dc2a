import type { Knex } from 'knex';

/** Text compares by its bytes on every database, so that lists have the same order everywhere. */
export function text(knex: Knex, table: Knex.CreateTableBuilder, name: string): Knex.ColumnBuilder {
  return textOrNull(knex, table, name).notNullable();
}

export function textOrNull(knex: Knex, table: Knex.CreateTableBuilder, name: string): Knex.ColumnBuilder {
  return table.specificType(name, knex.client.driverName === 'pg' ? 'text COLLATE "C"' : 'text').nullable();
}
