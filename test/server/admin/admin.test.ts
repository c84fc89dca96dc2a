/** The admin listener of `serve`: health, readiness from the start to the stop, metrics. */
import { once } from 'node:events';
import { Agent, createServer as createHttpServer, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Server } from '@hapi/hapi';
import { afterEach, expect, test } from '@jest/globals';
import { createAdmin, Readiness } from '../../../server/src/admin/admin.ts';
import { endListening } from '../../../server/src/cli/listen.ts';
import { DatabaseState, type Refusal } from '../../../server/src/database/state.ts';
import { createLog } from '../../../server/src/log/log.ts';
import { Metrics } from '../../../server/src/metrics/metrics.ts';
import { runHere, serveHere } from '../../support/command.ts';
import { startCluster } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { announcement, freePort, type Running, start } from '../../support/program.ts';
import { listen } from '../../support/serve.ts';
import { until } from '../../support/time.ts';
import { exchange } from '../../support/wire.ts';

const directory = newFolder();
let running: Running[] = [];
afterEach(async () => {
  await Promise.all(running.map((program) => program.stop('SIGKILL')));
  running = [];
});

async function serve(line: string): Promise<Running & { site: string; admin: string }> {
  const program = await start(`product-passport serve --json --port 0 --admin-port 0 ${line}`, /\}\n/);
  running.push(program);
  const { site_url, admin_url } = announcement(program.said()) as unknown as Record<string, string>;
  return { ...program, site: site_url ?? '', admin: admin_url ?? '' };
}

/** `200 ready`, `503 database`, or `refused`. */
async function readiness(admin: string): Promise<string> {
  const response = await fetch(`${admin}/readyz`).catch(() => undefined);
  if (!response) return 'refused';
  const { status, reason } = (await response.json()) as { status: string; reason?: string };
  return `${response.status} ${reason ?? status}`;
}

test('the admin listener has health, readiness and metrics, and the main listener has none of them', async () => {
  const { site, admin } = await serve('--demo --database :memory:');
  expect(admin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const health = await fetch(`${admin}/healthz`);
  expect([health.status, await health.json()]).toEqual([200, { status: 'alive' }]);
  expect(await readiness(admin)).toBe('200 ready');
  // A response counts when it is sent.
  await (await fetch(`${site}/p/nordlicht/merinopullover-fjord`)).text();
  const metrics = await fetch(`${admin}/metrics`);
  expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await metrics.text();
  expect(text).toMatch(/^product_passport_requests_total\{operation="getPassportPage",status="200",code=""\} 1$/m);
  expect(text).not.toMatch(/nordlicht|fjord/);
  expect((await fetch(`${admin}/api/v1/me`)).status).toBe(404);
  const statusFor = async (host: string): Promise<number> => {
    const port = Number(new URL(admin).port);
    return (await exchange(port, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).status;
  };
  for (const host of ['127.0.0.1:1', '10.1.2.3', '[::1]:9', 'localhost:9', 'passport', 'a.svc.cluster.local:9'])
    expect([host, await statusFor(host)]).toEqual([host, 200]);
  for (const host of ['evil.example', 'evil.example:9', '127.0.0.1.evil.example', 'localhost.evil.example'])
    expect([host, await statusFor(host)]).toEqual([host, 421]);
  for (const path of ['/healthz', '/readyz', '/metrics']) expect((await fetch(site + path)).status).toBe(404);
});

test('metrics are for the name in --admin-host, too', async () => {
  const log = createLog('fatal');
  const host = 'admin.example.com';
  const admin = createAdmin({ host, port: 0, readiness: new Readiness(), metrics: new Metrics(), log });
  const statusFor = async (name: string): Promise<number> =>
    (await admin.inject({ url: '/metrics', headers: { host: name } })).statusCode;
  expect([await statusFor(`${host}:9`), await statusFor('other.example.com')]).toEqual([200, 421]);
});

test('while the database refuses writes the server is ready and says why; with the wrong file it is not ready', async () => {
  const [readiness, metrics, state, log] = [new Readiness(), new Metrics(), new DatabaseState(), createLog('fatal')];
  const admin = createAdmin({ host: '127.0.0.1', port: 0, readiness, metrics, log });
  metrics.watchWrites(state);
  const found = async (refusal: Refusal | undefined): Promise<unknown[]> => {
    readiness.serving(
      async () => undefined,
      async () => state.set(refusal),
      state,
    );
    const { statusCode, payload } = await admin.inject('/readyz');
    const [, gauge] = /writes_refused(\{.*)/.exec(await metrics.text()) ?? [];
    return [statusCode, JSON.parse(payload), gauge];
  };
  expect(await found(undefined)).toEqual([200, { status: 'ready' }, '{reason=""} 0']);
  const refused = { status: 'ready', writes: 'refused', reason: 'disk_full' };
  expect(await found('disk_full')).toEqual([200, refused, '{reason="disk_full"} 1']);
  const wrong = [503, { status: 'not_ready', reason: 'wrong_file' }, '{reason="wrong_file"} 1'];
  expect(await found('wrong_file')).toEqual(wrong);
  expect(await found(undefined)).toEqual(wrong);
});

test('503 while the server waits for its database, and while the database is away', async () => {
  const cluster = await startCluster();
  const database = await cluster.newDatabase();
  await cluster.stop();
  const port = await freePort();
  const admin = `http://127.0.0.1:${port}`;
  const starting = start(`product-passport serve --json --port 0 --admin-port ${port} --database ${database}`, /\}\n/);
  await until(() => readiness(admin), '503 starting');
  expect((await fetch(`${admin}/healthz`)).status).toBe(200);
  await cluster.start();
  const program = await starting;
  running.push(program);
  const lines = program
    .logged()
    .split('\n')
    .filter((line) => line.includes('the database is not available yet'));
  const [attempt] = lines.map((line) => JSON.parse(line));
  expect(attempt).toMatchObject({ retry_in_ms: 250, err: { code: 'ECONNREFUSED' } });
  expect(attempt.seconds_left).toBeGreaterThan(20);
  await until(() => readiness(admin), '200 ready');
  await cluster.stop();
  await until(() => readiness(admin), '503 database');
  expect((await fetch(`${admin}/healthz`)).status).toBe(200);
  await cluster.start();
  await until(() => readiness(admin), '200 ready');
  expect(await program.stop()).toBe(0);
  await cluster.stop();
});

test('a stop: not ready first, then the delay with responses, then not listening', async () => {
  const program = await serve(`--demo --drain-delay 3s --database ${join(directory, 'drain.sqlite')}`);
  const { site, admin } = program;
  const agent = new Agent({ keepAlive: true });
  const page = (): Promise<{ status: number | undefined; connection: string | undefined }> =>
    new Promise((resolve, reject) => {
      request(`${site}/p/nordlicht/merinopullover-fjord`, { agent }, (response) => {
        response
          .resume()
          .once('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }));
      })
        .once('error', reject)
        .end();
    });
  expect(await page()).toEqual({ status: 200, connection: 'keep-alive' });
  const stopping = Date.now();
  const ended = program.stop('SIGTERM');
  await until(() => readiness(admin), '503 stopping');
  const { hostname, port } = new URL(site);
  const early = connect(Number(port), hostname);
  await once(early, 'connect');
  // A load balancer may still send requests. The response ends the connection.
  expect(await page()).toEqual({ status: 200, connection: 'close' });
  let last = Date.now();
  for (;;) {
    const seen = await page().catch(() => undefined);
    if (!seen) break;
    expect(seen.status).toBe(200);
    last = Date.now();
    await setTimeout(10);
  }
  // The port is closed. A proxy that had a connection may send a request now, and would not repeat a write.
  early.write(`GET /p/nordlicht/merinopullover-fjord HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  const [head] = await once(early.setEncoding('utf8'), 'data');
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  early.destroy();
  // A busy machine may need a part of the three seconds for the last response.
  expect(last - stopping).toBeGreaterThan(1000);
  expect(await ended).toBe(0);
  expect(await readiness(admin)).toBe('refused');
});

test('connections that the kernel holds when the port closes are accepted, not reset', async () => {
  const accepted: Socket[] = [];
  const listener = createHttpServer().on('connection', (socket) => accepted.push(socket));
  const { port, hostname } = new URL(await listen(listener));
  const clients = Array.from({ length: 20 }, () => connect(Number(port), hostname));
  await Promise.all(clients.map((client) => once(client, 'connect')));
  const left: [isOpen: boolean, isListening: boolean][] = [];
  await endListening({ listener } as unknown as Server, (isOpen) => left.push([isOpen, listener.listening]));
  expect(accepted.length).toBe(20);
  // Responses leave their connections open until the listener ends.
  expect(left).toEqual([
    [true, true],
    [false, false],
  ]);
  for (const socket of [...clients, ...accepted]) socket.destroy();
});

test('without --admin-port there is no listener', async () => {
  const program = await serveHere('product-passport serve --demo --json --port 0 --database :memory:', /\}\n/);
  expect(announcement(program.said())).not.toHaveProperty('admin_url');
  await program.stop();
});

test('a server that begins to stop while its database is checked is stopping, not ready', async () => {
  for (const responds of [true, false]) {
    const readiness = new Readiness();
    expect(await readiness.unready()).toBe('starting');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    readiness.serving(
      () => promise,
      async () => undefined,
      new DatabaseState(),
    );
    const unready = readiness.unready();
    readiness.stopping();
    if (responds) resolve();
    else reject(new Error('The database is away.'));
    expect(await unready).toBe('stopping');
  }
});

test('a taken admin port is an error that names the option', async () => {
  const { port } = new URL(await listen(createServer()));
  const { code, stderr } = await runHere(`product-passport serve --database :memory: --port 0 --admin-port ${port}`);
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`port ${port} is in use. Choose another one with --admin-port`),
  });
});
