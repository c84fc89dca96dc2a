/**
 * The files in `deploy`: each is linted, and its command starts the server here, without a container. No nginx, Caddy or
 * Kubernetes is at hand.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { Deployment } from 'kubernetes-models/apps/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { NginxParser } from 'nginx-conf';
import { parseAllDocuments } from 'yaml';
import { settingNames, settings, variableOf } from '../../server/src/config/settings.ts';
import { ending } from '../support/ending.ts';
import { freePort, root, run, start } from '../support/program.ts';
import { newDatabase, useService } from '../support/service.ts';

jest.setTimeout(240_000);

const read = (name: string) => readFile(join(root, 'deploy', name), 'utf8');
const unit = await read('product-passport.service');
const nginx = await read('nginx.conf');
const caddy = await read('Caddyfile');
const kubernetes = await read('kubernetes.yaml');

const entry = 'server/src/cli/main.ts';
const known = settingNames.map(variableOf);

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deploy-'));
  ending.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Starts a command of a file with its variables, and requests paths of the admin listener. Then stops it as its supervisor
 * does. Returns the statuses.
 */
async function startsWith(
  words: readonly string[],
  variables: Record<string, string>,
  paths: readonly string[],
): Promise<number[]> {
  const admin = await freePort();
  const ports = { PORT: '0', HOST: '127.0.0.1', PRODUCT_PASSPORT_ADMIN_PORT: String(admin) };
  const program = await start(`node ${words.join(' ')} --json`, /\}\n/, { ...variables, ...ports });
  const responses = await Promise.all(paths.map((path) => fetch(`http://127.0.0.1:${admin}${path}`)));
  expect(await program.stop()).toBe(0);
  return responses.map(({ status }) => status);
}

describe('the systemd unit', () => {
  const lines = unit.split('\n').filter((line) => /^[A-Z]\w+=/.test(line));
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));
  const variables = Object.fromEntries(valuesOf('Environment').map((line) => line.split(/=(.*)/s).slice(0, 2)));

  test('has the sections of a service, and a key only once', () => {
    expect(Array.from(unit.matchAll(/^\[(\w+)\]$/gm), ([, name]) => name)).toEqual(['Unit', 'Service', 'Install']);
    const names = lines.map((line) => line.split('=')[0]);
    const repeated = names.filter((name, index) => names.indexOf(name) !== index);
    expect(new Set(repeated)).toEqual(new Set(['Environment', 'SystemCallFilter']));
  });

  test('writes only its own folder, and has no rights', () => {
    expect([valuesOf('ProtectSystem'), valuesOf('CapabilityBoundingSet'), valuesOf('NoNewPrivileges')]).toEqual([
      ['strict'],
      [''],
      ['yes'],
    ]);
    const folder = `/var/lib/${valuesOf('StateDirectory')[0]}`;
    expect([...valuesOf('WorkingDirectory'), variables.PRODUCT_PASSPORT_DATABASE?.replace(/\/[^/]+$/, '')]).toEqual([
      folder,
      folder,
    ]);
    expect(valuesOf('StateDirectoryMode')).toEqual(['0700']);
    // V8 needs memory that it can write and run.
    expect(valuesOf('MemoryDenyWriteExecute')).toEqual([]);
  });

  test('names only variables that exist', () => {
    const ofNode = ['NODE_ENV', 'NODE_OPTIONS'];
    expect(Object.keys(variables).filter((name) => !ofNode.includes(name) && !known.includes(name))).toEqual([]);
  });

  test("limits V8's memory for new objects", () => {
    expect(variables.NODE_OPTIONS).toBe('--max-semi-space-size=16');
  });

  test('its command starts the server, and a SIGTERM stops it in time', async () => {
    const [program, main = '', ...words] = (valuesOf('ExecStart')[0] ?? '').split(' ');
    expect(program).toBe('/usr/bin/node');
    expect(main.replace('/opt/product-passport/node_modules/@product-passport/', '').replace(/\.js$/, '.ts')).toBe(
      entry,
    );
    const database = join(await newFolder(), 'product-passport.sqlite');
    const given = { ...variables, PRODUCT_PASSPORT_DATABASE: database };
    const [, address = ''] = /curl http:\/\/127\.0\.0\.1:9090(\S+)/.exec(unit) ?? [];
    expect(await startsWith([entry, ...words], given, [address])).toEqual([200]);
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(10);
  });

  const analyzer = existsSync('/usr/bin/systemd-analyze') ? test : test.skip;

  analyzer('has no findings of systemd, and little exposure', async () => {
    // systemd checks that the user and the program of ExecStart exist.
    const local = unit.replace(/^User=.*$/m, 'User=daemon').replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`);
    const file = join(await newFolder(), 'product-passport.service');
    await writeFile(file, local);
    const verified = await run(`systemd-analyze verify --man=no ${file}`);
    expect([verified.code, verified.stderr.split('\n').filter((line) => line.includes('product-passport'))]).toEqual([
      0,
      [],
    ]);
    // Of 10; a unit without hardening has 9.6.
    expect(await run(`systemd-analyze security --no-pager --offline=true --threshold=15 ${file}`)).toMatchObject({
      code: 0,
    });
    await writeFile(file, local.replace(/^(?:Protect|Private|Restrict|Capability|SystemCall).*$/gm, ''));
    expect((await run(`systemd-analyze security --no-pager --offline=true --threshold=15 ${file}`)).code).not.toBe(0);
  });
});

describe('the Kubernetes manifest', () => {
  const documents = parseAllDocuments(kubernetes).map((document) => document.toJS());
  const [deployment, service, budget] = documents;
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;

  test('is valid', () => {
    new Deployment(deployment).validate();
    new Service(service).validate();
    new PodDisruptionBudget(budget).validate();
    const wrong = structuredClone(deployment);
    wrong.spec.template.spec.containers[0].ports = 3000;
    expect(() => new Deployment(wrong).validate()).toThrow(/ports/);
  });

  test('has one label for all parts, and a port that the Service finds', () => {
    const label = { app: 'product-passport' };
    expect([deployment.spec.selector.matchLabels, service.spec.selector, budget.spec.selector.matchLabels]).toEqual([
      label,
      label,
      label,
    ]);
    expect(deployment.spec.template.metadata.labels).toEqual(label);
    expect(container.ports).toEqual([
      { name: service.spec.ports[0].targetPort, containerPort: 3000 },
      { name: 'admin', containerPort: 9090 },
    ]);
  });

  test('runs without rights, as the user of the image', async () => {
    const dockerfile = await read('Dockerfile');
    expect(dockerfile).toContain(`USER ${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}\n`);
    expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('names only variables that exist, and takes the address of the database from a secret', () => {
    const names = container.env.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => !known.includes(name))).toEqual([]);
    const database = container.env.find(({ name }: { name: string }) => name === 'PRODUCT_PASSPORT_DATABASE');
    expect(Object.keys(database)).toEqual(['name', 'valueFrom']);
  });

  test('its command starts the server over PostgreSQL, and its probes succeed', async () => {
    const plain = container.env.filter(({ value }: { value?: string }) => value !== undefined);
    const variables = Object.fromEntries(plain.map(({ name, value }: Record<string, string>) => [name, value]));
    const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
    expect(probes.map(({ httpGet }) => httpGet.port)).toEqual(['admin', 'admin', 'admin']);
    expect(variables.PRODUCT_PASSPORT_ADMIN_PORT).toBe('9090');
    const database = await newDatabase('PostgreSQL');
    const given = { ...variables, PRODUCT_PASSPORT_DATABASE: database };
    const paths = probes.map(({ httpGet }) => httpGet.path);
    expect(await startsWith([entry, ...container.args], given, paths)).toEqual([200, 200, 200]);
  });
});

/** The contexts in which nginx allows each directive of the file, from its documentation. */
const contexts: Record<string, readonly string[]> = {
  upstream: ['http'],
  log_format: ['http'],
  server: ['http', 'upstream'],
  keepalive: ['upstream'],
  keepalive_timeout: ['http', 'server', 'location', 'upstream'],
  listen: ['server'],
  server_name: ['server'],
  return: ['server', 'location'],
  ssl_certificate: ['http', 'server'],
  ssl_certificate_key: ['http', 'server'],
  server_tokens: ['http', 'server', 'location'],
  add_header: ['http', 'server', 'location'],
  access_log: ['http', 'server', 'location'],
  client_max_body_size: ['http', 'server', 'location'],
  location: ['server'],
  proxy_pass: ['location'],
  proxy_http_version: ['http', 'server', 'location'],
  proxy_set_header: ['http', 'server', 'location'],
  proxy_next_upstream: ['http', 'server', 'location'],
  proxy_read_timeout: ['http', 'server', 'location'],
};

type NginxParseTreeNode = NonNullable<Parameters<NonNullable<Parameters<NginxParser['parse']>[1]>>[1]>;

interface Directive {
  context: string;
  name: string;
  value: string;
}

/** The directives of nginx.conf, which the `http` block includes. */
function directivesOf(text: string): Promise<Directive[]> {
  const below = (node: NginxParseTreeNode, context: string): Directive[] =>
    (node.children ?? []).flatMap((child) => [
      { context, name: child.name, value: child.value },
      ...below(child, child.name),
    ]);
  return new Promise((resolve, reject) => {
    new NginxParser().parse(text, (error, tree) => {
      if (tree) resolve(below(tree, 'http'));
      else reject(error);
    });
  });
}

describe('nginx.conf', () => {
  const directive = async (name: string) => (await directivesOf(nginx)).filter((one) => one.name === name);

  test('has only directives that nginx has, where it allows them', async () => {
    const misplaced = (text: string) =>
      directivesOf(text).then((all) => all.filter(({ name, context }) => !contexts[name]?.includes(context)));
    expect(await misplaced(nginx)).toEqual([]);
    expect(await misplaced(nginx.replace('server_tokens', 'server_token'))).toHaveLength(1);
    expect(await misplaced('server { log_format x "$uri"; }')).toHaveLength(1);
    await expect(directivesOf(nginx.replace('2m;', '2m'))).resolves.not.toHaveLength(
      (await directivesOf(nginx)).length,
    );
  });

  test('closes idle connections before the server does, and leaves the 413 to the server', async () => {
    expect(await directive('keepalive_timeout')).toMatchObject([{ value: '60s' }]);
    expect(settings.keepAlive.default).toBeGreaterThan(60_000);
    expect(await directive('client_max_body_size')).toMatchObject([{ value: '2m' }]);
  });

  test('passes the path as it was sent', async () => {
    // With a path after the host, nginx would decode and normalise the path of the request.
    expect(await directive('proxy_pass')).toMatchObject([{ value: 'http://product_passport' }]);
    expect(await directive('upstream')).toMatchObject([{ value: 'product_passport' }]);
  });

  test('writes no query into its log, because it may hold an access token', async () => {
    const [format] = await directive('log_format');
    expect(format?.value).toContain('$uri');
    expect(format?.value).not.toMatch(/\$(request|request_uri|args|query_string|http_referer)\b(?!_)/);
  });
});

test('the Caddyfile has balanced blocks, short idle connections, and no access token in its log', () => {
  const blocks = caddy.split('\n').map((line) => line.replace(/#.*/, '').trim());
  expect(blocks.filter((line) => line.endsWith('{'))).toHaveLength(blocks.filter((line) => line === '}').length);
  expect(blocks).toContain('reverse_proxy 127.0.0.1:3000 {');
  expect(blocks).toContain('keepalive 60s');
  expect(blocks.join('\n')).toContain('request>uri query {\nreplace zugang REDACTED');
});

describe('behind a proxy as nginx.conf describes it', () => {
  const service = useService('SQLite', { trustProxy: 1, publicRateLimit: 2 });

  /** The header that nginx makes from `$proxy_add_x_forwarded_for`: what the client sent, and the client's address. */
  const forwarded = (address: string, sent?: string) => (sent === undefined ? address : `${sent}, ${address}`);

  test('a client cannot choose its own address', async () => {
    expect(nginx).toContain('proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;');
    const statuses: number[] = [];
    for (const spoofed of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      const headers = { 'x-forwarded-for': forwarded('203.0.113.7', spoofed) };
      statuses.push((await fetch(`http://127.0.0.1:${service.port}/01/09520001000072`, { headers })).status);
    }
    const headers = { 'x-forwarded-for': forwarded('203.0.113.8') };
    statuses.push((await fetch(`http://127.0.0.1:${service.port}/01/09520001000072`, { headers })).status);
    expect(statuses).toEqual([404, 404, 429, 404]);
  });
});
