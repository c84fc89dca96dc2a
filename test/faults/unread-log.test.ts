/** The log on standard error, read and unread. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { connect } from '../../server/src/database/connection.ts';
import { serveHere } from '../support/command.ts';
import { ending, newFolder } from '../support/files.ts';
import { announcement, root, run } from '../support/program.ts';

const folder = newFolder();

interface Line {
  level: number;
  msg: string;
  [field: string]: unknown;
}

/** Throws if a line is not whole. */
function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

interface Server {
  stderr: Readable | null;
  /** From now on, standard error is read. Returns the lines that have arrived. */
  readLog(): () => Line[];
  get(path: string): Promise<number>;
  /** Sends a signal, and returns the exit code and the milliseconds until the exit. */
  stop(signal: NodeJS.Signals): Promise<{ code: number | null; took: number }>;
}

/** Starts a server whose standard error is read only when a test says so. */
async function start(options: string, environment = {}, stderr: 'pipe' | number = 'pipe'): Promise<Server> {
  const child = spawn(
    'bash',
    ['-c', `exec product-passport serve --demo --json --port 0 --log-level info ${options}`],
    {
      cwd: root,
      env: { ...process.env, ...environment },
      detached: true,
      stdio: ['ignore', 'pipe', stderr],
    },
  );
  const ended = once(child, 'exit').then(([code]) => code);
  ending.defer(async () => {
    // Also what the shell has started.
    if (child.pid !== undefined) await run(`kill -KILL -- -${child.pid}`);
    await ended;
  });
  const [listening] = await once(child.stdout ?? child, 'data');
  const { base_url, tenants } = announcement(String(listening));
  const headers = { authorization: `Bearer ${tenants[0].api_key}` };
  return {
    stderr: child.stderr,
    readLog() {
      let text = '';
      child.stderr?.on('data', (chunk) => {
        text += chunk;
      });
      // The last one may not have arrived whole.
      return () => linesOf(text.slice(0, text.lastIndexOf('\n') + 1));
    },
    async get(path) {
      const response = await fetch(base_url + path, { headers, signal: AbortSignal.timeout(5000) });
      await response.arrayBuffer();
      return response.status;
    },
    async stop(signal) {
      const begun = Date.now();
      child.kill(signal);
      const code = await Promise.race([ended, setTimeout(10_000, -1, { ref: false })]);
      return { code, took: Date.now() - begun };
    },
  };
}

/** Makes every request for a product fail and log a stack, with a message so long that few lines fill a pipe. */
async function breakProducts(file: string): Promise<void> {
  const database = connect(file);
  await database.schema.renameTable('products', 'products_away');
  await database.raw(`CREATE VIEW products AS SELECT * FROM missing_${'x'.repeat(4000)}`);
  await database.destroy();
}

/** A server with an unread log that gets an error of about 9 KB for each request. */
async function failing(name: string, options = '', environment = {}): Promise<Server> {
  const file = join(folder, `${name}.sqlite`);
  const server = await start(`--database ${file} ${options}`, environment);
  await breakProducts(file);
  return server;
}

/** Sends requests, and returns how many got a response. */
async function responses(server: Server, requests: number): Promise<number> {
  let count = 0;
  for (let sent = 0; sent < requests; sent += 50) {
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => server.get('/products/x')));
    const statuses = all.map((one) => (one.status === 'fulfilled' ? one.value : 0));
    count += statuses.filter((status) => status === 500).length;
    if (statuses.includes(0)) break;
  }
  return count;
}

/** Requests whose log lines fill a pipe. */
const unread = 50;
/** Requests whose log lines exceed the server's buffer. */
const tooMany = 400;

describe('unread standard error', () => {
  test.each([
    ['that nobody reads', '', false],
    ['in a pipe of a shell', '2> >(exec sleep 1000)', false],
    ['that is closed', '', true],
  ])('%s does not block requests, and SIGTERM stops the server', async (name, redirection, isClosed) => {
    const server = await failing(name.replaceAll(' ', '-'), redirection);
    if (isClosed) server.stderr?.destroy();
    expect(await responses(server, unread)).toBe(unread);
    const { code, took } = await server.stop('SIGTERM');
    expect([code, took < 4000]).toEqual([0, true]);
  });

  test('that is read later has complete lines in order, and the number of dropped lines', async () => {
    const server = await failing('again');
    expect(await responses(server, tooMany)).toBe(tooMany);
    const lines = server.readLog();
    const isReport = ({ msg }: Line) => msg.startsWith('log lines were dropped');
    while (!lines().some(isReport)) await setTimeout(20);
    expect(await server.get('/products/x')).toBe(500);
    await server.stop('SIGTERM');
    const all = lines();
    const failures = all.filter(({ msg }) => msg === 'request failed');
    const requests = all.filter(({ msg }) => msg === 'request');
    const [report] = all.filter(isReport);
    // Each request has two lines: its failure, and its own.
    expect(report).toMatchObject({ level: 40, lines: 2 * (tooMany + 1) - failures.length - requests.length });
    expect(failures.length).toBeGreaterThan(100);
    expect(all.map(({ time }) => time)).toEqual(all.map(({ time }) => time).toSorted());
    expect(all.at(-1)).toMatchObject({ msg: 'server stopped' });
  });

  test('does not keep a crashed process alive for more than two seconds', async () => {
    const server = await failing('crashed', '', crashing);
    expect(await responses(server, unread)).toBe(unread);
    const { code, took } = await server.stop('SIGUSR2');
    expect(code).toBe(1);
    expect(took).toBeGreaterThan(900);
    expect(took).toBeLessThan(3000);
  });
});

const crashing = {
  NODE_OPTIONS: `--import "data:text/javascript,process.on('SIGUSR2',()=>{throw new RangeError('boom')})"`,
};

test('a crash is logged with its stack as the last line, and the exit code is 1', async () => {
  const server = await start('--database :memory:', crashing);
  const lines = server.readLog();
  expect(await server.stop('SIGUSR2')).toMatchObject({ code: 1 });
  if (server.stderr && !server.stderr.readableEnded) await once(server.stderr, 'end');
  expect(lines().at(-1)).toMatchObject({
    level: 60,
    msg: 'server crashed',
    err: { type: 'RangeError', message: 'boom', stack: expect.stringContaining('boom') },
  });
});

test('a log file has every line after a stop', async () => {
  const path = join(folder, 'log.txt');
  const file = openSync(path, 'w');
  const server = await start('--database :memory:', {}, file);
  closeSync(file);
  await Promise.all(Array.from({ length: 200 }, () => server.get('/me')));
  expect(await server.stop('SIGTERM')).toMatchObject({ code: 0 });
  const lines = linesOf(await readFile(path, 'utf8'));
  expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(200);
  expect(lines.at(-1)).toMatchObject({ msg: 'server stopped' });
});

describe('--log-level', () => {
  const start = [
    { level: 30, msg: 'migrations ran: 0001_tables' },
    { level: 30, msg: 'server started', address: expect.stringMatching(/^http:/), version: expect.any(String) },
  ];
  const request = {
    ...{ level: 30, msg: 'request', request_id: 'mine-7', operation: 'getProduct', method: 'get' },
    ...{ status: 404, code: 'not_found', tenant: 'skellig', duration_ms: expect.any(Number) },
  };
  const end = [
    { level: 30, msg: 'server stopping', signal: 'SIGTERM' },
    { level: 30, msg: 'server stopped' },
  ];

  // The demo logs no start by default, so that its announcement is easy to read.
  test.each<[string, object[]]>([
    ['--demo --log-level info', [...start, request, ...end]],
    ['--demo --log-level debug', [...start, request, ...end]],
    ['--demo', []],
    ['--demo --log-level warn', []],
    ['--demo --log-level error', []],
    ['--demo --log-level silent', []],
    ['', [...start, ...end]],
  ])('serve %s logs these lines, without data from the client', async (options, lines) => {
    const server = await serveHere(`product-passport serve --json --port 0 --database :memory: ${options}`, /\}\n/);
    const { base_url, tenants } = announcement(server.said());
    if (options !== '') {
      const headers = { authorization: `Bearer ${tenants[0].api_key}`, 'x-request-id': 'mine-7' };
      expect((await fetch(`${base_url}/products/x?search=geheim`, { headers })).status).toBe(404);
    }
    await server.stop();
    expect(linesOf(server.logged())).toEqual(lines.map((line) => ({ time: expect.any(String), ...line })));
  });
});
