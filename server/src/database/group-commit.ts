import type { Knex } from 'knex';
import { recorded } from './state.ts';
import { isPostgres } from './statement.ts';

/** How long a transaction takes further writes, in milliseconds. Other processes wait for its end. */
const maxDuration = 20;

type Write<Result> = (transaction: Knex.Transaction) => Promise<Result>;

interface Waiting {
  write: Write<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** By Knex's client. */
const groupsOf = new WeakMap<object, (write: Write<unknown>) => Promise<unknown>>();

/**
 * Runs a write in a transaction, and resolves when it is committed. On SQLite, writes that wait for each other share a
 * transaction, and so the commit, which takes a third of a write's time. They run one after the other. A write that fails
 * does not undo the others: they run again, without it.
 */
export function commitTogether<Result>(database: Knex, write: Write<Result>): Promise<Result> {
  const { client } = database;
  if (client.transacting) return database.transaction(write);
  if (isPostgres(database)) return recorded(database, () => database.transaction(write));
  let add = groupsOf.get(client);
  if (!add) {
    add = newGroups(database);
    groupsOf.set(client, add);
  }
  return add(write) as Promise<Result>;
}

/** Makes the function that adds a write to the next group of a database. */
function newGroups(database: Knex): (write: Write<unknown>) => Promise<unknown> {
  const waiting: Waiting[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) await runGroup();
    isRunning = false;
  }

  /** Runs the writes that wait now, and those that arrive in the meantime. */
  async function runGroup(): Promise<void> {
    const done: Waiting[] = [];
    const failed: Waiting[] = [];
    try {
      const results = await recorded(database, () =>
        database.transaction(async (transaction) => {
          const end = performance.now() + maxDuration;
          const made: unknown[] = [];
          for (let next = waiting.shift(); next; next = waiting.shift()) {
            failed.push(next);
            made.push(await next.write(transaction));
            done.push(...failed.splice(0));
            if (performance.now() > end) break;
          }
          return made;
        }),
      );
      for (const [index, { resolve }] of done.entries()) resolve(results[index]);
    } catch (error) {
      // A write failed, and undid the others. They go first in the next transaction.
      if (failed.length > 0) waiting.unshift(...done);
      // A commit failed, or no transaction began, because another process holds the lock: all would wait for it.
      else failed.push(...(done.length > 0 ? done : waiting.splice(0)));
      for (const { reject } of failed) reject(error);
    }
  }

  return (write) =>
    new Promise((resolve, reject) => {
      waiting.push({ write, resolve, reject });
      if (!isRunning) void runAll();
    });
}
