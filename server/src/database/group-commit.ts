import type { Knex } from 'knex';
import { isPostgres } from './connection.ts';

/** How long a transaction takes further writes, in milliseconds. Other processes wait for its end. */
const longestGroup = 20;

/** The most writes of a transaction that run at the same time. */
const mostAtOnce = 16;

/** Rejects a statement that did not run, because one of another write failed before it. */
const notRun = new Error('An earlier statement of the transaction failed.');

type Write<Result> = (transaction: Knex.Transaction) => Promise<Result>;

interface Waiting {
  resource: string;
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
 * transaction, and so the commit, which takes a third of a write's time. They run at the same time: one computes while the
 * statement of another runs. A write that fails does not undo the others: they run again, without it.
 *
 * @param resource names the rows that the write needs alone. Of one resource a single write runs at a time.
 */
export function commitTogether<Result>(database: Knex, resource: string, write: Write<Result>): Promise<Result> {
  const { client } = database;
  if (isPostgres(database) || client.transacting) return database.transaction(write);
  let groups = groupsOf.get(client);
  if (!groups) {
    groups = new Groups(database);
    groupsOf.set(client, groups);
  }
  return groups.add(resource, write);
}

class Groups {
  readonly #database: Knex;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(database: Knex) {
    this.#database = database;
  }

  add<Result>(resource: string, write: Write<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resource, write, resolve: (result) => resolve(result as Result), reject });
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
    const undo = runInTurns(transaction);
    try {
      do {
        const next = this.#takeNext();
        if (next.length === 0) break;
        group.begun.push(...next);
        const outcomes = await Promise.allSettled(next.map(({ write }) => write(transaction)));
        const rejected = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
        const failure = rejected.find(({ reason }) => reason !== notRun) ?? rejected[0];
        if (failure) {
          group.failed = next[outcomes.indexOf(failure)];
          throw failure.reason;
        }
        for (const outcome of outcomes) results.push((outcome as PromiseFulfilledResult<unknown>).value);
      } while (performance.now() < end);
      return results;
    } finally {
      undo();
    }
  }

  /** Takes writes that can run at the same time. */
  #takeNext(): Waiting[] {
    const next = new Map<string, Waiting>();
    this.#waiting = this.#waiting.filter((each) => {
      if (next.size === mostAtOnce || next.has(each.resource)) return true;
      next.set(each.resource, each);
      return false;
    });
    return [...next.values()];
  }
}

/**
 * From now on the statements of a transaction run one at a time, and none after one that failed: SQLite may have ended the
 * transaction, and would commit each further statement at once.
 *
 * @returns ends this
 */
function runInTurns({ client }: Knex.Transaction): () => void {
  const { query } = client;
  let hasFailed = false;
  let last = Promise.resolve();
  client.query = (...given: unknown[]) => {
    const result = last.then(() => {
      if (hasFailed) throw notRun;
      return query.apply(client, given);
    });
    last = result.then(
      () => {},
      () => {
        hasFailed = true;
      },
    );
    return result;
  };
  return () => {
    client.query = query;
  };
}
