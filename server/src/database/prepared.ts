/** The parts of the SQLite driver that are used here. */
export interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
  prepare(sql: string, done: (error: Error | null) => void): SqliteStatement;
  interrupt(): void;
  close(done: () => void): void;
  configure(option: 'busyTimeout', milliseconds: number): void;
}

interface SqliteStatement {
  all(bindings: readonly unknown[], done: (error: Error | null, rows: unknown[]) => void): void;
  reset(done: () => void): void;
  finalize(): void;
}

/** A statement of a connection, and the end of its preparation. */
interface Prepared {
  statement: SqliteStatement;
  ready: Promise<void>;
}

/** By connection, then by SQL. The program has a fixed number of statements. */
const preparedBy = new WeakMap<SqliteConnection, Map<string, Prepared>>();

/** Runs a statement on a SQLite connection, which prepares it only once. */
export async function runPrepared(
  connection: SqliteConnection,
  sql: string,
  bindings: readonly unknown[],
): Promise<unknown[]> {
  const { statement, ready } = preparedBy.get(connection)?.get(sql) ?? prepare(connection, sql);
  await ready;
  // Reads all rows: a statement that stops at its first row keeps its snapshot until it runs again. A failed statement
  // counts as running until it is reset: SQLite would not commit a later write, and would undo it at the reset.
  return new Promise((resolve, reject) => {
    statement.all(bindings, (error, rows) => (error ? statement.reset(() => reject(error)) : resolve(rows)));
  });
}

/** Ends the prepared statements of a connection. SQLite does not close a connection that has any. */
export function forgetPrepared(connection: SqliteConnection): void {
  for (const { statement } of preparedBy.get(connection)?.values() ?? []) statement.finalize();
  preparedBy.delete(connection);
}

function prepare(connection: SqliteConnection, sql: string): Prepared {
  const all = preparedBy.get(connection) ?? new Map<string, Prepared>();
  preparedBy.set(connection, all);
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const statement = connection.prepare(sql, (error) => {
    if (!error) return resolve();
    all.delete(sql);
    reject(error);
  });
  const prepared = { statement, ready };
  all.set(sql, prepared);
  return prepared;
}
