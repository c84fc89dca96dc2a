import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Client, useService } from '../support/service.ts';
import { exchange } from '../support/wire.ts';

const service = useService('SQLite', { timeouts: { head: 300, body: 300 } });
const open = new Set<Socket>();
let client: Client;
/** While this promise is pending, handlers wait. */
let gate: PromiseWithResolvers<void> | undefined;
/** Settles when a handler waits at the gate. */
let reached = Promise.withResolvers<void>();

beforeAll(async () => {
  client = await service.newTenant();
  await client.create('Tasse');
  service.app.ext('onPreHandler', async (_, h) => {
    reached.resolve();
    await gate?.promise;
    return h.continue;
  });
  service.app.listener.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
});

afterEach(async () => {
  gate?.resolve();
  gate = undefined;
  // After every test all connections are closed, the log is empty, and the next request succeeds.
  await Promise.all([...open].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  expect(service.logLines).toEqual([]);
  const { status } = await exchange(service.port, `GET /01/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(status).toBe(400);
});

/** Returns status and code of the response to these bytes, checked as a response to bytes that are not HTTP. */
async function responseTo(bytes: string | Buffer): Promise<string> {
  const response = await exchange(service.port, bytes);
  service.judge({}, response);
  return `${response.status} ${JSON.parse(response.text).error.code}`;
}

const head = (line: string, ...lines: string[]) => `${[line, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`;
const post = (...lines: string[]) =>
  head(
    'POST /api/v1/products HTTP/1.1',
    `Authorization: Bearer ${client.key}`,
    'Content-Type: application/json',
    ...lines,
  );

describe('bytes that are not HTTP', () => {
  test.each<[string, string | Buffer]>([
    ['words', 'hello\r\n\r\n'],
    ['the beginning of TLS', Buffer.from('16030100a5010000a1030300000000', 'hex')],
    ['an unknown method', head('FROB / HTTP/1.1')],
    ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a space in the path', head('GET /a b HTTP/1.1')],
    ['a header value with a NUL', head('GET / HTTP/1.1', 'X: \0')],
    ['a lone line feed in a header', head('GET / HTTP/1.1', 'X: 1\nY: 2', 'Z: 3\rA: 4')],
    ['two lengths', head('POST / HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2')],
    ['a length and chunks', head('POST / HTTP/1.1', 'Content-Length: 3', 'Transfer-Encoding: chunked')],
    ['chunks inside chunks', head('POST / HTTP/1.1', 'Transfer-Encoding: chunked, identity')],
    ['no Host', 'GET /api/v1/me HTTP/1.1\r\n\r\n'.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')],
    ['CONNECT', head('CONNECT example.com:443 HTTP/1.1')],
  ])('%s get 400', async (_, bytes) => {
    expect(await responseTo(bytes)).toBe('400 invalid_request');
  });

  test('requests with another Host, HTTP/1.0 or an absolute target succeed', async () => {
    for (const bytes of [
      `GET /api/v1/me HTTP/1.1\r\nHost: evil.example:99\r\nConnection: close\r\nAuthorization: Bearer ${client.key}\r\n\r\n`,
      `GET /api/v1/me HTTP/1.0\r\nAuthorization: Bearer ${client.key}\r\n\r\n`,
      head('GET http://x/api/v1/me HTTP/1.1', 'Connection: close', `Authorization: Bearer ${client.key}`),
    ]) {
      const response = await exchange(service.port, bytes);
      service.judge({ path: '/api/v1/me', method: 'GET' }, response);
      expect(response.status).toBe(200);
    }
  });
});

/** `HOSTILE=100000` takes some minutes. */
const hostileRequests = Number(process.env.HOSTILE ?? 500);

test(`${hostileRequests} requests with broken bytes show nothing of another tenant, and cause no error`, async () => {
  // In the name and in a hidden value of the other tenant.
  const canary = 'kanarienvogel';
  const other = await service.newTenant();
  await other.create({ name: canary, slug: 'tasse' });
  await other.write('tasse', [{ field_key: 'x', value: canary, access_level: 'authority' }]);
  const body = '{"name":"Kanne","product_group":"cable","gtin":"9520001000072"}';
  const values = '[{"field_key":"x","value":[1,{"a":"b"}]}]';
  const own = (line: string, content = ''): string => {
    const lines = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`];
    const key = [`Authorization: Bearer ${client.key}`, 'Connection: close', ...(content ? lines : [])];
    return head(`${line} HTTP/1.1`, ...key) + content;
  };
  const whole = fc.constantFrom(
    own('POST /api/v1/products', body),
    own('PUT /api/v1/products/tasse/passport', values),
    own('GET /api/v1/products?limit=5&offset=0&status=draft&search=tasse'),
    own('GET /api/v1/products/tasse/passport'),
    own('GET /api/v1/analytics/scans?days=7'),
    own('HEAD /01/09520001000072/10/LOT-42/21/SN001?linkType=linkset'),
    ...[client, other].map(({ tenant }) => own(`GET /p/${tenant.slug}/tasse?lang=de&zugang=x`)),
    own(`GET /p/${other.tenant.slug}/tasse/jsonld`),
  );
  const noise = fc.uint8Array({ minLength: 1, maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
  const parts = [
    'Host: x\r\n',
    'Transfer-Encoding: chunked\r\n',
    '',
    '\r\n',
    '\r\n\r\n',
    '\0',
    '%00',
    '%ff',
    '{',
    ']',
    '"',
    '-1',
  ];
  const inserted = fc.constantFrom(...parts);
  const edit = fc.tuple(fc.nat(), fc.constantFrom(0, 1, 16, 2000), fc.oneof(inserted, noise));
  const broken = fc.tuple(whole, fc.array(edit, { maxLength: 4 })).map(([text, edits]) =>
    edits.reduce((bytes, [place, length, more]) => {
      const at = place % (bytes.length + 1);
      return bytes.slice(0, at) + more + bytes.slice(at + length);
    }, text),
  );

  /** Sends bytes, half-closes the connection, and returns what the server sends until it closes it. */
  async function received(bytes: string): Promise<string> {
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.setEncoding('latin1').on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.end(bytes, 'latin1');
    await once(socket, 'end').catch(() => undefined);
    socket.destroy();
    return text;
  }

  const requests = fc.sample(broken, { numRuns: hostileRequests, seed: 20_261_127 });
  const statuses = new Set<string>();
  const check = async (bytes: string): Promise<void> => {
    const responses = (await received(bytes)).split(/(?=HTTP\/1\.1 \d{3} )/).filter((text) => text !== '');
    for (const response of responses) {
      const [, status = '', length = '0'] =
        /^HTTP\/1\.1 ([1-4]\d\d) (?:.*content-length: (\d+)\r\n)?/is.exec(response) ?? [];
      const [, text = ''] = response.split(/\r\n\r\n(.*)/s);
      statuses.add(status);
      const isWhole = /^HEAD/.test(bytes) || text.length === Number(length);
      const hasKey = response.includes(client.key);
      expect({ bytes, status, isWhole, hasKey, hasCanary: response.toLowerCase().includes(canary) }).toEqual({
        ...{ bytes, status: expect.stringMatching(/^\d/), isWhole: true, hasKey: false, hasCanary: false },
      });
    }
  };
  for (let start = 0; start < requests.length; start += 16)
    await Promise.all(requests.slice(start, start + 16).map(check));
  expect([...statuses]).toEqual(expect.arrayContaining(['200', '400', '401', '404']));
}, 600_000);

describe('requests that are too large', () => {
  test('headers of more than 16 KiB get 431', async () => {
    const large = (size: number) => head('GET /01/1 HTTP/1.1', 'Connection: close', `X: ${'x'.repeat(size)}`);
    expect(await responseTo(large(16 * 1024))).toBe('431 headers_too_large');
    expect(await responseTo(head('GET / HTTP/1.1', ...Array(2000).fill('X: xxxxxxxx')))).toBe('431 headers_too_large');
    expect(await responseTo(head(`GET /${'x'.repeat(17_000)} HTTP/1.1`))).toBe('431 headers_too_large');
    expect((await exchange(service.port, large(15 * 1024))).status).toBe(400);
  });

  test.each([
    ['2 MB', '2000000'],
    ['more than 2^53 bytes', '9007199254740993'],
    ['more than 2^53 bytes, with leading zeros', `${'0'.repeat(400)}9007199254740993`],
    ['2^64 - 1 bytes', '18446744073709551615'],
  ])('an announced body of %s gets the first error of the checks before it arrives', async (_, length) => {
    const sent = `Content-Length: ${length}`;
    const check = async (bytes: string, about: Parameters<typeof service.judge>[0], outcome: string) => {
      const response = await exchange(service.port, `${bytes}{`);
      service.judge(about, response);
      expect(`${response.status} ${JSON.parse(response.text).error.code}`).toBe(outcome);
      expect(response.headers.connection).toBe('close');
    };
    const link = { path: '/01/09520001200045', method: 'PUT' };
    await Promise.all([
      check(post(sent), { operationId: 'createProduct' }, '413 payload_too_large'),
      check(head('POST /api/v1/products HTTP/1.1', sent), { operationId: 'createProduct' }, '401 invalid_api_key'),
      check(head('POST /api/v1/x HTTP/1.1', sent), { path: '/api/v1/x', method: 'POST' }, '401 invalid_api_key'),
      check(head('POST /none HTTP/1.1', sent), { path: '/none', method: 'POST' }, '404 not_found'),
      check(head(`PUT ${link.path} HTTP/1.1`, sent), link, '405 method_not_allowed'),
    ]);
  });

  test.each<[string, string, string]>([
    ['a length of 400 digits', `Content-Length: ${'9'.repeat(400)}`, '400 invalid_request'],
    ['a length of 2^64', 'Content-Length: 18446744073709551616', '400 invalid_request'],
    ['9 after 400 zeros as the length', `Content-Length: ${'0'.repeat(400)}9`, '408 request_timeout'],
    ['a chunk of 2^64 - 1 bytes', 'Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF', '408 request_timeout'],
  ])('%s and no end gets its error', async (_, line, outcome) => {
    expect(await responseTo(post(line))).toBe(outcome);
  });
});

describe('an unread body', () => {
  test('a body that stops does not change the response of a path that reads no body', async () => {
    const response = await exchange(service.port, `${head('POST /api/v1/none HTTP/1.1', 'Content-Length: 20')}{`);
    service.judge({ path: '/api/v1/none', method: 'POST' }, response);
    expect(response.status).toBe(401);
  });

  const get = (method: string, ...lines: string[]) =>
    head(`${method} /api/v1/me HTTP/1.1`, `Authorization: Bearer ${client.key}`, ...lines);
  const last = () => get('GET', 'Connection: close');

  /** The statuses of all responses, and whether the server waited for the rest of a body. */
  async function responsesTo(bytes: string): Promise<{ statuses: string[]; waited: boolean }> {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const { status, text } = await exchange(service.port, bytes);
    const waited = timers.mock.calls.some(([, milliseconds]) => milliseconds === 1000);
    timers.mockRestore();
    return { statuses: [String(status), ...(text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [])], waited };
  }

  test.each(['GET', 'HEAD', 'DELETE'])(
    '%s with a complete body gets a response immediately, and so does the next request',
    async (method) => {
      const status = method === 'DELETE' ? '405' : '200';
      for (const framed of [
        `${get(method, 'Content-Length: 5')}hello`,
        `${get(method, 'Transfer-Encoding: chunked')}5\r\nhello\r\n0\r\n\r\n`,
        get(method, 'Content-Length: 0'),
      ])
        expect(await responsesTo(framed + last())).toEqual({ statuses: [status, '200'], waited: false });
    },
  );

  test.each(['GET', 'POST'])(
    '%s with Expect: 100-continue and no body yet gets a response immediately',
    async (method) => {
      const asking = ['Content-Length: 5', 'Expect: 100-continue'];
      expect(await responsesTo(get(method, ...asking))).toEqual({
        statuses: [method === 'GET' ? '200' : '405'],
        waited: false,
      });
      expect(await responsesTo(head('POST /api/v1/products HTTP/1.1', ...asking))).toEqual({
        statuses: ['401'],
        waited: false,
      });
      expect(await responsesTo(post('Content-Length: 1048577', 'Expect: 100-continue'))).toEqual({
        statuses: ['413'],
        waited: false,
      });
    },
  );

  test('the server waits briefly for the rest of a body', async () => {
    expect(await responsesTo(get('GET', 'Content-Length: 5'))).toEqual({ statuses: ['200'], waited: true });
    // The client sent no Expect header, or did not wait for the response to it.
    expect(await responsesTo(`${get('GET', 'Content-Length: 5', 'Expect: 100-continue')}h`)).toEqual({
      statuses: ['200'],
      waited: true,
    });
  });

  test('a body that arrives after the head keeps the connection open for the next request', async () => {
    const received = once(service.app.listener, 'request');
    const socket = connect(service.port, '127.0.0.1');
    socket.write(get('GET', 'Content-Length: 5'));
    await received;
    socket.write('hello');
    const [first] = await once(socket, 'data');
    expect(String(first)).toMatch(/^HTTP\/1\.1 200 OK.*\r\nconnection: keep-alive\r\n/is);
    socket.write(last());
    const [second] = await once(socket, 'data');
    expect(String(second)).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});

/* Bytes that the HTTP parser rejects, on a connection whose earlier requests still wait for their responses. */

function closeGate(): void {
  gate = Promise.withResolvers();
  reached = Promise.withResolvers();
}

const creation = (name: string, ...lines: string[]) => {
  const body = JSON.stringify({ name });
  return post(`Content-Length: ${Buffer.byteLength(body)}`, ...lines) + body;
};
const read = (path = '/api/v1/me') => head(`GET ${path} HTTP/1.1`, `Authorization: Bearer ${client.key}`);

interface Exchange {
  socket: Socket;
  /** Status and error code of each response in order, available when the connection is closed. */
  outcomes: Promise<string[]>;
}

/** Sends bytes over a new connection. The client closes it after the server, unless `staysOpen` is set. */
function begin(bytes: string, options: { staysOpen?: boolean } = {}): Exchange {
  const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  const outcomes = once(socket, 'end').then(() => {
    if (!options.staysOpen) socket.destroy();
    const all = Buffer.concat(chunks).toString('utf8');
    return all
      .split(/(?=HTTP\/1\.1 [0-9]{3} )/)
      .filter((text) => text !== '')
      .map((text) => {
        const [, code] = /"code":"(\w+)"/.exec(text) ?? [];
        return text.slice(9, 12) + (code === undefined ? '' : ` ${code}`);
      });
  });
  return { socket, outcomes };
}

const garbage: [string, string, string][] = [
  ['words', 'hello\r\n\r\n', '400 invalid_request'],
  ['headers that are too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, '431 headers_too_large'],
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', '400 invalid_request'],
  ['a head that stops', 'GET / HTTP/1.1\r\nHost', '408 request_timeout'],
];

describe.each(garbage)('the error for %s', (what, bytes, refusal) => {
  test.each([
    ['in the same bytes', bytes, ''],
    ['later', '', bytes],
  ])('comes after the responses of all pending requests, in order: %s', async (when, now, later) => {
    closeGate();
    const name = `${what} ${when}`;
    const requests = creation(`Erste ${name}`) + read('/api/v1/none') + creation(`Dritte ${name}`);
    const { outcomes, socket } = begin(requests + now);
    await reached.promise;
    socket.write(later);
    // Long enough for an error that does not wait to arrive. The server notices an incomplete head after 300 to 450 ms.
    await setTimeout(refusal === '408 request_timeout' ? 600 : 100);
    gate?.resolve();
    expect(await outcomes).toEqual(['200', '404 not_found', '200', refusal]);
    expect((await client.list({ search: `Dritte ${name}` })).total).toBe(1);
  });
});

test('repeated garbage during a response gets one error', async () => {
  closeGate();
  const { outcomes, socket } = begin(`${read()}hello\r\n\r\n`);
  await reached.promise;
  for (let count = 0; count < 20; count += 1) {
    socket.write('more\r\n\r\n');
    await setTimeout(5);
  }
  gate?.resolve();
  expect(await outcomes).toEqual(['200', '400 invalid_request']);
});

test('the server sends nothing after the response to Connection: close', async () => {
  closeGate();
  const { outcomes } = begin(`${creation('Letzte', 'Connection: close')}hello\r\n\r\n`);
  await reached.promise;
  await setTimeout(100);
  gate?.resolve();
  expect(await outcomes).toEqual(['200']);
});

test.each([
  ['a request', '', ['200']],
  ['a request and garbage', 'hello\r\n\r\n', ['200']],
  ['a request and half of another', 'GET / HT', ['200', '400 invalid_request']],
])('a client that half-closes after %s gets its response', async (_, bytes, expected) => {
  closeGate();
  const { socket, outcomes } = begin(creation('Halb') + bytes);
  socket.end();
  await reached.promise;
  await setTimeout(100);
  gate?.resolve();
  expect(await outcomes).toEqual(expected);
});

test.each([
  ['garbage', 'hello\r\n\r\n'],
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
])('after %s the server closes the connection even if the client keeps its half open', async (_, bytes) => {
  const accepted = once(service.app.listener, 'connection');
  const { outcomes, socket } = begin(bytes, { staysOpen: true });
  const [peer] = (await accepted) as [Socket];
  expect(await outcomes).toEqual(['400 invalid_request']);
  const begun = Date.now();
  if (!peer.destroyed) await once(peer, 'close');
  expect(Date.now() - begun).toBeLessThan(4000);
  socket.destroy();
});

test.each(['hello\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'])(
  'a client that resets the connection after %j does not end the server',
  async (bytes) => {
    const accepted = once(service.app.listener, 'connection');
    const { socket, outcomes } = begin(bytes, { staysOpen: true });
    const [peer] = (await accepted) as [Socket];
    await outcomes;
    socket.resetAndDestroy();
    if (!peer.destroyed) await new Promise((resolve) => peer.once('close', resolve));
    expect((await client.call({ path: '/api/v1/me' })).status).toBe(200);
  },
);
