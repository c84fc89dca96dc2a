/** The fake service makes its resources from the contract: a field of a later contract needs no change in it. */
import { beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { contractOf, readDocument } from '../../../openapi/src/index.ts';
import type { FakeService } from '../../../sdk/src/testing.ts';
import { samplesOf } from '../../../tools/samples.ts';
import { root } from '../../support/program.ts';

interface WrittenSchema {
  readonly properties: Record<string, object>;
}

/** The contract with another field of products, and another one of values. */
function laterContract() {
  const document = structuredClone(readDocument()) as { components: { schemas: Record<string, WrittenSchema> } };
  const add = (schema: string, fields: Record<string, object>) =>
    Object.assign(document.components.schemas[schema]?.properties ?? {}, fields);
  add('CreateProduct', { colour: { type: ['string', 'null'] } });
  add('ProductListItem', { colour: { type: ['string', 'null'] } });
  for (const schema of ['PassportValueInput', 'PassportValue']) {
    add(schema, { checked_by: { type: 'string', enum: ['nobody', 'expert'], default: 'nobody' } });
  }
  return contractOf(document);
}

/** The fake service as `npm run generate` would make it for a contract. */
async function serviceFor(contract: ReturnType<typeof contractOf>): Promise<FakeService> {
  const { outputFiles } = await build({
    entryPoints: [`${root}/sdk/src/testing/service/index.ts`],
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [
      {
        name: 'generated',
        setup({ onLoad }) {
          onLoad({ filter: /generated\/samples\.ts$/ }, () => ({ contents: samplesOf(contract), loader: 'ts' }));
        },
      },
    ],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? '').toString('base64');
  const { createFakeService } = await import(`data:text/javascript;base64,${code}`);
  return createFakeService();
}

let service: FakeService;
beforeAll(async () => {
  service = await serviceFor(laterContract());
});

async function send(method: string, path: string, body?: unknown) {
  const { base_url, tenants } = service.provider;
  const headers = { authorization: `Bearer ${tenants[0]?.api_key}`, 'content-type': 'application/json' };
  const response = await service.fetch(base_url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: await response.json() };
}

test('a new field of a product is stored and shown, and null if it is not set', async () => {
  expect(await send('POST', '/products', { name: 'Red', colour: 'red' })).toMatchObject({ json: { colour: 'red' } });
  expect(await send('POST', '/products', { name: 'Plain' })).toMatchObject({ json: { colour: null } });
  expect(await send('GET', '/products/red')).toMatchObject({ json: { colour: 'red', model: null } });
  const { json } = await send('GET', '/products?search=red');
  expect(json.items).toEqual([expect.objectContaining({ slug: 'red', colour: 'red' })]);
  expect(await send('POST', '/products', { name: 'Wrong', colour: 7 })).toMatchObject({ status: 400 });
});

test('a new field of a value is stored and shown, or has its default', async () => {
  const values = [
    { field_key: 'a', value: 1, checked_by: 'expert' },
    { field_key: 'b', value: 2 },
  ];
  await send('POST', '/products', { name: 'Checked' });
  expect(await send('PUT', '/products/checked/passport', values)).toMatchObject({ json: { updated: 2 } });
  const { json } = await send('GET', '/products/checked/passport');
  expect(json.values).toMatchObject([{ checked_by: 'expert' }, { checked_by: 'nobody' }]);
  const wrong = [{ field_key: 'a', value: 1, checked_by: 'anybody' }];
  expect(await send('PUT', '/products/checked/passport', wrong)).toMatchObject({ status: 400 });
});
