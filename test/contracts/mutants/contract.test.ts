import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { serviceWithStates } from '../../../contracts/conformance/plan.ts';
import { verify } from '../../../contracts/conformance/verify.ts';
import { contractEdits } from '../../../contracts/mutants/contract.ts';
import { checkMatrix, type Row } from '../../../contracts/mutants/matrix.ts';
import { together } from '../../../contracts/mutants/provider/change.ts';
import { encodings, inTurn, otherWays } from '../../../contracts/mutants/provider/unusual.ts';
import { consumerFindings, loadSdk, sdkEdits, whyUnnoticed } from '../../../contracts/mutants/sdk.ts';
import { contractRows } from '../../../tools/contract-mutants.ts';
import { serveFetch } from '../../support/serve.ts';

let rows: readonly Row[] = [];

beforeAll(async () => {
  rows = await contractRows(contractEdits);
}, 400_000);

describe('a mistake in the contract is noticed', () => {
  test.each(contractEdits.map((edit, index) => ({ ...edit, index })))('$id: $mistake', ({ index }) => {
    expect(Object.values(rows[index]?.noticed ?? {})).toContainEqual(expect.any(String));
  });

  test('by each rule of the lint, except those that Redocly has anyway', () => {
    const { rules }: { rules: object } = parse(readFileSync('tools/redocly.yaml', 'utf8'));
    const own = Object.keys(rules).filter((name) => /^(contract|rule)[/]|^parameter-/.test(name));
    const noticing = new Set(rows.flatMap(({ noticed }) => noticed.lint?.split(', ') ?? []));
    expect(own.filter((rule) => !noticing.has(rule))).toEqual([]);
    expect(own.length).toBeGreaterThan(10);
  });

  test('contracts/mutants/README.md has the matrix', () => checkMatrix(rows));
});

test('a provider with every unusual way on the wire is conformant over HTTP', async () => {
  let handler = async (_request: Request): Promise<Response> => new Response(null, { status: 503 });
  const { url, close } = await serveFetch((request) => handler(request));
  try {
    const service = await serviceWithStates({ siteUrl: url });
    handler = together([inTurn(encodings), ...otherWays.map(({ change }) => change)])(service);
    const { verdict, results } = await verify({ provider: service.provider, seed: 1, generated: 0 });
    const wrong = results.filter(({ status }) => status !== 'passed');
    expect(wrong.map(({ id, status, reasons }) => ({ id, status, reasons }))).toEqual([]);
    expect(verdict).toBe('conformant');
  } finally {
    await close();
  }
});

describe('the consumer tests', () => {
  test('pass for the SDK without a mistake', async () => {
    expect(await consumerFindings(await loadSdk())).toEqual([]);
  });

  test.each(sdkEdits)('notice $id: $mistake', async (edit) => {
    expect(await whyUnnoticed(edit)).toBeUndefined();
  });
});
