/** The field keys that the suite finds belong to a template. Some providers refuse them in products of another group. */
import { expect, test } from '@jest/globals';
import { connectInProcess } from '../../contracts/conformance/http/in-process.ts';
import { verify } from '../../contracts/conformance/verify.ts';
import { createFakeService } from '../../sdk/src/testing/service/index.ts';

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
