/** Progress of a run: one line that is rewritten on a terminal, plain lines in a pipe. Then the findings. */

import { familyNameOf } from '../report/families.ts';
import { exampleOf, expectedOf, type ReportedFinding, targetOf, wholeOf } from '../report/findings.ts';
import type { Report, ReportedCase, ReportedExchange } from '../report/report.ts';
import { countsInWords, isFault, sentenceOf, skippedByCause, statusWordOf, summaryOf } from '../report/words.ts';
import { familyOf, type Result } from '../result.ts';

interface Stream {
  readonly isTTY?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  readonly onResult: (result: Result, done: number, total: number) => void;
  end(report: Report, outcome: Outcome): void;
}

interface Outcome {
  /** The file that shows the run, if one was written. */
  readonly reportFile?: string;
  /** The command that runs this case again. */
  readonly repeat?: (caseId: string) => string;
  /** Shows every case, warning and `curl` line. Default: false. */
  readonly isVerbose?: boolean;
}

const clear = '\r\u001b[K';

export function progressOn(stream: Stream): Progress {
  const isTerminal = stream.isTTY === true;
  let failures = 0;
  return {
    onResult(result, done, total) {
      if (isFault(result)) failures += 1;
      const line = `${done} of ${total} cases · ${familyNameOf(familyOf(result))} · ${failures} failed`;
      // A longer line would wrap, and only its last row could be rewritten.
      if (isTerminal) stream.write(`${clear}${line.slice(0, (stream.columns ?? 80) - 1)}`);
      // Reasons may hold secrets here. The end has them without, and lists skipped cases by what they need.
      else if (result.status !== 'passed' && result.status !== 'skipped')
        stream.write(`${result.status} ${result.id}: ${result.title}\n`);
    },
    end(report, outcome) {
      if (isTerminal) stream.write(clear);
      stream.write(`${findings(report, outcome).join('\n')}\n`);
    },
  };
}

/** Progress of a run over services with a mistake: how many were tried, and how long the rest will take. */
export function scoreProgressOn(stream: Stream): Progress {
  const progress = progressOn(stream);
  let first = Number.NaN;
  let bad = 0;
  return {
    ...progress,
    onResult(result, done, total) {
      if (isFault(result)) bad += 1;
      // The time before the first result is that of two runs without a mistake, and of the choice of services.
      if (Number.isNaN(first)) first = performance.now();
      const left = Math.ceil((((performance.now() - first) / (done - 1)) * (total - done)) / 1000);
      const time = left < 90 ? `${left} s` : `${Math.round(left / 60)} min`;
      const estimate = done > 1 ? ` · about ${time} left` : '';
      const line = `${done} of ${total} services · ${bad} to look at${estimate}`;
      stream.write(stream.isTTY === true ? `${clear}${line.slice(0, (stream.columns ?? 80) - 1)}` : `${line}\n`);
    },
  };
}

/** Findings after these are one line each. The report has them in full. */
const maxFull = 8;

function findings(report: Report, outcome: Outcome): string[] {
  const { reportFile, isVerbose = false } = outcome;
  const errors = report.cases.filter(({ status }) => status === 'error');
  const full = isVerbose ? report.findings.length : maxFull;
  return [
    ...report.findings
      .slice(0, full)
      .flatMap((finding, index) => ['', ...linesOf(finding, index + 1, report, outcome)]),
    ...(report.findings.length > full ? [''] : []),
    ...report.findings.slice(full).map((finding, index) => headOf(finding, full + index + 1)),
    ...errors.flatMap((one) => ['', ...errorOf(one, outcome)]),
    ...newFailures(report),
    ...skipped(report, isVerbose),
    '',
    report.score === undefined ? `${report.verdict}: ${sentenceOf(report)}` : sentenceOf(report),
    (report.score === undefined ? countsInWords(report.counts) : summaryOf(report.cases)) || 'No case counts.',
    ...(reportFile === undefined ? [] : [`Report: ${reportFile}`]),
  ];
}

function headOf({ title, cases, build_next }: ReportedFinding, number: number): string {
  const count = cases.length > 1 && build_next === undefined ? ` (${cases.length} cases)` : '';
  return `${number}. ${printable(title)}${count}`;
}

function linesOf(finding: ReportedFinding, number: number, report: Report, outcome: Outcome): string[] {
  const { also, impact, place, cases, build_next: next = [] } = finding;
  const { repeat, isVerbose = false } = outcome;
  const one = report.cases.find(({ id }) => id === cases[0]);
  if (one === undefined) return [headOf(finding, number)];
  const shown = isVerbose ? cases : cases.slice(0, 1);
  const more = cases.length > shown.length ? ` and ${cases.length - shown.length} more` : '';
  const example = exampleOf(one);
  const order = next.map(({ operation, cases: count }) => `${operation} (${count})`).join(', ');
  // Of a mistake that no test notices: what it causes, and the shortest test.
  const [why, test] = one.claim === 'tests' ? one.reasons : [];
  const details = isVerbose ? [...labelled('curl', example?.curl), ...labelled('Warning', ...one.warnings)] : [];
  return [
    headOf(finding, number),
    ...labelled('Reason', wholeOf(finding, report.cases)),
    ...labelled('Build next', next.length > 1 ? order : undefined),
    ...labelled('Also', ...(isVerbose ? also : also.slice(0, 1))),
    ...labelled('Impact', impact ?? why?.replace(/^No test notices it\. /, '')),
    ...labelled('Test', test?.replace(/^Shortest test: /, '')),
    ...labelled('Expected', expectedOf(finding, one)),
    ...labelled('Sent', example && sentOf(example)),
    ...labelled(statusWordOf(one), [`${shown.join(', ')}${more}`, place].filter((text) => text !== '').join(' · ')),
    ...details,
    ...labelled('Repeat', repeat?.(one.id)),
  ];
}

function errorOf(one: ReportedCase, { repeat }: Outcome): string[] {
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
  const failed = cases.filter(({ status, scored }) => status === 'failed' && !scored);
  return failed.flatMap((one, index) => [
    ...(index === 0 ? [''] : []),
    `${statusWordOf(one)}: ${one.id}: ${printable(one.reasons[0] ?? one.title)}`,
  ]);
}

const maxPart = 100;

/** What was sent, and what came. */
function sentOf({ request, response, failure }: ReportedExchange): string {
  const part = (text: string): string => (text.length > maxPart ? `${text.slice(0, maxPart).toWellFormed()}…` : text);
  const sent = [request.method, part(targetOf(request.url)), part(request.body ?? '')];
  const came = response === undefined ? [failure ?? 'no response'] : [String(response.status), part(response.body)];
  return [...sent, '→', ...came].filter((text) => text !== '').join(' ');
}

function skipped({ cases, command }: Report, isVerbose: boolean): string[] {
  const causes = [...skippedByCause(cases)];
  if (causes.length === 0) return [];
  const lines = causes.flatMap(([cause, group]) => [
    `   ${cause} (${group.length})`,
    ...(isVerbose ? [`      ${group.map(({ id }) => id).join(', ')}`] : []),
  ]);
  // The reasons of a client begin with "Not exercised".
  return ['', ...(command === undefined ? ['Skipped, and what would let them run:'] : []), ...lines];
}

const maxLength = 500;

/** Control characters, and those that change the direction or the lines of a text. */
const unprintable = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text of a provider, for one line of a terminal or a log: without escape sequences, and of bounded length. */
export function printable(text: string): string {
  const short = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return short.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
