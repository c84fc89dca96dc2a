/** The judge of each profile, for one contract. */
import type { Contract } from '@product-passport/openapi';
import { createJudge, type Judge } from '../judge/judge.ts';

export interface Judges {
  readonly core: Judge;
  readonly reference: Judge;
}

/** Compiling the contract's schemas takes longer than many runs. */
const knownJudges = new WeakMap<Contract, Judges>();

/** No request of the suite may provoke a server error. */
export function judgesOf(contract: Contract): Judges {
  const judges = knownJudges.get(contract) ?? judgesWith(contract, 'failure');
  knownJudges.set(contract, judges);
  return judges;
}

/** Recorded traffic may contain a documented 500 or 503. */
export function trafficJudges(contract: Contract): Judges {
  return judgesWith(contract, 'documented');
}

function judgesWith(contract: Contract, serverErrors: 'documented' | 'failure'): Judges {
  return {
    core: createJudge(contract, { profile: 'description', serverErrors }),
    reference: createJudge(contract, { profile: 'reference', serverErrors }),
  };
}
