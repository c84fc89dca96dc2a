/**
 * The command accepts the reference server on both databases, and refuses a mock without state. `needs.test.ts` runs the
 * suite against the foreign providers.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { claims, type Need } from '../../contracts/conformance/claims.ts';
import { connectInProcess } from '../../contracts/conformance/http/in-process.ts';
import { serviceWithStates } from '../../contracts/conformance/plan.ts';
import type { Provider } from '../../contracts/conformance/provider.ts';
import type { Report } from '../../contracts/conformance/report/report.ts';
import type { Result, Run } from '../../contracts/conformance/result.ts';
import { loadedSuite, verify } from '../../contracts/conformance/verify.ts';
import { alternative } from '../../contracts/mutants/provider/alternative.ts';
import { startReference } from '../../contracts/mutants/provider/run.ts';
import { type Mock, startMock } from '../support/mock.ts';
import { databaseKinds } from '../support/service.ts';
import { asFile, faultsIn, newFolder, startDemo, typeSuite } from '../support/suite.ts';

// Each run sends more than two thousand requests. A busy machine takes longer than the limit of other tests.
jest.setTimeout(240_000);

interface Verified {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly report: Report;
  readonly created: readonly unknown[];
}

async function verified(provider: object, ...parameters: readonly string[]): Promise<Verified> {
  const folder = newFolder();
  const outcome = await typeSuite('verify', ...asFile(provider), '--report', folder, '--generated', '0', ...parameters);
  // Without a report, the standard error says why.
  if (!existsSync(join(folder, 'report.json'))) throw new Error(outcome.stderr);
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  return { ...outcome, report: read('report.json'), created: read('created.json') };
}

const conformant = { code: 0, faults: [], verdict: 'conformant' };
const summary = ({ code, report }: Verified) => ({ code, faults: faultsIn(report), verdict: report.verdict });
const everyClaim = ['--claim', 'core,public,digital-link,reference'];

describe.each(databaseKinds)('the reference server on %s', (kind) => {
  let provider: Provider;
  let first: Verified;
  beforeAll(async () => {
    provider = await startDemo(kind);
    first = await verified(provider, ...everyClaim, '--generated', '1');
  });

  test('is conformant in every profile', () => {
    expect(summary(first)).toEqual(conformant);
    expect(first.stderr).toMatch(/^conformant: .*\n\d+ passed\n/m);
    expect(first.stdout).toBe('');
  });

  test('no stream shows a key or a token', () => {
    const keys = (provider.tenants ?? []).map(({ api_key }) => api_key);
    const tokens = (provider.access_tokens ?? []).map(({ token }) => token);
    const secrets = [...keys, ...tokens, provider.revoked_api_key ?? '', provider.expired_access_token ?? ''];
    const output = first.stdout + first.stderr + JSON.stringify(first.report);
    expect(secrets).not.toContain('');
    expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
  });

  // These follow from the API, so one database is enough.
  if (kind !== 'SQLite') return;

  test('is conformant in a second run, which adds at most five products', async () => {
    const second = await verified(provider, '--claim', 'core,public');
    expect(summary(second)).toEqual(conformant);
    expect(first.created.length).toBeGreaterThan(5);
    expect(second.created.length).toBeGreaterThan(0);
    expect(second.created.length).toBeLessThanOrEqual(5);
  });

  test('fails no case with --read-only', async () => {
    const { code, report } = await verified(provider, '--claim', 'core,public', '--read-only');
    expect(faultsIn(report).filter((fault) => !fault.startsWith('skipped'))).toEqual([]);
    expect(code).toBe(3);
  });
});

describe('Prism', () => {
  let mock: Mock;
  let run: Verified;
  beforeAll(async () => {
    mock = await startMock();
    const keys = ['first', 'second'].map((name) => ({ slug: name, api_key: `ppk_${name}` }));
    run = await verified({ base_url: `${mock.host}/api/v1`, tenants: keys }, '--timeout', '5');
  });
  afterAll(() => mock.stop());

  test('is not conformant, because it has no state', () => {
    expect(run.code).toBe(1);
    expect(run.report.verdict).toBe('not conformant');
    expect(run.stderr).toMatch(/\nnot conformant: \d+ cases failed\.\n/);
    const failed = run.report.cases.filter(({ status }) => status === 'failed');
    expect(failed.length).toBeGreaterThan(20);
    expect(failed.filter(({ reasons }) => reasons.length === 0)).toEqual([]);
  });

  test('is to blame for each failure: no case is an error of the suite', () => {
    expect(faultsIn(run.report).filter((fault) => fault.startsWith('error'))).toEqual([]);
  });
});

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
    const service = await serviceWithStates({ siteUrl });
    const handle = behaviour === 'alternative' ? alternative.wrap(service) : service.fetch;
    const connection = connectInProcess((request) => handle(request), siteUrl);
    const run = await verify({ provider: service.provider, connection, seed: 1, generated: 0 });
    expect(run.verdict).toBe('conformant');
    expect(differences(run)).toEqual([]);
  });
});

test('no case declares a need twice', () => {
  const twice = cases.filter(({ needs }) => new Set(needs).size < needs.length);
  expect(twice.map(({ id }) => id)).toEqual([]);
});

test('a provider in this process refuses a request that `Request` cannot express, as a server refuses its bytes', async () => {
  const connection = connectInProcess(async () => new Response('reached'), 'https://passports.example');
  const send = (headers: Record<string, string>) => connection.send({ method: 'GET', path: '/api/v1/me', headers });
  expect(await send({ accept: 'a' })).toMatchObject({ status: 200, text: 'reached' });
  expect(await send({ accept: 'a\u0000b' })).toEqual({ status: 400, headers: {}, text: '' });
});
