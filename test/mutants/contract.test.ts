import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ContractSuite, contractMutants } from '../../contracts/mutants/contract/mutants.ts';
import { checkMatrix } from '../../contracts/mutants/matrix.ts';
import { type Noticed, noticed, rowOf } from '../../tools/contract-mutants.ts';

let found: readonly Noticed[] = [];

beforeAll(async () => {
  found = await noticed(contractMutants);
}, 240_000);

describe('a mistake in the contract is noticed', () => {
  test.each(contractMutants.map((mutant, index) => ({ ...mutant, index })))('$id: $mistake', ({ killedBy, index }) => {
    const suites = Object.entries(found[index] ?? {}).filter(([, by]) => by !== null);
    expect(suites.map(([suite]) => suite as ContractSuite)).toEqual(killedBy);
    expect(killedBy).not.toEqual([]);
  });

  test('docs/reference/mutants.md has the matrix', () => {
    checkMatrix(
      contractMutants.flatMap((mutant, index) => rowOf(mutant, found[index]) ?? []),
      contractMutants.length,
    );
  });
});
