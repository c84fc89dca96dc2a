/** What each case declares as its needs is what it uses: a plan, --read-only and the state URL rely on it. */
import { describe, expect, test } from '@jest/globals';
import { claims, type Need } from '../../contracts/conformance/claims.ts';
import { connectInProcess } from '../../contracts/conformance/http/in-process.ts';
import type { Result, Run } from '../../contracts/conformance/result.ts';
import { loadedSuite, verify } from '../../contracts/conformance/verify.ts';
import { startReference } from '../../contracts/mutants/provider/run.ts';
import { createFakeService } from '../../sdk/src/testing/service/index.ts';

const siteUrl = 'http://passports.test';
const { cases } = loadedSuite().suite;

/** What a case did: the states that it used, and the requests of its own that --read-only forbids. */
function used({ used: states, exchanges }: Result): Set<Need> {
  const sent = exchanges.map(({ request }) => request);
  const writes = sent.some(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
  const scans = sent.some(({ method, path }) => method === 'GET' && /^\/p\/[^/]+\/[^/?]+\/?(\?|$)/.test(path));
  const needs = new Set(states);
  if (writes) needs.add('writes');
  if (scans) needs.add('scans');
  // A case that writes does not run with --read-only, so it need not say that the suite created its product.
  if (writes) needs.delete('product');
  return needs;
}

function differences({ results }: Run): string[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  return cases.flatMap(({ id, needs }) => {
    const result = byId.get(id);
    if (result?.status !== 'passed') return [];
    const found = used(result);
    const declared = new Set(needs);
    const undeclared = [...found]
      .filter((need) => !declared.has(need))
      .map((need) => `${id} does not declare: ${need}`);
    const unused = [...declared].filter((need) => !found.has(need)).map((need) => `${id} does not use: ${need}`);
    return [...undeclared, ...unused];
  });
}

describe('each case declares what it uses', () => {
  test('of the reference server', async () => {
    const { service, stop } = await startReference(siteUrl);
    try {
      const connection = connectInProcess(service.fetch, siteUrl);
      const run = await verify({ provider: service.provider, claims, connection, seed: 1, generated: 0 });
      expect(run.results.filter(({ status }) => status === 'passed').length).toBeGreaterThan(500);
      expect(differences(run)).toEqual([]);
    } finally {
      await stop();
    }
  });

  test.each(['reference', 'alternative'] as const)('of a foreign provider whose choices are %s', async (behaviour) => {
    const service = createFakeService({ siteUrl, behaviour });
    const connection = connectInProcess((request) => service.fetch(request), siteUrl);
    const run = await verify({ provider: service.provider, connection, seed: 1, generated: 0 });
    expect(run.verdict).toBe('conformant');
    expect(differences(run)).toEqual([]);
  });
});

test('no case declares a need twice', () => {
  const twice = cases.filter(({ needs }) => new Set(needs).size < needs.length);
  expect(twice.map(({ id }) => id)).toEqual([]);
});
