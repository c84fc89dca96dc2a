/**
 * The provider's own list of known failures: one case id and its reason a line, as in
 * `PAGE-1.defaults  # the page size is fixed until version 2`. A listed case that passes is a failure, too.
 */
import type { Result } from './result.ts';
import { UsageError } from './usage-error.ts';

/** The reason of each case id. */
export type ExpectedFailures = ReadonlyMap<string, string>;

/** @throws UsageError for a line without a reason, a repeated id, or an id that the suite does not have. */
export function parseExpectedFailures(text: string, known: ReadonlySet<string>): ExpectedFailures {
  const reasons = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const place = `Line ${index + 1} of the expected failures`;
    const [, id = '', reason = ''] = /^\s*(\S+)\s*(?:#\s*(.*\S))?\s*$/.exec(line) ?? [];
    if (reason === '') throw new UsageError(`${place} needs a case id and a reason: CASE-ID  # reason`);
    if (!known.has(id)) throw new UsageError(`${place} names ${id}, which is not a case of this suite.`);
    if (reasons.has(id)) throw new UsageError(`${place} names ${id} again.`);
    reasons.set(id, reason);
  }
  return reasons;
}

export function withExpectation(result: Result, expected: ExpectedFailures = new Map()): Result {
  const reason = expected.get(result.id);
  if (reason === undefined) return result;
  if (result.status === 'failed') {
    return { ...result, status: 'expected-failure', reasons: [...result.reasons, `Expected: ${reason}`] };
  }
  if (result.status !== 'passed') return result;
  return {
    ...result,
    status: 'unexpected-pass',
    reasons: ['The case passes, but the list of expected failures names it. Remove the line.'],
  };
}
