/** The counts and positions of products are right after a kill: they change in the transaction of the products. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../server/src/index.ts';
import { createKey } from '../../server/src/tenants/keys.ts';
import { insertTenant } from '../../server/src/tenants/store.ts';
import { ending } from '../support/ending.ts';
import { announcement, start } from '../support/program.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../support/service.ts';
import { expectRightCounts } from '../support/tables.ts';

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
    for (let round = 0; round < 3; round += 1) {
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
