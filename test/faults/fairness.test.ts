/** One tenant's slow reads and many writes leave room for the others. */

import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { readerOf } from '../../server/src/database/statement.ts';
import { openDatabase } from '../../server/src/index.ts';
import type { Client } from '../support/client.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../support/database.ts';
import { ending } from '../support/files.ts';
import { announcement, start } from '../support/program.ts';
import { startService } from '../support/service.ts';
import { storeProducts } from '../support/tenant.ts';

/** Later statistics take until the time limit of a statement, five seconds. */
async function slowDown(database: Database): Promise<void> {
  await database.schema.renameTable('scan_days', 'stored_scan_days');
  await database.raw(
    `CREATE VIEW scan_days AS WITH RECURSIVE counting(number) AS (
       SELECT 1 UNION ALL SELECT number + 1 FROM counting WHERE number < 1e10
     ) SELECT stored_scan_days.* FROM (SELECT max(number) FROM counting) AS slow CROSS JOIN stored_scan_days`,
  );
}

test('searches of one tenant in a file leave a processor free', async () => {
  // As many readers as the command line has.
  process.env.UV_THREADPOOL_SIZE = '12';
  const service = await startService('SQLite').finally(() => delete process.env.UV_THREADPOOL_SIZE);
  const client = await service.newTenant();
  const numbers = Array.from({ length: 1500 }, (_, index) => index);
  const products = numbers.map((number) => ({
    name: `Name ${number}`,
    slug: `name-${number}`,
    status: 'draft' as const,
  }));
  await storeProducts(service.database, client.tenant, products);
  const reader = readerOf(service.database).client;
  const run = reader._query.bind(reader);
  let running = 0;
  let most = 0;
  reader._query = async (connection: object, query: { sql: string }) => {
    if (!query.sql.includes('product_names')) return run(connection, query);
    running += 1;
    most = Math.max(most, running);
    return run(connection, query).finally(() => {
      running -= 1;
    });
  };
  const search = () => client.call({ path: '/api/v1/products?search=nam&limit=5' });
  const pages = await Promise.all(Array.from({ length: 12 }, search));
  expect(new Set(pages.map(({ outcome }) => outcome))).toEqual(new Set(['200']));
  expect(most).toBe(Math.min(4, Math.max(1, availableParallelism() - 1)));
});

test.each([
  [32, 'of 4 kB', 4000],
  [16, 'of more than 4 KiB', 4200],
  [6, 'of 20 kB', 20_000],
  [4, 'of 60 kB', 60_000],
  [1, 'of 100 kB', 100_000],
])('%i writes %s of one tenant run at a time', async (most, _, size) => {
  const address = await newMigratedDatabase('SQLite');
  let begun = 0;
  const now = (): Date => {
    begun += 1;
    return new Date();
  };
  const service = await startService('SQLite', { on: address, now });
  const client = await service.newTenant();
  const slugs = Array.from({ length: 40 }, (_element, index) => `p-${index}`);
  for (const slug of slugs) await client.create(slug);
  const other = await openDatabase(address);
  const locked = Promise.withResolvers<void>();
  const unlock = Promise.withResolvers<void>();
  const holding = other.transaction(async () => {
    locked.resolve();
    await unlock.promise;
  });
  await locked.promise;
  begun = 0;
  const body = JSON.stringify([{ field_key: 'a', value: 'x'.repeat(size - 32) }]);
  const writes = slugs.map((slug) => client.writing(slug, body));
  // Those that run wait for the lock of the file, for 5 seconds at most.
  while (begun < most) await setTimeout(10);
  await setTimeout(300);
  const running = begun;
  unlock.resolve();
  await holding;
  await other.destroy();
  expect(running).toBe(most);
  expect(new Set(await Promise.all(writes))).toEqual(new Set(['200']));
});

test.each(databaseKinds)('slow reads of two tenants leave turns for a third on %s', async (kind) => {
  const address = await newMigratedDatabase(kind);
  const service = await startService(kind, { on: address });
  const [one, two, third] = [await service.newTenant(), await service.newTenant(), await service.newTenant()];
  for (const client of [one, two, third]) {
    await client.create({ name: 'Tasse', gtin: '09520001000010' });
    const day = { date: new Date().toISOString().slice(0, 10), role: 'consumer', count: 1 };
    await service.database('scan_days').insert({ tenant_id: client.tenant.id, ...day });
  }
  await slowDown(service.database);
  await service.stop();
  const program = await start(`product-passport serve --json --port 0 --database '${address}'`, /\}\n/);
  ending.defer(async () => void (await program.stop('SIGKILL')));
  const { base_url } = announcement(program.said());
  const ask = async (path: string, { key }: Client, init: RequestInit = {}): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(base_url + path, { ...init, headers });
    await response.text();
    return response.status;
  };

  let ended = 0;
  const floods = Array.from({ length: 32 }, async (_, index) => {
    await ask('/analytics/scans', index < 16 ? one : two).catch(() => undefined);
    ended += 1;
  });
  await setTimeout(500);
  const paths = ['/me', '/products?search=tas', '/products?status=draft', '/products/tasse/passport'];
  for (const path of [...paths, '/products/tasse/carriers']) expect(await ask(path, third)).toBe(200);
  expect(await ask('/products', third, { method: 'POST', body: '{"name":"Kanne"}' })).toBe(200);
  // On a busy machine the first of them may have reached their time limit.
  expect(ended).toBeLessThan(floods.length);
  await program.stop('SIGKILL');
  await Promise.all(floods);
});
