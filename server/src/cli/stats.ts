import type { Knex } from 'knex';
import { shownAddress } from '../database/address.ts';
import { snapshot } from '../database/connection.ts';
import { purposeOf } from '../database/open.ts';
import { spreadingOf, textOfSpreading } from '../database/spread.ts';
import {
  countRows,
  countValidTokens,
  keyTotals,
  productTotals,
  type RowCount,
  sizeOf,
  viewTotals,
} from '../database/totals.ts';
import { countTenants } from '../tenants/store.ts';
import { command, flag } from './command.ts';
import { requireFile } from './database.ts';
import { facts, section } from './output.ts';

/** Keys that are printed for people. */
const maxPrinted = 20;

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
    /** Not there if the tables are on one node. */
    spread: await spreadingOf(database),
    ...(await snapshot(database, (rows) => readTotals(rows, exact, new Date()))),
  };
}

function linesOf(stats: Awaited<ReturnType<typeof readStats>>): string[] {
  const { products, scans, keys, spread } = stats;
  const lines: [string, string][] = [
    ['Database', stats.purpose === 'database' ? stats.database : `${stats.database} (${stats.purpose})`],
    [
      'Size',
      stats.wal_bytes === null
        ? size(stats.database_bytes)
        : `${size(stats.database_bytes)}, and ${size(stats.wal_bytes)} of write-ahead log`,
    ],
    ...(spread ? [['Spread', textOfSpreading(spread)] as [string, string]] : []),
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
    .slice(0, maxPrinted)
    .map((key) => [key.last_used_at ?? 'never', key.tenant, key.id, key.label]);
  return [
    ...facts(lines),
    ...section(['LAST USED', 'TENANT', 'KEY', 'LABEL'], rows),
    ...(keys.valid > rows.length ? [`and ${keys.valid - rows.length} more keys`] : []),
  ];
}

function span({ first, last }: { first: string | null; last: string | null }): string {
  if (first === null || last === null) return 'none';
  return first === last ? first : `${first} to ${last}`;
}

function shown({ count, is_estimate }: RowCount): string {
  return is_estimate ? `about ${count}` : String(count);
}

function size(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

/** Reads the totals. Call it in a snapshot, so that they agree. */
async function readTotals(database: Knex.Transaction, exact: boolean, now: Date) {
  const products = await productTotals(database);
  const { draft, active, archived } = products;
  return {
    tenants: await countTenants(database),
    products,
    /** Each product has one passport. */
    passports: draft + active + archived,
    values: await countRows(database, 'passport_values', exact),
    versions: await countRows(database, 'passport_versions', exact),
    scans: { ...(await viewTotals(database)), stored: await countRows(database, 'scans', exact) },
    keys: await keyTotals(database),
    valid_tokens: await countValidTokens(database, now),
  };
}
