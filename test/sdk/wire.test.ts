import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Attempt, createClient } from '../../sdk/src/index.ts';
import { apiKey } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

/** How many sockets and timers keep this process alive. */
function handles() {
  const all = process.getActiveResourcesInfo();
  const count = (kind: string) => all.filter((resource) => resource === kind).length;
  return { sockets: count('TCPSocketWrap'), timers: count('Timeout') };
}

let before: ReturnType<typeof handles>;
let servers: Server[];

beforeEach(() => {
  before = handles();
  servers = [];
  jest.spyOn(Math, 'random').mockReturnValue(0); // no pause between attempts
});
afterEach(async () => {
  jest.restoreAllMocks();
  // The test closes no socket for the client: the client itself must have closed its connections. Node's `fetch` keeps a
  // timer of its own for up to a second.
  let after = handles();
  for (let wait = 0; wait < 100 && (after.sockets > before.sockets || after.timers > before.timers); wait += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    after = handles();
  }
  for (const server of servers) server.close();
  expect(after.sockets).toBeLessThanOrEqual(before.sockets);
  expect(after.timers).toBeLessThanOrEqual(before.timers);
});

/** A server that reads one request and responds with raw bytes, and a client of it. */
async function connect(response: (socket: Socket) => unknown, timeoutMs = 10_000) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => response(socket));
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const attempts: Attempt[] = [];
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    apiKey,
    timeoutMs,
    maxAttempts: 2,
    onAttempt: (attempt) => attempts.push(attempt),
  });
  return { client, attempts };
}

const head = (status: string, ...fields: string[]) =>
  [`HTTP/1.1 ${status}`, 'Connection: close', ...fields, '', ''].join('\r\n');
describe('a fault of the wire gives its typed error, and leaves no socket and no timer', () => {
  const lost = { name: 'NetworkError', code: 'network_error', attempts: 2 };
  const late = { name: 'TimeoutError', code: 'timeout', attempts: 2 };

  const reset = (text: string) => (socket: Socket) =>
    socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20));
  const end = (text: string) => (socket: Socket) => socket.end(text);
  const stall = (text: string) => (socket: Socket) => socket.write(text);
  const long = head('200 OK', 'Content-Length: 100');
  const chunked = head('200 OK', 'Transfer-Encoding: chunked');
  test.each<[string, (socket: Socket) => unknown, object]>([
    ['a reset before the response', (socket) => socket.resetAndDestroy(), lost],
    ['an end before the response', (socket) => socket.end(), lost],
    ['a reset within the headers', reset('HTTP/1.1 200 OK\r\nContent-'), lost],
    ['a reset after the headers', reset(long), lost],
    ['no HTTP', end('SSH-2.0-OpenSSH_9.9\r\n'), lost],
    ['no response', () => {}, { ...late, phase: 'headers' }],
    ['a body that stalls', stall(`${long}{"id":`), { ...late, phase: 'body' }],
    ['an error whose body stalls', stall(`${head('503 Busy', 'Content-Length: 100')}<h1>`), { ...late, phase: 'body' }],
    ['a body cut off', end(`${long}{"id":`), lost],
    ['a chunked body cut off', end(`${chunked}6\r\n{"id":\r\n`), lost],
    ['garbage among the chunks', end(`${chunked}zz\r\n{}\r\n`), lost],
  ])('%s', async (_name, response, expected) => {
    // Short only for a server that never finishes: a busy machine may be slow.
    const { client, attempts } = await connect(response, 'phase' in expected ? 500 : undefined);
    const error = await rejection(client.products.get('x'));
    expect(error).toMatchObject({ operation: 'getProduct', path: '/api/v1/products/x', ...expected });
    expect(attempts).toHaveLength((error as { attempts: number }).attempts);
    expect(String(error)).not.toContain(apiKey);
  });
});
