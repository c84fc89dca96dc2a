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

/** What may go over all tenants, by the file that sends it. No request runs any of it, except the two first ones. */
const overAllTenants: Readonly<Record<string, string>> = {
  'products/identifiers.ts':
    'POST /dpp/v1/dppsByProductIds finds at most 100 products of any tenants; where tables are spread, with one statement for each tenant',
  'site/sitemap.ts': 'the index of `/sitemap.xml` lists the tenants with an open list, at most once a minute',
  'database/migrations/': 'a migration changes whole tables, once',
  'database/open.ts': 'the start reads which tables there are',
  'database/spread.ts': '`migrate --distribute` spreads the tables, once',
  'database/totals.ts': '`stats` of the command line counts the rows of all tenants',
  'transfer/gtins.ts': 'an import locks and looks up many GTINs at once, as an activation does with one',
  'transfer/write.ts': 'an import stores hundreds of lines in one statement, whose rows name the tenant in a JSON text',
  'access/secrets.ts':
    '`token rotate-secret` reads when the last token of each secret expires, and can revoke all tokens',
  'tenants/store.ts':
    'the command line and the deletion of old scans list the tenants; a group of scans locks those of its scans, as in `scans/insertion.ts`',
};

/** A removed or checked tenant has its GTINs on all nodes. */
const ofManyGtins: Readonly<Record<string, string>> = {
  'transfer/import.ts': '`import --discard` removes the GTINs of a tenant',
  'transfer/hashes.ts': '`check-hashes` reads the GTINs of a tenant',
};

/** Rows that name their tenants in a JSON text. */
const ofManyTenants: Readonly<Record<string, string>> = {
  'scans/insertion.ts':
    'scans of several tenants are one group where tables are not spread; where they are, a group is of one tenant',
};

const migration = readFileSync(new URL('../../server/src/database/migrations/0001_tables.ts', import.meta.url), 'utf8');
/** The tables with these rows, as the migration spreads them. */
const spreadBy = (by: string): string[] =>
  Array.from(migration.matchAll(/createTable\(knex, '(\w+)', '(\w+)'/g)).flatMap(([, name = '', column]) =>
    column === by ? [name] : [],
  );
const everywhere = spreadBy('everywhere');
const columns = { tenant: 'tenant_id', gtin: 'gtin14' };
const spread = { tenant: spreadBy(columns.tenant), gtin: spreadBy(columns.gtin) };
/** Every node has their rows. A statement without a condition would read those of all tenants. */
const ofTenants = ['tenants', 'api_keys'];

const names = [...everywhere, ...spread.tenant, ...spread.gtin].join('|');
const table = new RegExp(`(?:\\b(?:from|join|update|into|using)|,) (${names})\\b(?!\\.)(?=(?: (?:as )?(\\w+))?)`, 'gi');

/** A SELECT, UPDATE, DELETE or INSERT: without the SELECTs in brackets inside, which are parts of their own. */
function partsOf(sql: string): string[] {
  const text = sql.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim();
  const parts = [''];
  const open = [0];
  for (const [at, character] of Array.from(text).entries()) {
    if (character === '(') open.push(/^\( ?select\b/i.test(text.slice(at)) ? parts.push('') - 1 : (open.at(-1) ?? 0));
    parts[open.at(-1) ?? 0] += character;
    if (character === ')') open.pop();
  }
  return parts;
}

/** Whether an INSERT of values has a parameter for the column. */
function isInserted(part: string, column: string): boolean {
  const [, into = '', values = ''] = /\binto \w+ \(([^)]*)\) values \(([^)]*)/i.exec(part) ?? [];
  return /^(?:\?|\$\d)/.test(values.split(', ')[into.split(', ').indexOf(column)] ?? '');
}

/** How many of a part's tables have the value of the column: from a parameter, or from another table of the same part. */
function boundTo(part: string, column: string): number {
  if (isInserted(part, column)) return 1;
  const values = part.match(new RegExp(`\\b${column} = (?:\\?|\\$\\d+)(?! or\\b)`, 'gi'))?.length ?? 0;
  if (values === 0) return 0;
  const own = new Set(Array.from(part.matchAll(table), ([, name, alias]) => [name, alias]).flat());
  const joins = Array.from(part.matchAll(new RegExp(`\\b(\\w+)\\.${column} = (\\w+)\\.${column}\\b`, 'gi')));
  // The value of a table outside of the part would have to be read first.
  const equal = joins.filter(([, left, right]) => own.has(left) && own.has(right)).length;
  return values + equal + Number(/\binto \w+ \(tenant_id, [^)]*\) select own\.tenant_id\b/i.test(part));
}

/** The rows of one shard that a statement reads or writes, or those of every shard. Without a place: rows of every node. */
export type Place = 'tenant' | 'gtin' | 'all';

/** What is wrong with a part that reads rows of every node. @param isAlone it reads no others */
function faultOfRows(part: string, tables: readonly string[], isAlone: boolean): string | undefined {
  // Two nodes that lock such a row wait for each other in circles.
  const isLocked = / for (?:no key )?(?:update|key share|share)$/i.test(part);
  const locked = isLocked ? tables.find((name) => everywhere.includes(name)) : undefined;
  if (locked !== undefined) return `locks a row of ${locked}, which every node has`;
  const isBound = /\b(?:tenant_id|id|slug|hash) = (?:\?|\$\d)|\binto \w+ \(/i.test(part);
  const found = tables.find((name) => ofTenants.includes(name));
  return found && isAlone && !isBound ? `reads or writes ${found}: 0 of 1 tables are bound to a tenant` : undefined;
}

/** @returns the place, and if it is `all`, why */
export function placeOf(sql: string): { place?: Place; fault?: string } {
  const places = new Set<Place>();
  for (const part of partsOf(sql)) {
    const tables = Array.from(part.matchAll(table), ([, name = '']) => name.toLowerCase());
    for (const place of ['tenant', 'gtin'] as const) {
      const own = tables.filter((name) => spread[place].includes(name));
      if (own.length === 0) continue;
      places.add(place);
      const bound = boundTo(part, columns[place]);
      if (bound >= own.length) continue;
      const what = [...new Set(own)].join(' and ');
      return {
        place: 'all',
        fault: `reads or writes ${what}: ${bound} of ${own.length} tables are bound to a ${place}`,
      };
    }
    const fault = faultOfRows(part, tables, places.size === 0);
    if (fault !== undefined) return { place: 'all', fault };
  }
  const [place] = places;
  if (places.size > 1)
    return { place: 'all', fault: 'reads or writes rows of a tenant and of a GTIN: they are on different nodes' };
  return place ? { place } : {};
}

/** Why a statement is not allowed; `undefined` if it is. */
export function faultOf({ from, sql }: Sent): string | undefined {
  if (Object.keys(overAllTenants).some((file) => from.startsWith(file))) return undefined;
  if (from in ofManyTenants && sql.includes(' SELECT "tenant_id",')) return undefined;
  const { fault } = placeOf(sql);
  return fault?.endsWith(' gtin') && from in ofManyGtins ? undefined : fault;
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
    `${faults.length} statements are not bound to one tenant or GTIN, and are none of the three look-ups of docs/explanation/scale.md. ` +
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

/** Makes statements for the other files. */
const builder = '/server/src/database/statement.ts';

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
    (file) => /\/(?:server|test|contracts|examples)\//.test(file) && !isOutside(file) && !file.endsWith(builder),
  );
  return caller?.split('/server/src/')[1];
}
