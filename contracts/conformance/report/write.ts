/** Writes the reports of a run into a directory. */
import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Run, UsageError, unusableFile } from '../result.ts';
import { placeIn } from './findings.ts';
import { htmlOf, type Repeat } from './html.ts';
import type { Report, ReportedCase, ReportedExchange } from './report.ts';
import { isFault, statusWordOf } from './words.ts';

/** Each file, with its text. */
function filesOf(
  report: Report,
  created: Run['created'],
  repeat: Repeat | undefined,
): Readonly<Record<string, string>> {
  return {
    'report.json': json(withoutPassed(report)),
    'report.html': htmlOf(report, repeat),
    'junit.xml': junitOf(report),
    'traffic.har': json(harOf(report)),
    'created.json': json(created),
  };
}

/** @throws UsageError when the directory cannot be made. Called before a run, so that no run is lost. */
export function makeDirectory(directory: string): void {
  try {
    make(resolve(directory));
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw unusableFile(`the report directory ${directory}`, error);
  }
  if (statSync(directory).isDirectory()) return;
  throw new UsageError(`The report directory ${directory} is a file. Name a directory.`);
}

/** The recursive `mkdirSync` of Node never returns for a folder in /proc. */
function make(directory: string): void {
  if (existsSync(directory)) return;
  make(dirname(directory));
  mkdirSync(directory);
}

/** Makes the directory if it does not exist, and replaces the files of an earlier run. */
export function writeReports(directory: string, report: Report, created: Run['created'], repeat?: Repeat): void {
  makeDirectory(directory);
  for (const [name, text] of Object.entries(filesOf(report, created, repeat))) {
    writeFileSync(join(directory, name), text);
  }
}

/** The exchanges of passed cases would make most of the file. `traffic.har` has them. */
function withoutPassed(report: Report): Report {
  const cases = report.cases.map((one) => (one.status === 'passed' ? { ...one, exchanges: [] } : one));
  return { ...report, cases };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function junitOf(report: Report): string {
  const suites = Array.from(
    Map.groupBy(report.cases, ({ family }) => family),
    ([family, cases]) =>
      element(
        'testsuite',
        { name: family, timestamp: report.started_at, ...countsOf(cases) },
        cases.map((one) => testCase(one, report.findings)),
      ),
  );
  const attributes = { name: `Product Passport Service API ${report.contract_version}`, ...countsOf(report.cases) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, suites)}\n`;
}

/** JUnit has neither expected failures nor checks that were not exercised. Both are skipped. */
function outcomeOf(one: ReportedCase): 'passed' | 'failure' | 'error' | 'skipped' {
  if (isFault(one)) return 'failure';
  if (one.status === 'error' || one.status === 'passed') return one.status;
  return 'skipped';
}

function countsOf(cases: readonly ReportedCase[]): Record<string, string | number> {
  const count = (outcome: string) => cases.filter((one) => outcomeOf(one) === outcome).length;
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: secondsOf(cases),
  };
}

function testCase(one: ReportedCase, findings: Report['findings']): string {
  const attributes = { classname: one.family, name: `${one.id}: ${one.title}`, time: secondsOf([one]) };
  const outcome = outcomeOf(one);
  if (outcome === 'passed') return element('testcase', attributes, []);
  const titles = findings.filter(({ cases }) => cases.includes(one.id)).map(({ title }) => title);
  const reason = { message: (titles.length > 0 ? titles : one.reasons).join('\n'), type: statusWordOf(one) };
  return element('testcase', attributes, [
    element(outcome, outcome === 'skipped' ? {} : reason, []),
    element('system-out', {}, [escaped(outputOf(one), /[&<>\r]/g)]),
  ]);
}

function element(name: string, attributes: Record<string, string | number>, content: readonly string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value), /[&<"\s]/g)}"`);
  return `<${name}${written.join('')}>${content.join('\n')}</${name}>`;
}

/** XML has no form for most control characters and for lone surrogates. */
function escaped(text: string, special: RegExp): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(special, (character) => (character === ' ' ? character : `&#${character.codePointAt(0)};`));
}

function outputOf(one: ReportedCase): string {
  const { reasons, warnings, source, clause, claim, set, edition, exchanges } = one;
  const lines = [
    statusWordOf(one),
    ...reasons,
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...(source === '' ? [] : [`Source: ${source}`]),
    ...(clause === '' ? [] : [`Where: ${placeIn(one)}`, `Claim: ${claim}, ${edition}`]),
    ...(set === undefined ? [] : [`Requirements: ${set}`]),
    ...exchanges.map(({ curl, response, failure }) => `${curl}\n  ${response?.status ?? failure ?? 'no response'}`),
  ];
  return lines.join('\n');
}

function secondsOf(cases: readonly ReportedCase[]): number {
  return cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
}

export function harOf({ suite_version, cases, state_requests }: Report): object {
  // A request that serves several cases is reported once.
  const ids = new Map<ReportedExchange, string[]>(state_requests.map((exchange) => [exchange, ['state URL']]));
  for (const { id, exchanges } of cases) {
    for (const exchange of exchanges) ids.set(exchange, [...(ids.get(exchange) ?? []), id]);
  }
  const inOrder = [...ids].sort(([one], [other]) => one.sent_at.localeCompare(other.sent_at));
  return {
    log: {
      version: '1.2',
      creator: { name: '@product-passport/contracts', version: suite_version },
      entries: inOrder.map(([exchange, caseIds]) => entryOf(exchange, caseIds)),
    },
  };
}

/** -1 means unknown. A request without a response has status 0. */
function entryOf({ sent_at, milliseconds, request, response, failure }: ReportedExchange, caseIds: string[]): object {
  const { method, url, headers, body } = request;
  const received = response ?? { status: 0, headers: {}, body: '' };
  return {
    startedDateTime: sent_at,
    time: milliseconds,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairsOf(headers),
      queryString: queryOf(url),
      ...(body === undefined ? {} : { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
      headersSize: -1,
      bodySize: body === undefined ? 0 : -1,
    },
    response: {
      status: received.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairsOf(received.headers),
      content: {
        size: Buffer.byteLength(received.body),
        mimeType: received.headers['content-type'] ?? '',
        text: received.body,
      },
      redirectURL: received.headers.location ?? '',
      headersSize: -1,
      bodySize: -1,
      ...(failure === undefined ? {} : { comment: failure }),
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    comment: [...new Set(caseIds)].join(', '),
  };
}

function pairsOf(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function queryOf(url: string) {
  const [, query = ''] = url.split('?', 2);
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}
