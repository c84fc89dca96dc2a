import type { Knex } from 'knex';
import { isPostgres, withFreshPlans } from './connection.ts';
import { statement } from './statement.ts';

/** How long a transaction takes further writes, in milliseconds. Other processes wait for its end. */
const longestGroup = 20;

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
 * transaction, and so the commit, which takes a third of a write's time. A write that fails does not undo the others.
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

const savepoint = statement((database) => database.raw('SAVEPOINT write'));
const release = statement((database) => database.raw('RELEASE write'));
const rollBack = statement((database) => database.raw('ROLLBACK TO write'));

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
    const begun: Waiting[] = [];
    try {
      const respond = await this.#database.transaction((transaction) => this.#writeGroup(transaction, begun));
      for (const each of respond) each();
    } catch (error) {
      // The transaction could not begin, because another process holds the lock. Later writes would wait for the same lock.
      const failed = begun.length > 0 ? begun : this.#waiting.splice(0);
      for (const { reject } of failed) reject(error);
    }
  }

  /**
   * Runs the writes that wait now, and those that arrive in the meantime.
   *
   * @param begun receives the writes that began
   * @returns what to do once they are committed
   */
  async #writeGroup(transaction: Knex.Transaction, begun: Waiting[]): Promise<(() => void)[]> {
    const end = performance.now() + longestGroup;
    const isAlone = this.#waiting.length === 1;
    const respond: (() => void)[] = [];
    do {
      const next = this.#waiting.shift();
      if (!next) break;
      begun.push(next);
      respond.push(await (isAlone ? runAlone(transaction, next) : runInSavepoint(transaction, next)));
    } while (!isAlone && performance.now() < end);
    return respond;
  }
}

/** The transaction fails with the write. */
async function runAlone(transaction: Knex.Transaction, { write, resolve }: Waiting): Promise<() => void> {
  const result = await write(transaction);
  return () => resolve(result);
}

async function runInSavepoint(transaction: Knex.Transaction, { write, resolve, reject }: Waiting): Promise<() => void> {
  await savepoint.all(transaction, {});
  try {
    const result = await write(transaction);
    await release.all(transaction, {});
    return () => resolve(result);
  } catch (error) {
    try {
      await rollBack.all(transaction, {});
      await release.all(transaction, {});
    } catch {
      // A full disk has ended the transaction, and with it all writes of the group.
      throw error;
    }
    return () => reject(error);
  }
}
