/** The matrix of docs/reference/contract-coverage.md. `npm run check:coverage` makes it anew. */
import { describe, expect, test } from '@jest/globals';
import type { Exchange } from '../../contracts/conformance/http/exchange.ts';
import { filledBy } from '../../contracts/coverage/columns.ts';
import { pageOf } from '../../contracts/coverage/page.ts';
import { faultsOf, readReasons } from '../../contracts/coverage/reasons.ts';
import { nameOf, rowsOf } from '../../contracts/coverage/rows.ts';
import { createJudge } from '../../contracts/judge/judge.ts';
import { readContract } from '../../openapi/src/index.ts';

const contract = readContract();
const { operations } = createJudge(contract);
const all = rowsOf(operations);

/** A run of the suite with one request. */
const exchanges = (method: string, path: string, status: number, text = ''): Exchange[] => [
  {
    ...{ caseId: '', purpose: 'valid', sentAt: '', milliseconds: 0 },
    request: { method, path, headers: {} },
    response: { status, headers: {}, text },
  },
];

describe('the columns', () => {
  test.each([
    ['GET', '/api/v1/me', 200, '{}', 'getMe 200'],
    ['HEAD', '/api/v1/products/', 200, '', 'listProducts 200'],
    ['POST', '/api/v1/products', 400, '{"error": {"code": "name_required"}}', 'createProduct 400 name_required'],
    ['GET', '/01/96385074/21/A?linkType=linkset', 200, '{}', 'resolveGtinSerial 200'],
    ['GET', '/01/96385074/99/A', 400, '{"error": {"code": "invalid_request"}}', 'resolveGtin 400 invalid_request'],
  ])('verify has %s %s %s', (method, path, status, text, name) => {
    const { verify } = filledBy({ contract, operations, exchanges: exchanges(method, path, status, text) });
    expect([...verify]).toEqual([name]);
    expect(all.map(nameOf)).toContain(name);
  });

  test('have responses of the contract only', () => {
    const { example, Prism, pact } = filledBy({ contract, operations, exchanges: [] });
    const names = new Set(all.map(nameOf));
    for (const column of [example, Prism, pact]) {
      expect(column.size).toBeGreaterThan(50);
      expect([...column].filter((name) => !names.has(name))).toEqual([]);
    }
  });
});

describe('an empty cell', () => {
  const rows = [
    { operationId: 'getMe', status: 401, code: 'unauthorized' },
    { operationId: 'getMe', status: 500, code: 'internal_error' },
  ];
  const names = rows.map(nameOf);
  const full = new Set(names);
  const filled = { example: full, Prism: full, pact: full, verify: new Set(names.slice(0, 1)), server: full };
  const reason = { column: 'verify', status: 500, reason: 'A black box cannot break the provider.' } as const;

  test('with a reason is no fault, and the page shows the number of the reason', () => {
    expect(faultsOf(rows, filled, [reason])).toEqual([]);
    const page = pageOf(rows, filled, [reason]);
    expect(page).toContain('\n| getMe | 401 | unauthorized | ✓ | ✓ | ✓ | ✓ | ✓ |\n');
    expect(page).toContain('\n| getMe | 500 | internal_error | ✓ | ✓ | ✓ | 1 | ✓ |\n');
    expect(page).toContain('\n1. A black box cannot break the provider.\n');
  });

  test('without a reason is a fault', () => {
    expect(faultsOf(rows, filled, [])).toEqual([
      'verify lacks getMe 500 internal_error. Fill it, or give the reason in contracts/coverage-reasons.json.',
    ]);
  });

  test('with two reasons is a fault', () => {
    const again = { ...reason, operations: ['getMe'], codes: ['internal_error'] };
    expect(faultsOf(rows, filled, [reason, again])).toEqual([
      'verify has several reasons for getMe 500 internal_error. Keep one.',
    ]);
  });

  test('that is filled makes its reason a fault', () => {
    expect(faultsOf(rows, { ...filled, verify: full }, [reason])).toEqual([
      'verify has getMe 500 internal_error. Remove the reason for its absence.',
    ]);
  });

  test('that the contract no longer has makes its reason a fault', () => {
    const idle = { ...reason, status: 418 };
    expect(faultsOf(rows, filled, [reason, idle])).toEqual([
      'No response matches this reason, remove it: verify 418: A black box cannot break the provider.',
    ]);
  });
});

test('the committed reasons are those of the cells that openapi.yaml and the pact leave empty', () => {
  const filled = { ...filledBy({ contract, operations, exchanges: [] }), verify: new Set(all.map(nameOf)) };
  const reasons = readReasons().filter(({ column }) => column !== 'verify');
  expect(faultsOf(all, filled, reasons)).toEqual([]);
});
