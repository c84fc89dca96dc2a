/** The judge of each profile, for one contract. */
import type { Contract } from '@product-passport/openapi';
import { createJudge, type Judge } from '../judge/judge.ts';

export interface Judges {
  readonly core: Judge;
  readonly reference: Judge;
}

/** Compiling the contract's schemas takes longer than many runs. */
const knownJudges = new WeakMap<Contract, Judges>();

export function judgesOf(contract: Contract): Judges {
  const judges = knownJudges.get(contract) ?? {
    core: createJudge(contract, { profile: 'description', serverErrors: 'failure' }),
    reference: createJudge(contract, { profile: 'reference', serverErrors: 'failure' }),
  };
  knownJudges.set(contract, judges);
  return judges;
}
