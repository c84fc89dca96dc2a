/** Annotations and a step summary for GitHub Actions. */
import { appendFileSync } from 'node:fs';
import type { Report } from './report.ts';
import {
  addressOfClause,
  countsInWords,
  isFault,
  sentenceOf,
  skippedByCause,
  verdictWords,
  wordsOfClause,
} from './words.ts';

/** GitHub shows ten annotations of a step. */
const maxAnnotations = 10;

/** A step summary may have 1 MiB. */
const maxRows = 100;
const maxReason = 500;

export interface GithubStep {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Standard output: GitHub reads annotations from it. */
  readonly output: { write(text: string): unknown };
}

/** Does nothing outside of GitHub Actions. */
export function publishOnGithub(report: Report, { environment, output }: GithubStep): void {
  if (environment.GITHUB_ACTIONS !== 'true') return;
  output.write(annotationsOf(report));
  const summary = environment.GITHUB_STEP_SUMMARY;
  if (summary) appendFileSync(summary, stepSummaryOf(report));
}

/** A line for each failed case, or one line for an incomplete run. */
export function annotationsOf(report: Report): string {
  const failed = report.cases.filter(isFault);
  const shown = failed.length > maxAnnotations ? failed.slice(0, maxAnnotations - 1) : failed;
  const lines = shown.map(({ id, title, reasons, clause }) =>
    command('error', `${id}: ${title}`, [...reasons, `Clause: ${addressOfClause(clause)}`].join('\n')),
  );
  const more = failed.length - shown.length;
  if (more > 0) lines.push(command('error', `${more} more cases failed`, 'The step summary and the report list them.'));
  if (report.verdict === 'incomplete') lines.push(command('warning', 'Incomplete', sentenceOf(report)));
  return lines.map((line) => `${line}\n`).join('');
}

function command(level: 'error' | 'warning', title: string, message: string): string {
  return `::${level} title=${escapeData(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Markdown: verdict, counts, the failed cases, and what the skipped cases need. */
export function stepSummaryOf(report: Report): string {
  const { verdict, counts, claims, base_url, command, suite_version, contract_version } = report;
  const judged = command ?? base_url;
  const who = command === undefined ? 'provider' : 'program';
  const failed = report.cases.filter(isFault);
  const rows = failed
    .slice(0, maxRows)
    .map(({ id, title, reasons, clause }) => row([id, title, reasons.join(' '), wordsOfClause(clause)]));
  const causes = [...skippedByCause(report.cases)].map(([cause, cases]) => `- ${markdown(cause)} (${cases.length})`);
  return [
    `## ${verdictWords[verdict]}: ${markdown(judged)}`,
    '',
    markdown(sentenceOf(report)),
    '',
    `${countsInWords(counts)}. Claims: ${claims.join(', ')}. Contract ${markdown(contract_version)}, suite ${markdown(suite_version)}.`,
    '',
    ...(rows.length === 0
      ? []
      : [`| Case | What the ${who} must do | Why it failed | Clause |`, '|-|-|-|-|', ...rows, '']),
    ...(failed.length > maxRows ? [`${failed.length - maxRows} more cases failed. The report lists them.`, ''] : []),
    ...(causes.length === 0
      ? []
      : [
          command === undefined ? 'Skipped cases, by what they need:' : 'What the program did not exercise:',
          '',
          ...causes,
          '',
        ]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => markdown(cell.length > maxReason ? `${cell.slice(0, maxReason)}…` : cell)).join(' | ')} |`;
}

/** Text without a meaning in Markdown or HTML, on one line. */
function markdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~-]/g, '\\$&');
}
