import { createHash } from 'node:crypto';
import type { Knex } from 'knex';

/** Whether a database is PostgreSQL. */
export function isPostgres(database: Knex): boolean {
  return database.client.driverName === 'pg';
}

/**
 * Counts the rows of new tables for PostgreSQL's planner, as autovacuum does after a minute. Without statistics it may check
 * the product of each inserted value by an index that has all products of the tenant: the time of a batch grows with them.
 */
export async function gatherStatistics(database: Knex): Promise<void> {
  if (isPostgres(database)) await database.raw('ANALYZE products, passport_values');
}

/** The Knex that reads: the second one of a SQLite file, otherwise the given one. A transaction reads its own writes. */
export function readerOf(database: Knex): Knex {
  return database.client.reader ?? database;
}

/** A value of a parameter. */
export type Bindable = string | number | boolean | null;

/** Placeholders of the parameters in Knex's query: use each as a value, never in an expression of JavaScript. */
export type Placeholders<Parameters> = { readonly [Name in keyof Parameters]: number };

/** A statement that is built once for each kind of database, and that each connection prepares once. */
interface Statement<Row, Parameters> {
  all(database: Knex, parameters: Parameters): Promise<Row[]>;
  first(database: Knex, parameters: Parameters): Promise<Row | undefined>;
}

/** A statement in the language of one kind of database. */
interface Compiled {
  sql: string;
  /** PostgreSQL's name of the prepared statement. */
  name: string;
  /** In the order of SQL: the name of a parameter, or a constant of the query. */
  bindings: ({ parameter: string } | { constant: unknown })[];
}

/** No query has a constant of this size, and a double carries it exactly. */
const lastPlaceholder = Number.MAX_SAFE_INTEGER;

/**
 * Declares a statement. In a transaction it runs in that transaction. Otherwise it runs on a reader, if the database is
 * a SQLite file, or on any connection. It sees every write that is committed.
 *
 * Building a query with Knex takes about as long as running a prepared statement.
 *
 * @param build makes Knex's query. Its shape may depend on the kind of database only.
 */
export function statement<Row, Parameters extends { [Name in keyof Parameters]: Bindable } = Record<never, never>>(
  build: (database: Knex, parameters: Placeholders<Parameters>) => Knex.QueryBuilder | Knex.Raw,
): Statement<Row, Parameters> {
  const byDialect = new Map<string, Compiled>();

  async function all(database: Knex, parameters: Parameters): Promise<Row[]> {
    const { driverName } = database.client;
    let compiled = byDialect.get(driverName);
    if (!compiled) {
      compiled = compile(database, build);
      byDialect.set(driverName, compiled);
    }
    return (await execute(database, compiled, parameters)) as Row[];
  }

  return {
    all,
    async first(database, parameters) {
      return (await all(database, parameters))[0];
    },
  };
}

function compile<Parameters>(
  database: Knex,
  build: (database: Knex, parameters: Placeholders<Parameters>) => Knex.QueryBuilder | Knex.Raw,
): Compiled {
  const names: string[] = [];
  const placeholders = new Proxy<Record<string, number>>(
    {},
    {
      get(_, name) {
        if (!names.includes(String(name))) names.push(String(name));
        return lastPlaceholder - names.indexOf(String(name));
      },
    },
  );
  const { sql, bindings } = build(database, placeholders as Placeholders<Parameters>)
    .toSQL()
    .toNative();
  return {
    sql,
    name: createHash('sha256').update(sql).digest('base64url'),
    bindings: bindings.map((value) => {
      const parameter = typeof value === 'number' ? names[lastPlaceholder - value] : undefined;
      return parameter === undefined ? { constant: value } : { parameter };
    }),
  };
}

async function execute(
  database: Knex,
  { sql, name, bindings }: Compiled,
  parameters: Readonly<Record<string, Bindable>>,
): Promise<unknown[]> {
  const { client } = readerOf(database);
  const connection = await client.acquireConnection();
  try {
    const values = bindings.map((each) => ('parameter' in each ? parameters[each.parameter] : each.constant));
    const { response } = await client.query(connection, { sql, bindings: values, options: { name } });
    return 'rows' in response ? response.rows : response;
  } finally {
    client.releaseConnection(connection);
  }
}

/** Max look-ups of one execution: of rows, and of values. */
const maxRows = 200;
const maxValues = 16;
/** An execution of fewer look-ups costs as much. */
const minBatch = 16;

/** The column of each member of a row, as in `tenants.id`. */
export type ColumnsOf<Row> = { readonly [Member in keyof Row]-?: string };

/** Columns of one table that are members of a row under their own names. */
export function columnsOf<Column extends string>(table: string, columns: readonly Column[]): Record<Column, string> {
  return Object.fromEntries(columns.map((column) => [column, `${table}.${column}`])) as Record<Column, string>;
}

type Build<Parameters> = (database: Knex, parameters: Placeholders<Parameters>) => Knex.QueryBuilder;

/** Finds the row or the value for these parameters. Sees every committed write. */
export type Lookup<Found, Parameters> = (database: Knex, parameters: Parameters) => Promise<Found | undefined>;

/**
 * Declares a look-up of at most one row by an index. Like a `statement`, but on SQLite the look-ups of concurrent
 * requests share an execution: most of its cost is the way to another thread and back.
 *
 * @param columns the column of each member of the row
 * @param from makes Knex's query without columns
 */
export function lookup<Row, Parameters extends { [Name in keyof Parameters]: Bindable }>(
  columns: ColumnsOf<Row>,
  from: Build<Parameters>,
): Lookup<Row, Parameters> {
  const selected: Record<string, string> = columns;
  const alone = statement<Row, Parameters>((database, parameters) => from(database, parameters).select(selected));
  const members = Object.keys(selected).map((member) => `'${member}', ??`);
  const build: Build<Parameters> = (knex, parameters) =>
    from(knex, parameters).select(knex.raw(`json_object(${members.join()})`, Object.values(selected)));
  return shared(alone.first, build, maxRows, (json) => JSON.parse(String(json)));
}

/**
 * Declares a look-up of one value, such as the JSON text of a page. Concurrent ones share an execution on SQLite, so each
 * must be short.
 *
 * @param build makes Knex's query of one column, `found`
 */
export function lookupValue<Value extends string | Buffer, Parameters extends { [Name in keyof Parameters]: Bindable }>(
  build: Build<Parameters>,
): Lookup<Value, Parameters> {
  const alone = statement<{ found: Value }, Parameters>(build);
  const first: Lookup<Value, Parameters> = async (...given) => (await alone.first(...given))?.found;
  return shared(first, build, maxValues, (value) => value as Value);
}

/**
 * @param alone the look-up on PostgreSQL, and in a transaction
 * @param build makes Knex's query of one column
 * @param max look-ups of one execution
 * @param read makes the result from the value of the column
 */
function shared<Found, Parameters extends { [Name in keyof Parameters]: Bindable }>(
  alone: Lookup<Found, Parameters>,
  build: Build<Parameters>,
  max: number,
  read: (value: unknown) => Found,
): Lookup<Found, Parameters> {
  const queues = new WeakMap<object, (given: Parameters) => Promise<Found | undefined>>();
  return (database, parameters) => {
    const { client } = database;
    if (isPostgres(database) || client.transacting) return alone(database, parameters);
    let find = queues.get(client);
    if (!find) {
      find = lookupQueue(database, batchOf(database, build), max, read);
      queues.set(client, find);
    }
    return find(parameters);
  };
}

/** A statement for many look-ups: its last binding is a JSON array of their parameters, its rows are what they find. */
interface BatchStatement extends Compiled {
  parameters: string[];
}

function batchOf<Parameters>(database: Knex, build: Build<Parameters>): BatchStatement {
  const one = compile<Parameters>(database, build);
  const parameters = [...new Set(one.bindings.flatMap((each) => ('parameter' in each ? [each.parameter] : [])))];
  let index = 0;
  const correlated = one.sql.replaceAll('?', () => {
    const binding = one.bindings[index++];
    return binding && 'parameter' in binding ? `(batch.value ->> ${parameters.indexOf(binding.parameter)})` : '?';
  });
  return {
    name: `batch ${one.name}`,
    sql: `SELECT (${correlated}) AS found FROM json_each(?) AS batch ORDER BY batch.key`,
    bindings: [...one.bindings.filter((each) => 'constant' in each), { parameter: 'batch' }],
    parameters,
  };
}

interface Waiting<Found> {
  /** In the order of the statement. */
  parameters: (Bindable | undefined)[];
  resolve(found: Found | undefined): void;
  reject(error: unknown): void;
}

/**
 * Collects the look-ups of one turn of the event loop, and those that arrive while earlier ones run. One execution runs at
 * a time, so that each has more look-ups.
 */
function lookupQueue<Found, Parameters extends { [Name in keyof Parameters]: Bindable }>(
  database: Knex,
  batch: BatchStatement,
  max: number,
  read: (value: unknown) => Found,
): (given: Parameters) => Promise<Found | undefined> {
  const waiting: Waiting<Found>[] = [];
  let isRunning = false;

  async function executeAll(): Promise<void> {
    while (waiting.length > 0) {
      // The main thread works on one half while the other runs.
      const next = Math.max(minBatch, waiting.length >> 1);
      await executeOne(waiting.splice(0, Math.min(next, max)));
    }
    isRunning = false;
  }

  async function executeOne(group: Waiting<Found>[]): Promise<void> {
    try {
      const parameters = JSON.stringify(group.map((each) => each.parameters));
      const rows = (await execute(database, batch, { batch: parameters })) as { found: unknown }[];
      for (const [index, { resolve }] of group.entries()) {
        const found = rows[index]?.found ?? undefined;
        resolve(found === undefined ? undefined : read(found));
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return (given) =>
    new Promise((resolve, reject) => {
      const values: Readonly<Record<string, Bindable>> = given;
      waiting.push({ parameters: batch.parameters.map((name) => values[name]), resolve, reject });
      if (isRunning) return;
      isRunning = true;
      setImmediate(() => void executeAll());
    });
}

/** Inserts many rows with the same columns. One statement with one parameter is faster than Knex's insert. */
export async function insertRows(transaction: Knex.Transaction, table: string, rows: object[]): Promise<void> {
  const [first] = rows;
  if (first) await insertFrom(transaction, table, Object.keys(first), JSON.stringify(rows));
}

/** Inserts many rows of a tenant with the same columns, without `tenant_id`. It fails if the tenant never had a product. */
export async function insertRowsOf(
  transaction: Knex.Transaction,
  tenantId: string,
  table: string,
  rows: object[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const done = await insertOf(transaction, tenantId, table, Object.keys(first), JSON.stringify(rows));
  // As the foreign key of a row that belongs to no product.
  if (done.rowCount === 0) throw Object.assign(new Error('The tenant has no product.'), { code: '23503' });
}

/**
 * Like `insertFrom`, for a tenant that has a product. PostgreSQL takes the `tenant_id` from a row of the tenant: where tables
 * are spread, the statement then goes to the tenant's node as it is. The coordinator would copy the rows of another SELECT
 * there first, and commit them in two phases.
 */
export function insertOf(
  database: Knex,
  tenantId: string | number,
  table: string,
  columns: readonly string[],
  rows: string | number,
): Knex.Raw {
  const names = columns.map(() => '??').join();
  if (!isPostgres(database)) {
    const values = columns.map(() => 'value ->> ?').join();
    const sql = `INSERT INTO ?? (tenant_id, ${names}) SELECT ?, ${values} FROM json_each(?) WHERE true`;
    return database.raw(sql, [table, ...columns, tenantId, ...columns, rows]);
  }
  const given = columns.map(() => 'given.??').join();
  return database.raw(
    `INSERT INTO ?? (tenant_id, ${names}) SELECT own.tenant_id, ${given}
     FROM product_counts AS own, json_populate_recordset(NULL::??, ?::json) AS given WHERE own.tenant_id = ?`,
    [table, ...columns, ...columns, table, rows, tenantId],
  );
}

/** SQL that inserts the objects of a JSON array. The array is one parameter: the SQL is the same for any number of rows. */
export function insertFrom(database: Knex, table: string, columns: readonly string[], rows: string | number): Knex.Raw {
  // Quoted, because an import has the names from a file.
  const names = columns.map(() => '??').join();
  if (isPostgres(database)) {
    const sql = `INSERT INTO ?? (${names}) SELECT ${names} FROM json_populate_recordset(NULL::??, ?::json)`;
    return database.raw(sql, [table, ...columns, ...columns, table, rows]);
  }
  const values = columns.map(() => 'value ->> ?').join();
  // Without the condition SQLite would read ON CONFLICT as part of the SELECT.
  const sql = `INSERT INTO ?? (${names}) SELECT ${values} FROM json_each(?) WHERE true`;
  return database.raw(sql, [table, ...columns, ...columns, rows]);
}

/**
 * SQL for all rows of a query as the text of one JSON array of objects, `[]` without rows. The driver reads one
 * text faster than the values of many rows.
 *
 * @param columns plain names; they become the members
 * @param order a column that sorts the rows
 */
export function rowsAsJson(database: Knex, columns: readonly string[], order?: string): Knex.Raw {
  const members = columns.map((column) => `'${column}', ${column}`).join();
  const sorted = order === undefined ? '' : ` ORDER BY ${order}`;
  if (!isPostgres(database)) return database.raw(`json_group_array(json_object(${members})${sorted})`);
  return database.raw(`COALESCE(json_agg(json_build_object(${members})${sorted}), '[]')::text`);
}

/** SQL for the texts of a JSON array that is a parameter, as in `id IN (…)`. */
export function textsOf(database: Knex): string {
  return isPostgres(database) ? 'SELECT json_array_elements_text(?)' : 'SELECT value FROM json_each(?)';
}

/** Rows of one query. */
const rowsAtOnce = 500;

/**
 * The rows of a query, page by page in the order of a key. Memory stays the same for any number of rows.
 *
 * @param query makes the query of a page with the columns of the key, without order and limit
 */
export async function* pagesByKey<Row extends object>(
  query: () => Knex.QueryBuilder,
  key: readonly string[],
  limit = rowsAtOnce,
): AsyncGenerator<Row[], void> {
  const next = `(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`;
  const members = key.map((column) => column.slice(column.indexOf('.') + 1));
  for (let after: Knex.Value[] | undefined; ; ) {
    const page = query()
      .orderBy([...key])
      .limit(limit);
    if (after) void page.whereRaw(next, after);
    const rows: Row[] = await page;
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < limit) return;
    after = members.map((member) => last[member as keyof Row] as Knex.Value);
  }
}
