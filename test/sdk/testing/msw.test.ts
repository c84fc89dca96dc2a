/** The fake service behind Mock Service Worker 2 and 3, with the lines of the README. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { http as http2 } from 'msw';
import { setupServer as setupServer2 } from 'msw/node';
import { http as http3 } from 'msw3';
import { setupServer as setupServer3 } from 'msw3/node';
import { createClient } from '../../../sdk/src/index.ts';
import { createFakeService } from '../../../sdk/src/testing.ts';
import { root } from '../../support/program.ts';

test('the README has the lines of this test', () => {
  const lines = [
    'const service = createFakeService();',
    "const handler = http.all('http://passports.test/*', ({ request }) => service.fetch(request));",
    'const worker = setupServer(handler);',
  ];
  expect(readFileSync(join(root, 'sdk/README.md'), 'utf8')).toContain(lines.join('\n'));
});

interface Worker {
  listen(): unknown;
  close(): unknown;
}

async function useThrough(worker: Worker, { provider }: ReturnType<typeof createFakeService>): Promise<void> {
  worker.listen();
  try {
    const client = createClient({ baseUrl: provider.base_url, apiKey: provider.tenants[0]?.api_key ?? '' });
    const { slug } = await client.products.create({ name: 'Fahrradklingel' });
    await client.passports.put(slug, [{ field_key: 'product_weight', value: 80, unit: 'g' }]);
    expect((await client.passports.get(slug)).values).toMatchObject([{ field_key: 'product_weight', value: 80 }]);
    const refused = await fetch(`${provider.base_url}/me`);
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: { code: 'invalid_api_key' } }]);
  } finally {
    await worker.close();
  }
  await expect(fetch(`${provider.base_url}/me`)).rejects.toThrow('fetch failed');
}

test('MSW 2 passes the requests of a program to the fake service', async () => {
  const service = createFakeService();
  const handler = http2.all('http://passports.test/*', ({ request }) => service.fetch(request));
  await useThrough(setupServer2(handler), service);
});

test('MSW 3 does, too', async () => {
  const service = createFakeService();
  const handler = http3.all('http://passports.test/*', ({ request }) => service.fetch(request));
  await useThrough(setupServer3(handler), service);
});
