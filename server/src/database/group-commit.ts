import type { Knex } from 'knex';
import { isPostgres, isUnavailable, withFreshPlans } from './connection.ts';

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

/** Writes of one kind. */
interface Kind<Item, Result> {
  /** Stores several of them with few statements. Returns the results in the order of the items. */
  store(transaction: Knex.Transaction, tenantId: string, items: readonly Item[]): Promise<Result[]>;
  /** What an item needs alone. Items with the same one are never stored together. */
  resourceOf(item: Item): string;
  sizeOf(item: Item): number;
  /** The largest size of several items that are stored together. */
  mostSize: number;
}

/** Items of a tenant that are stored together. */
interface Batch<Item, Result> {
  items: Map<string, Item>;
  size: number;
  results: Promise<Result[]>;
}

/**
 * Declares a write that is stored together with others of its tenant, and resolves when it is committed. On SQLite, those
 * that wait for a transaction are one batch. If it fails, each of them is stored alone, unless the database is unavailable.
 */
export function commitInBatches<Item, Result>(
  kind: Kind<Item, Result>,
): (database: Knex, tenantId: string, item: Item) => Promise<Result> {
  /** The batches that wait for a transaction, by Knex's client and tenant. */
  const waiting = new WeakMap<object, Map<string, Batch<Item, Result>>>();

  function batchFor(database: Knex, tenantId: string, item: Item): Batch<Item, Result> {
    const batches = waiting.get(database.client) ?? new Map<string, Batch<Item, Result>>();
    waiting.set(database.client, batches);
    const last = batches.get(tenantId);
    const fits = last && last.size + kind.sizeOf(item) <= kind.mostSize && !last.items.has(kind.resourceOf(item));
    if (fits) return last;
    const items = new Map<string, Item>();
    const close = (): void => {
      if (batches.get(tenantId) === batch) batches.delete(tenantId);
    };
    const results = commitTogether(database, (transaction) => {
      close();
      return kind.store(transaction, tenantId, [...items.values()]);
    });
    // If no transaction could begin, nothing was stored.
    results.catch(close);
    const batch = { items, size: 0, results };
    batches.set(tenantId, batch);
    return batch;
  }

  return async (database, tenantId, item) => {
    const alone = async (): Promise<Result> => {
      const [result] = await commitTogether(database, (transaction) => kind.store(transaction, tenantId, [item]));
      return result as Result;
    };
    if (isPostgres(database) || database.client.transacting) return alone();
    const batch = batchFor(database, tenantId, item);
    const index = batch.items.size;
    batch.items.set(kind.resourceOf(item), item);
    batch.size += kind.sizeOf(item);
    try {
      return (await batch.results)[index] as Result;
    } catch (error) {
      if (batch.items.size === 1 || isUnavailable(error)) throw error;
      return alone();
    }
  };
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
