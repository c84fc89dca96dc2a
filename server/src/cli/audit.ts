import { type AuditEntry, listEntries } from '../audit/store.ts';
import { authorOf, listTenantChanges, type TenantChange } from '../lifecycle/status-changes.ts';
import { command, id, option, slug, time, wholeNumber } from './command.ts';
import { requireTenant } from './database.ts';
import { tableLines } from './output.ts';

const header = ['TIME', 'USER', 'VERSION', 'CHANGES', 'COMMAND'];
const headerOfTenant = ['TIME', 'PRODUCT', 'FROM', 'TO', 'BY'];

export const commands = command({
  name: 'audit',
  about: 'database',
  summary: 'list what the command line changed, newest first',
  description:
    'list what the command line changed, newest first: time, user of the machine, and command. Keys, tokens and the ' +
    'address of the database are left out. Changes through the API are not part of it, except with --tenant: then it lists ' +
    'who changed the status of a product of the tenant, a command or an API key.',
  example: 'audit --since 2026-01-01 --limit 20',
  options: {
    tenant: option('--tenant <tenant>', 'list the changes of the status of products of this tenant instead', slug),
    since: option(
      '--since <time>',
      'list only changes from this time on, for example 2026-01-31 or 2026-01-31T12:00:00Z',
      time,
    ),
    before: option('--before <id>', 'list only entries that are older than this one', id),
    limit: option('--limit <number>', 'number of entries', wholeNumber(1000, 1), 50),
  },
  async run({ database, options: { limit, tenant, ...options } }) {
    // One entry more shows whether there is a next page.
    const page = { ...options, limit: limit + 1 };
    const found =
      tenant === undefined
        ? await listEntries(database, page)
        : await listTenantChanges(
            database,
            (await requireTenant(database, { tenant, database: options.database })).id,
            page,
          );
    const items: (AuditEntry | TenantChange)[] = found.slice(0, limit);
    return { items, next: found.length > items.length ? (items.at(-1)?.id ?? null) : null };
  },
  text({ items, next }, { options: { since, limit, tenant }, hint }) {
    const lines = tableLines(
      tenant === undefined ? header : headerOfTenant,
      items.map(cellsOf),
      'There are no entries.',
    );
    const start = `${tenant === undefined ? '' : ` --tenant ${tenant}`}${since === undefined ? '' : ` --since ${since}`}`;
    return next === null
      ? lines
      : [...lines, `Older entries: ${hint(`audit${start} --limit ${limit} --before ${next}`)}`];
  },
});

function cellsOf(entry: AuditEntry | TenantChange): string[] {
  if ('product' in entry) {
    return [entry.changed_at, entry.product, entry.from_status, entry.to_status, authorOf(entry)];
  }
  const { time, os_user, version, changes, command, arguments: given } = entry;
  return [time, os_user, version, String(changes), [command, ...given].join(' ')];
}
