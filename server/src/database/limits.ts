/** The limits of a database that was opened without others. Times are in milliseconds. */
export const databaseLimits = {
  /** PostgreSQL connections of one process. */
  pool: 10,
  statementTimeout: 5000,
  /** How long a PostgreSQL statement waits for a lock. */
  lockTimeout: 3000,
};
