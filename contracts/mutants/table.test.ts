/** The rows of the tables, without running them. They fail until `npm run mutants` has written its two files. */
import { expect, test } from '@jest/globals';
import { loadedSuite } from '../conformance/verify.ts';
import { checkMatrix, readWitnesses } from './matrix.ts';
import { unusualProviders, wrongProviders } from './provider/mutants.ts';
import { rowOf } from './provider/run.ts';
import { sdkRows } from './sdk.ts';

const { cases } = readWitnesses();

test('each row has an id of its own', () => {
  for (const table of [wrongProviders, unusualProviders])
    expect(new Set(table.map(({ id }) => id)).size).toBe(table.length);
});

test('each case notices a mistake', () => {
  const { cases: single, wholeRunCases } = loadedSuite().suite;
  const noticing = new Set(Object.values(cases).flat());
  const ids = [...single, ...wholeRunCases].map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(800);
  expect(ids.filter((id) => !noticing.has(id))).toEqual([]);
});

test('contracts/generated/wrongProviders.json has the wrong providers', () => {
  expect(Object.keys(cases).sort()).toEqual(wrongProviders.map(({ id }) => id).sort());
});

test.each([
  ['providers', wrongProviders.map((provider) => rowOf(provider, cases[provider.id] ?? []))],
  ['changes of the SDK', sdkRows],
])('contracts/mutants/README.md has the table of %s', (_, rows) => checkMatrix(rows));
