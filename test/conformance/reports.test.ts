/** The files of a run, made from real runs and from runs with a result of every status. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { connectInProcess } from '../../contracts/conformance/http/in-process.ts';
import { annotationsOf, publishOnGithub, stepSummaryOf } from '../../contracts/conformance/report/github.ts';
import { reportOf } from '../../contracts/conformance/report/report.ts';
import { badgeOf, harOf, writeReports } from '../../contracts/conformance/report/write.ts';
import type { Result, Run } from '../../contracts/conformance/result.ts';
import { verify } from '../../contracts/conformance/verify.ts';
import { createFakeService } from '../../sdk/src/testing/service/index.ts';
import { everyStatus, exchangeWith, provider, resultWith, runWith } from '../support/conformance-run.ts';
import { ending } from '../support/ending.ts';

const siteUrl = 'http://passports.test';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'verify-report-'));
  ending.defer(() => rm(folder, { recursive: true }));
  return folder;
}

function reportWith(results: readonly Result[], part: Partial<Run> = {}) {
  return reportOf(runWith(results, part), provider);
}

describe('report.json', () => {
  const schema: Promise<object> = readFile(
    new URL('../../contracts/schemas/report.schema.json', import.meta.url),
    'utf8',
  ).then(JSON.parse);

  async function faultsOf(report: object): Promise<unknown> {
    const ajv = new Ajv2020({ allErrors: true });
    addFormats.default(ajv);
    ajv.validate(await schema, JSON.parse(JSON.stringify(report)));
    return ajv.errors;
  }

  test.each([
    ['conformant', [resultWith()]],
    ['not conformant', everyStatus],
    ['incomplete', everyStatus.filter(({ status }) => status === 'skipped')],
  ] as const)('conforms to its schema: %s', async (verdict, results) => {
    const report = reportWith(results);
    expect(report.verdict).toBe(verdict);
    expect(await faultsOf(report)).toBeNull();
  });

  test('conforms to its schema after a real run, of a right provider and of a wrong one', async () => {
    const service = createFakeService({ siteUrl });
    const right = connectInProcess((request) => service.fetch(request), siteUrl, { timeout: 2000 });
    const wrong = connectInProcess(async () => Response.json({ wrong: true }), siteUrl, { timeout: 2000 });
    for (const connection of [right, wrong]) {
      const run = await verify({ provider: service.provider, only: ['PAGE'], connection, seed: 1 });
      const report = reportOf(run, service.provider);
      expect(report.verdict).toBe(connection === right ? 'incomplete' : 'not conformant');
      expect(report.cases.flatMap(({ exchanges }) => exchanges).length).toBeGreaterThan(5);
      expect(await faultsOf(report)).toBeNull();
    }
  });

  test('the schema refuses a surplus member and an unknown status', async () => {
    expect(await faultsOf({ ...reportWith([]), surplus: 1 })).not.toBeNull();
    const [first] = reportWith(everyStatus).cases;
    expect(await faultsOf({ ...reportWith([]), cases: [{ ...first, status: 'odd' }] })).not.toBeNull();
  });
});

describe('badge.json', () => {
  test('names the claims, the contract and the date', () => {
    expect(badgeOf(reportWith([resultWith()]))).toEqual({
      schemaVersion: 1,
      label: 'product passport API',
      message: 'core, public · contract 1.0.0 · 2026-11-22',
      color: 'brightgreen',
    });
  });

  test.each([
    ['a skipped case', resultWith({ status: 'skipped' })],
    ['an expected failure', resultWith({ status: 'expected-failure' })],
    ['a skipped case that does not count', resultWith({ status: 'skipped', scored: false })],
    ['a failed case', resultWith({ status: 'failed' })],
  ])('is not made with %s', (_, result) => {
    expect(badgeOf(reportWith([resultWith({ id: 'PAGE-1.other' }), result]))).toBeUndefined();
  });

  test('is not made for a part of the cases', () => {
    expect(badgeOf(reportWith([resultWith()], { verdict: 'incomplete' }))).toBeUndefined();
  });
});

test('the badge of an earlier run is removed', async () => {
  const folder = join(await newFolder(), 'new', 'reports');
  const always = ['created.json', 'junit.xml', 'report.html', 'report.json', 'traffic.har'];
  const { created } = runWith([]);
  writeReports(folder, reportWith([resultWith()]), created);
  expect((await readdir(folder)).sort()).toEqual(['badge.json', ...always]);
  writeReports(folder, reportWith(everyStatus), created);
  expect((await readdir(folder)).sort()).toEqual(always);
  expect(JSON.parse(await readFile(join(folder, 'created.json'), 'utf8'))).toEqual([
    { tenant: 'first', slug: 'verify-draft' },
  ]);
});

test('report.json has the requests of cases that did not pass, and traffic.har those of every case', async () => {
  const folder = await newFolder();
  const report = reportWith(everyStatus);
  writeReports(folder, report, []);
  const written = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as typeof report;
  const counts = written.cases.map(({ status, exchanges }) => [status, exchanges.length]);
  expect(counts).toEqual(
    report.cases.map(({ status, exchanges }) => [status, status === 'passed' ? 0 : exchanges.length]),
  );
  expect(counts).toContainEqual(['failed', 1]);
  const { log } = JSON.parse(await readFile(join(folder, 'traffic.har'), 'utf8'));
  expect(log.entries).toHaveLength(report.cases.flatMap(({ exchanges }) => exchanges).length);
});

describe('traffic.har', () => {
  interface Har {
    log: { version: string; creator: object; entries: Record<string, Record<string, unknown>>[] };
  }
  const shared = exchangeWith({
    request: {
      method: 'POST',
      path: '/api/v1/products?a=1&b=2',
      headers: { 'content-type': 'x/y' },
      body: Buffer.from('{'),
    },
    response: { status: 302, headers: { location: '/elsewhere', 'content-type': 'text/plain' }, text: 'ä' },
  });
  const { response: _, ...silent } = exchangeWith({ failure: 'timeout', sentAt: '2026-11-22T07:00:00.000Z' });
  const run = [resultWith({ exchanges: [shared, silent] }), resultWith({ id: 'PAGE-1.other', exchanges: [shared] })];
  const { log } = harOf(reportWith(run)) as Har;

  test('has each exchange once, in the order of sending, with the members of HAR 1.2', () => {
    expect(log).toMatchObject({ version: '1.2', creator: { name: '@product-passport/contracts', version: '0.1.0' } });
    expect(log.entries.map(({ startedDateTime }) => startedDateTime)).toEqual([
      '2026-11-22T07:00:00.000Z',
      '2026-11-22T08:00:00.000Z',
    ]);
    for (const { request, response, cache, timings, time } of log.entries) {
      expect(Object.keys(request ?? {})).toEqual(
        expect.arrayContaining([
          'method',
          'url',
          'httpVersion',
          'cookies',
          'headers',
          'queryString',
          'headersSize',
          'bodySize',
        ]),
      );
      expect(Object.keys(response ?? {})).toEqual(
        expect.arrayContaining([
          'status',
          'statusText',
          'httpVersion',
          'cookies',
          'headers',
          'content',
          'redirectURL',
          'headersSize',
          'bodySize',
        ]),
      );
      expect([cache, timings, time]).toEqual([{}, { send: 0, wait: 4, receive: 0 }, 4]);
    }
  });

  test('has the values of the exchange', () => {
    expect(log.entries[1]).toMatchObject({
      request: {
        method: 'POST',
        url: 'http://passports.test/api/v1/products?a=1&b=2',
        queryString: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2' },
        ],
        postData: { mimeType: 'x/y', text: '{' },
      },
      response: { status: 302, redirectURL: '/elsewhere', content: { size: 2, mimeType: 'text/plain', text: 'ä' } },
      comment: 'PAGE-1.echo, PAGE-1.other',
    });
    expect(log.entries[0]).toMatchObject({ response: { status: 0, comment: 'timeout', content: { mimeType: '' } } });
    const untyped = exchangeWith({ response: { status: 204, headers: {}, text: '' } });
    const request = { ...untyped.request, headers: {}, body: Buffer.from('{') };
    const { log: other } = harOf(reportWith([resultWith({ exchanges: [{ ...untyped, request }] })])) as Har;
    expect(other.entries).toMatchObject([
      { request: { postData: { mimeType: '' } }, response: { content: { mimeType: '' } } },
    ]);
  });
});

describe('on GitHub', () => {
  const odd = resultWith({ title: 'Odd: 100 %, and more', status: 'failed', reasons: ['a|b <i>*c*\nd', '50 %'] });

  test('each failed case has an annotation whose special characters are escaped', () => {
    expect(annotationsOf(reportWith([odd, resultWith({ id: 'PAGE-1.ok' })]))).toBe(
      '::error title=PAGE-1.echo%3A Odd%3A 100 %25%2C and more::a|b <i>*c*%0Ad%0A50 %25%0AClause: openapi.yaml#/paths/~1api~1v1~1products/get\n',
    );
  });

  test('GitHub shows ten', () => {
    const failed = Array.from({ length: 12 }, (_, index) => resultWith({ id: `PAGE-1.${index}`, status: 'failed' }));
    const lines = annotationsOf(reportWith(failed)).trim().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toContain('3 more cases failed');
  });

  test('an incomplete run has a warning, a conformant one nothing', () => {
    expect(annotationsOf(reportWith([resultWith({ status: 'skipped' })]))).toBe(
      '::warning title=Incomplete::1 case could not run.\n',
    );
    expect(annotationsOf(reportWith([resultWith()]))).toBe('');
  });

  test('the summary has verdict, counts, failed cases and what the others need', () => {
    const summary = stepSummaryOf(reportWith([odd, ...everyStatus.filter(({ status }) => status === 'skipped')]));
    expect(summary).toContain('## Not conformant: http://passports.test/api/v1\n');
    expect(summary).toContain('1 failed, 1 skipped. Claims: core, public.');
    expect(summary).toContain(
      '| PAGE\\-1.echo | Odd: 100 %, and more | a\\|b &lt;i&gt;\\*c\\* d 50 % | GET /api/v1/products |\n',
    );
    expect(summary).toContain('- Add a second tenant with its key to \\`tenants\\` in the provider file. (1)\n');
  });

  test('only a step of GitHub Actions gets them, after what the summary already has', async () => {
    const file = join(await newFolder(), 'summary.md');
    let written = '';
    const output = { write: (text: string) => (written += text) };
    publishOnGithub(reportWith([odd]), { environment: { GITHUB_STEP_SUMMARY: file }, output });
    expect(written).toBe('');
    for (let step = 0; step < 2; step += 1) {
      publishOnGithub(reportWith([odd]), {
        environment: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file },
        output,
      });
    }
    expect(written.match(/^::error/gm)).toHaveLength(2);
    expect((await readFile(file, 'utf8')).match(/^## /gm)).toHaveLength(2);
  });
});
