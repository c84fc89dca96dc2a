/** The report as text: for a terminal or a log, for GitHub Actions, and for a pull request. */

import { appendFileSync } from 'node:fs';
import { badgeOf } from '../result.ts';
import { exampleOf, type ReportedFinding } from './findings.ts';
import type { Repeat } from './html.ts';
import type { Report, ReportedCase } from './report.ts';
import { countsInWords, headingOf, isFault, sentenceOf, skippedByCause, statusWordOf, summaryOf } from './words.ts';

export interface TextOptions {
  /** The file that shows the run, if one was written. */
  readonly reportFile?: string | undefined;
  readonly repeat?: Repeat | undefined;
  /** Shows every case, warning and `curl` line. Default: false. */
  readonly isVerbose?: boolean;
}

/** Findings after these are one line each. */
const maxFull = 8;
/** Findings after these are a number. report.json has all of them in full. */
const maxListed = 100;

export function textOf(report: Report, options: TextOptions = {}): string {
  const { reportFile, isVerbose = false } = options;
  const { findings, cases, score, verdict } = report;
  const full = isVerbose ? findings.length : maxFull;
  const more = isVerbose ? 0 : Math.max(0, findings.length - maxListed);
  const errors = cases.filter(({ status }) => status === 'error');
  const paragraphs = [
    ...findings.slice(0, full).map((finding, index) => linesOf(finding, index + 1, report, options)),
    [
      ...findings.slice(full, findings.length - more).map((finding, index) => headOf(finding, full + index + 1)),
      ...(more > 0 ? [`${more} more findings. The report lists them.`] : []),
    ],
    ...errors.map((one) => errorOf(one, options)),
    newFailures(report),
    notesOf(report),
    skipped(report, isVerbose),
    report.notes.map((note) => `Note: ${printable(note)}`),
    [
      score === undefined ? `${badgeOf(verdict, cases)}: ${sentenceOf(report)}` : sentenceOf(report),
      (score === undefined ? countsInWords(report.counts) : summaryOf(cases)) || 'No case counts.',
      ...(reportFile === undefined ? [] : [`Report: ${reportFile}`]),
    ],
  ];
  const written = paragraphs.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${written.join('\n\n')}\n`;
}

/** What a link or a reading of EN 18222 may differ in. Other warnings are those of a case. */
function notesOf({ claims, cases }: Report): string[] {
  const isShown = claims[0] === 'link' || claims[0]?.startsWith('dpp');
  const notes = new Set(isShown ? cases.flatMap(({ warnings }) => warnings) : []);
  return Array.from(notes, (note) => `Note: ${printable(note)}`);
}

function headOf({ title, cases, build_next }: ReportedFinding, number: number): string {
  const count = cases.length > 1 && build_next === undefined ? ` (${cases.length} cases)` : '';
  return `${number}. ${printable(title)}${count}`;
}

function linesOf(finding: ReportedFinding, number: number, report: Report, options: TextOptions): string[] {
  const {
    title,
    reason = title,
    also,
    impact,
    test,
    expected,
    sent,
    came,
    place,
    cases,
    build_next: next = [],
  } = finding;
  const { repeat, isVerbose = false } = options;
  const one = report.cases.find(({ id }) => id === cases[0]);
  const shown = isVerbose ? cases : cases.slice(0, 1);
  const more = cases.length > shown.length ? ` and ${cases.length - shown.length} more` : '';
  const order = next.map(({ operation, cases: count }) => `${operation} (${count})`).join(', ');
  return [
    headOf({ ...finding, title: reason }, number),
    ...labelled('Build next', next.length > 1 ? order : undefined),
    ...labelled('Also', ...(isVerbose ? also : also.slice(0, 1))),
    ...labelled('Impact', impact),
    ...labelled('Test', test),
    ...labelled('Expected', expected),
    ...labelled('Sent', sent && `${sent} → ${came}`),
    ...labelled(one ? statusWordOf(one) : '', [`${shown.join(', ')}${more}`, place].filter(Boolean).join(' · ')),
    ...(isVerbose && one
      ? [
          ...labelled('Source', one.source || undefined),
          ...labelled('curl', exampleOf(one)?.curl),
          ...labelled('Warning', ...one.warnings),
        ]
      : []),
    ...labelled('Repeat', repeat?.(cases[0] ?? '')),
  ];
}

function errorOf(one: ReportedCase, { repeat }: TextOptions): string[] {
  const { id, title, reasons } = one;
  return [
    `${statusWordOf(one)}: ${id}: ${title}`,
    ...labelled('Reason', ...reasons),
    ...labelled('Repeat', repeat?.(id)),
  ];
}

/** A command works only as a whole. */
const isCommand = (label: string): boolean => label === 'Repeat' || label === 'curl';

function labelled(label: string, ...texts: readonly (string | undefined)[]): string[] {
  return texts.flatMap((text) =>
    text === undefined ? [] : [`   ${`${label}:`.padEnd(10)} ${isCommand(label) ? text : printable(text)}`],
  );
}

/** Failures of cases that came in with a later set than the one that counts. */
function newFailures({ cases }: Report): string[] {
  return cases
    .filter(({ status, scored }) => status === 'failed' && !scored)
    .map((one) => `${statusWordOf(one)}: ${one.id}: ${printable(one.reasons[0] ?? one.title)}`);
}

function skipped({ cases, claims, command }: Report, isVerbose: boolean): string[] {
  const lines = [...skippedByCause(cases)].flatMap(([cause, group]) => [
    `   ${cause} (${group.length})`,
    ...(isVerbose ? [`      ${group.map(({ id }) => id).join(', ')}`] : []),
  ]);
  // The reasons of a client or a link begin with "Not exercised".
  const isProvider = command === undefined && claims[0] !== 'link';
  return lines.length > 0 && isProvider ? ['Skipped, and what would let them run:', ...lines] : lines;
}

const maxLength = 500;

/** Control characters, and those that change the direction or the lines of a text. */
const unprintable = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text of a provider, for one line of a terminal or a log: without escape sequences, and of bounded length. */
export function printable(text: string): string {
  const short = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return short.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** GitHub shows ten annotations of a step. */
const maxAnnotations = 10;

interface GithubStep {
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
