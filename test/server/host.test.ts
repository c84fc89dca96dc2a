import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../support/client.ts';
import { useService } from '../support/service.ts';
import { exchange, type RawAnswer } from '../support/wire.ts';

const service = useService('SQLite');
let client: Client;
beforeAll(async () => {
  client = await service.newTenant();
  await client.create({ name: 'Tasse', gtin: '9520001000010' });
  await service.activate(client, 'tasse');
});

// None of these requests is a failure, and an empty log cannot leak a token.
afterAll(() => expect(service.logLines).toEqual([]));

async function responseTo(target: string, host: string): Promise<RawAnswer> {
  const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${client.key}`, 'Connection: close'];
  return exchange(service.port, `${lines.join('\r\n')}\r\n\r\n`);
}

async function statusOf(host: string, path: string): Promise<number> {
  const response = await responseTo(path, host);
  // A 400 belongs to no operation: the server could not read the request as HTTP.
  service.judge(response.status === 400 ? {} : { method: 'GET', path }, response);
  return response.status;
}

const found = {
  '/api/v1/products/tasse': 200,
  '/api/v1/products?limit=1': 200,
  '/p/mandant-1/tasse': 200,
  '/p/mandant-1/tasse?zugang=geheim': 200,
  '/p/mandant-1/tasse/jsonld': 200,
  '/01/9520001000010?zugang=geheim': 307,
};
const notFound = { '/api/v1/products/.': 404, '/api/v1/products/%ff': 404, '/p/mandant-1/.': 404, '/none': 404 };

test.each([
  'a b',
  '[',
  'x:y:z',
  '<x>',
  'x:99999999',
  'x/',
  'x/../y?zugang=geheim#',
  'x?zugang=geheim',
  'x?offset=x#',
  'x#',
  '#',
  'x\\..\\y',
  'a@b',
  'user:password@x',
  'a\tb',
  '%2f',
])('the invalid Host %j is invalid_request', async (host) => {
  for (const path of Object.keys({ ...found, ...notFound }))
    expect([path, await statusOf(host, path)]).toEqual([path, 400]);
});

test.each(['', 'x', 'x:1', '[::1]:80', 'EXAMPLE.org.', 'x'.repeat(9000), '%6c', '_x_', '\xfc'])(
  'the Host %j does not affect the response',
  async (host) => {
    for (const [path, status] of Object.entries({ ...found, ...notFound }))
      expect([path, await statusOf(host, path)]).toEqual([path, status]);
    // The server reads only the query of the request line.
    expect((await responseTo('/p/mandant-1/tasse', host)).headers['cache-control']).toBe('no-cache');
  },
);

describe('RFC 9112, section 3.2: more than one Host is invalid_request', () => {
  const targets = [...Object.keys({ ...found, ...notFound }), '/api/v1/none', 'http://x/api/v1/me'];

  test.each([[['x', 'x']], [['x', 'evil.example']], [['x', '']], [['', '']], [['x', 'a b']], [['x', 'x', 'x']]])(
    '%j',
    async (hosts) => {
      for (const version of ['1.1', '1.0'])
        for (const target of targets) {
          const lines = hosts.map((host, index) => `${index === 0 ? 'Host' : 'hOST'}: ${host}\r\n`).join('');
          const head = `GET ${target} HTTP/${version}\r\n${lines}Authorization: Bearer ${client.key}\r\n`;
          const response = await exchange(service.port, `${head}Connection: close\r\n\r\n`);
          service.judge({}, response);
          expect([target, response.status, JSON.parse(response.text).error.code]).toEqual([
            target,
            400,
            'invalid_request',
          ]);
        }
    },
  );
});

test.each([
  'http://[/p/mandant-1/tasse?zugang=geheim',
  'http://[/%ff',
  'http://x:99999/%ff',
  'http:///',
  'mailto:%ff',
  '*',
  '%ff',
  '?',
  '#',
])('the invalid request target %s is invalid_request', async (target) => {
  const response = await responseTo(target, 'x');
  service.judge({}, response);
  expect(response.status).toBe(400);
});
