import { Agent } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { completeness, dayOf } from '@product-passport/openapi';
import { createJudge } from '../../contracts/judge/judge.ts';
import { openDatabase } from '../../server/src/index.ts';
import { contentHash } from '../../server/src/passports/version.ts';
import { templateOf } from '../../server/src/templates/catalogue.ts';
import { createKey, revokeKey } from '../../server/src/tenants/keys.ts';
import { insertTenant } from '../../server/src/tenants/store.ts';
import type { Passport } from '../support/client.ts';
import { newMigratedDatabase } from '../support/database.ts';
import { ending, makeReadOnly, newFolder } from '../support/files.ts';
import { announcement, freePort, type Running, start } from '../support/program.ts';
import { startService } from '../support/service.ts';
import { send } from '../support/wire.ts';

const judge = createJudge();
const group = 'battery';

/** The installed program in its own process, which is killed and restarted with the same file. */
class Process {
  readonly #address: string;
  readonly #key: string;
  readonly #agent = new Agent({ keepAlive: true });
  #running: Running | undefined;
  #port = 0;

  static async start(): Promise<Process> {
    const address = await newMigratedDatabase('SQLite');
    const database = await openDatabase(address);
    const named = { slug: 'mandant', name: 'Mandant GmbH', country: 'DE', plan: 'business' as const };
    const tenant = await insertTenant(database, named, new Date());
    const { key } = await createKey(database, tenant?.id ?? '', 'test', new Date());
    await database.destroy();
    const made = new Process(address, key);
    ending.defer(() => made.kill());
    await made.start();
    return made;
  }

  private constructor(address: string, key: string) {
    this.#address = address;
    this.#key = key;
  }

  async start(): Promise<void> {
    this.#running = await start(`product-passport serve --json --port 0 --database ${this.#address}`, /\}\n/);
    this.#port = Number(new URL(JSON.parse(this.#running.said()).base_url).port);
  }

  async kill(): Promise<void> {
    await this.#running?.stop('SIGKILL');
    this.#agent.destroy();
  }

  /** Returns the body of a 200, checked against the contract. Throws if the connection breaks. */
  async ask(method: string, path: string, value?: unknown): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' };
    const body = value === undefined ? undefined : Buffer.from(JSON.stringify(value));
    const { status, text, ...response } = await send(this.#port, this.#agent, { method, path, headers, body });
    expect(judge.response({ method, path, status, headers: response.headers, body: text })).toEqual([]);
    expect(status).toBe(200);
    return JSON.parse(text);
  }
}

describe('a killed process', () => {
  test('keeps a write that it acknowledged just before', async () => {
    const server = await Process.start();
    await server.ask('POST', '/api/v1/products', { name: 'Tasse' });
    for (const value of ['eins', 'zwei']) {
      await server.ask('PUT', '/api/v1/products/tasse/passport', [{ field_key: 'x', value }]);
      await server.kill();
      await server.start();
      const { values } = (await server.ask('GET', '/api/v1/products/tasse/passport')) as Passport;
      expect(values).toMatchObject([{ field_key: 'x', value }]);
    }
  });

  test('keeps every acknowledged write among many, and stores none in part', async () => {
    const server = await Process.start();
    const slugs = ['tasse', 'tasse-2', 'tasse-3'];
    for (const _ of slugs) await server.ask('POST', '/api/v1/products', { name: 'Tasse', product_group: group });
    const keys = templateOf(group)
      .fields.filter(({ required }) => required)
      .map(({ key }) => key);
    const writers = slugs.flatMap((slug) =>
      keys
        .slice(0, 4)
        .map((field_key) => ({ slug, path: `/api/v1/products/${slug}/passport`, field_key, acknowledged: 0 })),
    );
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    let total = 0;
    const writing = writers.map(async (writer) => {
      for (;;) {
        const value = writer.acknowledged + 1;
        const values = [
          { field_key: writer.field_key, value },
          { field_key: `${writer.field_key}_too`, value },
        ];
        await server.ask('PUT', writer.path, values);
        writer.acknowledged = value;
        total += 1;
        if (total === 100) resolve();
      }
    });
    const ended = Promise.allSettled(writing);
    await enough;
    await server.kill();
    for (const end of await ended) expect(String(end.status === 'rejected' && end.reason)).toMatch(/ECONN|hang up/);

    await server.start();
    for (const slug of slugs) {
      const passport = (await server.ask('GET', `/api/v1/products/${slug}/passport`)) as Passport;
      const { values, template_version, latest_version, product } = passport;
      expect(contentHash(latest_version.salt, template_version, values)).toBe(latest_version.content_hash);
      expect(completeness(templateOf(group), values, dayOf(latest_version.created_at))).toBe(product.completeness);
      const stored = new Map(values.map(({ field_key, value }) => [field_key, Number(value)]));
      for (const { field_key, acknowledged } of writers.filter((writer) => writer.slug === slug)) {
        // The write in progress is either complete or absent.
        const value = stored.get(field_key) ?? 0;
        expect([acknowledged, acknowledged + 1]).toContain(value);
        expect(stored.get(`${field_key}_too`) ?? 0).toBe(value);
      }
    }
  });
});

describe('two servers over one PostgreSQL', () => {
  test('AUTH-3 a key revoked on one server fails with the next request on an open connection to the other', async () => {
    const address = await newMigratedDatabase('PostgreSQL');
    const one = await startService('PostgreSQL', { on: address });
    const other = await startService('PostgreSQL', { on: address });
    const { tenant, key, keyId } = await one.newTenant();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { authorization: `Bearer ${key}` };
    const ask = async () => {
      const response = await send(other.port, agent, { method: 'GET', path: '/api/v1/me', headers });
      other.judge({ method: 'GET', path: '/api/v1/me' }, response);
      return response;
    };
    expect((await ask()).status).toBe(200);
    await revokeKey(one.database, tenant.id, keyId, new Date());
    expect(await ask()).toMatchObject({ status: 401, reusedConnection: true });
    agent.destroy();
  });

  test('products of one name created on both at the same time get different slugs', async () => {
    const address = await newMigratedDatabase('PostgreSQL');
    const one = await startService('PostgreSQL', { on: address });
    const other = await startService('PostgreSQL', { on: address });
    const client = await one.newTenant();
    const clients = [client, other.clientOf(client)];
    const many = Array.from({ length: 10 }, () => clients.map((each) => each.create('Tasse'))).flat();
    const slugs = (await Promise.all(many)).map(({ slug }) => slug);
    expect(slugs.sort()).toEqual(['tasse', ...Array.from({ length: 19 }, (_, index) => `tasse-${index + 2}`)].sort());
    expect((await client.list()).total).toBe(20);
  });

  test('concurrent writes to one passport on both are all stored, and the hash matches', async () => {
    const address = await newMigratedDatabase('PostgreSQL');
    const one = await startService('PostgreSQL', { on: address });
    const other = await startService('PostgreSQL', { on: address });
    const client = await one.newTenant();
    await client.create('Tasse');
    const clients = [client, other.clientOf(client)];
    const many = Array.from({ length: 10 }, (_, index) =>
      clients.map((each, at) => each.write('tasse', [{ field_key: `feld_${index}_${at}`, value: index }])),
    );
    await Promise.all(many.flat());
    const { values, template_version, latest_version } = await client.passport('tasse');
    expect(values).toHaveLength(20);
    expect(contentHash(latest_version.salt, template_version, values)).toBe(latest_version.content_hash);
  });
});

test.each([
  ['was stopped', 'SIGTERM'],
  ['was killed', 'SIGKILL'],
] as const)(
  'SCAN-4 a file in a read-only folder after its server %s: every GET gives the same response',
  async (_how, signal) => {
    const folder = newFolder();
    const file = join(folder, "Anna's shop #1.sqlite");
    const port = await freePort();
    const line = `product-passport serve --json --port ${port} --database "${file}"`;

    const first = await start(`${line} --demo`, /\}\n/);
    ending.defer(async () => void (await first.stop('SIGKILL')));
    const { tenants, access_tokens } = announcement(first.said());
    const headers = { authorization: `Bearer ${tenants[0].api_key}` };
    const site = `http://127.0.0.1:${port}`;
    const [token] = access_tokens;
    const paths = [
      '/api/v1/me',
      '/api/v1/products?limit=200',
      '/api/v1/products/merinopullover-fjord/passport',
      '/api/v1/products/merinopullover-fjord/carriers',
      '/api/v1/analytics/scans?days=365',
      `/p/${tenants[0].slug}/merinopullover-fjord?zugang=${token.token}`,
      `/p/${tenants[0].slug}/merinopullover-fjord`,
      `/p/${tenants[0].slug}/merinopullover-fjord/jsonld`,
      '/01/09520001000010',
      '/p/none/none',
    ];
    const ask = async (): Promise<unknown[]> => {
      const all: unknown[] = [];
      for (const path of paths) {
        const answer = await fetch(site + path, { headers, redirect: 'manual' });
        const { date: _, 'x-request-id': __, ...same } = Object.fromEntries(answer.headers);
        all.push([path, answer.status, same, await answer.text()]);
      }
      return all;
    };
    // The page views of this first round are stored before the responses that are compared.
    await ask();
    const before = await ask();
    const views = paths.filter((path) => path.startsWith(`/p/${tenants[0].slug}`) && !path.endsWith('jsonld')).length;
    const counted = await (await fetch(`${site}/api/v1/analytics/scans?days=365`, { headers })).text();
    await first.stop(signal);
    await makeReadOnly(folder);

    const second = await start(line, /\}\n/);
    ending.defer(async () => void (await second.stop('SIGKILL')));
    const replies = await ask();
    const same = ([path]: unknown[]) => !String(path).includes('analytics');
    expect((replies as unknown[][]).filter(same)).toEqual((before as unknown[][]).filter(same));
    expect((replies as unknown[][]).find(([path]) => String(path).includes('analytics'))?.[3]).toBe(counted);
    const written = await fetch(`${site}/api/v1/products`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"name":"Tasse"}',
    });
    expect(written.status).toBe(503);
    expect(await second.stop()).toBe(0);
    const lines = second
      .logged()
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each));
    const lost = lines.filter(({ msg }) => msg === 'scans were lost');
    expect(lost.reduce((sum, { lost: count }) => sum + count, 0)).toBe(views);
  },
);
