import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readContract } from '../../../openapi/src/index.ts';
import { type Call, type Client, useService } from '../../support/service.ts';
import { exchange, type RawAnswer } from '../../support/wire.ts';

const { operations } = readContract();
const values: Record<string, string> = {
  ...{ slug: 'tasse', tenant: 'mandant-1', product: 'tasse' },
  ...{ gtin: '9520001000010', cpv: '2A', batch: 'LOT-42', serial: 'SN001', tpx: 'TPX-7' },
};
const reading = operations
  .filter(({ method }) => method === 'GET')
  .map(({ path }): Call => ({ path: path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '') }));
const product = '/api/v1/products/tasse';
const tooLarge = Buffer.alloc(2 ** 20 + 1, ' ');

const service = useService('SQLite');
let client: Client;
beforeAll(async () => {
  client = await service.newTenant();
  await client.create({ name: 'Tasse', gtin: '9520001000010' });
  await service.activate(client, 'tasse');
});

describe('paths', () => {
  test.each([
    ['/api/v1/productz', ' Did you mean /api/v1/products?'],
    ['/api/v1/products/tasse/carrier', ' Did you mean /api/v1/products/{slug}/carriers?'],
    ['/api/v2/products', ' Did you mean /api/v1/products?'],
    ['/api/v1/nothing', ''],
    [`/api/v1/${'x'.repeat(5000)}`, ''],
    [`/api/v1/products/${'x'.repeat(300)}/carrier`, ''],
  ])(
    'the 404 of an unknown path names the nearest path of the contract, and not the own one: %.40s',
    async (path, nearest) => {
      const { json } = await client.call({ path });
      const message = `This path does not exist.${nearest} /docs lists the paths of the API.`;
      expect(json).toEqual({ error: { code: 'not_found', message } });
    },
  );

  test.each(['%zz', '%', '%f', '%ff', '%00', '%c3%28', '%ed%a0%80', 'tasse%00', 'tasse%2f'])(
    'the slug %s in a path is not_found',
    async (part) => {
      const path = encodeURI(part).replaceAll('%25', '%');
      expect((await client.call({ path: `/api/v1/products/${path}/carriers` })).outcome).toBe('404 not_found');
      expect((await client.call({ path: `/p/mandant-1/${path}` })).status).toBe(404);
      expect((await client.call({ path: `/p/${path}/tasse` })).status).toBe(404);
      expect((await client.call({ path: `/p/${path}/tasse/jsonld` })).outcome).toBe('404 not_found');
      expect((await client.call({ path: `/01/${path}` })).outcome).toMatch(/^400 invalid_(gtin|request)$/);
    },
  );

  test('a byte order mark next to an invalid escape stays in the path', async () => {
    const page = await client.call({ path: '/p/%ef%bb%bf/%ff' });
    expect([page.status, page.headers['access-control-allow-origin']]).toEqual([404, '*']);
  });

  test('unnecessary percent-encoding changes nothing', async () => {
    expect((await client.call({ path: '/api/v1/products/%74asse' })).outcome).toBe('200');
  });
});

describe('headers', () => {
  test('headers that the server does not use change nothing', async () => {
    const headers = {
      cookie: 'a=b; =; "',
      range: 'bytes=0-1',
      'if-modified-since': new Date().toUTCString(),
      'x-forwarded-host': 'evil.example',
      'x-http-method-override': 'DELETE',
      origin: 'https://evil.example',
      expect: '200-ok',
    };
    for (const call of reading)
      expect((await client.call({ ...call, headers })).outcome).toBe((await client.call(call)).outcome);
  });

  test('the body of a GET request is ignored', async () => {
    for (const call of reading)
      for (const body of ['{', tooLarge])
        expect((await client.call({ ...call, body })).outcome).toBe((await client.call(call)).outcome);
  });
});

describe('the order of the checks', () => {
  const text = { 'content-type': 'text/plain' };
  const post = { method: 'POST', path: '/api/v1/products' };
  const put = { method: 'PUT', path: `${product}/passport` };
  const cases: { what: string; call: Call; outcome: string }[] = [
    { what: '404 of a path before 413', call: { ...post, path: '/api/v1/none', body: tooLarge }, outcome: '404' },
    { what: '405 before 413 and 415', call: { ...post, path: product, body: tooLarge, headers: text }, outcome: '405' },
    { what: '413 before 415', call: { ...post, body: tooLarge, headers: text }, outcome: '413' },
    { what: '413 before 400', call: { ...put, body: tooLarge }, outcome: '413' },
    {
      what: '413 before 404 of a product',
      call: { ...put, path: `${product}-2/passport`, body: tooLarge },
      outcome: '413',
    },
    { what: '415 before 400', call: { ...post, body: '{', headers: text }, outcome: '415' },
    {
      what: '415 before 404 of a product',
      call: { ...put, path: `${product}-2/passport`, body: '[]', headers: text },
      outcome: '415',
    },
    { what: '400 before 404 of a product', call: { ...put, path: `${product}-2/passport`, body: '{' }, outcome: '400' },
  ];
  test.each(cases)('$what', async ({ call, outcome }) => {
    expect((await client.call(call)).outcome).toMatch(new RegExp(`^${outcome} `));
  });
});

describe('the header Host', () => {
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
    const lines = [
      `GET ${target} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${client.key}`,
      'Connection: close',
    ];
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

  test.each(['a b', '[', 'x:y:z', 'x/../y?zugang=geheim#', 'x?offset=x#', 'x\\..\\y', 'user:password@x', 'a\tb'])(
    'the invalid Host %j is invalid_request',
    async (host) => {
      for (const path of Object.keys({ ...found, ...notFound }))
        expect([path, await statusOf(host, path)]).toEqual([path, 400]);
    },
  );

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

  test.each(['http://[/p/mandant-1/tasse?zugang=geheim', 'http://x:99999/%ff', 'mailto:%ff', '*', '%ff', '?'])(
    'the invalid request target %s is invalid_request',
    async (target) => {
      const response = await responseTo(target, 'x');
      service.judge({}, response);
      expect(response.status).toBe(400);
    },
  );
});
