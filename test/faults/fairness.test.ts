/** One tenant's slow reads and many writes leave room for the others. */

import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { type Database, databaseKinds, newMigratedDatabase } from '../support/database.ts';
import { ending } from '../support/files.ts';
import { announcement, start } from '../support/program.ts';
import { type Client, startService } from '../support/service.ts';

/** Later statistics take until the time limit of a statement, five seconds. */
async function slowDown(database: Database): Promise<void> {
  await database.schema.renameTable('scan_days', 'stored_scan_days');
  await database.raw(
    `CREATE VIEW scan_days AS WITH RECURSIVE counting(number) AS (
       SELECT 1 UNION ALL SELECT number + 1 FROM counting WHERE number < 1e10
     ) SELECT stored_scan_days.* FROM (SELECT max(number) FROM counting) AS slow CROSS JOIN stored_scan_days`,
  );
}

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
