import { describe, expect, test } from '@jest/globals';
import { checkMatrix, type Row } from '../matrix.ts';
import { consumerFindings, deathOf } from './consumer.ts';
import { sdkMutants } from './mutants.ts';
import { loadSdk } from './sdk.ts';

describe('the consumer tests', () => {
  test('pass for the SDK without a mistake', async () => {
    expect(await consumerFindings(await loadSdk())).toEqual([]);
  });

  const rows: Row[] = [];

  test.each(sdkMutants)('notice $id: $mistake', async (mutant) => {
    const { survived, row } = await deathOf(mutant);
    rows.push(row);
    expect(survived).toBeUndefined();
  });

  test('docs/reference/mutants.md has the matrix', () => checkMatrix(rows, sdkMutants.length));
});
