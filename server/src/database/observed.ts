/** Receives a statement after it ran: its SQL, without values, and its duration in milliseconds. */
export type StatementObserver = (sql: string, duration: number) => void;

/** By the class of Knex's client, which a database shares with its reader and with its transactions. */
const observers = new WeakMap<object, StatementObserver>();

/** The observer receives every later statement of the database. */
export function observeStatements({ client }: { client: object }, observer: StatementObserver): void {
  observers.set(client.constructor, observer);
}

/** Runs a statement of a client. */
export async function observed<Result>(client: object, sql: string, run: () => Promise<Result>): Promise<Result> {
  const observer = observers.get(client.constructor);
  if (!observer) return run();
  const start = performance.now();
  try {
    return await run();
  } finally {
    observer(sql, performance.now() - start);
  }
}
