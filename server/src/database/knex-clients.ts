import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import type { OpenFile } from './open-file.ts';
import { DatabaseState } from './state.ts';

/*
 * Everything that depends on private classes of Knex is in this file. `test/server/database/statement.test.ts` names a
 * member that a new version of Knex no longer has.
 */

const require = createRequire(import.meta.url);

/** The parts of Knex's clients that are used here. Knex's own types lack them. */
interface Query {
  sql: string;
  bindings?: readonly unknown[];
  options?: { name?: string };
  response?: unknown;
}
interface Transaction<Connection> {
  readOnly?: boolean;
  trxClient: { query(connection: Connection, sql: string): Promise<unknown> };
  begin(connection: Connection): Promise<unknown>;
  isCompleted(): boolean;
}
type ClientClass<Connection> = new (
  config: Knex.Config,
) => {
  _driver(): object;
  _query(connection: Connection, query: Query): Promise<Query>;
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): void;
  acquireRawConnection(): Promise<Connection>;
  destroyRawConnection(connection: Connection): Promise<void>;
  validateConnection(connection: Connection): boolean;
  destroy(callback?: (error?: unknown) => void): Promise<void>;
  transaction(...parameters: unknown[]): Transaction<Connection>;
};

/** Receives a statement after it ran: its SQL, without values, and its duration in milliseconds. */
type StatementObserver = (sql: string, duration: number) => void;

/** By the class of Knex's client, which a database shares with its reader and with its transactions. */
const observers = new WeakMap<object, StatementObserver>();

/** The observer receives every later statement of the database. */
export function observeStatements({ client }: { client: object }, observer: StatementObserver): void {
  observers.set(client.constructor, observer);
}

/** Runs a statement of a client. */
async function observed<Result>(client: object, sql: string, run: () => Promise<Result>): Promise<Result> {
  const observer = observers.get(client.constructor);
  if (!observer) return run();
  const start = performance.now();
  try {
    return await run();
  } finally {
    observer(sql, performance.now() - start);
  }
}

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
async function runPrepared(
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
function forgetPrepared(connection: SqliteConnection): void {
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

/** How long a write waits for the lock of another process, and the max pause between two attempts, in milliseconds. */
export const lockTimeout = 5000;
const maxPause = 100;

/** Knex sends them with each write. Prepared, a write takes two turns of libuv's thread pool less. */
const prepared = new Set(['BEGIN IMMEDIATE;', 'COMMIT;']);

/**
 * Knex's SQLite client with prepared statements. A transaction takes the write lock when it begins, unless it only reads:
 * after a plain BEGIN, one that reads first would fail at its first write if another process wrote in between.
 */
export function sqliteClient(state: DatabaseState, file: OpenFile): typeof Knex.Client {
  const Sqlite = require('knex/lib/dialects/sqlite3/index.js') as ClientClass<SqliteConnection>;
  const writers = new WeakSet<SqliteConnection>();
  return class extends Sqlite {
    /** Reads the same file. Ends with this client. */
    reader?: Knex;
    /** When waits for the write lock end, as `performance.now()` counts. */
    lockDeadline = Number.POSITIVE_INFINITY;

    override async _query(connection: SqliteConnection, query: Query): Promise<Query> {
      const { sql, bindings = [], options } = query;
      const isPrepared = options?.name !== undefined || prepared.has(sql);
      const run = (): Promise<unknown> =>
        isPrepared ? runPrepared(connection, sql, bindings) : super._query(connection, query);
      try {
        const found = await observed(this, sql, run);
        // Nobody finds what was written into a file that is not at its path any more.
        if (sql === 'COMMIT;' && writers.has(connection)) file.compare();
        return isPrepared ? Object.assign(query, { response: found }) : query;
      } catch (error) {
        // An error such as a full disk has ended the transaction. Knex would report the failed ROLLBACK instead.
        if (sql === 'ROLLBACK') return query;
        // SQLite keeps a transaction open whose COMMIT failed, and Knex would begin the next one inside it.
        if (sql === 'COMMIT;') await super._query(connection, { sql: 'ROLLBACK' }).catch(() => {});
        throw error;
      }
    }

    get state(): DatabaseState {
      return state;
    }

    get file(): OpenFile {
      return file;
    }

    takesWrites(): boolean {
      return file.isWritable;
    }

    override async acquireConnection(): Promise<SqliteConnection> {
      file.requireRight();
      return super.acquireConnection();
    }

    override async acquireRawConnection(): Promise<SqliteConnection> {
      const connection = await super.acquireRawConnection();
      try {
        // It may have opened another file than the connections before it.
        file.compare();
      } catch (error) {
        await this.destroyRawConnection(connection);
        throw error;
      }
      return connection;
    }

    override transaction(...parameters: unknown[]): Transaction<SqliteConnection> {
      const transaction = super.transaction(...parameters);
      // From now on, because the wait for the connection is a wait for the same lock if another write has it.
      const giveUp = performance.now() + lockTimeout;
      // Rejects if it fails. Knex's own `begin` resolves, and the container runs without a transaction.
      transaction.begin = (connection) =>
        transaction.readOnly
          ? transaction.trxClient.query(connection, 'BEGIN;')
          : this.beginWrite(transaction, connection, giveUp);
      return transaction;
    }

    /** Waits for the lock of another process here, and not in SQLite, so that a stop can end the wait. */
    async beginWrite(
      { trxClient }: Transaction<SqliteConnection>,
      connection: SqliteConnection,
      giveUp: number,
    ): Promise<unknown> {
      writers.add(connection);
      connection.configure('busyTimeout', 0);
      try {
        for (let pause = 5; ; pause = Math.min(pause * 2, maxPause)) {
          try {
            return await trxClient.query(connection, 'BEGIN IMMEDIATE;');
          } catch (error) {
            const isOver = performance.now() > Math.min(giveUp, this.lockDeadline);
            if (isOver || (error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
          }
          await sleep(pause * (0.5 + Math.random() / 2));
        }
      } finally {
        connection.configure('busyTimeout', lockTimeout);
      }
    }

    override destroyRawConnection(connection: SqliteConnection): Promise<void> {
      forgetPrepared(connection);
      return super.destroyRawConnection(connection);
    }

    override async destroy(callback?: (error?: unknown) => void): Promise<void> {
      await this.reader?.destroy();
      return super.destroy(callback);
    }
  } as unknown as typeof Knex.Client;
}

/** How often the time of running reads is checked, in milliseconds. */
const checkInterval = 250;

/** Interrupts what a connection runs for longer than a limit, in milliseconds, and everything when the pool ends. */
export function limitReads({ client: { pool } }: Knex, limit: number): void {
  const running = new Map<SqliteConnection, number>();
  let max = limit;
  const interruptLate = (): void => {
    const latest = performance.now() - max;
    for (const [connection, since] of running) if (since < latest) connection.interrupt();
  };
  // One timer for all statements: a timer for each would cost more than a short statement.
  const timer = setInterval(interruptLate, checkInterval).unref();
  pool.on('acquireSuccess', (_: number, connection: SqliteConnection) => running.set(connection, performance.now()));
  pool.on('release', (connection: SqliteConnection) => running.delete(connection));
  pool.on('poolDestroyRequest', () => {
    max = 0;
    interruptLate();
  });
  pool.on('poolDestroySuccess', () => clearInterval(timer));
}

type EndTurn = () => void;

/**
 * The same database with the same connections. Before it takes one from the pool, it waits for a turn.
 *
 * @param turn returns the function that ends the turn, or a promise of it if the turn has to wait
 */
export function withTurns({ client }: Knex, turn: () => EndTurn | Promise<EndTurn>): Knex {
  const makeKnex = require('knex/lib/knex-builder/make-knex.js') as (client: object) => Knex;
  const ends = new WeakMap<object, EndTurn>();
  client.waitingForTurn ??= 0;
  // Inherits the pool, the state and the listeners. Knex would add some that run for every statement of the database.
  const own = Object.assign(Object.create(client), {
    on: () => own,
    async acquireConnection(): Promise<object> {
      let end = turn();
      if (end instanceof Promise) {
        client.waitingForTurn += 1;
        end = await end.finally(() => {
          client.waitingForTurn -= 1;
        });
      }
      try {
        const connection = await client.acquireConnection();
        ends.set(connection, end);
        return connection;
      } catch (error) {
        end();
        throw error;
      }
    },
    releaseConnection(connection: object): Promise<void> {
      const released = client.releaseConnection(connection);
      ends.get(connection)?.();
      ends.delete(connection);
      return released;
    },
  });
  return makeKnex(own);
}

interface PgConnection {
  /** As `performance.now()` counts. */
  openedAt: number;
  expiresAt: number;
  connection: { stream: Socket };
  connectionParameters: object;
  /** The reason why Knex's pool must not reuse the connection. */
  __knex__disposed?: unknown;
  connect(): Promise<void>;
  once(event: 'end', listener: () => void): void;
}

/** `'0'` removes a limit of the server. pg does not send falsy settings. */
const noLimits = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  query_timeout: undefined,
};
/** To disconnect, and to finish queries when the pool is destroyed, in milliseconds. */
const disconnectTimeout = 500;
const destroyTimeout = 1000;

/** Time between two connections that only find out whether PostgreSQL takes writes, in milliseconds. */
const probeInterval = 1000;

/** SQLSTATE of a write on a connection that is read-only: PostgreSQL is a standby, or was read-only when it opened. */
const readOnly = '25006';
/** PostgreSQL, a database or a user has its max number of connections. */
const tooManyConnections = '53300';

interface PostgresOptions {
  /** Removes the time limits of statements, those of the address included. */
  unlimited: boolean;
  /** Whether a connection prepares each statement that has a name once. */
  prepares: boolean;
  /** How old a connection gets, in milliseconds. */
  maxAge: number;
}

/**
 * Knex's PostgreSQL client with time limits of its own, for a PostgreSQL that hangs, and for an address that leads to another
 * machine after a while.
 */
export function postgresClient({ unlimited, prepares, maxAge }: PostgresOptions): typeof Knex.Client {
  const Postgres = require('knex/lib/dialects/postgres/index.js') as ClientClass<PgConnection>;
  const { Client } = require('pg') as { Client: new (config: unknown) => PgConnection };
  const open = new Set<PgConnection>();
  const state = new DatabaseState();
  let pool: IdlePool | undefined;
  /** Connections that were opened before are not used again. */
  let openedSince = 0;
  let probedAt = Number.NEGATIVE_INFINITY;
  let probe = Promise.resolve(true);
  return class extends Postgres {
    constructor(config: Knex.Config) {
      super(config);
      ({ pool } = this as { pool?: IdlePool });
    }

    get state(): DatabaseState {
      return state;
    }

    override _driver(): object {
      return {
        Client: class extends Client {
          constructor(config: unknown) {
            super(config);
            open.add(this);
            this.once('end', () => open.delete(this));
            this.openedAt = performance.now();
            // Not all at once, and early enough for the transaction that uses it last.
            this.expiresAt = this.openedAt + maxAge * (0.8 + Math.random() / 10);
            if (unlimited) Object.assign(this.connectionParameters, noLimits);
          }

          /** pg leaves the connection open if the log-in fails, and the process would wait for the server to close it. */
          override async connect(): Promise<void> {
            try {
              await super.connect();
            } catch (error) {
              cut(this);
              throw error;
            }
          }
        },
      };
    }

    override async _query(connection: PgConnection, query: Query): Promise<Query> {
      const { options, ...unnamed } = query;
      try {
        return await observed(this, query.sql, () => super._query(connection, prepares ? query : unnamed));
      } catch (error) {
        if ((error as { code?: unknown }).code === readOnly) void this.probe();
        const ended = endedConnection(error);
        if (ended) {
          // Set at once: otherwise the pool could give the connection to the next query.
          connection.__knex__disposed = ended;
          // The response to a query that timed out may still arrive on the connection.
          cut(connection);
        }
        throw ended ?? error;
      }
    }

    override validateConnection({ openedAt, expiresAt }: PgConnection): boolean {
      return openedAt >= openedSince && performance.now() < expiresAt;
    }

    async takesWrites(): Promise<boolean> {
      return (await this.asksPooled()) || ((await this.probe()) && (await this.asksPooled()));
    }

    async asksPooled(): Promise<boolean> {
      const connection = await this.acquireConnection();
      try {
        return await this.asks(connection);
      } finally {
        this.releaseConnection(connection);
      }
    }

    async asks(connection: PgConnection): Promise<boolean> {
      const { response } = await this._query(connection, { sql: 'SHOW transaction_read_only' });
      return (response as { rows: { transaction_read_only: string }[] }).rows[0]?.transaction_read_only === 'off';
    }

    /**
     * Finds out on a new connection whether PostgreSQL takes writes. If so, older connections are closed, because they stay
     * read-only, or lead to another machine. Opens at most one connection a second: a standby refuses each write.
     */
    probe(): Promise<boolean> {
      const now = performance.now();
      if (now < probedAt + probeInterval) return probe;
      probedAt = now;
      probe = this.asksNew().then((takesWrites) => {
        if (takesWrites) {
          // An earlier probe may end later.
          openedSince = Math.max(openedSince, now);
          if (pool) closeIdle(pool);
        }
        return takesWrites;
      });
      return probe;
    }

    async asksNew(): Promise<boolean> {
      try {
        const connection = await this.acquireRawConnection();
        try {
          return await this.asks(connection);
        } finally {
          await this.destroyRawConnection(connection);
        }
      } catch (error) {
        // Then the places of the older ones are needed for new ones.
        return (error as { code?: unknown }).code === tooManyConnections;
      }
    }

    override transaction(...parameters: unknown[]): Transaction<PgConnection> {
      const transaction = super.transaction(...parameters);
      const begin = transaction.begin.bind(transaction);
      transaction.begin = async (connection) => {
        await begin(connection);
        // Knex has rejected the transaction, but would still run the container.
        if (transaction.isCompleted()) throw new Error('The transaction could not begin.');
      };
      return transaction;
    }

    override destroyRawConnection(connection: PgConnection): Promise<void> {
      return within(disconnectTimeout, super.destroyRawConnection(connection), () => cut(connection));
    }

    /** Pending queries may finish within a time limit, then they fail. */
    override destroy(callback?: (error?: unknown) => void): Promise<void> {
      return within(destroyTimeout, super.destroy(callback), () => {
        for (const connection of open) cut(connection);
      });
    }
  } as unknown as typeof Knex.Client;
}

/** The statements that work sends to a PostgreSQL whose tables are spread. None is sent, and each finds no rows. */
export async function statementsOf(work: (knex: Knex) => Promise<void>): Promise<string[]> {
  const Postgres = require('knex/lib/dialects/postgres/index.js') as ClientClass<object>;
  const statements: string[] = [];
  const client = class extends Postgres {
    get isSpread(): boolean {
      return true;
    }

    override async acquireConnection(): Promise<object> {
      return {};
    }

    override releaseConnection(): void {}

    override async _query(_: object, query: Query): Promise<Query> {
      statements.push(query.sql);
      return { ...query, response: { rows: [] } };
    }
  } as unknown as typeof Knex.Client;
  await work(knex({ client, version: '14' }));
  return statements;
}

/** The part of Knex's pool that is used here. */
interface IdlePool {
  idleTimeoutMillis: number;
  /** Closes the connections that are idle for too long. */
  check(): void;
}

function closeIdle(pool: IdlePool): void {
  const { idleTimeoutMillis } = pool;
  pool.idleTimeoutMillis = 0;
  pool.check();
  pool.idleTimeoutMillis = idleTimeoutMillis;
}

function cut({ connection }: PgConnection): void {
  connection.stream.destroy();
}

async function within<Result>(limit: number, work: Promise<Result>, late: () => void): Promise<Result> {
  const timer = setTimeout(late, limit);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/** The messages of pg's errors for lost and failed connections, which have no code. */
const lostConnections = new Set([
  // A query has reached `query_timeout`.
  'Query read timeout',
  'timeout expired',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
]);

/** PostgreSQL closes the connection after these errors: shutdown, crash, idle and transaction limits. */
const endingCodes = /^(57P0[1-5]|25P0[34])$/;

/**
 * The error with a code of an ended connection, if its connection must not be used again. Knex changes messages.
 *
 * One of them is that of a prepared statement whose plan is stale, because somebody altered a column. PostgreSQL translates
 * its message, but not the name of its routine.
 */
export function endedConnection(error: unknown): Error | undefined {
  const { message, code, routine } = error as Error & { code?: string; routine?: string };
  if (endingCodes.test(code ?? '')) return error as Error;
  const isStalePlan = code === '0A000' && routine === 'RevalidateCachedQuery';
  if (!isStalePlan && !lostConnections.has(message)) return undefined;
  return Object.assign(error as Error, { code: '08006' });
}
