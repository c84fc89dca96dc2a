/** The static mock as a process: its start, its end, and clients that leave. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { type Mock, root, run, start, startMock } from '../support/program.ts';

let mock: Mock | undefined;

async function started(options?: string): Promise<Mock> {
  mock = await startMock(options);
  return mock;
}

afterEach(async () => {
  await mock?.stop('SIGKILL');
  mock = undefined;
});

const key = { authorization: 'Bearer any' };
const me = ({ host }: Mock) => fetch(`${host}/api/v1/me`, { headers: key });

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it although the body of a request does not arrive',
  async (signal) => {
    const running = await started();
    const head =
      'POST /api/v1/products HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\n';
    for (const bytes of [`${head}Content-Length: 100\r\n\r\n{`, '']) {
      const waiting = connect(running.port, '127.0.0.1');
      waiting.on('error', () => undefined);
      await once(waiting, 'connect');
      waiting.write(bytes);
    }
    await me(running);
    await setTimeout(100);
    const before = performance.now();
    expect(await running.stop(signal)).toBe(0);
    expect(performance.now() - before).toBeLessThan(20_000);
    const { stdout } = await run(`ps -o pid= -g ${running.pid} || true`);
    expect(stdout).toBe('');
  },
);

test('it stops with its standard input if asked to', async () => {
  const line = `bash -c 'sleep 3 | node ${root}server/src/cli/main.ts mock --port 0 --json --stop-with-stdin'`;
  const running = await start(line, /\}\n/, { NODE_OPTIONS: '' });
  expect(await running.end()).toBe(0);
});

test('a client that leaves does not end it', async () => {
  const running = await started();
  const body = '{"name":"a"}';
  const head = `POST /api/v1/products HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\n`;
  const requests = [
    'GET /api/v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\n\r\n',
    `${head}Content-Length: 100\r\n\r\n${body}`,
    `${head}Content-Length: ${body.length}\r\n\r\n${body}`,
    'GET /p/nordlicht/a HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /api/v1',
  ];
  for (const bytes of Array.from({ length: 5 }, () => requests).flat()) {
    const socket = connect(running.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(bytes);
    await setTimeout(5);
    socket.resetAndDestroy();
  }
  await setTimeout(300);
  expect(await me(running)).toMatchObject({ status: 200 });
  expect(await running.stop()).toBe(0);
  expect(running.logged()).not.toMatch(/"level":[56]0/);
});

test('100 parallel requests get the same response', async () => {
  const running = await started();
  const responses = await Promise.all(Array.from({ length: 100 }, () => me(running)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
  expect(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size).toBe(100);
});

test('a port in use gives one sentence', async () => {
  const { port } = await started();
  const outcome = await run(`node server/src/cli/main.ts mock --port ${port}`, { NODE_OPTIONS: '' });
  expect(outcome).toEqual({
    code: 1,
    stdout: '',
    stderr: `product-passport: port ${port} is in use. Choose another one with --port, or use --port 0 for any free port.\n`,
  });
});
