/**
 * A run: its verdict on a provider without a fault and on a mock, what a provider has not built, and which cases count.
 * `test/suite` runs the cases one by one.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Case } from '../../../contracts/conformance/case.ts';
import { connectInProcess } from '../../../contracts/conformance/http/connection.ts';
import { serviceWithStates } from '../../../contracts/conformance/plan.ts';
import type { Provider } from '../../../contracts/conformance/provider.ts';
import { reportOf } from '../../../contracts/conformance/report/report.ts';
import { textOf } from '../../../contracts/conformance/report/text.ts';
import { sentenceOf, statusWordOf } from '../../../contracts/conformance/report/words.ts';
import { readSets, requirementsFile, requirementsText } from '../../../contracts/conformance/requirements.ts';
import { exitCodes } from '../../../contracts/conformance/result.ts';
import { run } from '../../../contracts/conformance/run.ts';
import { description } from '../../../contracts/conformance/sources/description.ts';
import { sources } from '../../../contracts/conformance/sources/sources.ts';
import { loadedSuite, suiteFacts } from '../../../contracts/conformance/verify.ts';
import { at, type Call, type Route } from '../../../contracts/mutants/provider/call.ts';
import {
  type Change,
  error,
  html,
  instead,
  members,
  redirect,
  responds,
  status,
  together,
  withBody,
  withStatus,
} from '../../../contracts/mutants/provider/change.ts';
import { unusualProviders, wrongProviders } from '../../../contracts/mutants/provider/mutants.ts';
import { verifyChanged } from '../../../contracts/mutants/provider/run.ts';
import type { Me } from '../../../sdk/src/index.ts';
import type { FakeService } from '../../../sdk/src/testing/service/index.ts';
import { ending } from '../../support/files.ts';
import { serveFetch } from '../../support/serve.ts';
import { asFile, faultsIn, provider, typeReporting } from '../../support/suite.ts';

// Each run sends more than two thousand requests. A busy machine takes longer than the limit of other tests.
jest.setTimeout(240_000);

type Verified = Awaited<ReturnType<typeof verified>>;

const verified = (provider: object, ...parameters: readonly string[]) =>
  typeReporting('verify', ...asFile(provider), '--generated', '0', ...parameters);

const conformant = { code: 0, faults: [], verdict: 'conformant' };
const summary = ({ code, report }: Verified) => ({ code, faults: faultsIn(report), verdict: report.verdict });

describe('a provider without a fault', () => {
  let provider: Provider;
  let first: Verified;
  beforeAll(async () => {
    let service: FakeService | undefined;
    const served = await serveFetch(async (request) => service?.fetch(request) ?? new Response());
    ending.defer(() => served.close());
    service = await serviceWithStates({ siteUrl: served.url });
    provider = service.provider;
    first = await verified(provider, '--claim', 'core,public,digital-link', '--generated', '1');
  });

  test('is conformant', () => {
    expect(summary(first)).toEqual(conformant);
    expect(first.stdout).toMatch(/^conformant: .*\n\d+ passed\n/);
    expect(first.stderr).toBe('');
  });

  test('is conformant in a second run, which adds at most five products', async () => {
    const second = await verified(provider, '--claim', 'core,public');
    expect(summary(second)).toEqual(conformant);
    const [created, added] = [first, second].map(({ file }) => JSON.parse(file('created.json')).length);
    expect(created).toBeGreaterThan(5);
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThanOrEqual(5);
  });
});

/** The response of the service to an address that it does not have. */
const asUnknown = (call: Call) =>
  call.with({ path: call.path.startsWith('/api/') ? '/api/v1/nowhere' : '/nowhere' }).send();
const missing = (...routes: readonly Route[]): Change => together(routes.map((route) => instead(route, asUnknown)));

/** One case of each operation, and those of products: whole runs take longer. */
const some = ['AUTH-1', 'PROD-1', 'PROD-5', 'PASS-1', 'CAR-1', 'SCAN-2', 'PUB-1', 'PUB-2', 'GS1-1', 'HTTP-6'];

async function outcomeOfChange(change: Change, only: readonly string[] = some, fieldKeys?: string[]) {
  const run = await verifyChanged(change, { ...(only.length > 0 && { only }), ...(fieldKeys && { fieldKeys }) });
  const report = reportOf(run, provider);
  const { counts, findings } = report;
  const next = findings.flatMap(({ build_next = [] }) => build_next.map(({ operation }) => operation));
  const titles = findings.map(({ title }) => title);
  return { report, titles, seen: { exit: exitCodes[run.verdict], next, failed: counts.failed + counts.error } };
}

const notFound = ({ path }: Call): Response | undefined =>
  /carriers$|unknown-address/.test(path)
    ? Response.json({ path, at: new Date(), trace: crypto.randomUUID(), error: 'Not Found' }, { status: 404 })
    : undefined;

test.each<[string, Change, string[]]>([
  ['404 for every product of one operation', missing(at.product), ['getProduct']],
  ['404 with the path, a time and an id', instead(at.everywhere, notFound), ['listCarriers']],
  ['405', instead(at.write, () => error(405, 'method_not_allowed')), ['putPassport']],
  ['501', instead(at.scans, () => error(501, 'not_implemented')), ['getScanStatistics']],
  ['pages of active products', missing(at.page, at.document), ['getPassportPage', 'getPassportJsonld']],
  ['links of active products', missing(at.links), ['resolveGtin']],
])('what is not built is incomplete, and fails no case: %s', async (_what, change, next) => {
  expect((await outcomeOfChange(change)).seen).toEqual({ exit: 3, next, failed: 0 });
});

/** Everything but GET /me. */
const others: Route = { path: /^\/(?!api\/v1\/me$)/ };

const refusals = (change: (response: Response) => Response | Promise<Response>): Change =>
  responds(at.api, (response) => (response.status < 400 ? undefined : change(response)));

test.each<[string, number, string[], Change]>([
  ...['express', 'fastapi', '501', 'an SPA', 'a log-in'].map((what, index): [string, number, string[], Change] => [
    `the unknown address of ${what}`,
    3,
    ['not built: listProducts'],
    instead(
      others,
      () =>
        [
          html('<pre>Cannot GET</pre>', 404),
          Response.json({ detail: 'Not Found' }, { status: 404 }),
          new Response('Not Implemented', { status: 501 }),
          html('<div id=root></div>'),
          redirect('/login', 302),
        ][index],
    ),
  ]),
  [
    '500 for all else',
    1,
    ['The service fails with 500, also for valid requests'],
    instead(others, () => error(500, 'oops')),
  ],
  [
    'another envelope',
    1,
    ['The body of an error has `code` and `message` at the top: the contract has `code` and `message` inside `error`'],
    refusals(async (response) => Response.json((await response.json()).error, { status: response.status })),
  ],
  [
    'errors as 200',
    1,
    ['Refusals have the status 200: only the body says that they are errors'],
    refusals((response) => withStatus(response, 200)),
  ],
  ['403 for 401', 1, ['Refusals have the status 403 in place of 401'], status(at.api, 401, 403)],
  ...['a link to its documentation', 'the name of the tenant'].map(
    (what, index): [string, number, string[], Change] => [
      `403 for 401, and ${what} in every response`,
      1,
      ['Refusals have the status 403 in place of 401'],
      together([
        status(at.api, 401, 403),
        responds(at.api, async (response, call) => {
          const { tenant } = await call.get('/api/v1/me').with({ key: call.keys[0] }).reply<Me>();
          const constant = [
            { meta: { docs: `https://docs.test/${call.segments[2]}` } },
            { tenant: { name: tenant.name } },
          ][index];
          const isOwn = response.status < 400 && index === 1;
          return isOwn ? undefined : withBody(response, JSON.stringify({ ...(await response.json()), ...constant }));
        }),
      ]),
    ],
  ),
  ['201', 1, ['A success has the status 201 in place of 200'], status(at.create, 200, 201)],
  ['totals as text', 1, ['total must be integer, is "…"'], members(at.list, ({ total }) => ({ total: `${total}` }))],
])('the only finding about a half-built provider names the cause: %s', async (_what, exit, expected, change) => {
  const { report, titles, seen } = await outcomeOfChange(change, [...some, 'TEN-1', 'AUTH-2', 'HTTP-1', 'PASS-2']);
  const plain = titles.map((title) => title.replace(/ \(\d+ cases\)/, '').replace(/"\d+"/, '"…"'));
  expect({ exit: seen.exit, titles: plain }).toEqual({ exit, titles: expected });
  const [finding] = report.findings;
  expect(finding).toMatchObject({ sent: expect.any(String), expected: expect.any(String) });
  expect(finding).not.toHaveProperty('exposes');
  expect(textOf(report).split('\n').length).toBeLessThan(25);
});

test.each<[string, Change, string[]]>([
  ['404', missing(at.write), ['putPassport']],
  ['422 for a write without values', instead(at.write, () => error(422, 'values_missing')), []],
])(
  'without field keys, one write without values shows whether putPassport is built: %s',
  async (_what, change, next) => {
    const { report, seen } = await outcomeOfChange(change, ['AUTH-1.getPassport', 'PASS-1'], []);
    expect(seen).toEqual({ exit: 3, next, failed: 0 });
    const isWaiting = report.cases.filter(({ not_built }) => not_built !== undefined).length > 5;
    expect(isWaiting).toBe(next.length > 0);
  },
);

test.each<[string, Change, string[]]>([
  [
    'one product is found',
    instead(at.product, (call) => (call.slug === 'verify-control' ? undefined : asUnknown(call))),
    some,
  ],
  ['another 404', instead(at.product, () => error(404, 'not_found', 'There is no such product.')), some],
  ['another 4xx', instead(at.product, () => error(410, 'gone')), some],
  ['503 says nothing', instead(at.product, () => error(503, 'service_unavailable')), some],
  [
    'a run of one case meets the only product that is not found',
    instead(at.product, (call) => (call.slug === 'verify-group-textile' ? asUnknown(call) : undefined)),
    ['PROD-5.textile'],
  ],
])('what is built is judged: %s', async (_what, change, only) => {
  const { exit, next, failed } = (await outcomeOfChange(change, only)).seen;
  expect({ exit, next }).toEqual({ exit: 1, next: [] });
  expect(failed).toBeGreaterThan(0);
});

test('a provider of three operations and three mistakes gets a list of what to build, and a finding for each mistake', async () => {
  const mistakes = ['offset-ignored', 'taken-slug-returns-other', 'unknown-group-accepted'];
  const { report, titles, seen } = await outcomeOfChange(
    together([
      ...wrongProviders.filter(({ id }) => mistakes.includes(id)).map(({ change }) => change),
      missing(at.product, at.passport, at.write, at.carriers, at.scans, at.publicSide),
    ]),
    [],
  );
  expect(seen.next).toEqual(['getProduct', 'getPassport', 'putPassport', 'listCarriers', 'getScanStatistics']);
  expect(titles.slice(0, 6)).toMatchSnapshot();
  const text = textOf(report, { repeat: (id) => `verify --only ${id}` });
  expect(text.split('\n').length).toBeLessThan(60);
  expect(text).not.toContain('curl');
  expect(text).toMatch(/Expected: +getProduct responds with 200 for a product of this run\.\n +Sent: +GET .* → 404 /);
  const verbose = textOf(report, { isVerbose: true });
  expect(verbose).toMatch(/Source: +D5\.7 \(.+\n +curl: +curl -i --path-as-is/);
});

test('a wrong value is shown by a response that has it, also if the first case read it in a shared response', async () => {
  const change = members(at.list, ({ total }) => ({ total: `${total}` }));
  const { report } = await outcomeOfChange(change, ['TEN-2', 'PAGE-1']);
  const sent = expect.stringMatching(/^GET \/api\/v1\/products(?:\?| |$)/);
  expect(report.findings).toMatchObject([{ sent, place: expect.stringContaining('Products, list') }]);
});

const me = { path: '/api/v1/me' };

/** Runs one case against the fake service. */
async function outcomeOfCase(body: Case['run'], more: Partial<Parameters<typeof run>[0]> = {}) {
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
  const { outcome, first, exit, report } = await outcomeOfCase(body);
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
  const fails = () => outcomeOfCase(async ({ api }) => void (await api.product('verify-no-such-product')), { sets });
  expect((await fails()).exit).toBe(1);
  const { outcome, exit, report } = await outcomeOfCase(async ({ api }) => void (await api.product('none')), {
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

test('requirements.md has each case once, with its set', () => {
  const { ids } = loadedSuite();
  const sets = readSets();
  expect([...ids].filter((id) => !sets.has(id))).toEqual([]);
  expect(new Set(sets.values())).toEqual(new Set(['2026-12']));
});

test('a published id neither goes nor changes its meaning, and new ones come in with the coming set', () => {
  const one = { id: 'PAGE-1.one', title: 'One.', clause: '/a', claim: 'core', source: 'D4.1' };
  const two = { ...one, id: 'PAGE-1.two' };
  const row = (id: string, set: string) => `| ${id} | core | One. | D4.1 | ${set} |\n`;
  const published = requirementsText([one], row('PAGE-1.one', '2026-01'), ['2026-01']);
  expect(published).toMatch(/\n\| PAGE-1\.one \| core \| One\. \| D4\.1 \| 2026-01 [0-9a-f]{16} \|\n$/);
  const both = `${published}${row('PAGE-1.two', '2026-12')}`;
  expect(requirementsText([two, one], published, ['2026-01'])).toBe(both);
  expect(() => requirementsText([two], published, ['2026-01'])).toThrow('PAGE-1.one is gone');
  for (const change of [{ title: 'Two.' }, { clause: '/b' }, { claim: 'public' }]) {
    expect(() => requirementsText([{ ...one, ...change }], published, ['2026-01'])).toThrow(
      'PAGE-1.one asks for something else',
    );
  }
  // An unpublished set may change.
  const later = requirementsText([two], row('PAGE-1.one', '2026-12'), []);
  expect([...readSets(later)]).toEqual([['PAGE-1.two', '2026-12']]);
});

/** A sentence of the description, what follows from some, a clause of a standard, or what the description does not say. */
const sourceForm =
  /^(?:(?:follows from )?D\d+\.\d+(?:, D\d+\.\d+)*|decision \d+|(?:RFC \d+|EN \d+), [\d.]+: .+|GS1.+ \d[\d.]+: .+|robustness: .+|openapi\.yaml, .+)$/;

test('each case says where its rule comes from', () => {
  const table = readFileSync(requirementsFile, 'utf8');
  const form = /^\| ([A-Z\d-]+-\d\S*) \| (\S+) \| .* \| (.*) \| [\d-]+ \|$/gm;
  const rows = Array.from(table.matchAll(form), ([, id = '', claim, source = '']) => ({
    id,
    claim,
    parts: source.split('; '),
  }));
  expect(rows.length).toBe(readSets().size);
  expect(rows.filter(({ parts }) => !parts.every((part) => sourceForm.test(part)))).toEqual([]);
  const texts = rows.flatMap(({ parts }) => parts);
  const cited = texts.flatMap((part) => Array.from(part.matchAll(/\bD(\d+\.\d+)/g), ([, number = '']) => number));
  expect(cited.filter((number) => description[number] === undefined)).toEqual([]);
  const decisions = readFileSync(new URL('../../../docs/reference/decisions.md', import.meta.url), 'utf8');
  const decided = texts.flatMap((part) => /\bdecision (\d+)/.exec(part)?.[1] ?? []);
  expect(decided.filter((number) => !decisions.includes(`\n## ${number}. `))).toEqual([]);
  const services = new Set(unusualProviders.map(({ id }) => id));
  const passes = Array.from(decisions.matchAll(/^Passes: (.*)$/gm), ([, names = '']) => names.split(', ')).flat();
  expect(passes.filter((name) => !services.has(name.slice(1, -1)))).toEqual([]);
  const cases = Array.from(decisions.matchAll(/`([A-Z\d]+-\d[^`*]*)/g), ([, id = '']) => id);
  expect(cases.filter((beginning) => !rows.some(({ id }) => id.startsWith(beginning)))).toEqual([]);
  const bound = rows.filter(({ claim }) => claim !== 'reference');
  expect(Object.keys(sources).filter((beginning) => !bound.some(({ id }) => id.startsWith(beginning)))).toEqual([]);
});
