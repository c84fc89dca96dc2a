/** Annotations and a step summary for GitHub Actions. */
import { appendFileSync } from 'node:fs';
import type { Report } from './report.ts';
import { textOf } from './text.ts';
import { headingOf, isFault, sentenceOf } from './words.ts';

/** GitHub shows ten annotations of a step. */
const maxAnnotations = 10;

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

/** A line for each finding, or one line for an incomplete run. */
export function annotationsOf(report: Report): string {
  const { findings } = report;
  const shown = findings.length > maxAnnotations ? findings.slice(0, maxAnnotations - 1) : findings;
  const lines = shown.map(({ title, impact, place, cases }) =>
    command('error', title, [impact, place, `Cases: ${cases.join(', ')}`].filter(Boolean).join('\n')),
  );
  const more = findings.length - shown.length;
  if (more > 0) lines.push(command('error', `${more} more findings`, 'The step summary and the report list them.'));
  if (report.verdict === 'incomplete') lines.push(command('warning', 'Incomplete', sentenceOf(report)));
  return lines.map((line) => `${line}\n`).join('');
}

function command(level: 'error' | 'warning', title: string, message: string): string {
  return `::${level} title=${escapeData(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Markdown: the verdict as a heading, and the report as text. */
export function stepSummaryOf(report: Report): string {
  const { claims, base_url, command = base_url, suite_version, contract_version } = report;
  const about = `Claims: ${claims.join(', ')}. Contract ${contract_version}, suite ${suite_version}.`;
  const text = textOf(report).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `## ${headingOf(report)}: ${markdown(command)}\n\n${markdown(about)}\n\n<pre>\n${text}</pre>\n`;
}

/** Markdown: a box for each mistake that the tests of a program do not notice, with the shortest test that would. */
export function pullRequestListOf(report: Report): string {
  const rows = report.cases.filter(isFault).map(({ id, title, reasons }) => {
    const lines = reasons.map((reason) => `  ${markdown(reason.replace(/^No test notices it\. /, ''))}`);
    return [`- [ ] **${markdown(title)}** (\`${id}\`)`, ...lines].join('\n');
  });
  return [`### ${markdown(headingOf(report))}`, '', markdown(sentenceOf(report)), '', ...rows, ''].join('\n');
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
