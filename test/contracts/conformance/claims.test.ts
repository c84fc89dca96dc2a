/** The cases of a path below a root that has the name of a claim: they need this claim, and `reference`. */
import { expect, test } from '@jest/globals';
import { contractOf, readDocument } from '@product-passport/openapi';
import { suiteOf } from '../../../contracts/conformance/cases/index.ts';
import type { Claim } from '../../../contracts/conformance/claims.ts';
import { generatedFacts } from '../../../contracts/conformance/generation/cases.ts';
import { choiceOf } from '../../../contracts/conformance/run.ts';

test('run only if the provider makes both claims', () => {
  const document = structuredClone(readDocument()) as Record<'paths' | 'x-responses-beside-operations', object>;
  const { get } = Reflect.get(document.paths, '/.well-known/gs1resolver');
  Object.assign(document.paths, { '/digital-link/v1/description': { get: { ...get, operationId: 'getSecond' } } });
  Object.assign(document['x-responses-beside-operations'], { '/digital-link/v1': {} });
  const contract = contractOf(document);
  const { cases, wholeRunCases } = suiteOf(contract);
  const all = [...cases, ...wholeRunCases, ...generatedFacts(contract)];
  const own = all.filter(({ id }) => /getSecond|digital-link-v1/.test(id));
  expect(own.map(({ id }) => id)).toEqual([
    'HTTP-4.digital-link-v1',
    'HTTP-3.getSecond',
    'HTTP-3.options-getSecond',
    'HTTP-3.head-getSecond',
    'LEAK-4.getSecond',
    'LEAK-4.getSecond-keys',
    'HTTP-7.getSecond',
  ]);
  const chosen = (...claims: Claim[]) => own.filter(choiceOf({ claims }));
  expect([chosen('core', 'public', 'reference'), chosen('core', 'public', 'digital-link')]).toEqual([[], []]);
  expect(chosen('reference', 'digital-link')).toEqual(own);
});
