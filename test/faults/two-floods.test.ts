/** Two tenants fill their turns with slow reads, and a third one still reads. A whole program, for its number of threads. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../server/src/index.ts';
import { createProduct } from '../../server/src/products/create.ts';
import { createKey } from '../../server/src/tenants/keys.ts';
import { insertTenant } from '../../server/src/tenants/store.ts';
import { ending } from '../support/ending.ts';
import { start } from '../support/program.ts';
import { databaseKinds, newMigratedDatabase } from '../support/service.ts';

const now = (): Date => new Date();

test.each(databaseKinds)('slow reads of two tenants leave turns for a third on %s', async (kind) => {
  const address = await newMigratedDatabase(kind);
  const database = await openDatabase(address);
  const keys: string[] = [];
  for (const slug of ['one', 'two', 'three']) {
    const tenant = await insertTenant(database, { slug, name: slug, country: 'DE', plan: 'business' }, now());
    if (!tenant) throw new Error(`The tenant ${slug} exists already.`);
    keys.push((await createKey(database, tenant.id, 'test', now())).key);
    await createProduct({ database, urnNamespace: 'dpp', now }, tenant, { name: 'Tasse', gtin: '09520001000010' });
  }
  // Reading the carriers takes until the time limit of a statement, five seconds.
  await database.schema.renameTable('carriers', 'stored_carriers');
  await database.raw(
    `CREATE VIEW carriers AS WITH RECURSIVE counting(number) AS (
       SELECT 1 UNION ALL SELECT number + 1 FROM counting WHERE number < 1e10
     ) SELECT stored_carriers.* FROM (SELECT max(number) FROM counting) AS slow CROSS JOIN stored_carriers`,
  );
  await database.destroy();
  const program = await start(`product-passport serve --port 0 --database '${address}'`, /http:\S+/);
  ending.defer(async () => void (await program.stop('SIGKILL')));
  const [site] = /http:\/\/[\d.:]+/.exec(program.said()) ?? [];
  const get = async (path: string, key = ''): Promise<number> => {
    const response = await fetch(`${site}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    await response.text();
    return response.status;
  };

  const [one, two, third] = keys;
  let ended = 0;
  const floods = Array.from({ length: 32 }, async (_, index) => {
    await get('/products/tasse/carriers', index < 16 ? one : two).catch(() => undefined);
    ended += 1;
  });
  await setTimeout(500);
  // Each of these takes a turn, unlike a look-up of a key or of a product.
  for (const path of ['/products', '/products?search=tas', '/analytics/scans'])
    expect(await get(path, third)).toBe(200);
  expect(ended).toBe(0);
  await program.stop('SIGKILL');
  await Promise.all(floods);
});
