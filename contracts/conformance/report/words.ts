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
export function statusWordOf({ id, status, claim }: Pick<ReportedCase, 'id' | 'status' | 'claim'>): string {
  if (claim === 'tests')
    return (id.startsWith('unusual.') ? serviceWords : mistakeWords)[status] ?? statusWords[status];
  return (claim === 'client' || claim === 'link') && status === 'skipped' ? 'Not exercised' : statusWords[status];
}

export const verdictWords: Readonly<Record<Verdict, string>> = {
  conformant: 'Conformant',
  'not conformant': 'Not conformant',
  incomplete: 'Incomplete',
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

/** The verdict in one or two sentences. */
export function sentenceOf({ because, claims, command, counts, score }: Report): string {
  if (score !== undefined && !hasMetNone(score))
    return because === undefined ? sentenceOfScore(score) : `${sentenceOfScore(score)} ${because}`;
  if (because !== undefined) return because;
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
export function isFault({ status }: Pick<ReportedCase, 'status'>): boolean {
  return status === 'failed' || status === 'unexpected-pass';
}

/** The skipped cases, by what the operator has to do for them. */
export function skippedByCause(cases: readonly ReportedCase[]): ReadonlyMap<string, readonly ReportedCase[]> {
  return Map.groupBy(
    cases.filter(({ status }) => status === 'skipped'),
    ({ reasons }) => reasons.join(' '),
  );
}

const familyNames: Readonly<Record<string, string>> = {
  paging: 'Paging',
  search: 'Search',
  errors: 'Errors',
  data: 'Written data',
  form: 'Form',
  security: 'Security',
  public: 'Public pages',
  scans: 'Scan statistics',
  unusual: 'Correct services',
  'AUTH-1': 'Requests without a key',
  'AUTH-2': 'Malformed keys',
  'AUTH-3': 'Wrong and revoked keys',
  'AUTH-4': 'Key before all other checks',
  'AUTH-5': 'Public pages without a key',
  'AUTH-6': 'Keys in responses',
  'CAR-1': 'Data carriers',
  'CLIENT-1': 'Valid requests',
  'CLIENT-2': 'Rate limits',
  'CLIENT-3': 'Repeated creations',
  'CLIENT-4': 'Additions to the API',
  'CLIENT-5': 'Reading lists',
  'CLIENT-6': 'Secrecy of the key',
  'CLIENT-7': 'End of the command',
  'GEN-1': 'Generated requests',
  'GS1-1': 'Digital Link resolver',
  'GS1-2': 'Digital Link syntax',
  'GS1-3': 'Link types',
  'GS1-4': 'GS1 resolver standard',
  'HTTP-1': 'Invalid JSON',
  'HTTP-2': 'Content types',
  'HTTP-3': 'Methods',
  'HTTP-4': 'Unknown paths',
  'HTTP-5': 'Request ids',
  'HTTP-6': 'Shape of responses',
  'HTTP-7': 'Nothing added to responses',
  'LINK-1': 'Form of the link',
  'LINK-2': 'Redirect of the link',
  'LINK-3': 'Page of the link',
  'LINK-4': 'Linkset',
  'LINK-5': 'Document of the link',
  'LINK-6': 'Fields of the group',
  'LEAK-1': 'Access tokens in responses',
  'LEAK-2': 'Data of other tenants in responses',
  'LEAK-3': 'Inside of the service in errors',
  'PAGE-1': 'Paging',
  'PAGE-2': 'Bounds of limit and offset',
  'PAGE-3': 'End of a list',
  'PAGE-4': 'Whole lists',
  'PAGE-5': 'Lists by status',
  'PASS-1': 'Writing passports',
  'PASS-2': 'Refused passport values',
  'PASS-3': 'All or nothing',
  'PASS-4': 'Fields of passport values',
  'PASS-5': 'Exact passport values',
  'PASS-6': 'Versions and hashes',
  'PASS-7': 'Completeness',
  'PASS-8': 'Simultaneous writes',
  'PASS-9': 'Limits of passports',
  'PROD-1': 'Creating products',
  'PROD-2': 'GTINs',
  'PROD-3': 'Slugs',
  'PROD-4': 'Names',
  'PROD-5': 'Product groups',
  'PROD-6': 'Text in products',
  'PROD-7': 'Paths of products',
  'PROD-8': 'Times',
  'PUB-1': 'Public pages',
  'PUB-2': 'Values that are not public',
  'PUB-3': 'Access tokens',
  'PUB-4': 'Safe pages',
  'PUB-5': 'Linked data',
  'PUB-6': 'Caching of pages',
  'SCAN-1': 'Counting scans',
  'SCAN-2': 'Scan statistics',
  'SRCH-1': 'Search',
  'SRCH-2': 'Letters in a search',
  'SRCH-3': 'Length of a search',
  'TEN-1': 'Products of another tenant',
  'TEN-2': 'Lists of each tenant',
  'TEN-3': 'Tenants side by side',
  'TEN-4': 'Members that the server sets',
};

/** What the cases of a family are about. */
export function familyNameOf(family: string): string {
  return familyNames[family] ?? family;
}

/** A clause of openapi.yaml, as people read it. */

/** `openapi.yaml#/paths/~1api~1v1~1products/get` */
export function addressOfClause(pointer: string): string {
  return `openapi.yaml#${pointer}`;
}

/** `GET /api/v1/products › parameters` */
export function wordsOfClause(pointer: string): string {
  const [part = '', ...parts] = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (part !== 'paths') return (part === 'components' ? parts : [part, ...parts]).join(' › ');
  const [path = '', method, ...rest] = parts;
  return [method === undefined ? path : `${method.toUpperCase()} ${path}`, ...rest].join(' › ');
}
