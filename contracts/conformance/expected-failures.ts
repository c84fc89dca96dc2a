/**
 * The provider's own lists of known failures, and of cases that sometimes pass: one case id and its reason a line, as in
 * `PAGE-1.defaults  # the page size is fixed until version 2`. A known failure that passes is a failure, too.
 */
import { type Result, type Run, UsageError } from './result.ts';

/** The reason of each case id. */
export type ExpectedFailures = ReadonlyMap<string, string>;

/**
 * @param what the list, in the words of an error
 * @throws UsageError for a line without a reason, a repeated id, or an id that the suite does not have.
 */
export function parseExpectedFailures(
  text: string,
  known: ReadonlySet<string>,
  what = 'the expected failures',
): ExpectedFailures {
  const reasons = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const place = `Line ${index + 1} of ${what}`;
    const [, id = '', reason = ''] = /^\s*(\S+)\s*(?:#\s*(.*\S))?\s*$/.exec(line) ?? [];
    if (reason === '') throw new UsageError(`${place} needs an id and a reason: ID  # reason`);
    if (!known.has(id)) throw new UsageError(`${place} names ${id}, which this suite does not have.`);
    if (reasons.has(id)) throw new UsageError(`${place} names ${id} again.`);
    reasons.set(id, reason);
  }
  return reasons;
}

/** The lists of a run, from their texts. No list has cases that sometimes pass, and always fail. */
export function listsOf(
  { expectedFailures = '', flaky = '' }: { readonly expectedFailures?: string; readonly flaky?: string },
  known: ReadonlySet<string>,
): { readonly expectedFailures: ExpectedFailures; readonly flaky: ExpectedFailures } {
  const expected = parseExpectedFailures(expectedFailures, known);
  const sometimes = parseExpectedFailures(flaky, known, 'the cases that sometimes pass');
  const twice = [...sometimes.keys()].find((id) => expected.has(id));
  if (twice !== undefined) throw new UsageError(`${twice} is in both lists: it fails always, or sometimes.`);
  return { expectedFailures: expected, flaky: sometimes };
}

/** @param passed what to do about a case that is listed and passes */
export function withExpectation(
  result: Result,
  expected: ExpectedFailures = new Map(),
  passed = 'The case passes, but the list of expected failures names it. Remove the line.',
): Result {
  const reason = expected.get(result.id);
  if (reason === undefined) return result;
  if (result.status === 'failed') {
    return { ...result, status: 'expected-failure', reasons: [...result.reasons, `Expected: ${reason}`] };
  }
  if (result.status !== 'passed') return result;
  return {
    ...result,
    status: 'unexpected-pass',
    reasons: [passed],
  };
}

/** How often a case that sometimes passes was tried, and how often it failed. */
export interface Tries {
  readonly count: number;
  readonly failed: number;
}

/** A case of the list never counts as passed or failed: it may do the other thing next time. */
export function withTries(result: Result, flaky: ExpectedFailures, tries?: Tries): Result {
  const reason = flaky.get(result.id);
  if (reason === undefined || (result.status !== 'failed' && result.status !== 'passed')) return result;
  const { count, failed } = tries ?? { count: 1, failed: result.status === 'failed' ? 1 : 0 };
  const told = `failed in ${failed} of ${count === 1 ? '1 run' : `${count} runs`}`;
  return { ...result, status: 'flaky', reasons: [...result.reasons, `It ${told}. Listed: ${reason}`] };
}

/**
 * What a reader must know of the lists: cases that failed whenever they ran, and cases that did not run.
 *
 * @param isAsked whether the run was to have the case
 */
export function notesOfLists(
  results: readonly Result[],
  { expected, flaky }: Readonly<Record<'expected' | 'flaky', ExpectedFailures>>,
  tries: ReadonlyMap<string, Tries>,
  isAsked: (id: string) => boolean,
): string[] {
  const idle = ['skipped', 'error', 'absent'];
  const ran = new Set(results.filter(({ status }) => !idle.includes(status)).map(({ id }) => id));
  const without = [...expected.keys(), ...flaky.keys()].filter((id) => isAsked(id) && !ran.has(id));
  return [
    ...[...flaky].flatMap(([id, reason]) => {
      const { count, failed } = tries.get(id) ?? { count: 0, failed: 0 };
      if (count === 0) return [];
      const advice =
        failed < count || count === 1 ? '' : ' It does not sometimes pass: list it as an expected failure.';
      return [`${id} failed in ${failed} of ${count === 1 ? '1 run' : `${count} runs`} (${reason}).${advice}`];
    }),
    ...(without.length > 0
      ? [`Listed cases that did not run, so nobody knows whether they fail: ${without.join(', ')}.`]
      : []),
  ];
}

/**
 * The list for the failures of a run, with the reasons of the earlier list. A new line has no reason, and is refused until
 * somebody writes one. Cases that did not run keep their lines.
 */
export function listOfFailures(
  { baseUrl, results }: Pick<Run, 'baseUrl' | 'results'>,
  earlier: ExpectedFailures,
): string {
  const passed = results.filter(({ status }) => status === 'passed' || status === 'unexpected-pass');
  const known = [...earlier].filter(([id]) => !passed.some((one) => one.id === id));
  const failed = results.filter(({ status }) => status === 'failed');
  return [
    `# Expected failures of ${baseUrl}. Write the reason of each line after its #.`,
    ...known.map(([id, reason]) => `${id}  # ${reason}`),
    ...failed.flatMap(({ id, title }) => [`# ${title}`, `${id}  #`]),
    '',
  ].join('\n');
}
