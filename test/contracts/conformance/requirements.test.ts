/** Requirements stay put: sets of cases, published ids, and cases that contradict the contract. */
import { expect, test } from '@jest/globals';
import type { Case } from '../../../contracts/conformance/case.ts';
import { connectInProcess } from '../../../contracts/conformance/http/connection.ts';
import { serviceWithStates } from '../../../contracts/conformance/plan.ts';
import { reportOf } from '../../../contracts/conformance/report/report.ts';
import { sentenceOf, statusWordOf } from '../../../contracts/conformance/report/words.ts';
import { readSets, requirementsText } from '../../../contracts/conformance/requirements.ts';
import { exitCodes } from '../../../contracts/conformance/result.ts';
import { run } from '../../../contracts/conformance/run.ts';
import { loadedSuite, suiteFacts } from '../../../contracts/conformance/verify.ts';

const me = { path: '/api/v1/me' };

/** Runs one case against the fake service. */
async function outcomeOf(body: Case['run'], more: Partial<Parameters<typeof run>[0]> = {}) {
  const siteUrl = 'http://passports.test';
  const { provider, fetch } = await serviceWithStates({ siteUrl });
  const { contract } = loadedSuite();
  const made = { id: 'NEW-1.made-up', title: 'A case of a test.', claim: 'core', clause: '/paths', needs: [] } as const;
  const outcome = await run({
    provider,
    connection: connectInProcess(fetch, siteUrl),
    cases: [
      { ...made, run: body },
      { ...made, id: 'OLD-1.passes', run: async ({ api }) => void (await api.me()) },
    ],
    wholeRunCases: [],
    ...{ contract, facts: suiteFacts(), claims: ['core'], seed: 1, ...more },
  });
  const [first] = outcome.results;
  return { outcome, first, exit: exitCodes[outcome.verdict], report: reportOf(outcome, provider) };
}

test.each<[string, Case['run'], string]>([
  [
    'a request that the case calls valid breaks the contract',
    async ({ send }) => void (await send({ path: '/api/v1/products', query: { limit: 'many' } })),
    'GET /api/v1/products?limit=many is not a valid request: query limit',
  ],
  [
    'the contract has no such status',
    async ({ refused }) => void (await refused(me, { key: null }, { status: 418 })),
    'openapi.yaml has no 418 of getMe',
  ],
  [
    'the contract has no such code for the status',
    async ({ refused }) => void (await refused(me, { key: null }, { status: 401, code: 'name_required' })),
    'openapi.yaml has no 401 name_required of getMe',
  ],
])('a contradiction is a suite error with an exit code of its own: %s', async (_what, body, reason) => {
  const { outcome, first, exit, report } = await outcomeOf(body);
  expect({ verdict: outcome.verdict, exit, status: first?.status }).toEqual({
    verdict: 'suite error',
    exit: 4,
    status: 'error',
  });
  expect(first?.reasons.join()).toContain(reason);
  // The provider did nothing wrong, and got no request that the contract refuses.
  expect([report.findings, first?.exchanges]).toEqual([[], []]);
});

test('a case of a later set runs, and does not count', async () => {
  const sets = new Map([
    ['OLD-1.passes', '2026-12'],
    ['NEW-1.made-up', '2027-06'],
  ]);
  const fails = () => outcomeOf(async ({ api }) => void (await api.product('verify-no-such-product')), { sets });
  expect((await fails()).exit).toBe(1);
  const { outcome, exit, report } = await outcomeOf(async ({ api }) => void (await api.product('none')), {
    sets,
    requirements: '2026-12',
  });
  expect({ verdict: outcome.verdict, exit, sentence: sentenceOf(report) }).toEqual({
    verdict: 'conformant',
    exit: 0,
    sentence: 'The provider conforms to the contract in everything that it claims.',
  });
  const [later] = report.cases;
  expect([later?.set, later?.status, later && statusWordOf(later)]).toEqual([
    '2027-06',
    'failed',
    'New, does not count',
  ]);
  expect(report.findings).toEqual([]);
});

test('requirements.txt has each case once, with its set', () => {
  const { ids } = loadedSuite();
  const sets = readSets();
  expect([...ids].filter((id) => !sets.has(id))).toEqual([]);
  expect(new Set(sets.values())).toEqual(new Set(['2026-12']));
});

test('a published id neither goes nor changes its meaning, and new ones come in with the coming set', () => {
  const one = { id: 'PAGE-1.one', title: 'One.', clause: '/a', claim: 'core' };
  const two = { ...one, id: 'PAGE-1.two' };
  const published = requirementsText([one], 'PAGE-1.one 2026-01\n', ['2026-01']);
  expect(published).toMatch(/^PAGE-1\.one 2026-01 [0-9a-f]{16}\n$/);
  expect(requirementsText([two, one], published, ['2026-01'])).toBe(`${published}PAGE-1.two 2026-12\n`);
  expect(() => requirementsText([two], published, ['2026-01'])).toThrow('PAGE-1.one is gone');
  for (const change of [{ title: 'Two.' }, { clause: '/b' }, { claim: 'public' }]) {
    expect(() => requirementsText([{ ...one, ...change }], published, ['2026-01'])).toThrow(
      'PAGE-1.one asks for something else',
    );
  }
  // An unpublished set may change.
  expect(requirementsText([two], 'PAGE-1.one 2026-12\n', [])).toBe('PAGE-1.two 2026-12\n');
});
