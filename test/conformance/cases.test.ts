/** The cases: each has an id of its own, and a clause that exists in openapi.yaml. */
import { describe, expect, test } from '@jest/globals';
import { connectInProcess } from '../../contracts/conformance/http/in-process.ts';
import { loadedSuite, verify } from '../../contracts/conformance/verify.ts';
import { member, readDocument } from '../../openapi/src/index.ts';
import { createFakeService } from '../../sdk/src/testing/service/index.ts';

const { suite } = loadedSuite();
const cases = [...suite.cases, ...suite.wholeRunCases].map(({ id, claim, clause, title }) => ({
  id,
  claim,
  clause,
  title,
}));
const byId = new Map(cases.map((one) => [one.id, one]));

/** What a JSON pointer (RFC 6901) leads to. */
function targetOf(pointer: string, document: unknown): unknown {
  const steps = pointer.split('/').slice(1);
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>(
    (node, name) => (Array.isArray(node) ? node[Number(name)] : member(node, name)),
    document,
  );
}

describe('each case', () => {
  test('has an id of its own', () => {
    expect(byId.size).toBe(cases.length);
    expect(cases.length).toBeGreaterThan(500);
  });

  test('has an id made of a family and a name', () => {
    expect(cases.map(({ id }) => id).filter((id) => !/^[A-Z][A-Z0-9]*-\d+\.[\w-]+$/.test(id))).toEqual([]);
  });

  test('names a clause that openapi.yaml has', () => {
    const document = readDocument();
    const dangling = cases.filter(({ clause }) => !clause.startsWith('/') || targetOf(clause, document) === undefined);
    expect(dangling.map(({ id, clause }) => `${id}: ${clause}`)).toEqual([]);
  });

  test('says in one sentence what the provider must do', () => {
    const wrong = cases.filter(({ title }) => !/^\S[^\n]*\.$/.test(title));
    expect(wrong.map(({ id, title }) => `${id}: ${title}`)).toEqual([]);
  });
});

const siteUrl = 'http://passports.test';

test('a provider that accepts field keys only in products of their group is conformant', async () => {
  const service = createFakeService({ siteUrl });
  const { field_keys: _, ...provider } = service.provider;
  const connection = connectInProcess(async (request) => {
    if (request.method !== 'PUT') return service.fetch(request);
    const product = await service.fetch(request.url.replace(/\/passport$/, ''), { headers: request.headers });
    const { product_group } = await product.json();
    // The only product with values at the start is in this group.
    if (product.status !== 200 || product_group === 'other') return service.fetch(request);
    return Response.json({ error: { code: 'unknown_field', message: 'Unknown field.' } }, { status: 400 });
  }, siteUrl);
  const { results, verdict } = await verify({ provider, claims: ['core'], connection, seed: 1, generated: 0 });
  const wrong = results.filter(({ status }) => status !== 'passed');
  expect(wrong.map(({ id, reasons }) => `${id}: ${reasons[0]}`)).toEqual([]);
  expect(verdict).toBe('conformant');
});
