import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../server/src/index.ts';
import { createKey } from '../../server/src/tenants/keys.ts';
import { insertTenant } from '../../server/src/tenants/store.ts';
import { type Serving, serveHere } from '../support/command.ts';
import { ending } from '../support/ending.ts';
import { newPostgresDatabase } from '../support/postgres.ts';
import { announcement, type Running, start } from '../support/program.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../support/service.ts';
import { expectRightCounts } from '../support/tables.ts';

let directory = '';
const running: (Running | Serving)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'scans-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((program) => program.stop()));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

interface Server {
  program: Running;
  site: string;
  key: string | null;
}

async function serve(database: string): Promise<Server> {
  const program = await start(`product-passport serve --demo --json --port 0 --database ${database}`, /\}\n/);
  running.push(program);
  const { site_url: site, tenants } = announcement(program.said());
  return { program, site, key: tenants[0].api_key };
}

async function view(site: string): Promise<number> {
  const response = await fetch(`${site}/p/nordlicht/merinopullover-fjord`);
  await response.text();
  return response.status;
}

async function total(site: string, key: string | null): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await (await fetch(`${site}/api/v1/analytics/scans?days=365`, { headers })).json()).total;
}

describe.each([
  ['SQLite', async () => join(directory, 'scans.sqlite')],
  ['PostgreSQL', newPostgresDatabase],
])('%s: the process is killed right after a page was served', (_kind, newDatabase) => {
  test('and the scan is there, once', async () => {
    const database = await newDatabase();
    const first = await serve(database);
    const before = await total(first.site, first.key);
    expect(await view(first.site)).toBe(200);
    await first.program.stop('SIGKILL');

    const second = await serve(database);
    expect(await total(second.site, first.key)).toBe(before + 1);

    // With many requests at once, every served page has a scan. A request without a response may have one.
    let served = 0;
    const sent = 60;
    const views = Array.from({ length: sent }, async () => {
      if ((await view(second.site)) === 200) served += 1;
      if (served >= 10) await second.program.stop('SIGKILL');
    });
    await Promise.allSettled(views);
    expect(served).toBeGreaterThanOrEqual(10);

    const third = await serveHere(`product-passport serve --json --port 0 --database ${database}`, /\}\n/);
    running.push(third);
    const counted = (await total(announcement(third.said()).site_url, first.key)) - before - 1;
    expect(counted).toBeGreaterThanOrEqual(served);
    expect(counted).toBeLessThanOrEqual(sent);
  });
});

const moves = fileURLToPath(new URL('../support/move-products.ts', import.meta.url));

async function open(address: string): Promise<Database> {
  const database = await openDatabase(address);
  ending.defer(() => database.destroy());
  return database;
}

describe.each(databaseKinds)('on %s', (kind) => {
  test('a server and a command that are killed leave the counts of the products that they stored and moved', async () => {
    const address = await newMigratedDatabase(kind);
    const database = await open(address);
    const tenant = { slug: 'shop', name: 'Shop', country: 'DE', plan: 'starter' as const };
    const { id = '' } = (await insertTenant(database, tenant, new Date())) ?? {};
    const { key } = await createKey(database, id, 'test', new Date());
    const statuses = new Set<string>();
    for (let round = 0; round < 2; round += 1) {
      const mover = spawn(process.execPath, [moves, address, id], { stdio: ['ignore', 'pipe', 'inherit'] });
      let moved = 0;
      mover.stdout.on('data', (lines: Buffer) => {
        moved += lines.toString().split('\n').length - 1;
      });
      const movesEnded = once(mover, 'exit');
      const server = await start(`product-passport serve --json --port 0 --database ${address}`, /\}\n/);
      const url = `${announcement(server.said()).base_url}/products`;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      let created = 0;
      const writers = Array.from({ length: 8 }, async () => {
        for (;;) {
          const response = await fetch(url, { method: 'POST', headers, body: '{"name":"Tasse"}' });
          if (response.status === 200) created += 1;
        }
      });
      const ended = Promise.allSettled(writers);
      while (created < 40 || moved < 40) {
        expect(mover.exitCode).toBeNull();
        await setTimeout(5);
      }
      mover.kill('SIGKILL');
      await server.stop('SIGKILL');
      await Promise.all([ended, movesEnded]);
      expect(await expectRightCounts(database)).toBeGreaterThanOrEqual(40 * (round + 1));
      for (const status of await database('products').distinct().pluck('status')) statuses.add(status);
    }
    expect([...statuses]).toEqual(expect.arrayContaining(['active', 'archived']));
  });
});
