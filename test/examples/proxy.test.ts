/** Proxies, headers and kept connections: the example and the ways of the README, through a proxy, to the real server. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as undici from 'undici';
import { createClient, type Fetch } from '../../sdk/src/index.ts';
import { startServer, type TestServer } from '../../server/src/testing.ts';
import { selfSigned } from '../support/certificate.ts';
import { newFolder } from '../support/files.ts';
import { type ForwardProxy, startForwardProxy } from '../support/forward-proxy.ts';
import { root, run } from '../support/program.ts';

/** Only the proxy can reach it: it does not resolve. */
const host = 'passport.example.com';

const identity = selfSigned(host);

const folder = newFolder();
let server: TestServer;
/** The service behind TLS. */
let tls: Server;
/** The header `x-team` of each request that reached the service through TLS. */
let teams: unknown[] = [];
let proxy: ForwardProxy;
/** The same service for clients that trust the certificate. */
let environment: Record<string, string> = {};

const portOf = (listening: Server) => (listening.address() as AddressInfo).port;

beforeAll(async () => {
  server = await startServer({ demo: true, siteUrl: `https://${host}` });
  const { port } = new URL(server.baseUrl);
  tls = createServer(identity, (incoming, outgoing) => {
    teams.push(incoming.headers['x-team']);
    const { method, url: path, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      pipeline(response, outgoing, () => {});
    });
    pipeline(incoming, onward, () => {});
  }).listen(0, '127.0.0.1');
  await once(tls, 'listening');
  const certificate = join(folder, 'certificate.pem');
  await writeFile(certificate, identity.cert);
  environment = { NODE_EXTRA_CA_CERTS: certificate, PRODUCT_PASSPORT_KEY: server.apiKey, NODE_OPTIONS: '' };
});
beforeEach(async () => {
  teams = [];
  proxy = await startForwardProxy({ [host]: portOf(tls) });
});
afterEach(() => proxy.close());
afterAll(async () => {
  tls.closeAllConnections();
  tls.close();
  await server.stop();
});

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
    const { code, stdout, stderr } = await runWith(example, secure, { HTTPS_PROXY: proxy.url });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^(?:[\w-]+\n)+\d+ without a GTIN\n$/);
    expect(proxy.lines).toEqual([`CONNECT ${host}:443`]);
    expect(teams).toEqual(['erp']);
  });

  test('reaches an http service through the proxy', async () => {
    const plain = await startForwardProxy({ [host]: Number(new URL(server.baseUrl).port) });
    const outcome = await runWith(example, `http://${host}/api/v1`, { HTTP_PROXY: plain.url });
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(plain.lines).toEqual([`GET http://${host}/api/v1/products?limit=200`]);
    await plain.close();
  });

  test('connects directly to a host in NO_PROXY', async () => {
    const outcome = await runWith(example, server.baseUrl, { HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' });
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(proxy.lines).toEqual([]);
  });

  test('names the host and the cause if the proxy cannot reach the service', async () => {
    const outcome = await runWith(example, 'https://other.example.com/api/v1', { HTTPS_PROXY: proxy.url });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/NetworkError: .*from other\.example\.com: .*502/);
    expect(outcome.stderr).not.toContain(server.apiKey);
  });
});

test('without code, Node uses the proxy if NODE_USE_ENV_PROXY is set', async () => {
  const variables = { HTTPS_PROXY: proxy.url, NODE_USE_ENV_PROXY: '1' };
  const { stdout } = await runWith('node-script/incomplete.mjs', secure, variables);
  expect(stdout).toMatch(/\d+ incomplete\n$/);
  expect(new Set(proxy.lines)).toEqual(new Set([`CONNECT ${host}:443`])); // one for each connection
});

describe('connections', () => {
  /** 40 calls, 8 at a time. */
  async function calls(dispatcher: undici.Dispatcher, baseUrl: string): Promise<void> {
    const fetch: Fetch = (url, init) => undici.fetch(url, { ...init, dispatcher });
    const client = createClient({ baseUrl, apiKey: server.apiKey, fetch, maxInFlight: 8 });
    await Promise.all(Array.from({ length: 40 }, () => client.me.get()));
    await dispatcher.close();
  }

  test('are kept and limited by an Agent', async () => {
    let opened = 0;
    const connect = undici.buildConnector({});
    const dispatcher = new undici.Agent({
      connections: 3,
      connect: (options, callback) => {
        opened += 1;
        connect(options, callback);
      },
    });
    await calls(dispatcher, server.baseUrl);
    expect(opened).toBeGreaterThan(0);
    expect(opened).toBeLessThanOrEqual(3);
  });

  test('are kept and limited by a ProxyAgent, which logs in at the proxy', async () => {
    const login = 'user:secret';
    const strict = await startForwardProxy({ [host]: portOf(tls) }, login);
    const requestTls = { ca: identity.cert };
    const uri = strict.url.replace('://', `://${login}@`);
    await calls(new undici.ProxyAgent({ uri, connections: 3, requestTls }), `https://${host}/api/v1`);
    expect(teams).toHaveLength(40);
    expect(strict.lines.length).toBeLessThanOrEqual(3);
    await strict.close();
  });

  test('fail with a reason if the proxy refuses the login', async () => {
    const strict = await startForwardProxy({ [host]: portOf(tls) }, 'user:secret');
    const dispatcher = new undici.ProxyAgent({ uri: strict.url });
    const fetch: Fetch = (url, init) => undici.fetch(url, { ...init, dispatcher });
    const client = createClient({ baseUrl: `https://${host}/api/v1`, apiKey: server.apiKey, fetch, maxAttempts: 1 });
    const outcome = await client.me.get().result();
    expect(outcome).toMatchObject({ error: { name: 'NetworkError', message: expect.stringContaining('407') } });
    await dispatcher.close();
    await strict.close();
  });
});
