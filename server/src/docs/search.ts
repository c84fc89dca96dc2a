/** The search of the reference: the script, and the index that it reads. */
import { readFileSync } from 'node:fs';
import { overview } from './links.ts';
import type { DocsPage } from './pages.ts';

const script = readFileSync(new URL('./views/search.js', import.meta.url), 'utf8');

/** The file that a page loads when a reader begins to search. A field of several product groups is written once. */
export function searchFile(pages: readonly DocsPage[], addressOf: (page: string) => string): string {
  const searched = pages.filter(({ entries }) => entries.length > 0);
  const all = searched.flatMap(({ entries }, on) => entries.map((entry) => ({ ...entry, on })));
  const index = {
    pages: searched.map(({ name, heading }) => [addressOf(name), name === overview ? 'Overview' : heading]),
    entries: [...Map.groupBy(all, ({ id, name, note }) => JSON.stringify([id, name, note])).values()].flatMap(
      (same) => {
        const [first] = same;
        if (!first) return [];
        const { id, note, name } = first;
        return [[id, same.map(({ on }) => on), ...(note || name ? [note, name] : [])]];
      },
    ),
  };
  return `const index = ${JSON.stringify(index)};\n${script}`;
}
