/** Whether an address names a PostgreSQL database. Otherwise it names a SQLite file. */
export function isPostgresAddress(address: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(address);
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
  if (address.trim() === '') return 'the database address is empty. Name a file or a postgres:// address.';
  // At least two letters before the colon, because C: is a Windows drive.
  if (isPostgresAddress(address) || !/^[a-z][a-z0-9+.-]+:|:\/\//i.test(address)) return undefined;
  return 'the database address is of an unknown kind. Name a file (with ./ in front where its name has a colon) or a postgres:// address.';
}

/** The option that names this database, quoted for a POSIX shell. Empty for an address that may hold a password. */
export function databaseOptionFor(address: string): string {
  if (isPostgresAddress(address)) return '';
  const word = /^[\w./-]+$/.test(address) ? address : `'${address.replaceAll("'", "'\\''")}'`;
  return ` --database ${word}`;
}
