import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, useService } from '../../support/service.ts';

const service = useService('SQLite');
let client: Client;
beforeAll(async () => {
  client = await service.newTenant();
  await client.create('Tasse');
});

test.each([
  ['', 'The request body is empty: send JSON.'],
  ['{"name": "a",}', 'The request body is not valid JSON at line 1, column 14.'],
  ['[1,\n  2\n  3]', 'The request body is not valid JSON at line 3, column 3.'],
  // The engine gives no place, and quotes the body.
  ['[geheim]', 'The request body is not valid JSON.'],
  ['{"name": "a\nb"}', 'The request body is not valid JSON at line 1, column 12.'],
  ['{"name": "\\x"}', 'The request body is not valid JSON at line 1, column 12.'],
  ['{"name": "a', 'The request body is not valid JSON at line 1, column 12.'],
  [Buffer.from([0x22, 0xff, 0x22]), 'The request body is not valid UTF-8.'],
])('%j is refused with its place', async (body, message) => {
  const { json } = await client.call({ method: 'POST', path: '/api/v1/products', body });
  expect(json).toEqual({ error: { code: 'invalid_json', message } });
});

test.each([
  ['[{"field_key": "a", "value": 1}, {"field_key": "b", "value": [9007199254740993]}]', '[1].value'],
  ['[{"field_key": "a", "value": 1, "x": 1e400}]', '[0]'],
])('%s: the number that a double does not carry is named by its field', async (body, place) => {
  const { json } = await client.call({ method: 'PUT', path: '/api/v1/products/tasse/passport', body });
  const message = `${place} has a number with too many digits: send it as a string.`;
  expect(json).toEqual({ error: { code: 'invalid_request', message } });
});

test('a body in chunks of one byte is read whole', async () => {
  const body = JSON.stringify({ name: 'Ein Byte für jeden Chunk' });
  const chunks = [...Buffer.from(body)].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');
  const head = `POST /api/v1/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
  const socket = connect(service.port, '127.0.0.1').setEncoding('utf8');
  socket.write(`${head}${chunks}0\r\n\r\n`, 'latin1');
  let response = '';
  for await (const part of socket) response += part;
  expect(response).toContain('"name":"Ein Byte für jeden Chunk"');
});

const half = 2 ** 19;
const deep: [string, string, RegExp][] = [
  ['1 MiB of [', '['.repeat(2 * half), /^400 invalid_request$/],
  ['1 MiB of {"a":', '{"a":'.repeat(2 ** 20 / 5), /^400 invalid_request$/],
  ['1 MiB of commas', ','.repeat(2 * half), /^400 invalid_json$/],
  ['1 MiB of quotes', '"'.repeat(2 * half), /^400 invalid_json$/],
  ['1 MiB of backslashes in a string', `{"name":"${'\\\\'.repeat(half - 10)}`, /^400 invalid_json$/],
  ['half a million levels', '['.repeat(half) + ']'.repeat(half), /^400 /],
  ['a deep unknown field', `{"name":"Tief","x":${'['.repeat(19_000)}${']'.repeat(19_000)}}`, /^200$/],
  [
    'a field that is too deep',
    `{"name":"Tief","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
    /^400 invalid_request$/,
  ],
  ['a deep field', `{"name":"Tief","model":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, /^400 invalid_request$/],
];
test.each(deep)('%s gets a response quickly', async (_, body, outcome) => {
  const began = performance.now();
  expect(await client.creation(body)).toMatch(outcome);
  expect(await client.writing('tasse', body)).toMatch(/^400 /);
  expect(performance.now() - began).toBeLessThan(20_000);
});

describe('size', () => {
  test.each([
    [2 ** 20, '200'],
    [2 ** 20 + 1, '413 payload_too_large'],
  ])('a body of %d bytes, with a length and in chunks, is %s', async (size, outcome) => {
    const body = Buffer.from(`{"name":"Groß","x":"${'x'.repeat(size - 23)}"}`);
    expect(body).toHaveLength(size);
    expect(await client.creation(body)).toBe(outcome);
    const chunks = [body.subarray(0, 5), body.subarray(5, 700_000), body.subarray(700_000)];
    expect(await client.creation(chunks)).toBe(outcome);
  });

  test('a client that sends much more before it reads gets the response', async () => {
    const body = Buffer.alloc(2 ** 25, ' ');
    const post = { method: 'POST', path: '/api/v1/products' };
    expect((await client.call({ ...post, body })).status).toBe(413);
    expect((await client.call({ ...post, body: [body] })).status).toBe(413);
    expect((await client.call({ ...post, body, key: null })).status).toBe(401);
    expect((await client.call({ ...post, path: '/api/v1/products/tasse', body })).status).toBe(405);
  });
});

describe('numbers', () => {
  const write = (literal: string) => client.writing('tasse', `[{"field_key":"zahl","value":${literal}}]`);
  const long = 100_000;

  test.each([
    ['100,000 digits', '7'.repeat(long)],
    ['1, 100,000 zeros and 1', `1${'0'.repeat(long)}1`],
    ['1 as the 100,000th decimal', `0.${'0'.repeat(long)}1`],
    ['an exponent of 100,000 digits', `1e${'9'.repeat(long)}`],
    ['300,000 numbers, the last of them inexact', `[${'1,'.repeat(3 * long)}9007199254740993]`],
  ])('%s are rejected quickly', async (_, literal) => {
    const began = performance.now();
    expect(await write(literal)).toBe('400 invalid_request');
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test('a million digits in strings are accepted', async () => {
    expect(await write(`"${'9'.repeat(1_000_000)}"`)).toBe('200');
  });
});

describe('a body that ends too early, after valid JSON, is not stored', () => {
  const post = ['POST /api/v1/products', '{"name":"Abgeschnitten"}'] as const;
  const put = ['PUT /api/v1/products/tasse/passport', '[{"field_key":"abgeschnitten","value":1}]'] as const;
  const announced = (body: string) => [`Content-Length: ${body.length + 1}`, body] as const;
  const chunked = (body: string) =>
    ['Transfer-Encoding: chunked', `${body.length.toString(16)}\r\n${body}\r\n`] as const;
  const misframed = (body: string) => [chunked(body)[0], `${chunked(body)[1]}zz\r\n`] as const;
  const headed = (target: string, length: string, body: string) =>
    `${[`${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${client.key}`, 'Content-Type: application/json', length].join('\r\n')}\r\n\r\n${body}`;

  const reset = (socket: Socket) => socket.resetAndDestroy();
  const close = (socket: Socket) => socket.destroy();
  const halfClose = (socket: Socket) => socket.end();
  const nothing = () => undefined;

  /** Sends the bytes, disconnects, and waits until the server has finished the request. */
  async function cutOff(bytes: string, go: (socket: Socket) => unknown): Promise<void> {
    const done = new Promise((resolve) => service.app.events.once('response', resolve));
    const received = once(service.app.listener, 'request');
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write(bytes);
    const [request] = (await received) as [IncomingMessage];
    // Waits until the handler reads the body.
    while (request.readableFlowing !== true && !request.destroyed) await new Promise(setImmediate);
    go(socket);
    await done;
    socket.destroy();
  }

  test.each<[string, (body: string) => readonly [string, string], (socket: Socket) => unknown]>([
    ['a reset connection, with a length', announced, reset],
    ['a reset connection, in chunks', chunked, reset],
    ['a closed connection, with a length', announced, close],
    ['a closed connection, in chunks', chunked, close],
    ['a half-closed connection, with a length', announced, halfClose],
    ['a half-closed connection, in chunks', chunked, halfClose],
    ['an invalid chunk', misframed, nothing],
  ])('after %s', async (_, frame, go) => {
    for (const [target, body] of [post, put]) await cutOff(headed(target, ...frame(body)), go);
    expect((await client.list({ search: 'Abgeschnitten' })).total).toBe(0);
    const { values } = await client.passport('tasse');
    expect(values.map(({ field_key }) => field_key)).not.toContain('abgeschnitten');
  });
});
