/** The matrix of contracts/mutants/README.md: which suite notices which mistake. */
import { readFileSync } from 'node:fs';

export const matrixFile = new URL('./README.md', import.meta.url);

/** What stands above is written by hand. */
export const matrixBegin = '<!-- Made by `npm run mutants` from here to the end. Do not edit. -->';

/** Which cases notice each provider with a mistake. `npm run mutants` writes it from whole runs. */
export const witnessesFile = new URL('../generated/mutants.json', import.meta.url);

export interface Witnesses {
  /**
   * The cases that each wrong provider must fail in: its own, one of the other kind (schemas or not), and those that no other one
   * fails in. Together they are all cases of the suite.
   */
  readonly cases: Readonly<Record<string, readonly string[]>>;
  /**
   * Beginnings of the ids of cases that must run before them: a case that judges all responses of a run needs the
   * requests of others. An empty text stands for every case.
   */
  readonly needs: Readonly<Record<string, readonly string[]>>;
}

export const readWitnesses = (): Witnesses => JSON.parse(readFileSync(witnessesFile, 'utf8'));

const suites = ['verify', 'schemas', 'consumer', 'lint', 'comparison', 'freshness'] as const;
type Suite = (typeof suites)[number];

export interface Row {
  readonly id: string;
  readonly mistake: string;
  /** What noticed the mistake, by suite. `null` if the suite ran and did not notice. Other suites did not run. */
  readonly noticed: Partial<Readonly<Record<Suite, string | null>>>;
}

/** One table of the matrix, in Markdown. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ id, mistake, noticed }) => [
    `\`${id}\``,
    mistake.replaceAll('|', '\\|'),
    ...suites.map((suite) => shown(noticed[suite])),
  ]);
  const head = ['mutant', 'mistake', ...suites];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** @throws unless contracts/mutants/README.md has the table of these rows */
export function checkMatrix(rows: readonly Row[]): void {
  const committed = readFileSync(matrixFile, 'utf8');
  if (committed.includes(`\n\n${table(rows)}\n`)) return;
  const missing = table(rows)
    .split('\n')
    .filter((line) => !committed.includes(line));
  throw new Error(
    `contracts/mutants/README.md is stale. Run \`npm run mutants\` and commit the result. Missing:\n${missing.join('\n')}`,
  );
}

function shown(noticed: string | null | undefined): string {
  if (noticed === undefined) return '';
  return noticed === null ? '–' : noticed.replaceAll('|', '\\|');
}

/** A mistake as an edit of one file. */
export interface Edit {
  /** Lower case with hyphens. */
  readonly id: string;
  /** What the file does wrong, in one sentence. */
  readonly mistake: string;
  /** Text that the file contains exactly once. */
  readonly from: string;
  readonly to: string;
}

/** @throws if the text is missing or ambiguous, so that an edit never changes nothing */
export function edited(text: string, { id, from, to }: Pick<Edit, 'id' | 'from' | 'to'>): string {
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined) throw new Error(`${id}: the file does not contain ${from}`);
  if (more.length > 0) throw new Error(`${id}: the file contains ${from} more than once`);
  return `${before}${to}${after}`;
}
