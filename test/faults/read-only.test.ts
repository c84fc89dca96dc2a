/** A SQLite database that the server may only read. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ending } from '../support/ending.ts';
import { announcement, freePort, start } from '../support/program.ts';
import { makeReadOnly } from '../support/read-only.ts';

test.each([
  ['was stopped', 'SIGTERM'],
  ['was killed', 'SIGKILL'],
] as const)(
  'SCAN-4 a file in a read-only folder after its server %s: every GET gives the same response',
  async (_how, signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'read-only-'));
    ending.defer(() => rm(folder, { recursive: true }));
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
