/**
 * Records every statement that the server's code sends to PostgreSQL from a test's process, one line of JSON each, in the folder
 * `STATEMENTS`. Statements of the tests themselves are left out: what made the query decides.
 */
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const folder = process.env.STATEMENTS;
const written = new Set();

/** The place in `server/src` that called into Knex; `undefined` if a test did. */
function callerInServer() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  // Jest's own would read source maps.
  Error.prepareStackTrace = (_, frames) => frames.map((frame) => frame.getFileName() ?? '');
  Error.stackTraceLimit = 12;
  const { stack } = new Error();
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const caller = stack.find((file) => /\/(?:server|test|contracts|examples)\//.test(file) && !isOutside(file));
  return caller?.split('/server/src/')[1];
}

function isOutside(file) {
  return file.includes('/node_modules/') || file === import.meta.filename || file === import.meta.url;
}

function record(from, sql) {
  // The number of rows and of members of a list varies.
  const shape = sql.replace(/(\((?:\?|DEFAULT)(?:, (?:\?|DEFAULT))*\))(?:, \1)+/g, '$1, $1');
  const line = `${JSON.stringify({ from, sql: shape })}\n`;
  if (written.has(line)) return;
  written.add(line);
  appendFileSync(join(folder, `${process.pid}.jsonl`), line);
}

if (folder) {
  const Postgres = require('knex/lib/dialects/postgres/index.js');
  for (const name of ['queryBuilder', 'raw']) {
    const make = Postgres.prototype[name];
    Postgres.prototype[name] = function (...given) {
      const made = make.apply(this, given);
      const from = callerInServer();
      if (from === undefined) return made;
      const { toSQL } = made;
      made.toSQL = function (...options) {
        const compiled = toSQL.apply(this, options);
        // A part of a statement is none.
        if (/^\s*(?:delete|insert|select|update|with)\b/i.test(compiled.sql)) record(from, compiled.sql);
        return compiled;
      };
      return made;
    };
  }
}
