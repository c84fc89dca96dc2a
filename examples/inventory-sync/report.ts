import type { Outcome } from './outcome.ts';

type Listed = 'created' | 'updated' | 'repeated' | 'rejected';

const titles: Readonly<Record<Listed, string>> = {
  created: 'Created',
  updated: 'Updated',
  repeated: 'Repeated in the file, nothing to do',
  rejected: 'Rejected, nothing written',
};

/** Keeps a line for each row except the unchanged ones, in the order of the file. */
export class Report {
  readonly counts = { created: 0, updated: 0, unchanged: 0, repeated: 0, rejected: 0, open: 0 };
  readonly #lines: Record<Listed, string[]> = { created: [], updated: [], repeated: [], rejected: [] };

  add(outcome: Outcome): void {
    this.counts[outcome.kind] += 1;
    if (outcome.kind === 'repeated' || outcome.kind === 'rejected') {
      const { line, number, reason } = outcome.row;
      this.#lines[outcome.kind].push(entry(line, number, reason));
    } else if (outcome.kind === 'created') {
      const { article, brought } = outcome;
      const what = `${article.product.name} (${brought.written.length} values, ${brought.completeness} % complete)`;
      this.#lines.created.push(entry(article.line, article.number, what));
    } else if (outcome.kind === 'updated') {
      const { article, brought } = outcome;
      const what = `${article.product.name} (${brought.written.join(', ')}; ${brought.completeness} % complete)`;
      this.#lines.updated.push(entry(article.line, article.number, what));
    }
  }

  /** How many rows are done, whatever their result. */
  get done(): number {
    const { created, updated, unchanged, repeated, rejected } = this.counts;
    return created + updated + unchanged + repeated + rejected;
  }

  toString(): string {
    const lists = (Object.keys(titles) as Listed[]).flatMap((kind) => {
      const lines = this.#lines[kind];
      return lines.length === 0 ? [] : [`${titles[kind]} (${lines.length})`, ...lines, ''];
    });
    const { created, updated, unchanged, repeated, rejected } = this.counts;
    const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${repeated} repeated, ${rejected} rejected`;
    return [...lists, `${this.done} rows: ${counts}`].join('\n');
  }
}

function entry(line: number, number: string, what: string): string {
  return `  line ${String(line).padEnd(5)} ${(number || '-').padEnd(16)} ${what.replaceAll('\n', ' ')}`;
}
