/** Proxies and a header of its own: the example, and the ways of the SDK's README, through a proxy to a service with TLS. */
import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as undici from 'undici';
import { createClient, type Fetch } from '../../sdk/src/index.ts';
import { createFakeService } from '../../sdk/src/testing.ts';
import { selfSigned } from '../support/certificate.ts';
import { newFolder } from '../support/files.ts';
import { root, run } from '../support/program.ts';
import { listen, serveFetch } from '../support/serve.ts';

/** Only the proxy can reach it: it does not resolve. */
const host = 'passport.example.com';
const identity = selfSigned(host);
const service = createFakeService();
const apiKey = service.provider.tenants[0]?.api_key ?? '';

/** The service with TLS, and without. */
let secureUrl = '';
let plainUrl = '';
/** The header `x-team` of each request that reached the service. */
let teams: unknown[] = [];
let environment: Record<string, string> = {};

beforeAll(async () => {
  const respond = (received: Request) => {
    teams.push(received.headers.get('x-team'));
    return service.fetch(received);
  };
  secureUrl = (await serveFetch(respond, identity)).url;
  plainUrl = (await serveFetch(respond)).url;
  const certificate = join(newFolder(), 'certificate.pem');
  await writeFile(certificate, identity.cert);
  environment = { NODE_EXTRA_CA_CERTS: certificate, PRODUCT_PASSPORT_KEY: apiKey, NODE_OPTIONS: '' };
});
beforeEach(() => {
  teams = [];
});

/**
 * A company's proxy: it forwards `http` requests, and opens tunnels for `https`, all of them to one server.
 *
 * @param login `user:password` that a tunnel requires
 */
async function startProxy(server: string, login?: string) {
  const { port } = new URL(server);
  /** The first lines of the requests, such as `GET http://p.example.com/api/v1/me` and `CONNECT p.example.com:443`. */
  const lines: string[] = [];
  const proxy = createServer(({ method, url = '', headers }, outgoing) => {
    lines.push(`${method} ${url}`);
    const { pathname, search } = new URL(url);
    const target = { host: '127.0.0.1', port, path: pathname + search, headers };
    request(target, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    }).end();
  });
  proxy.on('connect', ({ url, headers }, socket: Socket) => {
    lines.push(`CONNECT ${url}`);
    const refusal = url?.startsWith(host) ? '407 Proxy Authentication Required' : '502 Bad Gateway';
    const isKnown = login === undefined || headers['proxy-authorization'] === `Basic ${btoa(login)}`;
    if (!isKnown || !url?.startsWith(host)) {
      socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
      return;
    }
    const onward = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      pipeline(socket, onward, socket, () => {});
    });
  });
  return { url: await listen(proxy), lines };
}

/** Runs a program with the address of a service, and the address of a proxy in both forms of the variable. */
function runWith(program: string, baseUrl: string, variables: Record<string, string>) {
  const lower = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]);
  const proxies = { no_proxy: '', NO_PROXY: '', ...variables, ...Object.fromEntries(lower) };
  return run(`node ${join(root, 'examples', program)}`, { ...environment, PRODUCT_PASSPORT_URL: baseUrl, ...proxies });
}

const secure = `https://${host}/api/v1`;

describe('the example', () => {
  const example = 'proxy/missing-gtins.mjs';

  test('reaches an https service through a tunnel of the proxy, with its own header', async () => {
    const proxy = await startProxy(secureUrl);
    const { code, stdout, stderr } = await runWith(example, secure, { HTTPS_PROXY: proxy.url });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^(?:[\w-]+\n)+\d+ without a GTIN\n$/);
    expect(proxy.lines).toEqual([`CONNECT ${host}:443`]);
    expect(teams).toEqual(['erp']);
  });

  test('reaches an http service through the proxy, and directly if its host is in NO_PROXY', async () => {
    const proxy = await startProxy(plainUrl);
    const through = await runWith(example, `http://${host}/api/v1`, { HTTP_PROXY: proxy.url });
    expect(through).toMatchObject({ code: 0, stderr: '' });
    const direct = await runWith(example, `${plainUrl}/api/v1`, { HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' });
    expect(direct).toMatchObject({ code: 0, stderr: '' });
    expect(proxy.lines).toEqual([`GET http://${host}/api/v1/products?limit=200`]);
  });

  test('names the host and the cause if the proxy cannot reach the service', async () => {
    const proxy = await startProxy(secureUrl);
    const outcome = await runWith(example, 'https://other.example.com/api/v1', { HTTPS_PROXY: proxy.url });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/NetworkError: .*from other\.example\.com: .*502/);
    expect(outcome.stderr).not.toContain(apiKey);
  });
});

test('without code, Node uses the proxy if NODE_USE_ENV_PROXY is set', async () => {
  const proxy = await startProxy(secureUrl);
  const variables = { HTTPS_PROXY: proxy.url, NODE_USE_ENV_PROXY: '1' };
  const { stdout } = await runWith('node-script/incomplete.mjs', secure, variables);
  expect(stdout).toMatch(/\d+ incomplete\n$/);
  expect(new Set(proxy.lines)).toEqual(new Set([`CONNECT ${host}:443`])); // one for each connection
});

test('a ProxyAgent logs in at the proxy and keeps its connections; a refused login is a network error', async () => {
  const login = 'user:secret';
  const proxy = await startProxy(secureUrl, login);
  const requestTls = { ca: identity.cert };
  const outcomes = async (uri: string) => {
    const dispatcher = new undici.ProxyAgent({ uri, connections: 3, requestTls });
    const fetch: Fetch = (url, init) => undici.fetch(url, { ...init, dispatcher });
    const client = createClient({ baseUrl: secure, apiKey, fetch, maxAttempts: 1, maxInFlight: 8 });
    const results = await Promise.all(Array.from({ length: 40 }, () => client.me.get().result()));
    await dispatcher.close();
    return results;
  };
  expect(await outcomes(proxy.url.replace('://', `://${login}@`))).toEqual(
    Array(40).fill(expect.objectContaining({ ok: true })),
  );
  expect(proxy.lines.length).toBeLessThanOrEqual(3);
  const [refused] = await outcomes(proxy.url);
  expect(refused).toMatchObject({ error: { name: 'NetworkError', message: expect.stringContaining('407') } });
});
