/** requirements.md: the table of what each case asserts, where its rule comes from, and which set it came in with. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Case } from './case.ts';
import { UsageError } from './result.ts';

/** The set that new cases come in with. */
const comingSet = '2026-12';

/** Sets that were released: their cases neither go nor change. */
const publishedSets: readonly string[] = [];

export const requirementsFile = new URL('./requirements.md', import.meta.url);

/** What a case asks for. */
export type Requirement = Pick<Case, 'id' | 'title' | 'clause' | 'also'> & {
  readonly claim: string;
  /** Where the rule comes from. */
  readonly source: string;
};

/** The set of each case, by its id. */
export type Sets = ReadonlyMap<string, string>;

export function readSets(text = readFileSync(requirementsFile, 'utf8')): Sets {
  return new Map(rowsOf(text).map(({ id, set }) => [id, set]));
}

const introduction = `# Requirements

What each case of the suite asserts, and where its rule comes from. \`npm run generate\` writes this table. \`D4.2\` is a sentence
of \`docs/reference/description.md\` in the repository, and \`decision 4\` one of \`docs/reference/decisions.md\`.

| Case | Claim | What it asserts | Source | Since |
| ---- | ----- | --------------- | ------ | ----- |
`;

/**
 * The text of requirements.md. A row of a published set ends with the hash of what its case asks for.
 *
 * @param committed the text so far
 * @throws Error if a case of a published set is gone or asks for something else
 */
export function requirementsText(
  requirements: readonly Requirement[],
  committed: string,
  published: readonly string[] = publishedSets,
): string {
  const known = new Map(rowsOf(committed).map((row) => [row.id, row]));
  const byId = new Map(requirements.map((one) => [one.id, one]));
  for (const { id, set, meaning } of known.values()) {
    if (!published.includes(set)) continue;
    const one = byId.get(id);
    if (one === undefined) throw new Error(`${id} is gone, and the set ${set} was published with it.`);
    if (meaning !== '' && meaning !== meaningOf(one)) {
      throw new Error(
        `${id} asks for something else than the published set ${set}. Give the new requirement a new id.`,
      );
    }
  }
  const rows = requirements.map((one) => {
    const set = known.get(one.id)?.set ?? comingSet;
    const since = published.includes(set) ? `${set} ${meaningOf(one)}` : set;
    return `| ${[one.id, one.claim, one.title, one.source, since].map(cellOf).join(' | ')} |`;
  });
  return `${introduction}${rows.sort().join('\n')}\n`;
}

/** Text without a meaning in Markdown. */
function cellOf(text: string): string {
  return text.replace(/[\\|<*]|__/g, '\\$&');
}

/** Whether a case counts for a set. The names of sets compare as dates. */
export function countsFor(required: string | undefined, id: string, sets: Sets): boolean {
  return required === undefined || (sets.get(id) ?? comingSet) <= required;
}

/** @throws UsageError if no case came in with the set */
export function checkSet(required: string | undefined, sets: Sets): void {
  const known = [...new Set(sets.values())].sort();
  if (required === undefined || known.includes(required)) return;
  throw new UsageError(`--requirements has ${required}, which this suite does not have. Use ${known.join(' or ')}.`);
}

function rowsOf(text: string): { id: string; set: string; meaning: string }[] {
  const rows = text.matchAll(/^\| ([A-Z\d-]+-\d+(?:\.\S+)?) \|.*\| (\S+)(?: (\S+))? \|\r?$/gm);
  return Array.from(rows, ([, id = '', set = comingSet, meaning = '']) => ({ id, set, meaning }));
}

function meaningOf({ title, clause, claim, also }: Requirement): string {
  return createHash('sha256')
    .update(JSON.stringify([title, clause, claim, ...(also ? [also] : [])]))
    .digest('hex')
    .slice(0, 16);
}
