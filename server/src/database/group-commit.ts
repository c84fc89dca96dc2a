import type { Knex } from 'knex';
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
const groupsOf = new WeakMap<object, Groups>();

/**
 * Runs a write in a transaction, and resolves when it is committed. On SQLite, writes that wait for each other share a
 * transaction, and so the commit, which takes a third of a write's time. They run one after the other. A write that fails
 * does not undo the others: they run again, without it.
 */
export function commitTogether<Result>(database: Knex, write: Write<Result>): Promise<Result> {
  const { client } = database;
  if (isPostgres(database) || client.transacting) return database.transaction(write);
  let groups = groupsOf.get(client);
  if (!groups) {
    groups = new Groups(database);
    groupsOf.set(client, groups);
  }
  return groups.add(write);
}

class Groups {
  readonly #database: Knex;
  readonly #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(database: Knex) {
    this.#database = database;
  }

  add<Result>(write: Write<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve: (result) => resolve(result as Result), reject });
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) await this.#runGroup();
    this.#isRunning = false;
  }

  /** Runs the writes that wait now, and those that arrive in the meantime. */
  async #runGroup(): Promise<void> {
    const done: Waiting[] = [];
    const failed: Waiting[] = [];
    try {
      const results = await this.#database.transaction(async (transaction) => {
        const end = performance.now() + maxDuration;
        const made: unknown[] = [];
        for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
          failed.push(next);
          made.push(await next.write(transaction));
          done.push(...failed.splice(0));
          if (performance.now() > end) break;
        }
        return made;
      });
      for (const [index, { resolve }] of done.entries()) resolve(results[index]);
    } catch (error) {
      // A write failed, and undid the others. They go first in the next transaction.
      if (failed.length > 0) this.#waiting.unshift(...done);
      // A commit failed, or no transaction began, because another process holds the lock: all would wait for it.
      else failed.push(...(done.length > 0 ? done : this.#waiting.splice(0)));
      for (const { reject } of failed) reject(error);
    }
  }
}
