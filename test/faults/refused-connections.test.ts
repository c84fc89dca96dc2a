/** Bytes that the HTTP parser rejects, on a connection whose earlier requests still wait for their responses. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, useService } from '../support/service.ts';

const service = useService('SQLite', { timeouts: { head: 300 } });
let client: Client;
/** While this promise is pending, handlers wait. */
let gate: PromiseWithResolvers<void> | undefined;
/** Settles when a handler waits at the gate. */
let reached = Promise.withResolvers<void>();

beforeAll(async () => {
  client = await service.newTenant();
  service.app.ext('onPreHandler', async (_, h) => {
    reached.resolve();
    await gate?.promise;
    return h.continue;
  });
});
afterEach(() => {
  gate?.resolve();
  gate = undefined;
  expect(service.logLines).toEqual([]);
});

function closeGate(): void {
  gate = Promise.withResolvers();
  reached = Promise.withResolvers();
}

const request = (method: string, path: string, body = '', ...lines: string[]) => {
  const length = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${client.key}`, ...length, ...lines];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
};
const creation = (name: string, ...lines: string[]) =>
  request('POST', '/api/v1/products', JSON.stringify({ name }), ...lines);
const read = (path = '/api/v1/me') => request('GET', path);

interface Exchange {
  socket: Socket;
  /** Status and error code of each response in order, available when the connection is closed. */
  outcomes: Promise<string[]>;
}

/** Sends bytes over a new connection. The client closes it after the server, unless `staysOpen` is set. */
function exchange(bytes: string, options: { staysOpen?: boolean } = {}): Exchange {
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
    const { outcomes, socket } = exchange(requests + now);
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
  const { outcomes, socket } = exchange(`${read()}hello\r\n\r\n`);
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
  const { outcomes } = exchange(`${creation('Letzte', 'Connection: close')}hello\r\n\r\n`);
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
  const { socket, outcomes } = exchange(creation('Halb') + bytes);
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
  const { outcomes, socket } = exchange(bytes, { staysOpen: true });
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
    const { socket, outcomes } = exchange(bytes, { staysOpen: true });
    const [peer] = (await accepted) as [Socket];
    await outcomes;
    socket.resetAndDestroy();
    if (!peer.destroyed) await new Promise((resolve) => peer.once('close', resolve));
    expect((await client.call({ path: '/api/v1/me' })).status).toBe(200);
  },
);
