/** nginx, Caddy and HAProxy with the files of `deploy`, in front of two servers over one PostgreSQL. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../../server/src/index.ts';
import { selfSigned } from '../../test/support/certificate.ts';
import { Cluster, replacePackage } from '../../test/support/cluster.ts';
import { freePort, type Running, root } from '../../test/support/program.ts';
import { ask, fillDemo, type Instance, load, type Part, siteUrl, startInstance } from './part.ts';

const site = new URL(siteUrl).host;
const hosts = ['127.0.0.1', '127.0.0.2'] as const;
const requests = 10_000;
/** Every fifth request creates a product. */
const createsEvery = 5;

/** The ports and the folder of a proxy, in place of those of its file. */
interface Places {
  readonly folder: string;
  readonly http: number;
  readonly https: number;
  readonly server: number;
  readonly admin: number;
}

interface Proxy {
  readonly name: string;
  readonly program: string;
  readonly file: string;
  /** What the check changes in the file: each text must be there. */
  changes(places: Places): readonly (readonly [string, string])[];
  /** The words that start the program in the foreground with the changed file. */
  words(file: string, places: Places): readonly string[];
}

const isRoot = process.getuid?.() === 0;
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const alsoIpv6 = (line: string): string => (hasIpv6 ? line : '');

const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    program: 'nginx',
    file: 'nginx.conf',
    changes: ({ folder, http, https, server }) => [
      ['listen 80;', `listen ${http};`],
      ['listen 443 ssl;', `listen ${https} ssl; ${alsoIpv6(`listen [::]:${https} ssl;`)}`],
      [
        'server 127.0.0.1:3000 fail_timeout=1s;',
        hosts.map((host) => `server ${host}:${server} fail_timeout=1s;`).join(' '),
      ],
      ['/etc/ssl/passport.example.com.pem', `${folder}/cert.pem`],
      ['/etc/ssl/private/passport.example.com.key', `${folder}/key.pem`],
      ['/var/log/nginx/', `${folder}/log/`],
    ],
    words(file, { folder }) {
      // As Debian's own nginx.conf, which includes conf.d and logs to these two files.
      const main = `pid ${folder}/pid; error_log ${folder}/log/error.log; events {}
        http { access_log ${folder}/log/access.log; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
        fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi; include ${file}; }`;
      writeFileSync(join(folder, 'main.conf'), main);
      return ['-p', folder, '-c', join(folder, 'main.conf'), '-g', 'daemon off;'];
    },
  },
  {
    name: 'caddy',
    program: 'caddy',
    file: 'Caddyfile',
    changes: ({ folder, http, https, server, admin }) => [
      ['{\n\t# All logs', `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\t# All logs`],
      [`\n${site} {\n`, `\n${site} {\n\ttls ${folder}/cert.pem ${folder}/key.pem\n`],
      ['127.0.0.1:3000', hosts.map((host) => `${host}:${server}`).join(' ')],
      ['health_port 9090', `health_port ${admin}`],
    ],
    words: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  {
    name: 'haproxy',
    program: 'haproxy',
    file: 'haproxy.cfg',
    changes: ({ folder, http, https, server, admin }) => [
      ['log /dev/log local0', 'log stdout format raw local0'],
      ['  user haproxy\n  group haproxy\n', isRoot ? '  user haproxy\n  group haproxy\n' : ''],
      ['bind :80\n', `bind :${http}\n`],
      [
        'bind :443 ssl crt /etc/haproxy/passport.example.com.pem alpn h2,http/1.1\n',
        ['', ...(hasIpv6 ? ['::'] : [])]
          .map((address) => `  bind ${address}:${https} ssl crt ${folder}/both.pem alpn h2,http/1.1\n`)
          .join('')
          .trimStart(),
      ],
      ['server first 127.0.0.1:3000', hosts.map((host, index) => `server s${index} ${host}:${server}`).join('\n  ')],
      ['check port 9090', `check port ${admin}`],
    ],
    words: (file) => ['-db', '-f', file],
  },
];

export const proxyParts: readonly Part[] = proxies.map((proxy) => ({
  name: proxy.name,
  needs: { [proxy.program]: proxy.program === 'nginx' ? 'nginx-light' : proxy.program },
  run: (say, ending) => check(proxy, say, ending),
}));

async function check(proxy: Proxy, say: (line: string) => void, ending: AsyncDisposableStack): Promise<void> {
  const cluster = await Cluster.start({ defer: (undo) => ending.defer(undo), replacePackage });
  const database = await cluster.newDatabase();
  const demo = await fillDemo(database);
  const places: Places = {
    folder: newFolder(ending),
    http: await freePort(),
    https: await freePort(),
    server: await freePort(),
    admin: await freePort(),
  };
  const shared = { port: places.server, adminPort: places.admin, database, options: '--drain-delay 3s' };
  const instances = hosts.map((host): Instance => ({ host, ...shared }));
  const servers = await Promise.all(instances.map(startInstance));
  ending.defer(async () => void (await Promise.all(servers.map((server) => server.stop()))));
  const logs = await startProxy(proxy, places, ending);
  const target = { port: places.https };
  const [{ slug, api_key }] = demo.tenants;
  const headers = { authorization: `Bearer ${api_key}` };
  const { items } = JSON.parse((await ask(target, { path: '/api/v1/products?status=active', headers })).text);
  const token = demo.access_tokens.find((each) => each.tenant === slug && !each.revoked)?.token ?? '';
  const page = `/p/${slug}/${items[0].slug}`;

  await checkHead(target, places, page);
  say('TLS, HSTS and the redirect from http: ok');
  say(await checkAddress({ target, database, page, port: places.server }));

  const tally = await duringRestart({ target, servers, instances, headers, page: `${page}?zugang=${token}` });
  say(`rolling restart of two servers: ${tally}`);
  const names = await createdIn(database);
  const twice = names.length - new Set(names).size;
  const lost = tally.acknowledged.filter((name) => !names.includes(name)).length;
  say(`of ${tally.acknowledged.length} acknowledged creates ${lost} are missing; ${twice} products are there twice`);
  const { GET: reads = 0, POST: writes = 0 } = tally.failed;
  assert.deepEqual([reads, writes, lost, twice], [0, 0, 0, 0], 'requests failed during the restart');

  const gtin = items.find((item: { gtin: string | null }) => item.gtin !== null)?.gtin ?? '';
  await provokeLogs({ target, places, token, paths: [page, `/01/${gtin.padStart(14, '0')}`], servers });
  say(checkLogs(logs(), token));
}

function newFolder(ending: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-check-'));
  ending.defer(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'log'));
  const { cert, key } = selfSigned(site);
  for (const [name, text] of Object.entries({ 'cert.pem': cert, 'key.pem': key, 'both.pem': cert + key }))
    writeFileSync(join(folder, name), text);
  return folder;
}

/** Starts the program with the changed file. Returns a function that reads everything it has logged. */
async function startProxy(proxy: Proxy, places: Places, ending: AsyncDisposableStack): Promise<() => string> {
  const { folder } = places;
  let text = readFileSync(join(root, 'deploy', proxy.file), 'utf8');
  for (const [from, to] of proxy.changes(places)) {
    assert.ok(text.includes(from), `deploy/${proxy.file} has no "${from}"`);
    text = text.replaceAll(from, () => to);
  }
  const file = join(folder, proxy.file);
  writeFileSync(file, text);
  const output = openSync(join(folder, 'log/output'), 'a');
  const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(proxy.program, proxy.words(file, places), {
    stdio: ['ignore', output, output],
    env: environment,
  });
  closeSync(output);
  const ended = once(child, 'exit');
  ending.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const logs = (): string => {
    const files = readdirSync(join(folder, 'log'));
    return files.map((name) => readFileSync(join(folder, 'log', name), 'utf8')).join('\n');
  };
  for (let tries = 0; ; tries += 1) {
    const response = await ask({ port: places.https }, { path: '/.well-known/gs1resolver' }).catch(() => undefined);
    if (response?.status === 200) return logs;
    assert.ok(tries < 50 && child.exitCode === null, `${proxy.program} did not start:\n${logs()}`);
    await setTimeout(200);
  }
}

async function checkHead(target: { port: number }, { http }: Places, page: string): Promise<void> {
  const response = await ask(target, { path: page });
  assert.deepEqual([response.status, response.headers['strict-transport-security']], [200, 'max-age=31536000']);
  const redirect = await ask({ port: http, isSecure: false }, { path: `${page}?zugang=x` });
  assert.equal(redirect.status, 308, 'http is redirected');
  assert.match(String(redirect.headers.location), new RegExp(`^https://${site}(:\\d+)?${page}\\?zugang=x$`));
}

/** A scan has a hash of the visitor's address: the same as that of a request that names this address itself. */
async function checkAddress({
  target,
  database,
  page,
  port,
}: {
  target: { port: number };
  database: string;
  page: string;
  port: number;
}): Promise<string> {
  const knex = await openDatabase(database);
  try {
    const visit = async (to: object, from: string, headers: Record<string, string>): Promise<string> => {
      await knex('scans').delete();
      const { status } = await ask({ ...target, ...to }, { path: page, from, headers });
      assert.equal(status, 200);
      const rows: { visitor_hash: string }[] = await knex('scans').select('visitor_hash');
      assert.equal(rows.length, 1, 'one visit is one scan');
      return rows[0]?.visitor_hash ?? '';
    };
    const direct = { port, isSecure: false };
    for (const client of ['127.1.2.3', '127.1.2.4']) {
      const expected = await visit(direct, '127.0.0.1', { 'x-forwarded-for': client });
      assert.equal(await visit({}, client, {}), expected, 'the server sees the address of the client');
      const forged = await visit({}, client, { 'x-forwarded-for': '198.51.100.77' });
      assert.equal(forged, expected, 'a client cannot choose its address');
    }
  } finally {
    await knex.destroy();
  }
  return 'addresses of clients arrive, and X-Forwarded-For of a client changes nothing: ok';
}

/** Restarts one server after the other under load. */
async function duringRestart({
  target,
  servers,
  instances,
  headers,
  page,
}: {
  target: { port: number };
  servers: Running[];
  instances: readonly Instance[];
  headers: Record<string, string>;
  page: string;
}): ReturnType<typeof load> {
  const reads = [{ path: '/api/v1/me', headers }, { path: '/api/v1/products?limit=10', headers }, { path: page }];
  const next = (index: number) =>
    index % createsEvery === 0
      ? { method: 'POST', path: '/api/v1/products', headers, json: { name: `Rolling ${index}` } }
      : (reads[index % reads.length] ?? { path: page });
  let isRestarted = false;
  const running = load(target, {
    clients: 16,
    next,
    isOver: ({ total }) => isRestarted && total >= requests,
  });
  try {
    for (const [index, instance] of instances.entries()) {
      await setTimeout(1000);
      assert.equal(await servers[index]?.stop(), 0);
      servers[index] = await startInstance(instance);
      // The health checks notice it.
      await setTimeout(2000);
    }
  } finally {
    isRestarted = true;
  }
  return running;
}

async function createdIn(database: string): Promise<string[]> {
  const knex = await openDatabase(database);
  try {
    const rows: { name: string }[] = await knex('products').where('name', 'like', 'Rolling %').select('name');
    return rows.map(({ name }) => name);
  } finally {
    await knex.destroy();
  }
}

/** Requests that proxies log, also as errors: with a token, without TLS, without a server. */
async function provokeLogs({
  target,
  places,
  token,
  paths,
  servers,
}: {
  target: { port: number };
  places: Places;
  token: string;
  paths: readonly string[];
  servers: readonly Running[];
}): Promise<void> {
  const from = '127.1.2.3';
  const headers = { referer: `${siteUrl}/?zugang=${token}`, 'x-forwarded-for': '198.51.100.77' };
  const visit = async (): Promise<number[]> => {
    const statuses: number[] = [];
    for (const path of paths.map((each) => `${each}?zugang=${token}&zugang=${token}`)) {
      statuses.push(await statusOf(target, { path, from, headers }));
      if (hasIpv6) statuses.push(await statusOf({ ...target, host: '::1' }, { path, headers }));
      await ask({ port: places.http, isSecure: false }, { path, from, headers });
      await writeTo(places.https, from, `GET ${path} HTTP/1.1\r\nhost: ${site}\r\n\r\n`);
      await writeTo(places.http, from, `GET ${path} HTTP/1.1\r\nhost\r\n\r\n`);
    }
    await writeTo(places.https, from, '\u0016\u0003\u0001\0\u0005hello');
    await writeTo(places.https, from, '');
    return statuses;
  };
  await visit();
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  const statuses = await visit();
  assert.deepEqual(
    statuses.filter((status) => status < 500),
    [],
    'without a server the proxy responds with 5xx',
  );
  await setTimeout(500);
}

/** HAProxy closes a client's connection without a response if the server's connection ends as a request arrives. */
function statusOf(target: { port: number; host?: string }, sent: Parameters<typeof ask>[1]): Promise<number> {
  return ask(target, sent).then(
    ({ status }) => status,
    () => 502,
  );
}

/** Sends bytes and waits until the proxy closes the connection, or for a moment. */
async function writeTo(port: number, localAddress: string, bytes: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  socket.write(bytes, 'latin1');
  socket.resume();
  await Promise.race([new Promise((resolve) => socket.once('close', resolve)), setTimeout(300)]);
  socket.destroy();
}

function checkLogs(logs: string, token: string): string {
  const lines = logs.split('\n').filter((line) => line !== '');
  const whole = /127\.1\.2\.3|198\.51\.100\.77|(?<![0-9a-f:])::1(?![0-9a-f:])/;
  const withAddress = lines.filter((line) => whole.test(line));
  // The middle of the token: a part of it must not be there either.
  const withToken = lines.filter((line) => line.includes(token.slice(20, 60)));
  assert.deepEqual(
    [withToken.slice(0, 2), withAddress.slice(0, 2)],
    [[], []],
    'the log keeps a token or a whole address',
  );
  assert.ok(
    lines.some((line) => line.includes('127.1.2.0')),
    'the log has the shortened address',
  );
  const families = hasIpv6 ? 'IPv4 and IPv6' : 'IPv4; this machine has no IPv6';
  return `no whole address and no token in ${lines.length} lines of logs (${families}): ok`;
}
