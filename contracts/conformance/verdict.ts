import { countsOf, type Result, type Verdict } from './result.ts';

interface VerdictOptions {
  readonly results: readonly Result[];
  /** Whether every case of the claims ran. */
  readonly isWhole: boolean;
}

/** The verdict, and why it is not `conformant`. Only scored results count. */
export function verdictOf({ results, isWhole }: VerdictOptions): { verdict: Verdict; because: string | undefined } {
  const counts = countsOf(results);
  const failed = counts.failed + counts['unexpected-pass'];
  if (failed > 0) return { verdict: 'not conformant', because: `${cases(failed)} failed.` };
  if (counts.error > 0)
    return { verdict: 'incomplete', because: `${cases(counts.error)} could not be judged: the suite is wrong there.` };
  if (counts.skipped > 0) return { verdict: 'incomplete', because: `${cases(counts.skipped)} could not run.` };
  if (!isWhole) return { verdict: 'incomplete', because: 'Only a part of the cases ran.' };
  if (counts.passed === 0) return { verdict: 'incomplete', because: 'No case ran.' };
  return { verdict: 'conformant', because: undefined };
}

/** A wrong call has 2, as in every command. */
export const exitCodes = { conformant: 0, 'not conformant': 1, usage: 2, incomplete: 3 } as const satisfies Record<
  Verdict | 'usage',
  number
>;

function cases(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}
