/** How long a transaction may be idle, in milliseconds. */
const idleTimeout = 10_000;
/** How much longer than PostgreSQL the client waits for the end of a statement, in milliseconds. */
const clientMargin = 1000;
const connectTimeout = 3000;

/** The connection's settings. Times are in milliseconds. */
export function postgresConnection(
  address: string,
  { statementTimeout, lockTimeout }: { statementTimeout: number; lockTimeout: number },
): object {
  return {
    connectionString: address,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Parameters with the same names in the address take precedence.
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: idleTimeout,
    // Measured by the client, because a PostgreSQL that hangs does not end statements.
    query_timeout: statementTimeout + clientMargin,
  };
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

/** The limits of a database that was opened without others. Times are in milliseconds. */
export const databaseLimits = {
  /** PostgreSQL connections of one process. */
  pool: 10,
  statementTimeout: 5000,
  /** How long a PostgreSQL statement waits for a lock. */
  lockTimeout: 3000,
};
