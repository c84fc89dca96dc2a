/**
 * Makes one test of each conformance case. `npm test -- test/suite -t PAGE-2.limit-201` runs one case against all
 * providers. A case over all exchanges of a run needs the other cases, so it runs them if it runs alone.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Claim, dppClaims, claims as everyClaim } from '../../contracts/conformance/claims.ts';
import type { Connection } from '../../contracts/conformance/http/connection.ts';
import type { Provider } from '../../contracts/conformance/provider.ts';
import { choiceOf, type OpenRun, openRun } from '../../contracts/conformance/run.ts';
import { loadedSuite } from '../../contracts/conformance/verify.ts';
import { dppIds, verifyDpp } from '../../contracts/dpp/verify-dpp.ts';
import { createClient, type Fetch } from '../../sdk/src/index.ts';

/** A provider that runs, with all states that the cases need. */
export interface Started {
  readonly provider: Provider;
  readonly connection: Connection;
  /** Opens another connection: to the API, or to the EU reads. */
  readonly connect: (provider: Provider) => Connection;
  /** Default: the runtime's. */
  readonly fetch?: Fetch;
}

/**
 * @param claims what the provider claims. Default: everything
 * @returns the ids of the cases
 */
export function testEachCase(start: () => Promise<Started>, claims: readonly Claim[] = everyClaim): string[] {
  const { contract, suite } = loadedSuite();
  const cases = suite.cases.filter(choiceOf({ claims }));
  const wholeRunCases = suite.wholeRunCases.filter(choiceOf({ claims }));
  let run: OpenRun;
  let connection: Connection;
  let started: Started;
  beforeAll(async () => {
    started = await start();
    connection = started.connection;
    run = openRun({ ...started, contract, cases, wholeRunCases, claims, seed: 1 });
  });
  afterAll(() => connection?.close());

  test.each(cases.map((one) => [one.id, one.title, one.needs] as const))('%s: %s', async (id, _, needs) => {
    const { status, reasons, used } = await run.outcomeOf(id);
    expect({ status, reasons }).toEqual({ status: 'passed', reasons: [] });
    // The case declares what it uses. The plan relies on it.
    expect([...used].sort()).toEqual([...needs].sort());
  });

  test.each(wholeRunCases.map(({ id, title }) => [id, title]))('%s: %s', async (id) => {
    if (run.session.exchanges.length === 0) for (const one of cases) await run.outcomeOf(one.id);
    const { status, reasons } = await run.outcomeOf(id);
    expect({ status, reasons }).toEqual({ status: 'passed', reasons: [] });
  });

  test('the EU reads: verify dpp finds nothing', async () => {
    const { provider, connect } = started;
    const { slug = '' } = provider.active_product ?? {};
    const api = createClient({
      baseUrl: provider.base_url,
      apiKey: provider.tenants?.[0]?.api_key ?? '',
      fetch: started.fetch,
    });
    await api.passports.put(slug, [{ field_key: 'repair_note', value: 'Twice', access_level: 'public' }]);
    const every = dppClaims.filter((claim) => claim !== 'dpp-transport');
    const base_url = `${provider.site_url}/dpp/v1`;
    const { results } = await verifyDpp({ provider: { ...provider, dpp: { base_url } }, claims: every, connect });
    expect(results.filter(({ status }) => status !== 'passed').map(({ id, reasons }) => [id, ...reasons])).toEqual([]);
    expect(results.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(results).toHaveLength(dppIds.size - 1);
  });
  return [...cases, ...wholeRunCases].map(({ id }) => id);
}
