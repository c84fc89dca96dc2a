import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Serving, serveHere } from '../support/command.ts';
import { newPostgresDatabase } from '../support/postgres.ts';
import { announcement, type Running, start } from '../support/program.ts';

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
