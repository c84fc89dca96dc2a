/** The files of a run, made from real runs and from runs with a result of every status. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { progressOn, scoreProgressOn } from '../../../contracts/conformance/cli/command.ts';
import { repeatCommand } from '../../../contracts/conformance/cli/suite.ts';
import { connectInProcess } from '../../../contracts/conformance/http/connection.ts';
import { htmlOf } from '../../../contracts/conformance/report/html.ts';
import { reportOf } from '../../../contracts/conformance/report/report.ts';
import { annotationsOf, publishOnGithub, stepSummaryOf, textOf } from '../../../contracts/conformance/report/text.ts';
import { sentenceOf, skippedByCause } from '../../../contracts/conformance/report/words.ts';
import { harOf, writeReports } from '../../../contracts/conformance/report/write.ts';
import type { Result, Run } from '../../../contracts/conformance/result.ts';
import { loadedSuite, verify } from '../../../contracts/conformance/verify.ts';
import { createFakeService } from '../../../sdk/src/testing/service/index.ts';
import { newFolder } from '../../support/files.ts';
import { everyStatus, exchangeWith, provider, resultWith, runWith } from '../../support/suite.ts';

const siteUrl = 'http://passports.test';

function reportWith(results: readonly Result[], part: Partial<Run> = {}) {
  return reportOf(runWith(results, part), provider);
}

describe('report.json', () => {
  const schema: Promise<object> = readFile(
    new URL('../../../contracts/schemas/report.schema.json', import.meta.url),
    'utf8',
  ).then(JSON.parse);

  async function faultsOf(report: object): Promise<unknown> {
    const ajv = new Ajv2020({ allErrors: true });
    addFormats.default(ajv);
    ajv.validate(await schema, JSON.parse(JSON.stringify(report)));
    return ajv.errors;
  }

  test('conforms to its schema with every status, and after a run of a right provider and of a wrong one', async () => {
    expect(await faultsOf(reportWith(everyStatus))).toBeNull();
    const flaky = resultWith({ id: 'PAGE-1.flaky', status: 'flaky' });
    expect(await faultsOf(reportWith([flaky], { notes: ['PAGE-1.flaky failed in 1 of 2 runs.'] }))).toBeNull();
    const service = createFakeService({ siteUrl });
    const wrong = async ({ url }: Request) =>
      Response.json({ wrong: true }, { status: url.includes('unknown-address') ? 404 : 200 });
    for (const [handler, verdict] of [[service.fetch, 'passed'] as const, [wrong, 'not conformant'] as const]) {
      const connection = connectInProcess(handler, siteUrl);
      const report = reportOf(
        await verify({ provider: service.provider, only: ['PAGE'], connection, seed: 1 }),
        service.provider,
      );
      expect(report.verdict).toBe(verdict);
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

describe('findings', () => {
  const failed = (id: string, reason: string, part: Partial<Result> = {}) =>
    resultWith({ id, status: 'failed', reasons: [reason], ...part });
  const notBuilt = (id: string, operation: string, part: Partial<Result> = {}) =>
    resultWith({ id, status: 'skipped', reasons: [`Not built: ${operation}.`], notBuilt: [operation], ...part });

  test('what is not built is the first finding, and its cases are in the sums', () => {
    const needs = { status: 'skipped', missing: ['active product'], reasons: ['Activate a product.'] } as const;
    const report = reportWith([
      notBuilt('AUTH-1.getScanStatistics', 'getScanStatistics'),
      notBuilt('AUTH-1.putPassport', 'putPassport', { exchanges: [] }),
      resultWith({ id: 'PUB-1.active', ...needs }),
      failed('PAGE-1.echo', 'limit must be 3, is 50'),
      failed('SRCH-1.nothing', 'total must be 0, is 1'),
    ]);
    expect(textOf(report)).toMatchSnapshot();
    const waiting = report.cases.filter(({ status }) => status === 'skipped').map(({ id }) => id);
    expect([...skippedByCause(report.cases).values()].flat().map(({ id }) => id)).toEqual(waiting);
    const { findings, ...rest } = reportWith([notBuilt('AUTH-1.putPassport', 'putPassport'), resultWith(needs)]);
    expect(sentenceOf({ findings, ...rest })).toBe(
      '2 cases could not run: 1 of them waits for operations that are not built.',
    );
  });

  test('a response that shows data of another tenant is one finding, whatever cases say of it', () => {
    const exchanges = [exchangeWith({ request: { method: 'GET', path: '/api/v1/products/foreign', headers: {} } })];
    const foreign = { exposes: 'data of another tenant', exchanges } as const;
    const { findings } = reportWith([
      failed('TEN-1.get', 'GET /api/v1/products/foreign: the faulty request must get 404, gets 200', foreign),
      failed('LEAK-2.other-tenant', 'the response to GET /api/v1/products/foreign contains data of another', foreign),
      failed('LEAK-2.list', 'the response to GET /api/v1/products contains data of another', {
        exposes: 'data of another tenant',
      }),
    ]);
    expect(findings.map(({ cases }) => cases)).toEqual([['TEN-1.get', 'LEAK-2.other-tenant'], ['LEAK-2.list']]);
    expect(findings[0]?.also).toEqual(['the response to GET /api/v1/products/foreign contains data of another']);
  });

  test.each([
    ['responses', [400, 409].map((status) => [exchangeWith({ response: { status, headers: {}, text: 'x' } })])],
    ['cases without a response', [[], []]],
  ])('two %s that show different things are two findings', (_what, [first = [], second = []]) => {
    const { findings } = reportWith([
      failed('LEAK-3.stack-trace', 'the response to GET /api/v1/products contains a stack trace', { exchanges: first }),
      failed('LEAK-3.sql', 'the response to GET /api/v1/products contains SQL', { exchanges: second }),
    ]);
    expect(findings.map(({ cases }) => cases)).toEqual([['LEAK-3.stack-trace'], ['LEAK-3.sql']]);
  });

  test('the pages of a list are to blame themselves, unless the total of this list is wrong or ended the reading', () => {
    const page = (path: string, slugs: readonly string[], total: number) => {
      const text = JSON.stringify({ items: slugs.map((slug) => ({ slug })), total });
      const request = { method: 'GET', path: `/api/v1/products?${path}`, headers: {} };
      return { exchanges: [exchangeWith({ request, response: { status: 200, headers: {}, text } })] };
    };
    const joined = 'the joined pages must be ["a","b","c"], is ["a","b"]';
    const { findings } = reportWith([
      failed('SRCH-1.nothing', 'total must be 0, is 7', page('search=x&limit=50', [], 7)),
      failed('PAGE-4.limit-2', joined, page('limit=2&offset=0', ['a', 'b'], 3)),
      failed('SRCH-1.pages', joined, page('limit=2&search=y&offset=0', ['a', 'b'], 3)),
      failed('PAGE-5.draft-pages', joined, page('limit=2&status=draft&offset=0', ['a', 'b'], 2)),
    ]);
    expect(findings.map(({ cases, also }) => [cases, also.length])).toEqual([
      [['SRCH-1.nothing', 'SRCH-1.pages', 'PAGE-5.draft-pages'], 1],
      [['PAGE-4.limit-2'], 0],
    ]);
  });

  const refusal = (slug: string, status = 400) =>
    `PUT /api/v1/products/${slug}/passport: the faulty request must get ${status}, gets 200`;

  test.each<[string, (readonly [id: string, reason: string, clause?: string])[]]>([
    [
      'one wrong field is one finding, whatever its value, its place and the case that reads it',
      [
        ['PAGE-1.defaults', 'GET /api/v1/products: body/total must be integer, is "15"'],
        ['SRCH-1.part', 'GET /api/v1/products?search=a: body/total must be integer, is "3"'],
        ['HTTP-6.listProducts', '200: body/total must be integer, is "15"', '/paths/~1api~1v1~1products/get/responses'],
        [
          'GEN-1.listProducts',
          '200: body/total must be integer, is "1". Found in generated request 1, made smaller in 2 steps.',
        ],
        ['PROD-2.0', 'body/items/0/gtin must be string, is 7'],
        ['PROD-2.1', 'body/gtin must be string, is 8'],
      ],
    ],
    [
      'a wrong code is one finding, also where only the shape shows it',
      [
        ['TEN-1.get', 'error.code must be "not_found", is "missing"', '/a'],
        ['PROD-7.slug', 'error.code must be "not_found", is "missing"', '/b'],
        ['HTTP-6.getProduct', '404: body/error/code must be "not_found", is "missing"'],
        ['PAGE-1.other', 'error.code must be "invalid_request", is "bad"'],
      ],
    ],
    [
      'a body that is not JSON is one finding, whatever the cases that read it are about',
      [
        ['PASS-5.text', "GET /api/v1/products: the body is not JSON: Unexpected token 'N'", '/a'],
        ['PUB-1.active-page', 'GET /api/v1/products?search=a&limit=200: body is not JSON', '/b'],
        ['PUB-1.draft-page', 'GET /p/a/b: body is not JSON', '/b'],
        ...[...'abc'].map((id) => [`PAGE-1.${id}`, 'GET /api/v1/me: body/total must be integer, is "1"'] as const),
      ],
    ],
    [
      'a wrong total is one finding, and so is a search that misses products, however cases say it',
      [
        ['TEN-2.lists', 'the sum of the totals must be 1, is 3'],
        ['PAGE-3.pages', 'the joined pages must be ["a","b"], is ["a"]'],
        ['PAGE-3.total', 'total must be the same on every page: it is 14 with offset=0 and 2 with offset=12'],
        ['PAGE-5.totals', 'the totals of the pages must be [3,3,3], is [1,1,1]'],
        ['PAGE-3.count', 'the number of products on all pages must be 1, is 14'],
        ['SRCH-1.case', 'the search must find the product verify-search'],
        ['SRCH-2.typed', 'the search must find the product verify-search-printed'],
        ['SRCH-3.any', 'the search must find a product'],
        ['SRCH-4.pages', 'the search must also find ["verify-search-page-one"]'],
        ['SRCH-5.none', 'the search must not find the product verify-search'],
      ],
    ],
    [
      'other failures are one finding if they say the same of one operation',
      [
        ['PASS-2.a', refusal('verify-a')],
        ['PASS-2.b', refusal('verify-b')],
        ['PASS-2.c', refusal('verify-b', 415)],
        ['PAGE-2.a', 'limit must be 3, is 50'],
        ['PAGE-2.b', 'limit must be 7, is 50'],
        ['PAGE-2.c', 'limit must be 7, is 50', '/paths/~1other/get'],
      ],
    ],
  ])('%s', (_what, failures) => {
    const { findings } = reportWith(
      failures.map(([id, reason, clause]) => failed(id, reason, clause === undefined ? {} : { clause })),
    );
    expect(
      findings.map(({ title, also, impact, clause, cases }) => ({ title, also, impact, clause, cases })),
    ).toMatchSnapshot();
  });
});

test('a long reason is cut in the title of its finding, and whole at its case', () => {
  const reason = `name must be ${'long words '.repeat(40)}`;
  const { findings, cases } = reportWith([resultWith({ status: 'failed', reasons: [reason] })]);
  expect(findings[0]?.title).toMatch(/^name must be (?:long words )+.* …$/);
  expect(findings[0]?.title.length).toBeLessThan(170);
  expect(cases[0]?.reasons).toEqual([reason]);
});

test.each([
  [0, 'The provider conforms to the contract in everything that it claims.'],
  [1, 'The provider conforms to the contract in everything that it claims. 1 known failure is not fixed yet.'],
  [2, 'The provider conforms to the contract in everything that it claims. 2 known failures are not fixed yet.'],
])('a verdict with %i known failures says so in a sentence', (count, sentence) => {
  const known = Array.from({ length: count }, () => resultWith({ status: 'expected-failure' }));
  expect(sentenceOf(reportWith([resultWith({ status: 'passed' }), ...known]))).toBe(sentence);
});

/** The report on a provider whose JSON is changed. */
async function reportOnChanged(change: (body: Record<string, unknown>) => void) {
  const service = createFakeService({ siteUrl });
  const wrong = async (request: Request): Promise<Response> => {
    const response = await service.fetch(request);
    if (!/json/.test(response.headers.get('content-type') ?? '')) return response;
    const body = await response.json();
    change(body);
    return Response.json(body, { status: response.status, headers: { ...Object.fromEntries(response.headers) } });
  };
  const connection = connectInProcess(wrong, siteUrl, { timeout: 2000 });
  return reportOf(await verify({ provider: service.provider, connection, seed: 1, generated: 1 }), service.provider);
}

test.each<[titles: string[], (body: Record<string, unknown>) => void, ids: string[]]>([
  [
    ['total must be integer, is "…"', 'error.code must be "…", is "…"'],
    (body) => {
      if (typeof body.total === 'number' && Array.isArray(body.items)) body.total = `${body.total}`;
      const { error } = body as { error?: { code: string } };
      if (error?.code === 'not_found') error.code = 'product_missing';
    },
    ['PAGE-1.defaults'],
  ],
  [
    ['tenant.slug is missing'],
    ({ tenant }) => void (tenant && delete (tenant as { slug?: string }).slug),
    ['PROD-1.urn', 'GEN-1.getMe'],
  ],
  [
    ['total is missing'],
    (body) => void (Array.isArray(body.items) && delete body.total),
    ['PAGE-1.defaults', 'PAGE-5.totals'],
  ],
  [
    ['items[].status is missing'],
    (body) => {
      delete body.status;
      for (const item of Array.isArray(body.items) ? body.items : [body.product ?? {}]) delete item.status;
    },
    ['PAGE-5.draft-pages', 'SRCH-1.with-status', 'PROD-1.draft'],
  ],
])(
  'a provider has these findings, and no value that is compared with a wrong one is to blame: %j',
  async (titles, change, ids) => {
    const { findings, cases } = await reportOnChanged(change);
    expect(findings.map(({ title }) => title.replace(/"[^"]*"/g, '"…"'))).toEqual(titles);
    expect(findings[0]?.cases).toEqual(expect.arrayContaining(ids));
    expect(cases.filter(({ status }) => status === 'error')).toEqual([]);
  },
);

const { cases: single, wholeRunCases } = loadedSuite().suite;
const everyCase = [...single, ...wholeRunCases, { id: 'GEN-1.getMe', claim: 'core' as const }];

test.each<[string, results: readonly Result[], sentences: readonly string[], part?: Partial<Run>]>([
  [
    'of every case',
    everyCase.map(({ id, claim }) => resultWith({ id, claim })),
    [
      `${everyCase.length.toLocaleString('en-GB')} cases ran, about tenants, keys, the rules of HTTP, lists, the search, products, passports, public pages, GS1 Digital Links, data carriers, what responses give away, statistics, the form of responses and generated requests.`,
    ],
  ],
  ['of one case', [resultWith({ id: 'AUTH-1.getMe' })], ['1 case ran, about keys.']],
  [
    'of cases that passed, and others that could not run',
    [
      resultWith(),
      resultWith({ id: 'PROD-1.name' }),
      resultWith({ id: 'PUB-1.active-page', status: 'skipped' }),
      resultWith({ id: 'SCAN-1.view', status: 'absent' }),
      resultWith({ id: 'GS1-1.redirect', status: 'skipped', scored: false }),
    ],
    [
      '2 cases ran, about lists and products.',
      '1 case about public pages could not run: nothing is known about what it checks.',
    ],
  ],
  ['of reads', [resultWith({ id: 'DPP-ID-1', claim: 'dpp' })], ['1 case ran, about the reads of EN 18222.']],
  [
    'of a program that met little',
    [
      resultWith({ id: 'CLIENT-1.headers', claim: 'client' }),
      resultWith({ id: 'CLIENT-2.wait', claim: 'client', status: 'skipped', scored: false }),
      resultWith({ id: 'CLIENT-4.fields', claim: 'client' }),
    ],
    ['The program sent 1 request to a service that adds fields.', 'It met 2 of 3 rules, and kept them all.'],
    { command: './program', claims: ['client'] },
  ],
  [
    'of a program that met no disturbance',
    [resultWith({ id: 'CLIENT-1.headers', claim: 'client' })],
    ['The program sent 1 request.', 'It met 1 of 1 rules, and kept them all.'],
    { command: './program', claims: ['client'] },
  ],
])('report.html says no more than what was looked at: %s', (_what, results, sentences, part = {}) => {
  const [, list = ''] = /<h2 id="in-short">.*?<ul>(.*?)<\/ul>/s.exec(htmlOf(reportWith(results, part))) ?? [];
  expect([...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, text]) => text)).toEqual(sentences);
});

test('a run writes these files, and replaces those of an earlier run', async () => {
  const folder = join(newFolder(), 'new', 'reports');
  writeReports(folder, reportWith([resultWith()]), []);
  writeReports(folder, reportWith(everyStatus), runWith([]).created);
  const files = ['created.json', 'junit.xml', 'report.html', 'report.json', 'traffic.har'];
  expect((await readdir(folder)).sort()).toEqual(files);
  expect(JSON.parse(await readFile(join(folder, 'created.json'), 'utf8'))).toEqual([
    { tenant: 'first', slug: 'verify-draft' },
  ]);
});

test.each([
  ['whole', 10, false],
  ['cut', 1_000_000, true],
])('report.html says which bodies are cut: %s', async (_name, length, isCut) => {
  const folder = newFolder();
  const response = { status: 200, headers: {}, text: 'x'.repeat(length) };
  const failed = resultWith({ status: 'failed', reasons: ['is wrong'], exchanges: [exchangeWith({ response })] });
  writeReports(folder, reportWith([failed]), []);
  const page = await readFile(join(folder, 'report.html'), 'utf8');
  expect(page.includes(' characters are shown.')).toBe(isCut);
});

test('report.json has the requests of cases that did not pass, and traffic.har those of every case', async () => {
  const folder = newFolder();
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

test('traffic.har has each exchange once, in the order of sending', () => {
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
  const untyped = exchangeWith({
    request: { method: 'PUT', path: '/api/v1/me', headers: {}, body: Buffer.from('{') },
    response: { status: 204, headers: {}, text: '' },
  });
  const run = [
    resultWith({ exchanges: [shared, silent] }),
    resultWith({ id: 'PAGE-1.other', exchanges: [shared, untyped] }),
  ];
  expect(harOf(reportWith(run))).toMatchSnapshot();
});

describe('on GitHub', () => {
  const odd = resultWith({ title: 'Odd: 100 %, and more', status: 'failed', reasons: ['a|b <i>*c*\nd', '50 %'] });

  test('each finding has an annotation whose special characters are escaped', () => {
    expect(annotationsOf(reportWith([odd, resultWith({ id: 'PAGE-1.ok' })]))).toMatchSnapshot();
  });

  test('GitHub shows ten, and the summary a hundred', () => {
    const failed = Array.from({ length: 102 }, (_, index) =>
      resultWith({ id: `PAGE-1.${index}`, title: `The field ${'a'.repeat(index + 1)}.`, status: 'failed' }),
    );
    const some = failed.slice(0, 12);
    const lines = annotationsOf(reportWith(some)).trim().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toContain('3 more findings');
    expect(stepSummaryOf(reportWith(failed))).toContain('\n2 more findings. The report lists them.\n');
  });

  test('an incomplete run has a warning, a conformant one nothing', () => {
    expect(annotationsOf(reportWith([resultWith({ status: 'skipped' })]))).toBe(
      '::warning title=Incomplete::1 case could not run.\n',
    );
    expect(annotationsOf(reportWith([resultWith()]))).toBe('');
  });

  test('the summary has verdict, counts, failed cases and what the others need', () => {
    const skipped = everyStatus.filter(({ status }) => status === 'skipped');
    expect(stepSummaryOf(reportWith([odd, ...skipped]))).toMatchSnapshot();
  });

  test('only a step of GitHub Actions gets them, after what the summary already has', async () => {
    const file = join(newFolder(), 'summary.md');
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
    expect(written.match(/^::error/gm)).toHaveLength(4);
    expect((await readFile(file, 'utf8')).match(/^## /gm)).toHaveLength(2);
  });
});

describe('the progress of a run', () => {
  const run = runWith(everyStatus);

  /** The writes to a stream, one by one. */
  function writesOf(stream: { isTTY?: boolean; columns?: number }): string[] {
    const writes: string[] = [];
    const progress = progressOn({ ...stream, write: (text) => writes.push(text) });
    for (const [index, result] of run.results.entries()) progress.onResult(result, index + 1, run.results.length);
    progress.end();
    return writes;
  }

  test('a run over services with a mistake counts those that need a look', () => {
    const lines: string[] = [];
    const progress = scoreProgressOn({ isTTY: true, columns: 80, write: (text) => lines.push(text) });
    for (const [index, result] of run.results.entries()) progress.onResult(result, index + 1, run.results.length);
    expect(lines.map((line) => /services · (\d+) to look at/.exec(line)?.[1]).join()).toBe('0,1,1,1,1,2,2');
  });

  test.each([
    ['a terminal, which shows one line that is rewritten', { isTTY: true, columns: 80 }],
    ['a pipe, which gets a line for each case that failed', {}],
  ])('on %s', (_what, stream) => {
    // A snapshot writes a carriage return as a line end.
    const writes = writesOf(stream).map((text) => text.replaceAll('\r', '<CR>').replaceAll('\u001b', '<ESC>'));
    expect(writes).toMatchSnapshot();
  });

  test('the report as text', () => {
    const options = { reportFile: 'out/report.html', repeat: (id: string) => `verify --only ${id}` };
    expect(textOf(reportOf(run, provider), options)).toMatchSnapshot();
  });

  test('the line fits a narrow terminal', () => {
    for (const line of writesOf({ isTTY: true, columns: 20 }).slice(0, 6)) {
      expect(line.replace('\r\u001b[K', '').length).toBeLessThan(20);
    }
  });

  test.each([
    [7, ['verify', '--provider', 'my file.json', '--claim', 'core', '--start', "npm run it's"], 'PAGE-1.echo'],
    // --only and --seed are replaced, and the report is not overwritten.
    [3, ['verify', '--only', 'PAGE', '--base-url=http://x/api/v1', '--seed=3', '--report', 'out'], 'PAGE-1.echo'],
    // A case over all requests needs the whole run.
    [3, ['verify', '--only', 'HTTP-6.getMe'], 'HTTP-6.getMe'],
  ])('the command that repeats a case has seed %d and the words of %j', (seed, typed, id) => {
    expect(repeatCommand(typed, id, seed)).toMatchSnapshot();
  });
});
