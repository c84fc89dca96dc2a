/** Providers that are not finished: what they have not built is said once, and what they have built is judged. */
import { expect, test } from '@jest/globals';
import { reportOf } from '../../../contracts/conformance/report/report.ts';
import { textOf } from '../../../contracts/conformance/report/text.ts';
import { exitCodes } from '../../../contracts/conformance/result.ts';
import { at, type Call, type Place } from '../../../contracts/mutants/provider/call.ts';
import { type Change, error, instead, together } from '../../../contracts/mutants/provider/change.ts';
import { mutants } from '../../../contracts/mutants/provider/mutants.ts';
import { verifyChanged } from '../../../contracts/mutants/provider/run.ts';
import { provider } from '../../support/suite.ts';

/** The response of the service to an address that it does not have. */
const asUnknown = (call: Call) =>
  call.with({ path: call.path.startsWith('/api/') ? '/api/v1/nowhere' : '/nowhere' }).send();
const missing = (...places: readonly Place[]): Change => together(places.map((place) => instead(place, asUnknown)));

/** One case of each operation, and those of products: whole runs take longer. */
const some = ['AUTH-1', 'PROD-1', 'PROD-5', 'PASS-1', 'CAR-1', 'SCAN-2', 'PUB-1', 'PUB-2', 'GS1-1', 'HTTP-6'];

async function outcomeOf(change: Change, only: readonly string[] = some, fieldKeys?: string[]) {
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
  expect((await outcomeOf(change)).seen).toEqual({ exit: 3, next, failed: 0 });
});

test.each<[string, Change, string[]]>([
  ['404', missing(at.write), ['putPassport']],
  ['422 for a write without values', instead(at.write, () => error(422, 'values_missing')), []],
])(
  'without field keys, one write without values shows whether putPassport is built: %s',
  async (_what, change, next) => {
    const { report, seen } = await outcomeOf(change, ['AUTH-1.getPassport', 'PASS-1'], []);
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
  const { exit, next, failed } = (await outcomeOf(change, only)).seen;
  expect({ exit, next }).toEqual({ exit: 1, next: [] });
  expect(failed).toBeGreaterThan(0);
});

test('a provider of three operations and three mistakes gets a list of what to build, and a finding for each mistake', async () => {
  const mistakes = ['offset-ignored', 'taken-slug-returns-other', 'unknown-group-accepted'];
  const { report, titles, seen } = await outcomeOf(
    together([
      ...mutants.filter(({ id }) => mistakes.includes(id)).map(({ change }) => change),
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
  expect(textOf(report, { isVerbose: true })).toMatch(/curl: +curl -i --path-as-is/);
});
