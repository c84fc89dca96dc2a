/** The limits of a database that was opened without others. Times are in milliseconds. */
export const databaseLimits = {
  /** PostgreSQL connections of one process. */
  pool: 10,
  statementTimeout: 5000,
  /** How long a PostgreSQL statement waits for a lock. */
  lockTimeout: 3000,
  /** How old a PostgreSQL connection gets. */
  maxAge: 600_000,
};

/** Whether an address names a PostgreSQL database. Otherwise it names a SQLite file. */
export function isPostgresAddress(address: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(address);
}

/** Whether connections prepare statements by name. `?prepared_statements=false` is for poolers that do not support it. */
export function preparesStatements(address: string): boolean {
  return !URL.canParse(address) || new URL(address).searchParams.get('prepared_statements') !== 'false';
}

/** An address without user, password and parameters, which may hold a password too. */
export function shownAddress(address: string): string {
  if (!isPostgresAddress(address)) return address;
  if (!URL.canParse(address)) return 'postgres://…';
  const { protocol, host, pathname } = new URL(address);
  // An unencoded slash in a password ends the host too early.
  if (pathname.includes('@')) return 'postgres://…';
  return `${protocol}//${host}${pathname}`;
}

/** What is wrong with an address, and what to write instead; `undefined` if it is valid. Never repeats the address. */
export function addressFault(address: string): string | undefined {
  if (address.trim() === '') return 'the database address is empty. Use a file name or a postgres:// address.';
  if (address === '-')
    return 'the database is a file, not standard input or output. Use a file name or a postgres:// address.';
  // At least two letters before the colon, because C: is a Windows drive.
  if (isPostgresAddress(address) || !/^[a-z][a-z0-9+.-]+:|:\/\//i.test(address)) return undefined;
  return 'the database address has an unknown scheme. Use a file name or a postgres:// address. Put ./ in front of a file name that has a colon.';
}

/** Quotes a word for a POSIX shell where it needs quotes. */
function quoted(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * A command of this program for the database with this address, as a POSIX shell reads it. It leaves out a PostgreSQL
 * address, which may hold a password, and an address that was not given.
 */
export function commandLine(command: string, address?: string): string {
  // Started with npx, the program is usually not on the PATH of the shell.
  const program = process.env.npm_command === 'exec' ? 'npx product-passport' : 'product-passport';
  const option = address === undefined || isPostgresAddress(address) ? '' : ` --database ${quoted(address)}`;
  return `${program} ${command}${option}`;
}

/** A `commandLine` inside a sentence. The next command reads the same variable. */
export function commandHint(command: string, address: string | undefined): string {
  const isGiven = address !== undefined && address !== process.env.PRODUCT_PASSPORT_DATABASE;
  const sameAddress = isGiven && isPostgresAddress(address) ? ' with the same database address' : '';
  return `\`${commandLine(command, address)}\`${sameAddress}`;
}
