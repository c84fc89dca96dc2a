/** The words of every report for people. */
import type { Score, Status, Verdict } from '../result.ts';
import type { Report, ReportedCase } from './report.ts';

export const statusWords: Readonly<Record<Status, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  skipped: 'Skipped',
  error: 'Suite error',
  'expected-failure': 'Expected failure',
  'unexpected-pass': 'Unexpected pass',
  flaky: 'Sometimes passes',
  absent: 'Declared absent',
};

/** What became of a mistake that the tests of a program met, or did not. */
const mistakeWords: Readonly<Partial<Record<Status, string>>> = {
  passed: 'Noticed',
  failed: 'Not noticed',
  skipped: 'Not met',
  'expected-failure': 'Equivalent',
  'unexpected-pass': 'Noticed although equivalent',
};
const serviceWords: Readonly<Partial<Record<Status, string>>> = {
  passed: 'Accepted',
  failed: 'Wrongly refused',
  skipped: 'Not met',
  'expected-failure': 'Refused on purpose',
};

/** A client cannot run a case: it encounters the situation or not. */
export function statusWordOf({
  id,
  status,
  claim,
  scored,
  not_built,
}: Pick<ReportedCase, 'id' | 'status' | 'claim' | 'scored' | 'not_built'>): string {
  if (not_built !== undefined) return 'Not built';
  if (!scored && claim !== 'client' && status === 'failed') return 'New, does not count';
  if (claim === 'tests')
    return (id.startsWith('unusual.') ? serviceWords : mistakeWords)[status] ?? statusWords[status];
  return (claim === 'client' || claim === 'link') && status === 'skipped' ? 'Not exercised' : statusWords[status];
}

const verdictWords: Readonly<Record<Verdict, string>> = {
  conformant: 'Conformant',
  passed: 'Passed',
  'not conformant': 'Not conformant',
  incomplete: 'Incomplete',
  'suite error': 'Suite error',
};

/** In place of a command: programs that used a service which stayed up. */
export const servedCommand = 'verify client --serve';

/** The verdict in a few words: the heading of a page. */
export function headingOf({ verdict, score }: Pick<Report, 'verdict' | 'score'>): string {
  if (score === undefined || hasMetNone(score)) return verdictWords[verdict];
  return `${score.noticed} of ${score.met} mistakes noticed`;
}

function hasMetNone({ met, equivalent, correct }: Score): boolean {
  return met + equivalent + correct === 0;
}

function sentenceOfScore({ met, noticed, equivalent, correct, refused, untried, sample }: Score): string {
  const apart = equivalent === 0 ? '' : ` ${equivalent} more ${equivalent === 1 ? 'is' : 'are'} equivalent for it.`;
  const services = correct === 1 ? 'correct service' : 'correct services';
  const refusals =
    refused === 0
      ? ` They accept ${correct === 1 ? 'the' : 'all'} ${correct} ${services}.`
      : ` They wrongly refuse ${refused} of ${correct} ${services}.`;
  const mistakes = met === 1 ? 'mistake' : 'mistakes';
  const noticing = `Your tests notice ${noticed} of ${met} ${mistakes} that your program can meet.`;
  const scope = sample ? ` This is a sample of ${met + equivalent + correct + untried} services.` : '';
  return `${noticing}${apart}${correct === 0 ? '' : refusals}${scope}`;
}

/** `98 cases failed for 40 reasons, and 12 wait for operations that are not built.` */
function withReasons(because: string, findings: Report['findings']): string {
  const repairs = findings.filter(({ build_next }) => build_next === undefined).length;
  const waiting = findings.find(({ build_next }) => build_next !== undefined)?.cases.length ?? 0;
  const reasons = because.replace(/(cases failed)/, `$1 for ${repairs === 1 ? 'one reason' : `${repairs} reasons`}`);
  if (waiting === 0) return reasons;
  const join = because.endsWith('could not run.') ? `: ${waiting} of them` : `, and ${waiting}`;
  return reasons.replace(/\.$/, `${join} ${waiting === 1 ? 'waits' : 'wait'} for operations that are not built.`);
}

const dppSentence =
  'The reads follow the public descriptions of EN 18222 in everything that ran. That proves no conformance to the standard.';

/** The verdict in one or two sentences. */
export function sentenceOf({ because, claims, command, counts, score, findings }: Report): string {
  if (score !== undefined && !hasMetNone(score))
    return because === undefined ? sentenceOfScore(score) : `${sentenceOfScore(score)} ${because}`;
  if (because !== undefined) return command === undefined ? withReasons(because, findings) : because;
  if (claims[0]?.startsWith('dpp')) return dppSentence;
  if (claims[0] === 'link') return 'The link leads to a passport that people and programs can read.';
  if (command !== undefined) return 'The program conforms to the contract in every situation that it encountered.';
  const known = counts['expected-failure'];
  const listed =
    known === 0 ? '' : ` ${known === 1 ? '1 known failure is' : `${known} known failures are`} not fixed yet.`;
  return `The provider conforms to the contract in everything that it claims.${listed}`;
}

/** `111 passed, 2 failed` */
export function countsInWords(counts: Readonly<Partial<Record<Status, number>>>): string {
  return inWords(Object.entries(counts).map(([status, count]) => ({ count, word: statusWords[status as Status] })));
}

function inWords(counts: readonly { readonly count: number; readonly word: string }[]): string {
  const named = counts.filter(({ count }) => count > 0);
  return named.map(({ count, word }) => `${count} ${word.toLowerCase()}`).join(', ');
}

/** The number of cases for each word of their status: `3 not noticed, 1 wrongly refused`. */
export function wordCountsOf(
  cases: readonly ReportedCase[],
): readonly { status: Status; count: number; word: string }[] {
  const groups = Map.groupBy(cases, statusWordOf);
  const order = Object.keys(statusWords);
  const counts = Array.from(groups, ([word, members]) => ({
    status: members[0]?.status ?? 'error',
    count: members.length,
    word,
  }));
  return counts.sort((one, other) => order.indexOf(one.status) - order.indexOf(other.status));
}

/** `3 noticed, 1 not noticed` */
export function summaryOf(cases: readonly ReportedCase[]): string {
  return inWords(wordCountsOf(cases));
}

/** Whether the case makes the verdict `not conformant`. */
export function isFault({ status, scored }: Pick<ReportedCase, 'status' | 'scored'>): boolean {
  return scored && (status === 'failed' || status === 'unexpected-pass');
}

/** The skipped cases, by what has to be done for them. What traffic does not show, and need not, is a note of the run. */
export function skippedByCause(cases: readonly ReportedCase[]): ReadonlyMap<string, readonly ReportedCase[]> {
  return Map.groupBy(
    cases.filter(
      ({ status, scored, claim }) => status === 'skipped' && (scored || ['client', 'tests', 'link'].includes(claim)),
    ),
    ({ reasons, not_built }) =>
      not_built === undefined ? reasons.join(' ') : 'Build the operations that are not built yet.',
  );
}

/** `openapi.yaml#/paths/~1api~1v1~1products/get` */
export function addressOfClause(pointer: string): string {
  return `openapi.yaml#${pointer}`;
}
