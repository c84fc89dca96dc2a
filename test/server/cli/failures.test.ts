/** What fails outside of the programs: both print one sentence that says what to do, and no stack trace. */
import { createRequire } from 'node:module';
import { expect, jest, test } from '@jest/globals';
import { newProgram } from '../../../server/src/command-line/command.ts';
import { failureOf } from '../../../server/src/command-line/failures.ts';
import { isUnavailable } from '../../../server/src/database/connection.ts';
import { createLog } from '../../../server/src/log/log.ts';

const { DatabaseError } = createRequire(import.meta.url)('pg') as typeof import('pg');

let thrown: unknown;
const rejecting = async (): Promise<never> => {
  throw thrown;
};
jest.unstable_mockModule('../../../contracts/conformance/plan.ts', () => ({
  planOf: rejecting,
  serviceWithStates: rejecting,
}));
const { typeSuite } = await import('../../support/suite.ts');
const { run } = await import('../../../server/src/cli/program.ts');

/** Runs a command of the server's program that throws. */
async function typeServer(): Promise<{ code: unknown; stdout: string; stderr: string }> {
  let stderr = '';
  const spy = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  const { argv } = process;
  process.argv = ['node', 'product-passport'];
  try {
    await run(newProgram('product-passport', false).action(rejecting));
    return { code: process.exitCode, stdout: '', stderr };
  } finally {
    spy.mockRestore();
    process.argv = argv;
    process.exitCode = undefined;
  }
}

const coded = (code: string, message = 'reason', more = {}): Error =>
  Object.assign(new Error(message), { code, ...more });
const system = (syscall: string, code: string, path?: string): Error =>
  coded(code, `${code}: reason, ${syscall}`, { syscall, errno: -1, ...(path !== undefined && { path }) });
const state = (code: string): Error =>
  Object.assign(new DatabaseError('insert into "t" values ($1) - reason', 9, 'error'), { code });

/** The error, a part of its sentence, and whether a retry may succeed. */
const classes: [Error, RegExp, boolean?][] = [
  [coded('SQLITE_NOTADB'), /not a SQLite database\. Name another/],
  [coded('SQLITE_CORRUPT'), /damaged\. Restore a backup/],
  [coded('SQLITE_READONLY'), /read-only for this user\. Run/, true],
  [coded('SQLITE_FULL'), /disk is full\. Free some space/, true],
  [coded('SQLITE_BUSY'), /another process is writing to it\. Run/, true],
  [coded('SQLITE_LOCKED'), /another process is writing to it\. Run/, true],
  [coded('SQLITE_CANTOPEN'), /cannot be opened\. Check the permissions/, true],
  [coded('SQLITE_IOERR'), /cannot be read or written\. Check its disk/, true],
  [coded('SQLITE_INTERRUPT'), /took too long\. Run/, true],
  [state('28P01'), /: reason\. Check the user and the password/],
  [state('28000'), /: reason\. Check the user and sslmode/],
  [state('3D000'), /: reason\. Create it with createdb/],
  [state('42501'), /: reason\. Give this right to the user with GRANT/],
  [state('3F000'), /no schema in the search_path .*\. Create the schema/],
  [state('42P01'), /: reason\. Check the search_path/],
  [state('42704'), /: reason\. Correct the options/],
  [state('22P05'), /encoding is not UTF8 \(reason\)\. Create/],
  [state('26000'), /prepared_statements=false/],
  [state('53100'), /disk is full\. Free some space/, true],
  [state('53200'), /lacks memory or another resource \(reason\)\. Look/, true],
  [state('53300'), /too many connections \(reason\)\. Lower --database-pool/, true],
  [state('55000'), /: reason\. Name another database/],
  [state('55P03'), /holds a lock on it\. Run/, true],
  [state('57014'), /took too long\. Run/, true],
  [state('57P01'), /: reason\. Run the command again/, true],
  [state('57P03'), /: reason\. Run the command again in a moment/, true],
  [state('25006'), /read-only\. Name the primary/, true],
  [state('40P01'), /: reason\. Run the command again/, true],
  [state('58030'), /: reason\. Look into the log of the server/],
  [state('XX001'), /damaged \(reason\)\. Restore a backup/],
  [state('08006'), /the connection failed \(reason\)\. Check/, true],
  [state('08P01'), /: reason\. If a PgBouncer/, true],
  [new Error('timeout expired'), /failed \(timeout expired\)\. Check/, true],
  [new Error('Connection terminated unexpectedly'), /the connection failed .*\. Check/, true],
  [new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'), /asks for a password\. Write it/],
  [new Error('Unknown authenticationOk message type 2'), /log-in failed .*\. Use scram/],
  [new Error('received invalid response: 4a'), /does not speak the protocol of PostgreSQL\. Check/],
  [new Error('The server does not support SSL connections'), /does not offer TLS\. Switch it on/],
  [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), /self-signed\. Set NODE_EXTRA_CA_CERTS/],
  [coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), /authority is unknown\. Set NODE_EXTRA_CA_CERTS/],
  [coded('CERT_HAS_EXPIRED'), /expired\. Renew/],
  [coded('CERT_NOT_YET_VALID'), /not valid yet\. Check the clocks/],
  [coded('ERR_TLS_CERT_ALTNAME_INVALID'), /another host name\. Use/],
  [coded('CERT_REVOKED'), /refused: reason\. Renew/],
  [system('write', 'EPROTO'), /does not speak TLS\. Use http:/],
  [coded('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'), /TLS failed: reason\. Check/],
  [coded('ERR_OSSL_PEM_NO_START_LINE'), /do not fit \(reason\)\. Check both files/],
  [system('connect', 'ECONNREFUSED'), /nothing listens at this address\. Check/, true],
  [system('connect', 'ENOENT'), /nothing listens at this address\. Check/, true],
  [system('getaddrinfo', 'ENOTFOUND'), /host name does not exist\. Check/, true],
  [system('getaddrinfo', 'EAI_AGAIN'), /could not be looked up\. Check/, true],
  [system('read', 'ECONNRESET'), /closed the connection\. Check/, true],
  [system('write', 'EPIPE'), /closed the connection\. Check/, true],
  [system('connect', 'EHOSTUNREACH'), /cannot be reached .*\. Check/, true],
  [new AggregateError([system('connect', 'ECONNREFUSED')]), /nothing listens .*\. Check/, true],
  [new TypeError('fetch failed', { cause: system('connect', 'ETIMEDOUT') }), /cannot be reached .*\. Check/, true],
  [coded('ERR_SOCKET_BAD_PORT'), /the port does not exist\. Use/],
  [system('open', 'ENOENT', '/x/y'), /: the file \/x\/y does not exist\. Check/],
  [system('open', 'ENOTDIR', '/x/y'), /: the file \/x\/y cannot exist: .*\. Check/],
  [system('read', 'EISDIR'), /: the file is a folder\. Name a file/],
  [system('open', 'EACCES', '/x/y'), /no right to use the file \/x\/y\. Change/],
  [system('open', 'EROFS', '/x/y'), /read-only disk\. Name/],
  [system('write', 'ENOSPC'), /the disk of the file is full\. Free/],
  [system('open', 'ELOOP', '/x/y'), /leads nowhere\. Name another/],
  [system('open', 'EMFILE', '/x/y'), /too many files are open\. Raise/],
  [system('read', 'EIO'), /the system refuses the file .*\. Check/],
];

test.each(classes)('%s', async (error, sentence, mayPass = false) => {
  thrown = error;
  const lines: string[] = [];
  createLog('info', { write: (line) => lines.push(line) }).warn({ err: error }, 'a start that waits');
  expect(JSON.parse(lines.join('')).err).not.toHaveProperty('stack');
  const outcomes = { 'product-passport': await typeServer(), 'product-passport-contracts': await typeSuite('plan') };
  for (const [program, { code, stdout, stderr }] of Object.entries(outcomes)) {
    expect([code, stdout]).toEqual([program === 'product-passport' ? 1 : 2, '']);
    expect(stderr).toMatch(new RegExp(`^${program}: [^\n]+\\.\n$`));
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/insert into|Error:|\{/);
  }
  expect([failureOf(error)?.mayPass, isUnavailable(error)]).toEqual([mayPass, mayPass]);
});

test('a mistake of the program begins with one sentence, and keeps its stack trace', async () => {
  thrown = new TypeError('x is not a function');
  const [server, suite] = [await typeServer(), await typeSuite('plan')];
  expect([server.code, suite.code]).toEqual([1, 4]);
  for (const { stderr } of [server, suite]) {
    expect(stderr).toMatch(
      /^[\w-]+: this is a mistake of the program: x is not a function\. Report it .*\nTypeError: x/,
    );
    expect(stderr).toContain('failures.test.ts');
  }
});
