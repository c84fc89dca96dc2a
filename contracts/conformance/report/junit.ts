/** `junit.xml`: a suite for each family. */
import { addressOfClause } from './clause.ts';
import type { Report, ReportedCase } from './report.ts';
import { isFault, statusWordOf, statusWords } from './words.ts';

export function junitOf(report: Report): string {
  const suites = Array.from(
    Map.groupBy(report.cases, ({ family }) => family),
    ([family, cases]) =>
      element('testsuite', { name: family, timestamp: report.started_at, ...countsOf(cases) }, cases.map(testCase)),
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

function testCase(one: ReportedCase): string {
  const attributes = { classname: one.family, name: `${one.id}: ${one.title}`, time: secondsOf([one]) };
  const outcome = outcomeOf(one);
  if (outcome === 'passed') return element('testcase', attributes, []);
  const reason = { message: one.reasons.join('\n'), type: statusWords[one.status] };
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
  const { reasons, warnings, clause, exchanges } = one;
  const lines = [
    statusWordOf(one),
    ...reasons,
    ...warnings.map((warning) => `Warning: ${warning}`),
    `Clause: ${addressOfClause(clause)}`,
    ...exchanges.map(({ curl, response, failure }) => `${curl}\n  ${response?.status ?? failure ?? 'no response'}`),
  ];
  return lines.join('\n');
}

function secondsOf(cases: readonly ReportedCase[]): number {
  return cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
}
