import { didYouMean } from '@product-passport/openapi';

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

/** What the parameters of an address may hold. `words` stands after "must be". */
interface Values {
  form: RegExp;
  words: string;
  known?: readonly string[];
}

const text: Values = { form: /./s, words: 'a text' };
const milliseconds: Values = { form: /^\d{1,9}$/, words: 'a whole number of milliseconds' };

function oneOf(...known: string[]): Values {
  return { form: new RegExp(`^(?:${known.join('|')})$`), words: `one of: ${known.join(', ')}`, known };
}

/** The parameters of an address that the driver reads and obeys, and two of this program. Their case counts. */
export const addressParameters: Readonly<Record<string, Values>> = {
  sslmode: oneOf('verify-full', 'verify-ca', 'require', 'prefer', 'no-verify', 'disable'),
  sslrootcert: text,
  sslcert: text,
  sslkey: text,
  ssl: oneOf('true', '1', 'no-verify', '0'),
  sslnegotiation: oneOf('postgres', 'direct'),
  uselibpqcompat: oneOf('true'),
  user: text,
  password: text,
  host: text,
  port: { form: /^\d{1,5}$/, words: 'a port' },
  application_name: text,
  fallback_application_name: text,
  client_encoding: oneOf('UTF8', 'utf8'),
  options: text,
  statement_timeout: milliseconds,
  lock_timeout: milliseconds,
  idle_in_transaction_session_timeout: milliseconds,
  query_timeout: milliseconds,
  connect_timeout: { form: /^[1-9]\d{0,2}$/, words: 'a number of seconds from 1 to 999' },
  prepared_statements: oneOf('true', 'false'),
};

const verifies = 'sslmode=verify-full encrypts the connection and checks the server.';
const otherSchema = 'Use options=-c%20search_path%3D, followed by the name of the schema.';

/** What to do about parameters of other drivers. Managed databases write the first four into their addresses. */
const otherDrivers: Readonly<Record<string, string>> = {
  channel_binding: `Leave it out: the driver cannot bind the password to the TLS channel. ${verifies}`,
  target_session_attrs:
    'Leave it out: the driver connects to the one host that is named, whatever its role. Name the host of the primary server.',
  gssencmode: `Leave it out: the driver cannot encrypt with GSSAPI. ${verifies}`,
  pgbouncer:
    'Leave it out: it is a switch of another program. For a PgBouncer before 1.21 write prepared_statements=false.',
  schema: otherSchema,
  currentSchema: otherSchema,
  search_path: otherSchema,
  tls: `Leave it out: ${verifies}`,
};

/** An address as the driver reads it. It may have no host: `postgres://user@/name?host=/run/postgresql`. */
function parsed(address: string): URL | undefined {
  const form = [address, address.replace('@/', '@localhost/')].find((each) => URL.canParse(each));
  return form === undefined ? undefined : new URL(form);
}

function parameterOf(address: string, name: string): string | null | undefined {
  return isPostgresAddress(address) ? parsed(address)?.searchParams.get(name) : undefined;
}

/** Whether connections prepare statements by name. `?prepared_statements=false` is for poolers that do not support it. */
export function preparesStatements(address: string): boolean {
  return parameterOf(address, 'prepared_statements') !== 'false';
}

/** How long the address gives a connection to open, in milliseconds, if it says so. */
export function connectTimeoutOf(address: string): number | undefined {
  const seconds = parameterOf(address, 'connect_timeout');
  return seconds ? Number(seconds) * 1000 : undefined;
}

/** The address for the driver. It treats three modes as `verify-full`, and prints a long warning about each. */
export function driverAddress(address: string): string {
  if (parameterOf(address, 'uselibpqcompat') === 'true') return address;
  const isAlias = (part: string) =>
    /^(?:prefer|require|verify-ca)$/.test(new URLSearchParams(part).get('sslmode') ?? '');
  return address.replace(/(?<=\?).*/s, (query) => {
    return query.replaceAll(/[^&]+/g, (part) => (isAlias(part) ? 'sslmode=verify-full' : part));
  });
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

/** What is wrong with an address, and what to write instead; `undefined` if it is valid. Never repeats a value. */
export function addressFault(address: string): string | undefined {
  if (address.trim() === '') return 'the database address is empty. Use a file name or a postgres:// address.';
  if (address === '-')
    return 'the database is a file, not standard input or output. Use a file name or a postgres:// address.';
  if (isPostgresAddress(address)) {
    const fault = postgresFault(address);
    return fault === undefined ? undefined : `the database address ${fault}`;
  }
  // At least two letters before the colon, because C: is a Windows drive.
  if (!/^[a-z][a-z0-9+.-]+:|:\/\//i.test(address)) return undefined;
  return 'the database address has an unknown scheme. Use a file name or a postgres:// address. Put ./ in front of a file name that has a colon.';
}

function postgresFault(address: string): string | undefined {
  const url = parsed(address);
  // An unencoded slash in a password ends the host too early, and an unencoded # the address.
  if (url === undefined || url.hash !== '' || url.pathname.includes('@') || !canDecode(url)) {
    return 'is not valid. Use the form postgres://user:password@host:port/name, with special characters percent-encoded.';
  }
  const { searchParams } = url;
  for (const [name, value] of searchParams) {
    const allowed = Object.hasOwn(addressParameters, name) ? addressParameters[name] : undefined;
    if (allowed === undefined) return unknownParameter(name, url);
    if (searchParams.getAll(name).length > 1) return `has the parameter ${name} twice. Leave one out.`;
    if (allowed.form.test(value)) continue;
    return `has a wrong value of ${name}. It must be ${allowed.words}.${didYouMean(value, allowed.known ?? [])}`;
  }
  return contradiction(searchParams);
}

function canDecode({ username, password, pathname, hostname }: URL): boolean {
  try {
    for (const part of [username, password, hostname, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function unknownParameter(name: string, { search }: URL): string {
  // After an unencoded question mark or ampersand in a password, the name is a part of the password.
  if (search.includes('@') || /[?&]password=/.test(search)) {
    return 'has an unknown parameter. Write special characters with percent signs: ? is %3F, & is %26, @ is %40.';
  }
  if (Object.hasOwn(otherDrivers, name)) return `has the parameter ${name}. ${otherDrivers[name]}`;
  const hint = didYouMean(name, Object.keys(addressParameters)) || ' Leave it out.';
  return `has the parameter ${JSON.stringify(name)}, which the driver does not have.${hint}`;
}

/** Which parameter the driver would drop, or refuse with an error of its own, because of another one. */
function contradiction(parameters: URLSearchParams): string | undefined {
  const { sslmode, sslrootcert, sslcert, sslkey, ssl, sslnegotiation, uselibpqcompat } = Object.fromEntries(parameters);
  if (ssl !== undefined && (sslmode ?? sslrootcert ?? sslcert ?? sslkey) !== undefined) {
    return 'has ssl and another parameter of TLS, which replaces it. Leave ssl out.';
  }
  if (sslnegotiation === 'direct' && (sslmode === 'disable' || ssl === '0')) {
    return 'has sslnegotiation=direct, which needs TLS. Leave it out.';
  }
  if (uselibpqcompat !== undefined && sslmode === undefined) return 'has uselibpqcompat without sslmode. Add sslmode.';
  if (uselibpqcompat !== undefined && sslmode === 'verify-ca' && sslrootcert === undefined) {
    return 'has sslmode=verify-ca without sslrootcert, which must name the file of the authority.';
  }
  if (sslrootcert === 'system') return 'has sslrootcert=system. Leave it out: the authorities of Node count then.';
  const inVariable = process.env.PGSSLMODE;
  const isVariable = (sslmode ?? ssl ?? sslrootcert ?? sslcert ?? sslkey) === undefined && inVariable !== undefined;
  if (isVariable && !addressParameters.sslmode?.form.test(inVariable)) {
    return `has no sslmode, and PGSSLMODE has a wrong value. It must be ${addressParameters.sslmode?.words}.`;
  }
  return undefined;
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
