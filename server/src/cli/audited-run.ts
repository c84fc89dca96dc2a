/** The entry of a command in the audit trail. */
import { userInfo } from 'node:os';
import type { Command, Option } from 'commander';
import { AuditedRun } from '../audit/store.ts';
import { masked } from '../log/log.ts';
import type { Tenant } from '../tenants/store.ts';
import { version } from './output.ts';

/** Options that say nothing about the change. The address of a database may hold a password. */
const leftOut = new Set(['database', 'json']);

/** Words in an entry, and characters in a word. */
const max = { words: 40, characters: 500 };

/** @param tenant the tenant of a command that need not name it */
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
  const room = Math.max(max.words - options.length, 1);
  const rest = command.args.length - room;
  const given = rest > 0 ? [...command.args.slice(0, room), `(and ${rest} more)`] : command.args;
  return [...given, ...options].map((word) => masked(word).slice(0, max.characters).toWellFormed());
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
