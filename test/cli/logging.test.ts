/** What a running server writes to standard error, and what it does when nobody reads it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from '../../server/src/database/connection.ts';
import { serveHere } from '../support/command.ts';
import { announcement, root } from '../support/program.ts';

let folder = '';
const started: Server[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logging-'));
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.kill();
});
afterAll(() => rm(folder, { recursive: true }));

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

/** A server whose standard error is read only when a test says so. */
class Server {
  readonly child;
  readonly ended: Promise<number | null>;
  #text = '';
  baseUrl = '';
  key = '';

  private constructor(command: string, stderr: 'pipe' | number, environment: Record<string, string>) {
    this.child = spawn('bash', ['-c', command], {
      cwd: root,
      env: { ...process.env, ...environment },
      detached: true,
      stdio: ['ignore', 'pipe', stderr],
    });
    this.ended = once(this.child, 'exit').then(([code]) => code);
  }

  static async start(
    line: string,
    { stderr = 'pipe', environment = {} }: { stderr?: 'pipe' | number; environment?: Record<string, string> } = {},
  ): Promise<Server> {
    const server = new Server(`exec product-passport serve --demo --json --port 0 ${line}`, stderr, environment);
    started.push(server);
    const [listening] = await once(server.child.stdout ?? server.child, 'data');
    const { base_url, tenants } = JSON.parse(String(listening));
    server.baseUrl = base_url;
    server.key = tenants[0].api_key;
    return server;
  }

  readLog(): void {
    this.child.stderr?.on('data', (chunk) => {
      this.#text += chunk;
    });
  }

  lines(): Line[] {
    return linesOf(this.#text);
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<number> {
    const response = await fetch(this.baseUrl + path, {
      headers: { authorization: `Bearer ${this.key}`, ...headers },
      signal: AbortSignal.timeout(5000),
    });
    await response.arrayBuffer();
    return response.status;
  }

  /** Sends a signal; gives the exit code and the milliseconds until the end. */
  async stop(signal: NodeJS.Signals): Promise<{ code: number | null; took: number }> {
    const begun = Date.now();
    this.child.kill(signal);
    const code = await Promise.race([this.ended, setTimeout(10_000, -1, { ref: false })]);
    return { code, took: Date.now() - begun };
  }

  async kill(): Promise<void> {
    if (this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
    await this.ended;
  }
}

/** Makes every request for a product fail, so that each writes a line with a stack. */
async function breakProducts(file: string): Promise<void> {
  const database = connect(file);
  await database.schema.renameTable('products', 'products_away');
  await database.destroy();
}

/** A server that writes an error of about 1 KB for each request, and that nobody reads. */
async function failing(name: string, line = ''): Promise<Server> {
  const file = join(folder, `${name}.sqlite`);
  const server = await Server.start(`--database ${file} ${line}`);
  await breakProducts(file);
  return server;
}

/** How many of so many requests were answered. */
async function answered(server: Server, requests: number): Promise<number> {
  let count = 0;
  for (let sent = 0; sent < requests; sent += 50) {
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => server.get('/products/x')));
    const statuses = all.map((one) => (one.status === 'fulfilled' ? one.value : 0));
    count += statuses.filter((status) => status === 500).length;
    if (statuses.includes(0)) break;
  }
  return count;
}

/** More lines than a pipe holds. */
const unread = 600;
/** More than the server keeps for a reader. */
const tooMany = 2500;

describe('standard error that nobody reads', () => {
  test('stops no request, and SIGTERM ends the server', async () => {
    const server = await failing('unread');
    expect(await answered(server, unread)).toBe(unread);
    const { code, took } = await server.stop('SIGTERM');
    expect(code).toBe(0);
    expect(took).toBeLessThan(4000);
  });

  test('behind a pipe of a shell: the same', async () => {
    const server = await failing('shell', '2> >(exec sleep 1000)');
    expect(await answered(server, unread)).toBe(unread);
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0 });
  });

  test('that is read again: whole lines, in order, and how many were dropped', async () => {
    const server = await failing('again');
    expect(await answered(server, tooMany)).toBe(tooMany);
    server.readLog();
    const isReport = ({ msg }: Line) => msg.startsWith('log lines were dropped');
    while (!server.lines().some(isReport)) await setTimeout(20);
    expect(await server.get('/products/x')).toBe(500);
    await server.stop('SIGTERM');
    const lines = server.lines();
    const failures = lines.filter(({ msg }) => msg === 'request failed');
    const [report] = lines.filter(isReport);
    expect(report).toMatchObject({ level: 40, lines: tooMany + 1 - failures.length });
    expect(failures.length).toBeGreaterThan(300);
    expect(lines.map(({ time }) => time)).toEqual(lines.map(({ time }) => time).toSorted());
    expect(lines.at(-1)).toMatchObject({ msg: 'server stopped' });
  });

  test('that is closed: the server goes on', async () => {
    const server = await failing('closed');
    server.child.stderr?.destroy();
    expect(await answered(server, 200)).toBe(200);
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0 });
  });

  test('and a crash: the process ends within two seconds', async () => {
    const server = await Server.start('--database :memory: --log-level debug', { environment: crashing });
    for (let sent = 0; sent < 1000; sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => server.get('/me', { 'x-request-id': 'x'.repeat(128) })));
    const { code, took } = await server.stop('SIGUSR2');
    expect(code).toBe(1);
    expect(took).toBeGreaterThan(900);
    expect(took).toBeLessThan(3000);
  });
});

const crashing = {
  NODE_OPTIONS: `--import "data:text/javascript,process.on('SIGUSR2',()=>{throw new RangeError('boom')})"`,
};

test('a crash is the last line of the log, with its stack, and the exit code is 1', async () => {
  const server = await Server.start('--database :memory:', { environment: crashing });
  server.readLog();
  expect(await server.stop('SIGUSR2')).toMatchObject({ code: 1 });
  if (!server.child.stderr?.readableEnded) await once(server.child.stderr ?? server.child, 'end');
  expect(server.lines().at(-1)).toMatchObject({
    level: 60,
    msg: 'server crashed',
    err: { type: 'RangeError', message: 'boom', stack: expect.stringContaining('boom') },
  });
});

test('a file has every line whole after a stop', async () => {
  const path = join(folder, 'log.txt');
  const file = openSync(path, 'w');
  const server = await Server.start('--database :memory: --log-level debug', { stderr: file });
  closeSync(file);
  await Promise.all(Array.from({ length: 200 }, () => server.get('/me')));
  expect(await server.stop('SIGTERM')).toMatchObject({ code: 0 });
  const lines = linesOf(await readFile(path, 'utf8'));
  expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(200);
  expect(lines.at(-1)).toMatchObject({ msg: 'server stopped' });
});

describe('--log-level', () => {
  async function logged(level: string): Promise<Line[]> {
    const command = `product-passport serve --demo --json --port 0 --database :memory: --log-level ${level}`;
    const server = await serveHere(command, /\}\n/);
    const { base_url, tenants } = announcement(server.said());
    const headers = { authorization: `Bearer ${tenants[0].api_key}`, 'x-request-id': 'mine-7' };
    expect((await fetch(`${base_url}/products/x?search=geheim`, { headers })).status).toBe(404);
    await server.stop();
    return linesOf(server.logged());
  }
  const start = [
    { level: 30, msg: expect.stringMatching(/^migrations ran: 0001_tables, /) },
    { level: 30, msg: 'server started', address: expect.stringMatching(/^http:/), version: expect.any(String) },
  ];
  const end = [
    { level: 30, msg: 'server stopping', signal: 'SIGTERM' },
    { level: 30, msg: 'server stopped' },
  ];
  const whole = (lines: object[]) => lines.map((line) => ({ time: expect.any(String), ...line }));

  test('info: migrations, start and stop', async () => {
    expect(await logged('info')).toEqual(whole([...start, ...end]));
  });

  test('debug: also one line for each request, without what the client sent', async () => {
    const request = {
      ...{ level: 20, msg: 'request', request_id: 'mine-7', operation: 'getProduct', method: 'get' },
      ...{ route: '/api/v1/products/{slug}', status: 404, duration_ms: expect.any(Number) },
    };
    expect(await logged('debug')).toEqual(whole([...start, request, ...end]));
  });

  test.each(['warn', 'error', 'silent'])('%s: nothing of these', async (level) => {
    expect(await logged(level)).toEqual([]);
  });
});
