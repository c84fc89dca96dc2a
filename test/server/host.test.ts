import { beforeAll, expect, test } from '@jest/globals';
import type { Client } from './client.ts';
import { useService } from './service.ts';
import { exchange } from './wire.ts';

const service = useService('SQLite');
let client: Client;
beforeAll(async () => {
  client = await service.newTenant();
  await client.create('Tasse');
});

async function statusOf(host: string, path: string): Promise<number> {
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${client.key}`, 'Connection: close'];
  const answer = await exchange(service.port, `${lines.join('\r\n')}\r\n\r\n`);
  // Refused as no HTTP, and by no operation.
  service.judge(answer.status === 400 ? {} : { method: 'GET', path }, answer);
  return answer.status;
}

test.each(['a b', '[', 'x:y:z', '<x>', 'x:99999999'])(
  'the Host %j, which is none, is invalid_request',
  async (host) => {
    for (const path of ['/api/v1/products', '/api/v1/products/.', '/api/v1/products/%ff', '/01/9520001000010']) {
      expect(await statusOf(host, path)).toBe(400);
    }
  },
);

test.each(['', 'x', 'x:1', '[::1]:80', 'EXAMPLE.org.'])('the Host %j is none of our business', async (host) => {
  expect(await statusOf(host, '/api/v1/products/tasse')).toBe(200);
  expect(await statusOf(host, '/api/v1/products/.')).toBe(404);
});
