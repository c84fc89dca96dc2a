/** Progress of a run: one line that is rewritten on a terminal, plain lines in a pipe. Then the findings. */

import { type Report, type ReportedCase, titleOf } from '../report/report.ts';
import {
  addressOfClause,
  countsInWords,
  familyNameOf,
  isFault,
  sentenceOf,
  skippedByCause,
  statusWordOf,
  summaryOf,
} from '../report/words.ts';
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

function findings(report: Report, { reportFile, repeat }: Outcome): string[] {
  const errors = report.cases.filter(({ status }) => status === 'error');
  const byId = new Map(report.cases.map((one) => [one.id, one]));
  const repeated = (id = ''): string[] => (repeat === undefined ? [] : [`  Repeat: ${repeat(id)}`]);
  return [
    ...report.findings.flatMap(({ title, clause, cases }, index) => [
      '',
      `${index + 1}. ${printable(title)}`,
      ...(clause === '' ? [] : [`  Clause: ${addressOfClause(clause)}`]),
      ...cases.slice(0, maxCases).flatMap((id) => fault(byId.get(id), title)),
      ...(cases.length > maxCases
        ? [`  and ${cases.length - maxCases} more: ${cases.slice(maxCases).join(', ')}`]
        : []),
      ...repeated(cases[0]),
    ]),
    ...errors.flatMap((one) => ['', ...fault(one, ''), ...repeated(one.id)]),
    ...skipped(report),
    '',
    report.score === undefined ? `${report.verdict}: ${sentenceOf(report)}` : sentenceOf(report),
    (report.score === undefined ? countsInWords(report.counts) : summaryOf(report.cases)) || 'No case counts.',
    ...(reportFile === undefined ? [] : [`Report: ${reportFile}`]),
  ];
}

/** The cases of one finding that are shown with their titles. */
const maxCases = 5;

/** @param known what stands above */
function fault(one: ReportedCase | undefined, known: string): string[] {
  if (one === undefined) return [];
  const { id, title, reasons, warnings } = one;
  return [
    `  ${statusWordOf(one)}: ${id}${title === known ? '' : `: ${title}`}`,
    ...reasons.filter((reason) => titleOf(reason) !== known).map((reason) => `    Reason: ${printable(reason)}`),
    ...warnings.map((warning) => `    Warning: ${printable(warning)}`),
  ];
}

function skipped({ cases, command }: Report): string[] {
  const causes = [...skippedByCause(cases)];
  if (causes.length === 0) return [];
  const lines = causes.flatMap(([cause, group]) => [`  ${cause}`, `    ${group.map(({ id }) => id).join(', ')}`]);
  // The reasons of a client begin with "Not exercised".
  return ['', ...(command === undefined ? ['Skipped:'] : []), ...lines];
}

const maxLength = 500;

/** Control characters, and those that change the direction or the lines of a text. */
const unprintable = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text of a provider, for one line of a terminal or a log: without escape sequences, and of bounded length. */
export function printable(text: string): string {
  const short = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return short.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
