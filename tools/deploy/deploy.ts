/**
 * `npm run deploy:check`: runs nginx, Caddy and HAProxy with the files of `deploy`, in front of two servers over one PostgreSQL,
 * and restarts the servers under load. Needs Linux, and takes about two minutes. `npm run deploy:check -- nginx haproxy` runs
 * the named ones only. `test/project/deploy.test.ts` checks the other files of `deploy`.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../../server/src/index.ts';
import { selfSigned } from '../../test/support/certificate.ts';
import { Cluster } from '../../test/support/cluster.ts';
import { announcement, freePort, type Running, root, start } from '../../test/support/program.ts';
import { hasIpv6, hosts, type Places, type ProxyProgram, proxies, site, siteUrl } from './proxies.ts';

/** The minimum of requests during the restart. Every fifth creates a product. */
const minRequests = 2_000;
const clients = 16;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  json?: object;
  /** The client's address. */
  from?: string;
  /** Another address than that of the proxy over IPv4 and TLS. */
  to?: { host?: string; port?: number; isSecure?: boolean };
}

type Ask = (sent: Sent) => Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>;

/** Connections stay open, as those of browsers. Nobody has signed the check's own certificate. */
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, servername: site });

/** Sends requests to a port, each once. Rejects if the connection fails. */
function asker(standard: number): Ask {
  return async ({ method = 'GET', path, headers, json, from, to = {} }) => {
    const { host = '127.0.0.1', port = standard, isSecure = true } = to;
    const body = json && JSON.stringify(json);
    const length = body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = {
      ...{ host, port, method, path, timeout: 30_000, headers: { host: site, ...length, ...headers } },
      ...(from !== undefined && { localAddress: from }),
    };
    const outgoing = isSecure ? secureRequest({ ...options, agent }) : plainRequest(options);
    outgoing.once('timeout', () => outgoing.destroy(new Error('no response within 30 s')));
    outgoing.end(body);
    const [response] = await once(outgoing, 'response');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, headers: response.headers, text };
  };
}

async function check(proxy: ProxyProgram, ending: AsyncDisposableStack): Promise<void> {
  const cluster = await Cluster.start((undo) => ending.defer(undo));
  const database = await cluster.newDatabase();
  const [http, https, server, admin] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const places: Places = { folder: newFolder(ending), http, https, server, admin };
  const serve = `product-passport serve --json --log-level warn --database ${database}`;
  const demo = await start(`${serve} --demo --port 0`, /\}\n/);
  const { tenants, access_tokens } = announcement(demo.said());
  await demo.stop();
  const startOn = (host: string): Promise<Running> => {
    const ports = `--host ${host} --port ${server} --admin-host ${host} --admin-port ${admin}`;
    return start(`${serve} --site-url ${siteUrl} --trust-proxy 1 --drain-delay 3s ${ports}`, /\}\n/);
  };
  const servers = await Promise.all(hosts.map(startOn));
  ending.defer(async () => void (await Promise.all(servers.map((each) => each.stop()))));
  const ask = asker(https);
  const logs = await startProxy(proxy, places, ask, ending);

  const [{ slug, api_key }] = tenants;
  const headers = { authorization: `Bearer ${api_key}` };
  const { items } = JSON.parse((await ask({ path: '/api/v1/products?status=active', headers })).text);
  const { gtin } = items.find((item: { gtin: string | null }) => item.gtin !== null);
  await checkIds(ask, `/p/${slug}/${items[0].slug}`);
  say('  an id with encoded slashes is one segment: ok');
  const token = access_tokens.find((each) => each.tenant === slug && !each.revoked)?.token ?? '';
  const page = `/p/${slug}/${items[0].slug}`;
  const secure = await ask({ path: page });
  assert.deepEqual([secure.status, secure.headers['strict-transport-security']], [200, 'max-age=31536000']);
  const redirect = await ask({ path: `${page}?zugang=x`, to: { port: http, isSecure: false } });
  assert.equal(redirect.status, 308, 'http is redirected');
  assert.match(String(redirect.headers.location), new RegExp(`^https://${site}(:\\d+)?${page}\\?zugang=x$`));
  await checkAddresses(ask, database, page, server);
  say('  TLS, HSTS, the redirect from http, and the addresses of clients: ok');

  await checkRestart(ask, database, headers, `${page}?zugang=${token}`, async () => {
    for (const [index, host] of hosts.entries()) {
      await setTimeout(1000);
      assert.equal(await servers[index]?.stop(), 0);
      servers[index] = await startOn(host);
      // The health checks notice it.
      await setTimeout(2000);
    }
  });
  const visit = () => visitWithToken(ask, places, token, [page, `/01/${gtin.padStart(14, '0')}`]);
  await visit();
  await Promise.all(servers.map((each) => each.stop('SIGKILL')));
  const statuses = await visit();
  assert.ok(
    statuses.every((status) => status >= 500),
    `without a server the proxy responds with ${statuses}`,
  );
  await setTimeout(500);
  checkLogs(logs(), token);
}

/** The id of a passport is an address in one segment of the path. */
async function checkIds(ask: Ask, page: string): Promise<void> {
  const { status, text } = await ask({ path: `/dpp/v1/dpps/${encodeURIComponent(`${siteUrl}${page}/jsonld`)}` });
  assert.deepEqual([status, JSON.parse(text).digitalProductPassportId], [200, `${siteUrl}${page}/jsonld`]);
}

function newFolder(ending: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-check-'));
  ending.defer(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'log'));
  const { cert, key } = selfSigned(site);
  const files = { 'cert.pem': cert, 'key.pem': key, 'both.pem': cert + key };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Starts the program with the changed file. Returns a function that reads everything it has logged. */
async function startProxy(
  proxy: ProxyProgram,
  places: Places,
  ask: Ask,
  ending: AsyncDisposableStack,
): Promise<() => string> {
  const { folder } = places;
  let text = readFileSync(join(root, 'deploy', proxy.file), 'utf8');
  for (const [from, to] of proxy.changes(places)) {
    assert.ok(text.includes(from), `deploy/${proxy.file} has no "${from}"`);
    text = text.replaceAll(from, () => to);
  }
  const file = join(folder, proxy.file);
  writeFileSync(file, text);
  const output = openSync(join(folder, 'log/output'), 'a');
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(proxy.name, proxy.words(file, places), { stdio: ['ignore', output, output], env });
  const ended = once(child, 'exit');
  ending.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const logs = (): string =>
    readdirSync(join(folder, 'log'))
      .map((name) => readFileSync(join(folder, 'log', name), 'utf8'))
      .join('\n');
  for (let tries = 0; ; tries += 1) {
    const response = await ask({ path: '/.well-known/gs1resolver' }).catch(() => undefined);
    if (response?.status === 200) return logs;
    assert.ok(tries < 50 && child.exitCode === null, `${proxy.name} did not start:\n${logs()}`);
    await setTimeout(200);
  }
}

/** A scan has a hash of the visitor's address: the same as that of a request that names this address itself. */
async function checkAddresses(ask: Ask, database: string, path: string, port: number): Promise<void> {
  const knex = await openDatabase(database);
  const hashOf = async (sent: Omit<Sent, 'path'>): Promise<string> => {
    await knex('scans').delete();
    assert.equal((await ask({ path, ...sent })).status, 200);
    const hashes: string[] = await knex('scans').pluck('visitor_hash');
    assert.equal(hashes.length, 1, 'one visit is one scan');
    return String(hashes[0]);
  };
  try {
    for (const from of ['127.1.2.3', '127.1.2.4']) {
      const expected = await hashOf({ headers: { 'x-forwarded-for': from }, to: { port, isSecure: false } });
      assert.equal(await hashOf({ from }), expected, 'the server sees the address of the client');
      const forged = await hashOf({ from, headers: { 'x-forwarded-for': '198.51.100.77' } });
      assert.equal(forged, expected, 'a client cannot choose its address');
    }
  } finally {
    await knex.destroy();
  }
}

/** Sends requests during a restart. None fails, and each acknowledged product is there once. */
async function checkRestart(
  ask: Ask,
  database: string,
  headers: Record<string, string>,
  page: string,
  restart: () => Promise<void>,
): Promise<void> {
  const reads: Sent[] = [
    { path: '/api/v1/me', headers },
    { path: '/api/v1/products?limit=10', headers },
    { path: page },
  ];
  const acknowledged: string[] = [];
  const failures = new Set<string>();
  let sent = 0;
  let isRestarted = false;
  const running = Array.from({ length: clients }, async () => {
    while (!isRestarted || sent < minRequests) {
      sent += 1;
      const name = `Rolling ${sent}`;
      const isWrite = sent % 5 === 0;
      const create = { method: 'POST', path: '/api/v1/products', headers, json: { name } };
      const request = isWrite ? create : (reads[sent % reads.length] ?? create);
      const outcome = await ask(request).then(
        ({ status, text }) => (status === 200 ? '' : `${status} ${text}`),
        String,
      );
      if (outcome) failures.add(`${request.method ?? 'GET'}: ${outcome.slice(0, 100)}`);
      else if (isWrite) acknowledged.push(name);
    }
  });
  await restart().finally(() => {
    isRestarted = true;
  });
  await Promise.all(running);
  const knex = await openDatabase(database);
  const stored: string[] = await knex('products').where('name', 'like', 'Rolling %').pluck('name');
  await knex.destroy();
  assert.deepEqual([...failures], [], `requests failed during the restart: ${[...failures].join('; ')}`);
  assert.deepEqual(stored.toSorted(), acknowledged.toSorted(), 'the stored products are not the acknowledged ones');
  say(`  rolling restart of two servers: ${sent} requests, ${stored.length} products, none failed`);
}

/** Requests that proxies log, also as errors: with a token, without TLS, not HTTP. Returns the statuses of the whole ones. */
async function visitWithToken(ask: Ask, { http, https }: Places, token: string, paths: string[]): Promise<number[]> {
  const from = '127.1.2.3';
  const headers = { referer: `${siteUrl}/?zugang=${token}`, 'x-forwarded-for': '198.51.100.77' };
  const statuses: number[] = [];
  for (const path of paths.map((each) => `${each}?zugang=${token}&zugang=${token}`)) {
    for (const client of [{ from }, ...(hasIpv6 ? [{ to: { host: '::1' } }] : [])]) {
      // HAProxy closes a client's connection without a response if the server's connection ends as a request arrives.
      statuses.push(
        await ask({ path, headers, ...client }).then(
          ({ status }) => status,
          () => 502,
        ),
      );
    }
    await ask({ path, from, headers, to: { port: http, isSecure: false } });
    await writeTo(https, from, `GET ${path} HTTP/1.1\r\nhost: ${site}\r\n\r\n`);
    await writeTo(http, from, `GET ${path} HTTP/1.1\r\nhost\r\n\r\n`);
  }
  for (const bytes of ['\u0016\u0003\u0001\0\u0005hello', '']) await writeTo(https, from, bytes);
  return statuses;
}

/** Sends bytes and waits until the proxy closes the connection, or for a moment. */
async function writeTo(port: number, localAddress: string, bytes: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {}).resume();
  socket.write(bytes, 'latin1');
  await Promise.race([new Promise((resolve) => socket.once('close', resolve)), setTimeout(300)]);
  socket.destroy();
}

function checkLogs(logs: string, token: string): void {
  const lines = logs.split('\n').filter((line) => line !== '');
  const whole = /127\.1\.2\.3|198\.51\.100\.77|(?<![0-9a-f:])::1(?![0-9a-f:])/;
  // The middle of the token: a part of it must not be there either.
  const found = lines.filter((line) => whole.test(line) || line.includes(token.slice(20, 60)));
  assert.deepEqual(found.slice(0, 2), [], `the log keeps a token or a whole address: ${found[0]}`);
  assert.ok(logs.includes('127.1.2.0'), 'the log has no shortened address');
  say(`  no whole address and no token in ${lines.length} lines of logs${hasIpv6 ? '' : ', without IPv6'}: ok`);
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !proxies.some((proxy) => proxy.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `${unknown.join(', ')}: unknown. The proxies are ${proxies.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit(2);
}
for (const proxy of proxies) {
  if (chosen.length > 0 && !chosen.includes(proxy.name)) continue;
  if (spawnSync('sh', ['-c', `command -v ${proxy.name}`]).status !== 0) {
    say(`${proxy.name}: not run: needs the Debian package ${proxy.debian}`);
    continue;
  }
  try {
    await using ending = new AsyncDisposableStack();
    await check(proxy, ending);
    say(`${proxy.name}: ok`);
  } catch (error) {
    say(`${proxy.name}: failed: ${error instanceof assert.AssertionError ? error.message : (error as Error).stack}`);
    process.exitCode = 1;
  }
}
