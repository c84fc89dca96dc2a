/** What verify prints while it runs and at its end, on a terminal and in a pipe. */
import { describe, expect, test } from '@jest/globals';
import { progressOn } from '../../contracts/conformance/cli/progress.ts';
import { repeatCommand } from '../../contracts/conformance/cli/verify.ts';
import { reportOf } from '../../contracts/conformance/report/report.ts';
import { everyStatus, provider, runWith } from '../support/conformance-run.ts';

const run = runWith(everyStatus);

/** The writes to a stream, one by one. */
function writesOf(stream: { isTTY?: boolean; columns?: number }): string[] {
  const writes: string[] = [];
  const progress = progressOn({ ...stream, write: (text) => writes.push(text) });
  for (const [index, result] of run.results.entries()) progress.onResult(result, index + 1, run.results.length);
  progress.end(reportOf(run, provider), { reportFile: 'out/report.html', repeat: (id) => `verify --only ${id}` });
  return writes;
}

const end = `
1. limit must be 3, is 50
  Clause: openapi.yaml#/paths/~1api~1v1~1products/get
  Failed: PAGE-1.echo: The response repeats limit and offset of the request.
    Warning: 200: surplus field \`extra\`
  Repeat: verify --only PAGE-1.echo

2. The case passes. Remove the line.
  Clause: openapi.yaml#/paths/~1api~1v1~1products/get
  Unexpected pass: PAGE-2.limit-1: The response repeats limit and offset of the request.
  Repeat: verify --only PAGE-2.limit-1

  Suite error: PAGE-3.past: The response repeats limit and offset of the request.
    Reason: TypeError: x is undefined
  Repeat: verify --only PAGE-3.past

Skipped:
  Add a second tenant with its key to \`tenants\` in the provider file.
    TEN-1.other

not conformant: 2 cases failed.
1 passed, 1 failed, 1 skipped, 1 suite error, 1 expected failure, 1 unexpected pass
Report: out/report.html
`;

test('a terminal shows one line that is rewritten, and then the findings', () => {
  const lines = writesOf({ isTTY: true, columns: 80 });
  expect(lines.slice(0, 3)).toEqual([
    '\r\u001b[K1 of 6 cases · Paging · 0 failed',
    '\r\u001b[K2 of 6 cases · Paging · 1 failed',
    '\r\u001b[K3 of 6 cases · Products of another tenant · 1 failed',
  ]);
  expect(lines[5]).toContain('6 of 6 cases · Bounds of limit and offset · 2 failed');
  expect(lines.slice(0, 6).join('')).not.toContain('\n');
  expect(lines.slice(6).join('')).toBe(`\r\u001b[K${end}`);
});

test('the line fits a narrow terminal', () => {
  for (const line of writesOf({ isTTY: true, columns: 20 }).slice(0, 6)) {
    expect(line.replace('\r\u001b[K', '').length).toBeLessThan(20);
  }
});

test('a pipe gets plain lines for what failed, and the same findings: skipped cases stand only there', () => {
  const text = writesOf({}).join('');
  expect(text).not.toContain('\r');
  expect(text).not.toContain('\u001b');
  expect(text.slice(0, -end.length).trim().split('\n')).toEqual([
    'failed PAGE-1.echo: The response repeats limit and offset of the request.',
    'error PAGE-3.past: The response repeats limit and offset of the request.',
    'expected-failure PAGE-2.limit-0: The response repeats limit and offset of the request.',
    'unexpected-pass PAGE-2.limit-1: The response repeats limit and offset of the request.',
  ]);
  expect(text.endsWith(end)).toBe(true);
});

describe('the command that repeats a case', () => {
  test('has the words of the command that ran, and shell quotes where they are needed', () => {
    const typed = ['verify', '--provider', 'my file.json', '--claim', 'core', '--start', "npm run it's"];
    expect(repeatCommand(typed, 'PAGE-1.echo', 7)).toBe(
      `npx @product-passport/contracts verify --provider 'my file.json' --claim core --start 'npm run it'\\''s' --seed 7 --only PAGE-1.echo`,
    );
  });

  test('replaces --only and --seed, and does not overwrite the report', () => {
    const typed = [
      'verify',
      '--only',
      'PAGE',
      '--base-url=http://x/api/v1',
      '--seed=3',
      '--report',
      'out',
      '--read-only',
    ];
    expect(repeatCommand(typed, 'PAGE-1.echo', 3)).toBe(
      'npx @product-passport/contracts verify --base-url=http://x/api/v1 --read-only --seed 3 --only PAGE-1.echo',
    );
  });

  test('repeats the whole run for a case over all its requests', () => {
    expect(repeatCommand(['verify', '--only', 'HTTP-6.getMe'], 'HTTP-6.getMe', 3)).toBe(
      'npx @product-passport/contracts verify --seed 3',
    );
  });
});
