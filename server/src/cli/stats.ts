import type { Knex } from 'knex';
import { shownAddress } from '../database/address.ts';
import { isPostgres, snapshot } from '../database/connection.ts';
import { purposeOf } from '../database/open.ts';
import { sizeOf } from '../database/schema.ts';
import type { ApiKey } from '../tenants/keys.ts';
import { command, flag } from './command.ts';
import { requireFile } from './database.ts';
import { escaped, Table } from './output.ts';

/** Keys that are printed for people, keys in the JSON, and rows of a table that is counted and not estimated. */
const max = { printed: 20, keys: 100, counted: 200_000 };

export const commands = command({
  name: 'stats',
  about: 'database',
  open: { unlimited: true },
  summary: 'show how large the database is, how old its data is, and which API keys are in use',
  description:
    'count the rows of all tenants, and show the size of the database, its oldest and newest dates, and when each API ' +
    'key was last used. Values, versions and single scans are estimated if there are more than 200,000.',
  example: 'stats',
  options: { exact: flag('--exact', 'count every row, which takes long in a large database') },
  run: ({ database, options }) => readStats(database, requireFile(options), options.exact === true),
  text: linesOf,
});

async function readStats(database: Knex, address: string, exact: boolean) {
  return {
    /** Without user and password. */
    database: shownAddress(address),
    purpose: await purposeOf(database),
    ...(await sizeOf(database, address)),
    ...(await snapshot(database, (rows) => readTotals(rows, exact, new Date()))),
  };
}

function linesOf(stats: Awaited<ReturnType<typeof readStats>>): string[] {
  const { products, scans, keys } = stats;
  const lines: [string, string][] = [
    ['Database', stats.purpose === 'database' ? stats.database : `${stats.database} (${stats.purpose})`],
    [
      'Size',
      stats.wal_bytes === null
        ? size(stats.database_bytes)
        : `${size(stats.database_bytes)}, and ${size(stats.wal_bytes)} of write-ahead log`,
    ],
    ['Tenants', String(stats.tenants)],
    ['Products', `${products.draft} drafts, ${products.active} active, ${products.archived} archived`],
    ['Created', span(products.created)],
    ['Passports', String(stats.passports)],
    ['Values', shown(stats.values)],
    ['Versions', shown(stats.versions)],
    ['Scans', `${scans.total}, of which ${shown(scans.stored)} are stored singly`],
    ['Scan days', span(scans.days)],
    ['Tokens', `${stats.valid_tokens} valid`],
    ['API keys', `${keys.valid} valid, ${keys.revoked} revoked, ${keys.never_used} never used`],
  ];
  const rows = keys.items
    .slice(0, max.printed)
    .map((key) => [key.last_used_at ?? 'never', key.tenant, key.id, key.label]);
  return [
    ...lines.map(([name, text]) => `${name.padEnd(10)} ${escaped(text)}`),
    ...(rows.length > 0 ? ['', ...new Table(['LAST USED', 'TENANT', 'KEY', 'LABEL']).lines(rows)] : []),
    ...(keys.valid > rows.length ? [`and ${keys.valid - rows.length} more keys`] : []),
  ];
}

function span({ first, last }: { first: string | null; last: string | null }): string {
  if (first === null || last === null) return 'none';
  return first === last ? first : `${first} to ${last}`;
}

function shown({ count, is_estimate }: Count): string {
  return is_estimate ? `about ${count}` : String(count);
}

function size(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

interface Count {
  count: number;
  is_estimate: boolean;
}

/** Reads the totals. Call it in a snapshot, so that they agree. */
async function readTotals(database: Knex.Transaction, exact: boolean, now: Date) {
  const products = await readProducts(database);
  const { draft, active, archived } = products;
  return {
    tenants: await number(database('tenants').count({ number: '*' })),
    products,
    /** Each product has one passport. */
    passports: draft + active + archived,
    values: await countOf(database, 'passport_values', exact),
    versions: await countOf(database, 'passport_versions', exact),
    scans: await readScans(database, exact),
    keys: await readKeys(database),
    /** Access tokens that are neither revoked nor expired. */
    valid_tokens: await number(
      database('access_tokens')
        .whereNull('revoked_at')
        .where('expires_at', '>', now.toISOString())
        .count({ number: '*' }),
    ),
  };
}

async function number(query: Knex.QueryBuilder): Promise<number> {
  const [row] = await query;
  return Number(row?.number ?? 0);
}

async function readProducts(database: Knex) {
  const sum = database('product_counts').sum({ draft: 'draft', active: 'active', archived: 'archived' });
  const counts = (await sum.first()) ?? {};
  // Positions are 1, 2, 3, … in the order of creation, so that two rows of each tenant are enough.
  const ends = await database('product_counts as counts')
    .join('products', 'products.tenant_id', 'counts.tenant_id')
    .where((query) =>
      query
        .where('products.position', 1)
        .orWhereRaw('products.position = counts.draft + counts.active + counts.archived'),
    )
    .min({ first: 'products.created_at' })
    .max({ last: 'products.created_at' })
    .first();
  return {
    draft: Number(counts.draft ?? 0),
    active: Number(counts.active ?? 0),
    archived: Number(counts.archived ?? 0),
    created: { first: ends?.first ?? null, last: ends?.last ?? null },
  };
}

/** All page views ever, the days of the first and the last, and the single scans that are still stored. */
async function readScans(database: Knex, exact: boolean) {
  const days = await database('scan_days').sum({ total: 'count' }).min({ first: 'date' }).max({ last: 'date' }).first();
  return {
    total: Number(days?.total ?? 0),
    days: { first: days?.first ?? null, last: days?.last ?? null },
    stored: await countOf(database, 'scans', exact),
  };
}

async function readKeys(database: Knex) {
  type Key = Pick<ApiKey, 'id' | 'label' | 'created_at' | 'last_used_at'> & { tenant: string };
  const keys = () => database('api_keys').whereNull('revoked_at');
  return {
    valid: await number(keys().count({ number: '*' })),
    revoked: await number(database('api_keys').whereNotNull('revoked_at').count({ number: '*' })),
    never_used: await number(keys().whereNull('last_used_at').count({ number: '*' })),
    /** The valid keys, the last used first. */
    items: (await keys()
      .join('tenants', 'tenants.id', 'api_keys.tenant_id')
      .orderByRaw('api_keys.last_used_at IS NULL, api_keys.last_used_at DESC, api_keys.id')
      .limit(max.keys)
      .select({
        tenant: 'tenants.slug',
        id: 'api_keys.id',
        label: 'api_keys.label',
        created_at: 'api_keys.created_at',
        last_used_at: 'api_keys.last_used_at',
      })) as Key[],
  };
}

/** Counts a small table, and estimates a large one, because both databases read a whole table to count it. */
async function countOf(database: Knex, table: string, exact: boolean): Promise<Count> {
  if (exact) return { count: await number(database(table).count({ number: '*' })), is_estimate: false };
  const some = database(table)
    .select(database.raw('1'))
    .limit(max.counted + 1)
    .as('some');
  const counted = await number(database.from(some).count({ number: '*' }));
  if (counted <= max.counted) return { count: counted, is_estimate: false };
  return { count: Math.max(await estimate(database, table), counted), is_estimate: true };
}

async function estimate(database: Knex, table: string): Promise<number> {
  if (isPostgres(database)) {
    // What PostgreSQL's last ANALYZE or VACUUM has seen.
    return number(database('pg_class').whereRaw('oid = ?::regclass', [table]).select({ number: 'reltuples' }));
  }
  // Rows are numbered. Only a sandbox and old scans leave gaps, at most at the beginning.
  const [row] = await database(table).select(database.raw('MAX(rowid) - MIN(rowid) + 1 AS number'));
  return Number(row?.number ?? 0);
}
