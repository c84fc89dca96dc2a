import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Knex } from 'knex';
import { observed } from './observed.ts';

const require = createRequire(import.meta.url);

/** How long a transaction may be idle, in milliseconds. */
const idleLimit = 10_000;
/** How much longer than PostgreSQL the client waits for the end of a statement, in milliseconds. */
const clientMargin = 1000;
/** `'0'` removes a limit of the server. pg does not send falsy settings. */
const noLimits = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  query_timeout: undefined,
};
/** To connect, to disconnect, and to finish queries when the pool is destroyed, in milliseconds. */
const connectLimit = 3000;
const goodbyeLimit = 500;
const destroyLimit = 1000;

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

/** PostgreSQL's code of a lost connection. */
const connectionFailure = '08006';

/** PostgreSQL closes the connection after these errors: shutdown, crash, idle and transaction limits. */
const endingCodes = /^(57P0[1-5]|25P0[34])$/;

/**
 * Whether a prepared statement returns other types than when it was prepared, because somebody altered a column.
 * PostgreSQL translates the message, but not the name of its routine.
 */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** The connection's settings. Times are in milliseconds. */
export function postgresConnection(
  address: string,
  { statementTimeout, lockTimeout }: { statementTimeout: number; lockTimeout: number },
): object {
  return {
    connectionString: address,
    connectionTimeoutMillis: connectLimit,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Parameters with the same names in the address take precedence.
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: idleLimit,
    // Measured by the client, because a PostgreSQL that hangs does not end statements.
    query_timeout: statementTimeout + clientMargin,
  };
}

/** The parts of pg's and Knex's clients that are used here. Knex's own types lack them. */
interface PgClient {
  connection: { stream: Socket };
  connectionParameters: object;
  /** The reason why Knex's pool must not reuse the connection. */
  __knex__disposed?: unknown;
  once(event: 'end', listener: () => void): void;
}
type PgClientClass = new (config: unknown) => PgClient;
interface Query {
  sql: string;
  options?: { name?: string };
}
type PostgresClient = new (
  config: Knex.Config,
) => {
  transacting?: boolean;
  _driver(): object;
  _query(connection: PgClient, query: Query): Promise<unknown>;
  acquireRawConnection(): Promise<PgClient>;
  checkVersion(connection: PgClient): Promise<unknown>;
  destroyRawConnection(connection: PgClient): Promise<void>;
  destroy(callback?: (error?: unknown) => void): Promise<void>;
  transaction(...parameters: unknown[]): PostgresTransaction;
};
interface PostgresTransaction {
  begin(connection: PgClient): Promise<unknown>;
  isCompleted(): boolean;
}

/**
 * Knex's PostgreSQL client with time limits of its own, for a PostgreSQL that hangs.
 *
 * @param unlimited removes the time limits of statements, those of the address included
 * @param prepares whether a connection prepares each statement that has a name once
 */
export function postgresClient({ unlimited, prepares }: { unlimited: boolean; prepares: boolean }): typeof Knex.Client {
  const Postgres = require('knex/lib/dialects/postgres/index.js') as PostgresClient;
  const { Client } = require('pg') as { Client: PgClientClass };
  const open = new Set<PgClient>();
  /** Part of the names of prepared statements. Statements with a new name are prepared anew, on every connection. */
  let generation = 0;
  return class extends Postgres {
    override _driver(): object {
      return {
        Client: class extends Client {
          constructor(config: unknown) {
            super(config);
            open.add(this);
            this.once('end', () => open.delete(this));
            if (unlimited) Object.assign(this.connectionParameters, noLimits);
          }
        },
      };
    }

    override transaction(...parameters: unknown[]): PostgresTransaction {
      const transaction = super.transaction(...parameters);
      const begin = transaction.begin.bind(transaction);
      transaction.begin = async (connection) => {
        await begin(connection);
        // Knex has rejected the transaction, but would still run the container.
        if (transaction.isCompleted()) throw new Error('The transaction could not begin.');
      };
      return transaction;
    }

    override _query(connection: PgClient, query: Query): Promise<unknown> {
      return observed(this, query.sql, () => this.runQuery(connection, query));
    }

    /** Runs a statement, and prepares it anew if its plan is stale. In a transaction that has failed, the next one does. */
    async runQuery(connection: PgClient, query: Query): Promise<unknown> {
      const run = (): Promise<unknown> =>
        coded(super._query(connection, prepares ? named(query, generation) : unnamed(query)), connection);
      const before = generation;
      try {
        return await run();
      } catch (error) {
        if (!isStalePlan(error)) throw error;
        if (generation === before) generation += 1;
        if (this.transacting) throw error;
        return run();
      }
    }

    override acquireRawConnection(): Promise<PgClient> {
      return coded(super.acquireRawConnection());
    }

    override checkVersion(connection: PgClient): Promise<unknown> {
      return coded(super.checkVersion(connection), connection);
    }

    override destroyRawConnection(connection: PgClient): Promise<void> {
      return within(goodbyeLimit, super.destroyRawConnection(connection), () => cut(connection));
    }

    /** Pending queries may finish within a time limit, then they fail. */
    override destroy(callback?: (error?: unknown) => void): Promise<void> {
      return within(destroyLimit, super.destroy(callback), () => {
        for (const connection of open) cut(connection);
      });
    }
  } as unknown as typeof Knex.Client;
}

function named(query: Query, generation: number): Query {
  const { options } = query;
  if (generation === 0 || options?.name === undefined) return query;
  return { ...query, options: { ...options, name: `${options.name}.${generation}` } };
}

function unnamed({ options: { name: _name, ...options } = {}, ...query }: Query): Query {
  return { ...query, options };
}

/** Gives errors of lost connections a code, because Knex changes their messages. */
async function coded<Result>(work: Promise<Result>, connection?: PgClient): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    const isLost = lostConnections.has(message);
    // Set at once: otherwise the pool could give the connection to the next query.
    if (connection && (isLost || endingCodes.test(code ?? ''))) connection.__knex__disposed = error;
    if (!isLost) throw error;
    if (connection) {
      // The response to a query that timed out may still arrive on the connection.
      cut(connection);
    }
    throw Object.assign(error as Error, { code: connectionFailure });
  }
}

function cut({ connection }: PgClient): void {
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
