import type { Command } from 'commander';
import type { Knex } from 'knex';
import { shownAddress } from '../database/address.ts';
import { snapshot } from '../database/connection.ts';
import { purposeOf } from '../database/open.ts';
import { type DatabaseSize, sizeOf } from '../database/schema.ts';
import { type AdministrationOptions, administrationCommand, requireFile, withDatabase } from './database.ts';
import { escaped, print, printJson, Table } from './output.ts';
import { type Count, readTotals, type Totals } from './totals.ts';

type StatsOptions = AdministrationOptions & { exact?: boolean };

interface Stats extends Totals, DatabaseSize {
  /** Without user and password. */
  database: string;
  purpose: 'database' | 'demo' | 'sandbox';
}

/** Keys that are printed for people. */
const mostPrinted = 20;

export function addStatsCommand(program: Command): void {
  administrationCommand(program.command('stats'))
    .summary('count what the database has, and show its size and ages')
    .description(
      'count what the database has, over all tenants, and show its size, the oldest and newest dates, and when each API ' +
        'key was last used. Values, versions and single scans are estimated if there are more than 200,000.',
    )
    .option('--exact', 'count every row, which takes long in a large database')
    .action(async (options: StatsOptions) => {
      const address = requireFile(options);
      const { exact = false } = options;
      const read = async (database: Knex): Promise<Stats> => ({
        database: shownAddress(address),
        purpose: await purposeOf(database),
        ...(await sizeOf(database, address)),
        ...(await snapshot(database, (transaction) => readTotals(transaction, exact, new Date()))),
      });
      const stats = await withDatabase(options, read, { unlimited: true });
      if (options.json) printJson(stats);
      else printStats(stats);
    });
}

function printStats(stats: Stats): void {
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
  print(...lines.map(([name, text]) => `${name.padEnd(10)} ${escaped(text)}`));
  const rows = keys.items
    .slice(0, mostPrinted)
    .map((key) => [key.last_used_at ?? 'never', key.tenant, key.id, key.label]);
  if (rows.length > 0) print('', ...new Table(['LAST USED', 'TENANT', 'KEY', 'LABEL']).lines(rows));
  if (keys.valid > rows.length) print(`and ${keys.valid - rows.length} more keys`);
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
