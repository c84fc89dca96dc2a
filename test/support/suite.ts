/** The conformance suite: its command line in this process, and runs made by hand for the tests of its reports. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { runProgram } from '../../contracts/conformance/cli/program.ts';
import type { Exchange } from '../../contracts/conformance/http/exchange.ts';
import type { Provider } from '../../contracts/conformance/provider.ts';
import type { Report } from '../../contracts/conformance/report/report.ts';
import { type Result, type Run, verdictOf } from '../../contracts/conformance/result.ts';
import { fileWith, newFolder } from './files.ts';
import type { Outcome } from './program.ts';

/** Types the parameters after `product-passport-contracts`. One at a time, because the output streams are shared. */
export async function typeSuite(...parameters: readonly string[]): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  try {
    return { code: await runProgram(parameters), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** The same, with the files that the command writes into a report directory. */
export async function typeReporting(...parameters: readonly string[]) {
  const folder = newFolder();
  const outcome = await typeSuite(...parameters, '--report', folder);
  const file = (name: string): string => readFileSync(join(folder, name), 'utf8');
  // Without a report, the standard error says why.
  if (!existsSync(join(folder, 'report.json'))) throw new Error(outcome.stderr);
  return { ...outcome, folder, file, report: JSON.parse(file('report.json')) as Report };
}

/** The parameters `--provider FILE`. */
export function asFile(provider: object): readonly string[] {
  return ['--provider', fileWith(JSON.stringify(provider))];
}

/** Every case that did not pass, with its first reason: what a failed test should show. */
export function faultsIn({ cases }: Pick<Report, 'cases'>): string[] {
  return cases
    .filter(({ status }) => status !== 'passed')
    .map(({ id, status, reasons }) => `${status} ${id}: ${reasons[0]}`);
}

export const provider: Provider = {
  base_url: 'http://passports.test/api/v1',
  tenants: [{ slug: 'first', api_key: 'ppk_first' }],
};

export function exchangeWith(part: Partial<Exchange> = {}): Exchange {
  return {
    caseId: 'PAGE-1.echo',
    purpose: 'valid',
    request: { method: 'GET', path: '/api/v1/products?limit=3', headers: { authorization: 'Bearer ppk_first' } },
    response: { status: 200, headers: { 'content-type': 'application/json' }, text: '{"items":[],"total":0}' },
    sentAt: '2026-11-22T08:00:00.000Z',
    milliseconds: 4,
    ...part,
  };
}

export function resultWith(part: Partial<Result> = {}): Result {
  return {
    id: 'PAGE-1.echo',
    title: 'The response repeats limit and offset of the request.',
    claim: 'core',
    clause: '/paths/~1api~1v1~1products/get',
    status: 'passed',
    scored: true,
    reasons: [],
    warnings: [],
    missing: [],
    used: [],
    states: [],
    exchanges: [exchangeWith()],
    milliseconds: 5,
    ...part,
  };
}

export function runWith(results: readonly Result[], part: Partial<Run> = {}): Run {
  return {
    ...verdictOf(results, true),
    claims: ['core', 'public'],
    startedAt: '2026-11-22T08:00:00.000Z',
    milliseconds: 1234,
    baseUrl: provider.base_url,
    seed: 42,
    suiteVersion: '0.1.0',
    contractVersion: '1.0.0',
    contractHash: 'a'.repeat(64),
    results,
    sources: { 'active product': 'supplied' },
    created: [{ tenant: 'first', slug: 'verify-draft' }],
    ...part,
  };
}

/** One result of every status. */
export const everyStatus: readonly Result[] = [
  resultWith({ id: 'PAGE-1.defaults', title: 'A list without parameters has limit 50 and offset 0.' }),
  resultWith({ status: 'failed', reasons: ['limit must be 3, is 50'], warnings: ['200: surplus field `extra`'] }),
  resultWith({
    id: 'TEN-1.other',
    title: 'A tenant does not see products of another tenant.',
    status: 'skipped',
    reasons: ['Add a second tenant with its key to `tenants` in the provider file.'],
    missing: ['second tenant'],
    exchanges: [],
  }),
  resultWith({ id: 'PAGE-3.past', claim: 'public', status: 'error', reasons: ['TypeError: x is undefined'] }),
  resultWith({
    id: 'PAGE-2.limit-0',
    status: 'expected-failure',
    reasons: ['limit must be 1, is 0', 'Expected: later'],
  }),
  resultWith({ id: 'PAGE-2.limit-1', status: 'unexpected-pass', reasons: ['The case passes. Remove the line.'] }),
  resultWith({
    id: 'PUB-3.expired-page',
    status: 'absent',
    reasons: ['tokens end by revocation only'],
    capability: 'expiring tokens',
    exchanges: [],
  }),
];
