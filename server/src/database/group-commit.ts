import type { Knex } from 'knex';
import { isPostgres, withFreshPlans } from './connection.ts';

/** How long a transaction takes further writes, in milliseconds. Other processes wait for its end. */
const longestGroup = 20;

type Write<Result> = (transaction: Knex.Transaction) => Promise<Result>;

interface Waiting {
  write: Write<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The writes of a transaction. */
interface Group {
  begun: Waiting[];
  /** The one that ended the transaction. */
  failed: Waiting | undefined;
}

/** By Knex's client. */
const groupsOf = new WeakMap<object, Groups>();

/**
 * Runs a write in a transaction, and resolves when it is committed. On SQLite, writes that wait for each other share a
 * transaction, and so the commit, which takes a third of a write's time. A write that fails does not undo the others: they
 * run again, without it.
 */
export function commitTogether<Result>(database: Knex, write: Write<Result>): Promise<Result> {
  const { client } = database;
  if (isPostgres(database) || client.transacting) {
    return withFreshPlans(database, () => database.transaction(write));
  }
  let groups = groupsOf.get(client);
  if (!groups) {
    groups = new Groups(database);
    groupsOf.set(client, groups);
  }
  return groups.add(write);
}

class Groups {
  readonly #database: Knex;
  #waiting: Waiting[] = [];
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

  async #runGroup(): Promise<void> {
    const group: Group = { begun: [], failed: undefined };
    try {
      const results = await this.#database.transaction((transaction) => this.#writeGroup(transaction, group));
      for (const [index, { resolve }] of group.begun.entries()) resolve(results[index]);
    } catch (error) {
      const { begun, failed } = group;
      // A write failed, and undid the others. They go first in the next transaction.
      if (failed) this.#waiting.unshift(...begun.filter((each) => each !== failed));
      // The transaction could not begin, because another process holds the lock. Later writes would wait for the same lock.
      const ended = failed ? [failed] : begun.length > 0 ? begun : this.#waiting.splice(0);
      for (const { reject } of ended) reject(error);
    }
  }

  /**
   * Runs the writes that wait now, and those that arrive in the meantime.
   *
   * @param group receives the writes that began, and the one that failed
   * @returns the results, to be sent once they are committed
   */
  async #writeGroup(transaction: Knex.Transaction, group: Group): Promise<unknown[]> {
    const end = performance.now() + longestGroup;
    const results: unknown[] = [];
    do {
      const next = this.#waiting.shift();
      if (!next) break;
      group.begun.push(next);
      group.failed = next;
      results.push(await next.write(transaction));
      group.failed = undefined;
    } while (performance.now() < end);
    return results;
  }
}
