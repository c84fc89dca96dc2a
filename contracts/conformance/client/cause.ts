/** Finds what makes a command fail, by running it again with less. */
import type { Cause } from './check.ts';
import type { Disturbance } from './disturbances.ts';
import { type Attempt, isSuccess } from './received.ts';

const suspects = ['fields', 'values', 'pages', 'limits', 'drops'] as const satisfies readonly Disturbance[];

const names: Readonly<Record<(typeof suspects)[number], string>> = {
  fields: 'only unknown fields',
  values: 'only unknown values',
  pages: 'only small pages and a growing list',
  limits: 'only 429',
  drops: 'only lost responses to creates',
};

/** @param again runs the command with these disturbances */
export async function causeOf(
  main: Attempt,
  again: (kinds: readonly Disturbance[], purpose: string) => Promise<Attempt>,
): Promise<Cause> {
  if (isSuccess(main) || main.ending === 'interrupted') return 'none';
  const plain = await again([], 'nothing unusual, because it failed');
  if (!isSuccess(plain)) return plain.ending === 'interrupted' ? 'none' : 'program';
  for (const kind of suspects) {
    const { ending } = await again([kind], names[kind]);
    if (ending === 'interrupted') return 'none';
    if (!ending.isSuccess) return kind;
  }
  return 'together';
}
