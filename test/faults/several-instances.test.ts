/** Three servers over one PostgreSQL, behind a round robin; and two servers that are killed, a short round of `npm run torture`. */
import { connect, createServer } from 'node:net';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { revokeKey } from '../../server/src/tenants/keys.ts';
import { tenantLimit } from '../../server/src/tenants/limit.ts';
import { newMigratedDatabase } from '../support/database.ts';
import { run } from '../support/program.ts';
import { listen } from '../support/serve.ts';
import { type Client, type Service, startService } from '../support/service.ts';
import { asFile, faultsIn, typeReporting } from '../support/suite.ts';
import { rejection } from '../support/thrown.ts';

jest.setTimeout(240_000);

const instances = [0, 1, 2];
let address = '';
let balancer: Awaited<ReturnType<typeof roundRobin>>;
let services: Service[];
let tenants = 0;

async function startThree(options: { rateLimit?: number; siteUrl?: string } = {}): Promise<Service[]> {
  return Promise.all(instances.map(() => startService('PostgreSQL', { on: address, ...options })));
}

/** The same tenant as a client of each instance. */
async function clientsOf(all: readonly Service[]): Promise<Client[]> {
  const [first] = all;
  if (!first) throw new Error('There is no instance.');
  tenants += 1;
  const client = await first.newTenant({ slug: `verteilt-${tenants}` });
  return all.map((service) => service.clientOf(client));
}
beforeAll(async () => {
  address = await newMigratedDatabase('PostgreSQL');
  balancer = await roundRobin(() => services.map(({ port }) => port));
  services = await startThree({ siteUrl: balancer.url });
});

test('verify finds the three conformant', async () => {
  const [service] = services;
  if (!service) throw new Error('There is no instance.');
  const keys = await fillDemo({ database: service.database, urnNamespace: 'dpp', now: () => new Date() });
  const provider = asFile({ base_url: `${balancer.url}/api/v1`, site_url: balancer.url, ...keys });
  const { code, report } = await typeReporting(
    'verify',
    ...provider,
    ...['--claim', 'core,public', '--generated', '0.2'],
  );
  expect({ code, faults: faultsIn(report), verdict: report.verdict }).toEqual({
    code: 0,
    faults: [],
    verdict: 'conformant',
  });
  // Each served a good part of the run.
  expect(Math.min(...balancer.connections)).toBeGreaterThan(20);
});

test('a revoked key fails at once on all, on connections that are open', async () => {
  const clients = await clientsOf(services);
  const outcomes = async (): Promise<string[]> =>
    (await Promise.all(clients.map((client) => client.call({ path: '/api/v1/me' })))).map(({ outcome }) => outcome);
  expect(await outcomes()).toEqual(['200', '200', '200']);
  const [client] = clients;
  if (!client) throw new Error('There is no client.');
  await revokeKey(client.service.database, client.tenant.id, client.keyId, new Date());
  expect(await outcomes()).toEqual(Array(3).fill('401 invalid_api_key'));
});

test('an activated, changed or archived product is so at once on all', async () => {
  const clients = await clientsOf(services);
  const pages = async (): Promise<number[]> =>
    Promise.all(
      clients.map(async (client) => (await client.call({ path: `/p/${client.tenant.slug}/tasse/jsonld` })).status),
    );
  const [one, other, third] = clients;
  if (!one || !other || !third) throw new Error('There are too few clients.');
  await one.create({ name: 'Tasse', gtin: '9520001000010' });
  expect(await pages()).toEqual([404, 404, 404]);
  await other.service.activate(other, 'tasse');
  expect(await pages()).toEqual([200, 200, 200]);
  for (let version = 0; version < 10; version += 1) {
    await third.write('tasse', [{ field_key: 'farbe', value: version }]);
    for (const client of clients) expect((await client.passport('tasse')).values).toMatchObject([{ value: version }]);
  }
  await third.service.archive(third, 'tasse');
  expect(new Set(await pages()).size).toBe(1);
  expect(await pages()).not.toContain(200);
});

test('a tenant has its limit once, not on each instance, and Retry-After says when it ends', async () => {
  const limited = await startThree({ rateLimit: 100 });
  const clients = await clientsOf(limited);
  const others = await clientsOf(limited);
  const replies = await Promise.all(
    Array.from({ length: 60 }, () => clients.map((client) => client.call({ path: '/api/v1/me' }))).flat(),
  );
  const outcomes = replies.map(({ outcome }) => outcome);
  expect(new Set(outcomes)).toEqual(new Set(['200', '429 rate_limited']));
  expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(100);
  const waits = replies.flatMap(({ headers }) => headers['retry-after'] ?? []).map(Number);
  expect(waits).toHaveLength(80);
  expect(Math.min(...waits)).toBeGreaterThan(30);
  expect(Math.max(...waits)).toBeLessThanOrEqual(60);
  for (const other of others) expect((await other.call({ path: '/api/v1/me' })).outcome).toBe('200');
});

test('a shared limit costs a statement for few requests, and a new window starts afterwards', async () => {
  const [service] = services;
  if (!service) throw new Error('There is no instance.');
  const { tenant } = await service.newTenant({ slug: 'gezaehlt' });
  let statements = 0;
  service.database.on('query', ({ sql }: { sql: string }) => {
    if (sql.includes('rate_windows')) statements += 1;
  });
  const limit = tenantLimit(service.database, 2000);
  for (let request = 0; request < 2000; request += 1) await limit(tenant.id);
  expect(await rejection(() => limit(tenant.id))).toMatchObject({ code: 'rate_limited' });
  expect(statements).toBeLessThan(150);

  // The window ends: for the database, and in the memory of an instance that starts now.
  await service.database('rate_windows').where({ tenant_id: tenant.id }).update({ ends_at: 1 });
  const other = tenantLimit(service.database, 2000);
  await other(tenant.id);
  // The clock of the database moved back: the window would last for an hour.
  await service.database('rate_windows').update({ ends_at: Date.now() + 3_600_000, used: 2000 });
  await tenantLimit(service.database, 2000)(tenant.id);
  // The first instance had used its window up, and remembers that until its end.
  expect(await rejection(() => limit(tenant.id))).toMatchObject({ code: 'rate_limited' });
});

/**
 * Leads each connection to the next port, as a balancer of TCP does: the servers see the bytes as the client sent them.
 *
 * @returns the address, and how many connections each port got
 */
async function roundRobin(ports: () => readonly number[]) {
  const connections: number[] = [];
  let next = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const all = ports();
    const index = next % all.length;
    next += 1;
    connections[index] = (connections[index] ?? 0) + 1;
    const peer = connect({ port: all[index] ?? 0, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    client.pipe(peer).pipe(client);
    for (const [one, other] of [
      [client, peer],
      [peer, client],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroySoon());
    }
  });
  return { url: await listen(server), connections };
}

const torture = (options: string) => run(`node tools/torture/torture.ts --seed 5 ${options}`);

test.each(['sqlite', 'postgres'])(
  'two servers on %s that are killed keep every acknowledged write, and stored none in part',
  async (kind) => {
    const { code, stdout, stderr } = await torture(`--only killed --rounds 2 --database ${kind}`);
    expect([stdout.split('\n').filter((line) => line.startsWith('FAILED')), stderr, code]).toEqual([[], '', 0]);
    expect(stdout).toMatch(
      new RegExp(`^ok round 1, ended by SIGKILL on ${kind}: .*\nok round 2, ended by SIGTERM on`, 'm'),
    );
  },
);
