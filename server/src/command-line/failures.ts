/** What fails outside of the programs: a database, TLS, the network, a file. Both programs and the log use this table. */

interface Failure {
  of: keyof typeof failures;
  /** The cause and what to do, without the last full stop. */
  text: string;
  /** A retry may succeed. */
  mayPass: boolean;
}

/** What the words in braces of a text stand for. `message` is that of the error. */
interface Words {
  /** Default: its path. */
  file?: string;
  /** The setting that names the file of an authority. */
  authority?: string;
  /** What to write for a port without TLS. */
  plain?: string;
}

type Row = readonly [codes: RegExp, text: string, mayPass?: 'may pass'];

const again = 'Run the command again';
const restored = 'Restore a backup into a new database';

/**
 * By the code of SQLite, PostgreSQL, OpenSSL or Node, which stands after the call of the system if there is one. An error
 * without a code is found by its message. The first row that fits counts.
 */
const failures = {
  database: [
    [/^SQLITE_NOTADB$/, 'it is not a SQLite database. Name another file with --database'],
    [/^WRONG_FILE$/, 'its file was moved, removed or replaced. Put the right file there, and start again', 'may pass'],
    [/^SQLITE_CORRUPT$/, `its file is damaged. ${restored}`],
    [
      /^SQLITE_READONLY$/,
      'it is read-only for this user. Run the command as the user that owns the file and its folder',
      'may pass',
    ],
    [/^(?:SQLITE_FULL|53100)$/, `its disk is full. Free some space, then run the command again`, 'may pass'],
    [
      /^SQLITE_(?:BUSY|LOCKED|PROTOCOL)$/,
      `another process is writing to it. ${again} when that process has finished`,
      'may pass',
    ],
    [/^SQLITE_CANTOPEN$/, 'the file cannot be opened. Check the permissions of the file and its folder', 'may pass'],
    [/^SQLITE_IOERR$/, 'the file cannot be read or written. Check its disk', 'may pass'],
    [
      /^SQLITE_INTERRUPT$|^57014$/,
      `the statement took too long. ${again} when the database has less to do`,
      'may pass',
    ],
    [/^28P01$/, '{message}. Check the user and the password in the address'],
    [/^28...$/, '{message}. Check the user and sslmode in the address, and pg_hba.conf of the server'],
    [/^3D000$/, '{message}. Create it with createdb, or name another one in the address'],
    [/^42501$/, '{message}. Give this right to the user with GRANT, or name another user in the address'],
    [
      /^3F000$/,
      'no schema in the search_path of the user exists. Create the schema, or change the path with ALTER ROLE … SET search_path',
    ],
    [/^42P01$/, '{message}. Check the search_path of the user, and whether somebody dropped the table'],
    [/^(?:42704|22023)$/, '{message}. Correct the options in the address'],
    [
      /^22P05$/,
      'its encoding is not UTF8 ({message}). Create a database with --encoding UTF8, and restore a backup into it',
    ],
    [/^(?:42P05|26000)$/, 'a pooler mixes up prepared statements. Add prepared_statements=false to the address'],
    [/^53300$/, 'it has too many connections ({message}). Lower --database-pool, or raise the limit', 'may pass'],
    [/^53...$/, 'the server lacks memory or another resource ({message}). Look into its log', 'may pass'],
    [/^55000$/, '{message}. Name another database, or ask its administrator'],
    [/^57P03$/, `{message}. ${again} in a moment`, 'may pass'],
    [/^(?:57P0.|25P03|40001|40P01)$/, `{message}. ${again}`, 'may pass'],
    [/^25P04$/, `{message}. ${again} when the database has less to do`],
    [/^25006$/, 'it is read-only. Name the primary server, not a replica', 'may pass'],
    [/^55P03$/, `another process holds a lock on it. ${again} when that process has finished`, 'may pass'],
    [/^(?:58...|XX000)$/, '{message}. Look into the log of the server'],
    [/^XX00[12]$/, `its data is damaged ({message}). ${restored}`],
    [/^08P01$/, '{message}. If a PgBouncer is in between, set its ignore_startup_parameters', 'may pass'],
    [
      /^08...$|^timeout expired|^Query read timeout|^Connection terminated|^Client (?:has encountered|was closed)/,
      'the connection failed ({message}). Check that PostgreSQL runs at this host and port',
      'may pass',
    ],
    [/^Knex: Timeout/, `all its connections are in use. ${again} when the database has less to do`, 'may pass'],
    [
      /client password must be/,
      'it asks for a password. Write it into the address, postgres://user:password@host/name, or set PGPASSWORD',
    ],
    [/^SASL|authenticationOk message/, 'the log-in failed ({message}). Use scram-sha-256 in pg_hba.conf of the server'],
    [
      /^received invalid response|^There was an error establishing an SSL/,
      'the server does not speak the protocol of PostgreSQL. Check host and port',
    ],
    [
      /^The server does not support SSL/,
      'the server does not offer TLS. Switch it on there; sslmode=disable connects without encryption',
    ],
  ],
  TLS: [
    [/SELF_SIGNED_CERT/, 'the certificate is self-signed. Set {authority} to the file of its authority'],
    [
      /^UNABLE_TO_/,
      'the certificate chain is incomplete or its authority is unknown. Set {authority} to the file of the authority',
    ],
    [/^CERT_HAS_EXPIRED$/, 'the certificate has expired. Renew it'],
    [/^CERT_NOT_YET_VALID$/, 'the certificate is not valid yet. Check the clocks of both machines'],
    [
      /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
      'the certificate belongs to another host name. Use a name that is in the certificate',
    ],
    [/^(?:CERT_|CRL_|INVALID_)/, 'the certificate is refused: {message}. Renew it'],
    [
      /EPROTO$|^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/,
      'it does not speak TLS. Use {plain} for a plain port',
    ],
    [/^ERR_SSL_|^ERR_TLS_/, 'TLS failed: {message}. Check host and port, and the TLS versions of the server'],
    [/^ERR_OSSL_/, 'the certificate and its key do not fit ({message}). Check both files'],
  ],
  network: [
    [/ECONNREFUSED$|^connect ENOENT$/, 'nothing listens at this address. Check host and port', 'may pass'],
    [/^ERR_SOCKET_BAD_PORT$/, 'the port does not exist. Use one from 1 to 65535'],
    [/ENOTFOUND$|^getaddrinfo EINVAL$/, 'the host name does not exist. Check it', 'may pass'],
    [/EAI_AGAIN$/, 'the host name could not be looked up. Check the network', 'may pass'],
    [/ECONNRESET$|^(?:write )?EPIPE$/, 'the other side closed the connection. Check host and port', 'may pass'],
    [
      /(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|^connect E\w+)$/,
      'the host cannot be reached ({message}). Check the address and the firewalls',
      'may pass',
    ],
  ],
  file: [
    [/ENOENT$/, '{file} does not exist. Check the name and the folder'],
    [/ENOTDIR$/, '{file} cannot exist: a part of its path is not a folder. Check the path'],
    [/EISDIR$/, '{file} is a folder. Name a file'],
    [/EACCES$|EPERM$/, 'this user has no right to use {file}. Change its permissions, or run the command as its owner'],
    [/EROFS$/, '{file} is on a read-only disk. Name a file on another one'],
    [/ENOSPC$|EDQUOT$/, 'the disk of {file} is full. Free some space, then run the command again'],
    [/ELOOP$|ENAMETOOLONG$/, '{file} has a path that leads nowhere. Name another file'],
    [/EMFILE$|ENFILE$/, 'too many files are open. Raise the limit of open files (ulimit -n)'],
    [/^\w+ E[A-Z]+$/, 'the system refuses {file} ({message}). Check the file and its disk'],
  ],
} satisfies Record<string, readonly Row[]>;

interface Thrown {
  code?: unknown;
  syscall?: string;
  message?: string;
  path?: string;
  cause?: unknown;
  errors?: readonly unknown[];
}

/** What failed outside of the program, if that is the reason of an error or of its cause. */
export function failureOf(error: unknown, words: Words = {}): Failure | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, syscall, message = '', path, cause, errors } = error as Thrown;
  const key = typeof code === 'string' ? [syscall, code].filter(Boolean).join(' ') : message;
  for (const [of, rows] of Object.entries(failures) as [Failure['of'], readonly Row[]][]) {
    const row = rows.find(([codes]) => codes.test(key));
    if (row === undefined) continue;
    const known: Record<string, string> = {
      file: path === undefined ? 'the file' : `the file ${path}`,
      // Knex puts the statement in front.
      message: message.slice(message.lastIndexOf(' - ') + 1).replace(/^- /, '') || key,
      authority: 'NODE_EXTRA_CA_CERTS',
      plain: 'http://',
      ...words,
    };
    return { of, text: row[1].replaceAll(/\{(\w+)\}/g, (_, word) => known[word] ?? ''), mayPass: row[2] !== undefined };
  }
  // A connection to a name with several addresses has an error for each.
  return failureOf(cause, words) ?? failureOf(errors?.[0], words);
}

const beginnings: Record<Failure['of'], string> = {
  database: 'the database did not accept the command: ',
  TLS: 'the connection failed: ',
  network: 'the connection failed: ',
  file: '',
};

/** The sentence that a program prints about an error. Only a mistake of the program itself has a stack trace. */
export function explanationOf(error: unknown): string {
  const failure = failureOf(error);
  if (failure) return `${beginnings[failure.of]}${failure.text}.`;
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: '' };
  return `this is a mistake of the program: ${message}. Report it with these lines:\n${stack}`;
}
