/** Each wrong provider fails in its case, each case fails for one of them, and contracts/mutants/README.md says so. */
import { describe, expect, jest, test } from '@jest/globals';
import { defaultClaims, loadedSuite } from '../../conformance/verify.ts';
import { checkMatrix, type Row, readWitnesses } from '../matrix.ts';
import { changeRequest, page, together, type Unusual } from './alter.ts';
import { mutants, unusual } from './mutants.ts';
import { deathOf, rowOf, verifyWrapped } from './run.ts';

describe('a provider with one mistake', () => {
  const rows: Row[] = [];
  const { cases, whole } = readWitnesses();
  const { suite } = loadedSuite();

  test('each mistake has an id of its own', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });

  test('without a mistake it is conformant', async () => {
    const { verdict, because, results } = await verifyWrapped((service) => service.fetch);
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect({ verdict, because }).toEqual({ verdict: 'conformant', because: undefined });
  });

  test.each(mutants)('$id: $mistake', async (mutant) => {
    const witnesses = cases[mutant.id] ?? [];
    const death = await deathOf(mutant, whole.includes(mutant.id) ? undefined : witnesses);
    rows.push(rowOf(mutant, death));
    expect(death.survived).toBeUndefined();
    expect(death.failed).toEqual(expect.arrayContaining([...witnesses]));
  });

  test('each case notices a mistake', () => {
    const noticing = new Set(Object.values(cases).flat());
    const ids = [...suite.cases, ...suite.wholeRunCases].map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(800);
    expect(ids.filter((id) => !noticing.has(id))).toEqual([]);
  });

  test('contracts/mutants/README.md has the matrix', () => checkMatrix(rows, mutants.length));
});

describe('an unusual provider is conformant', () => {
  // Freedoms that do not touch each other share a run: one that the suite refuses runs alone, too, and is named.
  const most = 14;
  const sharing = unusual.filter(({ isAlone }) => isAlone !== true);
  const runs = Math.ceil(sharing.length / most);
  const shared = Array.from({ length: runs }, (_, run) => sharing.filter((_each, at) => at % runs === run));

  test.each(shared.map((group) => ({ group, ids: group.map(({ id }) => id).join(', ') })))(
    '$ids',
    async ({ group }) => {
      const wrong = await wrongWith(...group);
      const alone = new Map<string, unknown>();
      if (wrong.length > 0) for (const each of group) alone.set(each.id, await wrongWith(each));
      expect({ wrong, alone: Object.fromEntries(alone) }).toEqual({ wrong: [], alone: {} });
    },
  );

  test.each(unusual.filter((each) => !sharing.includes(each)))('$id: $freedom', async (each) => {
    expect(await wrongWith(each)).toEqual([]);
  });
});

test.each([
  ['a tenant', 0],
  ['a product', 1],
])('%s whose views do not count leaves cases open, and is no finding', async (_, counted) => {
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() * 100);
  let views = 0;
  const { verdict, results } = await verifyWrapped(
    changeRequest(page, (request) => {
      views += 1;
      return views > counted ? new Request(request, { headers: { 'sec-purpose': 'prefetch' } }) : request;
    }),
    ['reference'],
    { only: ['SCAN-1.consumer', 'SCAN-1.not-a-view'] },
  );
  clock.mockRestore();
  expect(verdict).toBe('incomplete');
  const skipped = { status: 'skipped', reasons: [expect.stringMatching(/whose scans are counted/)] };
  expect(results).toMatchObject([skipped, skipped]);
});

/** What the suite refuses in a provider with these freedoms. */
async function wrongWith(...freedoms: readonly Unusual[]): Promise<readonly object[]> {
  const [first] = freedoms;
  const { only } = first ?? {};
  const options = only && { only };
  const { verdict, results } = await verifyWrapped(together(freedoms), defaultClaims, options);
  const wrong = results.filter(({ status }) => status !== 'passed');
  if (wrong.length === 0 && verdict !== (only ? 'incomplete' : 'conformant')) return [{ verdict }];
  return wrong.map(({ id, status, reasons }) => ({ id, status, reasons }));
}
