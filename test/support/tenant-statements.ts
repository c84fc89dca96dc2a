/**
 * The statements that the server sent to PostgreSQL in a run, and those that docs/explanation/scale.md does not allow. Each
 * process writes them in the folder `STATEMENTS`. The end of the run reads them.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface Sent {
  /** The file in `server/src` that made it. */
  from: string;
  sql: string;
}

/** The look-ups across tenants, by the column that they look up. */
export const lookups: Readonly<Record<string, { column: string; tables: readonly string[] }>> = {
  'key by hash': { column: 'api_keys.hash', tables: ['api_keys', 'tenants'] },
  'tenant by slug': { column: 'tenants.slug', tables: ['tenants'] },
  'GTIN-14 to tenant': { column: 'gtin_tenants.gtin14', tables: ['gtin_tenants', 'tenants'] },
};

/** Tables without tenants: each node has all of their few rows. */
const installation: Readonly<Record<string, string>> = {
  installation: 'the secret of the scans’ hashes, and the time of their last deletion',
  token_secrets: 'the secrets of access tokens',
  audit_entries: 'the audit trail of the command line',
  migrations: 'which migrations ran',
  migrations_lock: 'Knex’s lock of migrations',
};

/** What may go over all tenants, by the file that sends it. No request runs any of it, except the index of the site map. */
const overAllTenants: Readonly<Record<string, string>> = {
  'database/migrations/': 'a migration changes whole tables, once',
  'database/open.ts': 'the start reads which tables there are',
  'database/totals.ts': '`stats` of the command line counts the rows of all tenants',
  'site/sitemap.ts': 'the index of `/sitemap.xml` lists the tenants with an open list, at most once a minute',
  'transfer/gtins.ts': 'an import locks and looks up many GTINs at once, as an activation does with one',
  'access/secrets.ts':
    '`token rotate-secret` reads when the last token of each secret expires, and can revoke all tokens',
  'tenants/store.ts':
    'the command line and the deletion of old scans list the tenants; a write of scans locks those of its visits',
};

/** What reads a tenant by its slug, and more of this tenant in the same statement. */
const fromSlug: Readonly<Record<string, string>> = {
  'passports/store.ts': 'a visit of a passport reads tenant, product and version at once, which saves a round trip',
};

const migration = readFileSync(new URL('../../server/src/database/migrations/0001_tables.ts', import.meta.url), 'utf8');
/** The tables with rows of tenants. */
const tablesOfTenants = Array.from(migration.matchAll(/createTable\(knex, '(\w+)'/g), ([, name = '']) => name).filter(
  (name) => !(name in installation),
);

const read = new RegExp(`(?:\\b(?:from|join|update|into|using)|,) (${tablesOfTenants.join('|')})\\b(?!\\.)`, 'gi');
/** The lock of a GTIN. */
const gtinLock = /^insert into gtins \(gtin14\) values \(\?\)/;
/** Binds one table to a tenant: to the one of a parameter, or to that of another table. An `or` after it would undo it. */
const bound =
  /\btenant_id = (?:\?|\w+\.(?:tenant_)?id\b)(?! or\b)|\b\w+\.id = \w+\.tenant_id\b|\btenants\.(?:id|slug) = \?/gi;
/** A row that names its tenant. */
const inserted = /\binto (?:tenants \((?:[^)]*, )?id\b|\w+ \([^)]*\btenant_id\b)/gi;

/** Why a statement is not allowed; `undefined` if it is. Each of its tables must have a condition of its own. */
export function faultOf({ from, sql }: Sent): string | undefined {
  if (Object.keys(overAllTenants).some((file) => from.startsWith(file))) return undefined;
  const text = sql.replaceAll('"', '').replaceAll(/\s+/g, ' ');
  const tables = Array.from(text.matchAll(read), ([, name = '']) => name);
  const isLookup = Object.values(lookups).some(({ column, tables: own }) => {
    const [, name] = column.split('.');
    return new RegExp(`\\b${name} = \\?`).test(text) && tables.every((table) => own.includes(table));
  });
  if (isLookup || gtinLock.test(text)) return undefined;
  if (text.includes('tenants.slug = ?') && !(from in fromSlug)) return 'looks up more than the tenant by its slug';
  const conditions = [bound, inserted].reduce((count, pattern) => count + (text.match(pattern)?.length ?? 0), 0);
  // The key of a tenant's own row.
  const ofTenant = tables.every((table) => table === 'tenants') && /\bid = \?/.test(text) ? tables.length : 0;
  if (Math.max(conditions, ofTenant) >= tables.length) return undefined;
  return `reads or writes ${[...new Set(tables)].join(' and ')}: ${conditions} of ${tables.length} tables are bound to a tenant`;
}

/** All statements that the processes of the run recorded. */
export async function statementsIn(folder: string): Promise<Sent[]> {
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const lines = new Set(texts.flatMap((text) => text.split('\n')).filter((line) => line !== ''));
  return Array.from(lines, (line): Sent => JSON.parse(line));
}

/** @throws an error that names every statement that is not allowed */
export async function checkStatements(folder: string): Promise<void> {
  const faults: string[] = [];
  for (const sent of await statementsIn(folder)) {
    const fault = faultOf(sent);
    if (fault !== undefined) faults.push(`server/src/${sent.from} ${fault}:\n  ${sent.sql}`);
  }
  if (faults.length === 0) return;
  throw new Error(
    `${faults.length} statements are not bound to one tenant, and are none of the three look-ups of docs/explanation/scale.md. ` +
      `Add a condition on tenant_id, or name the exception with its reason in test/support/tenant-statements.ts.\n${faults.join('\n')}`,
  );
}

/** Records each statement that the server's code makes in this process. Those of the tests themselves are left out. */
export function recordStatements(folder: string): void {
  const Postgres = createRequire(import.meta.url)('knex/lib/dialects/postgres/index.js');
  const written = new Set<string>();
  for (const name of ['queryBuilder', 'raw']) {
    const make = Postgres.prototype[name];
    Postgres.prototype[name] = function (...given: unknown[]) {
      const made = make.apply(this, given);
      const from = callerInServer();
      if (from === undefined) return made;
      const { toSQL } = made;
      made.toSQL = function (...options: unknown[]) {
        const compiled = toSQL.apply(this, options);
        const line = `${JSON.stringify({ from, sql: shapeOf(compiled.sql) })}\n`;
        // A part of a statement is none.
        if (/^\s*(?:delete|insert|select|update|with)\b/i.test(compiled.sql) && !written.has(line)) {
          written.add(line);
          appendFileSync(join(folder, `${process.pid}.jsonl`), line);
        }
        return compiled;
      };
      return made;
    };
  }
}

/** The number of rows and of members of a list varies. */
function shapeOf(sql: string): string {
  return sql.replace(/(\((?:\?|DEFAULT)(?:, (?:\?|DEFAULT))*\))(?:, \1)+/g, '$1, $1');
}

/** The place in `server/src` that called into Knex; `undefined` if a test did. */
function callerInServer(): string | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error;
  // Jest's own would read source maps.
  Error.prepareStackTrace = (_, frames) => frames.map((frame) => frame.getFileName() ?? '');
  Error.stackTraceLimit = 12;
  const files: unknown = new Error().stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const isOutside = (file: string): boolean => file.includes('/node_modules/') || file === import.meta.url;
  const caller = (files as string[]).find(
    (file) => /\/(?:server|test|contracts|examples)\//.test(file) && !isOutside(file),
  );
  return caller?.split('/server/src/')[1];
}
