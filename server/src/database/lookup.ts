import type { Knex } from 'knex';
import { isPostgres } from './connection.ts';
import { type Bindable, type Compiled, compile, execute, type Placeholders, statement } from './statement.ts';

/** The largest number of look-ups in one execution. */
const mostAtOnce = 200;

type Build<Parameters> = (database: Knex, parameters: Placeholders<Parameters>) => Knex.QueryBuilder;

/** Finds the row with these parameters. Sees every write that is committed. */
export type Lookup<Row, Parameters> = (database: Knex, parameters: Parameters) => Promise<Row | undefined>;

/**
 * Declares a look-up of at most one row by an index. Like a `statement`, but on SQLite the look-ups of concurrent
 * requests share an execution: most of its cost is the way to another thread and back. With 32 connections, a request
 * with two look-ups costs the main thread 50 µs instead of 160 µs (bare Hapi: 45 µs).
 *
 * @param columns become the row's members, without the name of their table: `tenants.id`, or `tenants.slug as tenant`
 * @param from makes Knex's query without columns
 */
export function lookup<Row, Parameters extends { [Name in keyof Parameters]: Bindable }>(
  columns: readonly string[],
  from: Build<Parameters>,
): Lookup<Row, Parameters> {
  const alone = statement<Row, Parameters>((database, parameters) => from(database, parameters).select(columns));
  const queues = new WeakMap<object, LookupQueue>();

  return (database, parameters) => {
    const { client } = database;
    if (isPostgres(database) || client.transacting) return alone.first(database, parameters);
    let queue = queues.get(client);
    if (!queue) {
      queue = new LookupQueue(database, batchOf(database, columns, from));
      queues.set(client, queue);
    }
    return queue.find(parameters as Record<string, Bindable>) as Promise<Row | undefined>;
  };
}

/** A statement for many look-ups: its last binding is a JSON array of their parameters, its result one of their rows. */
interface BatchStatement extends Compiled {
  parameters: string[];
}

function batchOf<Parameters>(database: Knex, columns: readonly string[], from: Build<Parameters>): BatchStatement {
  // Everything up to the last dot or ` as ` is not part of the member's name.
  const members = columns.map((column) => `'${column.replace(/^.*(?:\.| as )/, '')}', ??`);
  const names = columns.map((column) => column.replace(/ as .*/, ''));
  const one = compile<Parameters>(database, (knex, parameters) =>
    from(knex, parameters).select(knex.raw(`json_object(${members.join()})`, names)),
  );
  const parameters = [...new Set(one.bindings.flatMap((each) => ('parameter' in each ? [each.parameter] : [])))];
  let index = 0;
  const correlated = one.sql.replaceAll('?', () => {
    const binding = one.bindings[index++];
    return binding && 'parameter' in binding ? `(batch.value ->> ${parameters.indexOf(binding.parameter)})` : '?';
  });
  return {
    name: `batch ${one.name}`,
    sql: `SELECT json_group_array(json((${correlated})) ORDER BY batch.key) AS found FROM json_each(?) AS batch`,
    bindings: [...one.bindings.filter((each) => 'constant' in each), { parameter: 'batch' }],
    parameters,
  };
}

interface Waiting {
  /** In the order of the statement. */
  parameters: (Bindable | undefined)[];
  resolve(row: unknown): void;
  reject(error: unknown): void;
}

/**
 * Collects the look-ups of one turn of the event loop, and those that arrive while earlier ones run. One execution runs at
 * a time: with two at a time there are more of them, and a request costs a sixth more.
 */
class LookupQueue {
  readonly #database: Knex;
  readonly #statement: BatchStatement;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(database: Knex, batchStatement: BatchStatement) {
    this.#database = database;
    this.#statement = batchStatement;
  }

  find(given: Record<string, Bindable>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ parameters: this.#statement.parameters.map((name) => given[name]), resolve, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      setImmediate(() => void this.#executeAll());
    });
  }

  async #executeAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#execute(this.#waiting.splice(0, mostAtOnce));
    this.#isRunning = false;
  }

  async #execute(group: Waiting[]): Promise<void> {
    try {
      const batch = JSON.stringify(group.map(({ parameters }) => parameters));
      const [row] = await execute(this.#database, this.#statement, { batch });
      const found: unknown[] = JSON.parse((row as { found: string }).found);
      for (const [index, { resolve }] of group.entries()) resolve(found[index] ?? undefined);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
