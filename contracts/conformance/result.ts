/** What a run found, or why it cannot begin. Reports are made from it. */

import { allClose } from '@product-passport/openapi';
import { failureOf } from '../../server/src/command-line/failures.ts';
import { beginningOf } from '../judge/finding.ts';
import type { Need, Subject } from './claims.ts';
import type { Exposure } from './exposure.ts';
import type { Exchange } from './http/exchange.ts';

/**
 * - `skipped`: something that the case needs is missing.
 * - `error`: the suite itself is wrong.
 * - `unexpected-pass`: the case passed although the list of expected failures names it.
 * - `flaky`: the list of cases that sometimes pass names it.
 * - `absent`: the provider declares that it does not have what the case asks about.
 */
const statuses = [
  'passed',
  'failed',
  'skipped',
  'error',
  'expected-failure',
  'unexpected-pass',
  'flaky',
  'absent',
] as const;
export type Status = (typeof statuses)[number];

export interface Result {
  readonly id: string;
  readonly title: string;
  readonly claim: Subject;
  readonly clause: string;
  /** Where the rule of the case comes from, unless sources.ts says so. */
  readonly source?: string | undefined;
  readonly status: Status;
  /** The set of requirements that the case came in with. Absent where there are no sets. */
  readonly set?: string | undefined;
  /** False for a check that a client did not exercise and need not, and for a case of a later set. It does not count. */
  readonly scored: boolean;
  /** What is wrong or missing. Empty if the case passed. */
  readonly reasons: readonly string[];
  /** Deviations that the claim allows, such as a surplus field. */
  readonly warnings: readonly string[];
  readonly missing: readonly Need[];
  /** What the case is about, if the provider declares that it does not have it. */
  readonly capability?: string | undefined;
  /** What a response shows, or what a request did, although its caller may not. Absent otherwise. */
  readonly exposes?: Exposure | undefined;
  /** The operations without which the case cannot run. Absent if the provider has built them. */
  readonly notBuilt?: readonly string[];
  /** The request that should have succeeded. */
  readonly stoppedAt?: { readonly method?: string | undefined; readonly path: string } | undefined;
  /** What the case used, as it turned out. `needs` of the case declares it. */
  readonly used: readonly Need[];
  /** The names of the states that the case used. `Run.sources` says where they came from. */
  readonly states: readonly string[];
  /** The requests of this case, in order. */
  readonly exchanges: readonly Exchange[];
  readonly milliseconds: number;
}

/** Where a state that cases need came from. */
export type Source = 'supplied' | 'discovered' | 'created' | 'state URL';

/** `passed`: everything that was asked for passed, and it was a part of what a provider claims. */
export type Verdict = 'conformant' | 'passed' | 'not conformant' | 'incomplete' | 'suite error';

export interface Run {
  readonly verdict: Verdict;
  /** Why the verdict is not `conformant`, or what a conformant link lacks. One or two sentences. */
  readonly because: string | undefined;
  /** What else a reader must know, one or two sentences each. */
  readonly notes?: readonly string[];
  /** What the provider declares absent, with its reason. */
  readonly without?: Readonly<Record<string, string>>;
  /** The command of the client or of the tests that were judged. */
  readonly command?: string;
  /** Present if tests were judged. */
  readonly score?: Score;
  readonly claims: readonly Subject[];
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly baseUrl: string;
  readonly seed: number;
  readonly suiteVersion: string;
  readonly contractVersion: string;
  /** SHA-256 of openapi.yaml, in lower-case hex digits. */
  readonly contractHash: string;
  readonly results: readonly Result[];
  readonly sources: Readonly<Record<string, Source>>;
  /** The tenant is empty if the provider file has no slug for it. */
  readonly created: readonly { readonly tenant: string; readonly slug: string }[];
  /** The requests to the state URL. */
  readonly stateRequests?: readonly Exchange[];
}

/** What the tests of a program are worth. */
export interface Score {
  /** Mistakes that the program met, without those that it need not notice. */
  readonly met: number;
  readonly noticed: number;
  /** Mistakes that the program need not notice, by its own file of reasons. */
  readonly equivalent: number;
  /** Correct, unusual services that the program met. */
  readonly correct: number;
  /** Those of them that the tests refuse. */
  readonly refused: number;
  /** Services that were chosen and not tried, because the time was over or the run was interrupted. */
  readonly untried: number;
  /** Present if the program can meet more services than those that were chosen. */
  readonly sample?: true;
}

export function countsOf(results: readonly Result[]): Record<Status, number> {
  const count = (status: Status) => results.filter((result) => result.scored && result.status === status).length;
  return Object.fromEntries(statuses.map((status) => [status, count(status)])) as Record<Status, number>;
}

/** In characters. */
const maxReason = 2_000;
const maxReasons = 100;

/**
 * Reasons or warnings of bounded length and number, because a provider's text is part of them. Those that differ only in the
 * place in a list and in the value are one.
 */
export function boundedReasons(reasons: Iterable<string>): string[] {
  const short = [...reasons].map((text) => (text.length > maxReason ? `${beginningOf(text, maxReason)}…` : text));
  const firsts = new Map<string, string>();
  for (const text of short) {
    const known = withoutValue(text);
    if (!firsts.has(known)) firsts.set(known, text);
  }
  const all = [...firsts.values()];
  return all.length > maxReasons ? [...all.slice(0, maxReasons), `and ${all.length - maxReasons} more`] : all;
}

/** `200: body/items/7/gtin must be string, is 7` and the same of item 8 are one. */
function withoutValue(text: string): string {
  return text.replace(/\/\d+(?=[/ ])/g, '/*').replace(/, is [^;]*$/s, '');
}

/** What became of a case. */
export function resultOf(
  { id, title, claim, clause, source }: Pick<Result, 'id' | 'title' | 'claim' | 'clause' | 'source'>,
  milliseconds: number,
  { reasons = [], warnings = [], ...found }: Pick<Result, 'status'> & Partial<Result>,
): Result {
  return {
    ...{ id, title, claim, clause, source, scored: true, missing: [], used: [], states: [], exchanges: [] },
    ...found,
    reasons: boundedReasons(reasons),
    warnings: boundedReasons(warnings),
    milliseconds: Math.round(milliseconds),
  };
}

export function familyOf({ id }: { readonly id: string }): string {
  return id.split('.', 1)[0] ?? id;
}

/**
 * The verdict, and why it is not `conformant`. Only scored results count.
 *
 * @param isWhole whether every case that was asked for ran
 * @param part what was asked for, if it is not every case of the claims: the subject of a sentence
 */
export function verdictOf(
  results: readonly Result[],
  isWhole: boolean,
  part?: string,
): Pick<Run, 'verdict' | 'because'> {
  const counts = countsOf(results);
  const failed = counts.failed + counts['unexpected-pass'];
  if (failed > 0) return { verdict: 'not conformant', because: `${cases(failed)} failed.` };
  if (counts.error > 0)
    return { verdict: 'suite error', because: `${cases(counts.error)} could not be judged: the suite is wrong there.` };
  if (counts.skipped > 0) return { verdict: 'incomplete', because: `${cases(counts.skipped)} could not run.` };
  if (!isWhole) return { verdict: 'incomplete', because: 'Only a part of the cases ran.' };
  if (!results.some(({ scored }) => scored)) return { verdict: 'incomplete', because: 'No case ran.' };
  if (part !== undefined) return { verdict: 'passed', because: part };
  return { verdict: 'conformant', because: undefined };
}

/** The verdict with what the provider declares absent: `conformant, without: expiring tokens (2 cases)`. */
export function badgeOf(verdict: Verdict, results: readonly Pick<Result, 'status' | 'capability'>[]): string {
  const absent = Map.groupBy(
    results.filter(({ status }) => status === 'absent'),
    ({ capability }) => capability,
  );
  const list = Array.from(absent, ([name, { length }]) => `${name} (${cases(length)})`);
  return verdict === 'not conformant' || list.length === 0 ? verdict : `${verdict}, without: ${list.join(', ')}`;
}

/** A wrong call has 2, as in every command. */
export const exitCodes = {
  conformant: 0,
  passed: 0,
  'not conformant': 1,
  usage: 2,
  incomplete: 3,
  'suite error': 4,
} as const satisfies Record<Verdict | 'usage', number>;

function cases(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}

/** The suite was called in a wrong way, or cannot begin. The message is one sentence for people. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @param what the file or the directory, as in `the file report.json` */
export function unusableFile(what: string, error: unknown): UsageError {
  const text = failureOf(error, { file: what })?.text ?? `${what} cannot be used: ${(error as Error).message}`;
  return new UsageError(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
}

/** @throws UsageError for a text with which no id begins. It names up to three ids that are close. */
export function checkIds(option: string, beginnings: readonly string[], what: string, ids: Iterable<string>): void {
  const all = [...ids];
  const given = beginnings.find((beginning) => !all.some((id) => id.startsWith(beginning)));
  if (given === undefined) return;
  const names = [...new Set(all.flatMap((id) => [id, ...(given.includes('.') ? [] : [id.replace(/\..*/s, '')])]))];
  const close = allClose(given, names);
  const words = close.length > 0 ? 'The nearest are' : 'Ids are, for example';
  const shown = (close.length > 0 ? close : names).slice(0, 3).join(', ');
  throw new UsageError(`${option} has ${given}, but no ${what} begins with it. ${words}: ${shown}.`);
}
