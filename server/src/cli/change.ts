/** Commands that change the database. Each run leaves an entry in the audit trail. */
import { userInfo } from 'node:os';
import type { Command, Option } from 'commander';
import type { Knex } from 'knex';
import { AuditedRun } from '../audit/store.ts';
import type { OpenOptions } from '../database/open.ts';
import { masked } from '../log/log.ts';
import type { Tenant } from '../tenants/store.ts';
import { type AdministrationOptions, requireTenant, type TenantOptions, withDatabase } from './database.ts';
import { version } from './output.ts';

/** Options that say nothing about the change. The address of a database may hold a password. */
const leftOut = new Set(['database', 'json']);

/** The largest number of words in an entry, and of characters in a word. */
const mostWords = 40;
const mostCharacters = 500;

/**
 * Opens the database, and makes a change and its entry in the audit trail in one transaction. Work that throws leaves
 * neither.
 */
export function withChange<T>(
  command: Command,
  work: (transaction: Knex.Transaction) => Promise<T>,
  open: { create?: boolean } & OpenOptions = {},
): Promise<T> {
  const run = auditedRun(command);
  return withDatabase(
    command.opts<AdministrationOptions>(),
    (database) =>
      database.transaction(async (transaction) => {
        const result = await work(transaction);
        await run.record(transaction);
        return result;
      }),
    open,
  );
}

/** Changes something of the tenant that the options name. */
export function withTenantChange<T>(
  command: Command,
  work: (transaction: Knex.Transaction, tenant: Tenant) => Promise<T>,
): Promise<T> {
  const options = command.opts<TenantOptions>();
  return withDatabase(options, (database) =>
    database.transaction(async (transaction) => {
      const tenant = await requireTenant(transaction, options);
      const run = auditedRun(command, tenant);
      const result = await work(transaction, tenant);
      await run.record(transaction);
      return result;
    }),
  );
}

/**
 * The run of a command that makes several changes, each in a transaction of its own.
 *
 * @param tenant the tenant of a command that need not name it
 */
export function auditedRun(command: Command, tenant?: Tenant): AuditedRun {
  const names: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) names.unshift(each.name());
  return new AuditedRun(
    { command: names.join(' '), arguments: words(command, tenant), os_user: osUser(), version },
    new Date(),
  );
}

function words(command: Command, tenant: Tenant | undefined): string[] {
  const isGiven = (name: string): boolean => ['cli', 'env'].includes(command.getOptionValueSource(name) ?? '');
  const options = command.options.flatMap((option) => {
    const name = option.attributeName();
    if (name === 'tenant' && tenant !== undefined) return optionWords(option, tenant.slug);
    return isGiven(name) && !leftOut.has(name) ? optionWords(option, command.getOptionValue(name)) : [];
  });
  const room = Math.max(mostWords - options.length, 1);
  const rest = command.args.length - room;
  const given = rest > 0 ? [...command.args.slice(0, room), `(and ${rest} more)`] : command.args;
  return [...given, ...options].map((word) => masked(word).slice(0, mostCharacters).toWellFormed());
}

function optionWords({ long }: Option, value: unknown): string[] {
  return value === true ? [`${long}`] : [`${long}`, String(value)];
}

function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
