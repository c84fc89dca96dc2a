/**
 * The command accepts a provider without a fault, and refuses a mock without state. `test/suite` runs the cases one by one
 * against the server.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { connectInProcess } from '../../../contracts/conformance/http/connection.ts';
import { serviceWithStates } from '../../../contracts/conformance/plan.ts';
import type { Provider } from '../../../contracts/conformance/provider.ts';
import type { Report } from '../../../contracts/conformance/report/report.ts';
import { loadedSuite } from '../../../contracts/conformance/verify.ts';
import type { FakeService } from '../../../sdk/src/testing/service/index.ts';
import { ending, newFolder } from '../../support/files.ts';
import { type Mock, startMock } from '../../support/program.ts';
import { serveFetch } from '../../support/serve.ts';
import { asFile, faultsIn, typeSuite } from '../../support/suite.ts';

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
    expect(first.created.length).toBeGreaterThan(5);
    expect(second.created.length).toBeGreaterThan(0);
    expect(second.created.length).toBeLessThanOrEqual(5);
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
    expect(run.stdout).toMatch(/\nnot conformant: \d+ cases failed for \d+ reasons\.\n/);
    const failed = run.report.cases.filter(({ status }) => status === 'failed');
    expect(failed.length).toBeGreaterThan(20);
    expect(failed.filter(({ reasons }) => reasons.length === 0)).toEqual([]);
  });

  test('is to blame for each failure: no case is an error of the suite', () => {
    expect(faultsIn(run.report).filter((fault) => fault.startsWith('error'))).toEqual([]);
  });
});

const { cases } = loadedSuite().suite;

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
