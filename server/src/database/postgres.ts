import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Knex } from 'knex';

const require = createRequire(import.meta.url);

/** How long a PostgreSQL may take, in milliseconds. Parameters of the same names in the address take precedence. */
const limits = {
  statement_timeout: 5000,
  lock_timeout: 3000,
  idle_in_transaction_session_timeout: 10_000,
  /** Measured here: a PostgreSQL that hangs ends no statement itself. */
  query_timeout: 6000,
};
/** pg sends a setting only if it is truthy: `'0'` ends a limit that the server has of its own. */
const noLimits = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  query_timeout: undefined,
};
/** To connect, to say goodbye, and to finish queries when the pool is destroyed, in milliseconds. */
const connectLimit = 3000;
const goodbyeLimit = 500;
const destroyLimit = 1000;

/** The messages of pg's errors if a connection is lost or cannot be made. They have no code. */
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

/** The connection's settings. */
export function postgresConnection(address: string): object {
  return {
    connectionString: address,
    connectionTimeoutMillis: connectLimit,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...limits,
  };
}

/** The parts of pg's client and of Knex's that are used here. Knex's own types do not name them. */
interface PgClient {
  connection: { stream: Socket };
  connectionParameters: object;
  /** Why Knex's pool must not use it again. */
  __knex__disposed?: unknown;
  once(event: 'end', listener: () => void): void;
}
type PgClientClass = new (config: unknown) => PgClient;
type PostgresClient = new (
  config: Knex.Config,
) => {
  _driver(): object;
  _query(connection: PgClient, query: unknown): Promise<unknown>;
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
 * Knex's PostgreSQL client, which leaves a PostgreSQL that hangs within time limits of its own.
 *
 * @param unlimited whether statements may take as long as they need, whatever the address says
 */
export function postgresClient({ unlimited }: { unlimited: boolean }): typeof Knex.Client {
  const Postgres = require('knex/lib/dialects/postgres/index.js') as PostgresClient;
  const { Client } = require('pg') as { Client: PgClientClass };
  const open = new Set<PgClient>();
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
        // Knex has rejected it already, but would run the container all the same.
        if (transaction.isCompleted()) throw new Error('The transaction could not begin.');
      };
      return transaction;
    }

    override _query(connection: PgClient, query: unknown): Promise<unknown> {
      return coded(super._query(connection, query), connection);
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

    /** Queries that are under way get a moment to finish, then they fail. */
    override destroy(callback?: (error?: unknown) => void): Promise<void> {
      return within(destroyLimit, super.destroy(callback), () => {
        for (const connection of open) cut(connection);
      });
    }
  } as unknown as typeof Knex.Client;
}

/** Gives the error of a lost connection the code of one: Knex changes its message. */
async function coded<Result>(work: Promise<Result>, connection?: PgClient): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const { message } = error as Error;
    if (!lostConnections.has(message)) throw error;
    if (connection) {
      // At once: the pool gives it to the next query before its end is noticed.
      connection.__knex__disposed = error;
      // A query that timed out leaves its response on the connection.
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
