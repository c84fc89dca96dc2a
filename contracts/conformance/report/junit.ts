/** `junit.xml`: a suite for each family. */
import exported, { type Builder, type TestCase } from 'junit-report-builder';
import { addressOfClause } from './clause.ts';
import type { Report, ReportedCase } from './report.ts';
import { isFault, statusWordOf, statusWords } from './words.ts';

// The package's types describe its builder as a member `default` of the module, which is the builder itself.
const builder = exported as unknown as Builder;

export function junitOf(report: Report): string {
  const suites = builder.newBuilder().name(`Product Passport Service API ${report.contract_version}`);
  for (const [family, cases] of Map.groupBy(report.cases, ({ family }) => family)) {
    const suite = suites.testSuite().name(family).timestamp(report.started_at).time(secondsOf(cases));
    for (const one of cases) {
      const testCase = suite
        .testCase()
        .className(family)
        .name(`${one.id}: ${one.title}`)
        .time(secondsOf([one]));
      addOutcome(testCase, one);
    }
  }
  return suites.build();
}

/** JUnit has neither expected failures nor checks that were not exercised. Both are skipped. */
function addOutcome(testCase: TestCase, one: ReportedCase): void {
  const reasons = one.reasons.join('\n');
  if (isFault(one)) testCase.failure(reasons, statusWords[one.status]);
  else if (one.status === 'error') testCase.error(reasons, statusWords[one.status]);
  else if (one.status !== 'passed') testCase.skipped();
  if (one.status !== 'passed') testCase.standardOutput(outputOf(one));
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
  // The end of a CDATA section.
  return lines.join('\n').replaceAll(']]>', ']] >');
}

function secondsOf(cases: readonly ReportedCase[]): number {
  return cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
}
