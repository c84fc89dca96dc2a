import { type AuditEntry, listEntries } from '../audit/store.ts';
import { command, id, option, time, wholeNumber } from './command.ts';
import { tableLines } from './output.ts';

const header = ['TIME', 'USER', 'VERSION', 'CHANGES', 'COMMAND'];

export const commands = command({
  name: 'audit',
  about: 'database',
  summary: 'list what the command line changed, newest first',
  description:
    'list what the command line changed, newest first: time, user of the machine, and command. Keys, tokens and the ' +
    'address of the database are left out. Changes through the API are not part of it.',
  example: 'audit --since 2026-01-01 --limit 20',
  options: {
    since: option(
      '--since <time>',
      'list only changes from this time on, for example 2026-01-31 or 2026-01-31T12:00:00Z',
      time,
    ),
    before: option('--before <id>', 'list only entries that are older than this one', id),
    limit: option('--limit <number>', 'number of entries', wholeNumber(1000, 1), 50),
  },
  async run({ database, options: { limit, ...options } }) {
    // One entry more shows whether there is a next page.
    const found = await listEntries(database, { ...options, limit: limit + 1 });
    const items = found.slice(0, limit);
    return { items, next: found.length > items.length ? (items.at(-1)?.id ?? null) : null };
  },
  text({ items, next }, { options: { since, limit }, hint }) {
    const lines = tableLines(header, items.map(cellsOf), 'There are no entries.');
    const start = since === undefined ? '' : ` --since ${since}`;
    return next === null
      ? lines
      : [...lines, `Older entries: ${hint(`audit${start} --limit ${limit} --before ${next}`)}`];
  },
});

function cellsOf({ time, os_user, version, changes, command, arguments: given }: AuditEntry): string[] {
  return [time, os_user, version, String(changes), [command, ...given].join(' ')];
}
