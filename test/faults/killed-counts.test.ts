/** The counts and positions of products are right after a kill: they change in the transaction of the products. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { connect } from '../../server/src/database/connection.ts';
import { migrationNames } from '../../server/src/database/migrations/index.ts';
import { openDatabase } from '../../server/src/index.ts';
import { listProducts } from '../../server/src/products/list.ts';
import { createKey } from '../../server/src/tenants/keys.ts';
import { insertTenant } from '../../server/src/tenants/store.ts';
import { runHere } from '../support/command.ts';
import { ending } from '../support/ending.ts';
import { expectRightCounts } from '../support/product-counts.ts';
import { announcement, start } from '../support/program.ts';
import { type Database, type DatabaseKind, databaseKinds, newMigratedDatabase } from '../support/service.ts';

const program = fileURLToPath(new URL('../../server/src/cli/main.ts', import.meta.url));
const moves = fileURLToPath(new URL('../support/move-products.ts', import.meta.url));
const fill = '0009_filled_positions';

async function open(address: string): Promise<Database> {
  const database = await openDatabase(address);
  ending.defer(() => database.destroy());
  return database;
}

/** A database of 16,000 products in two tenants, before products had a position. */
async function olderDatabase(kind: DatabaseKind): Promise<string> {
  const address = await newMigratedDatabase(kind);
  for (const tenant of ['many', 'more'])
    await runHere(`product-passport demo fill --products 8000 --tenant ${tenant} --database ${address}`);
  const database = await openDatabase(address);
  for (const _ of migrationNames.slice(migrationNames.indexOf('0008_product_positions'))) await database.migrate.down();
  await database.destroy();
  return address;
}

/** Compares the index of names with the names. Each name has its number. */
async function expectFound(database: Database): Promise<void> {
  for (const { id } of await database('tenants').select('id')) {
    for (const [search, total] of [
      ['tasse', 800],
      ['7999', 1],
      ['e ', 4000],
    ] as const) {
      const page = await listProducts(database, id, { search }, { limit: 1, offset: 0 });
      expect([search, page.total]).toEqual([search, total]);
    }
  }
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

  test('a migration that is killed goes on with the products that have no position yet', async () => {
    const address = await olderDatabase(kind);
    const database = connect(address);
    ending.defer(() => database.destroy());
    const filled = async (): Promise<number> => {
      if (!(await database.schema.hasColumn('products', 'position'))) return 0;
      const [row] = await database('products').count({ count: 'position' });
      return Number(row?.count);
    };
    const child = spawn(process.execPath, [program, 'migrate', '--database', address], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    while ((await filled()) === 0) await setTimeout(2);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    const half = await filled();
    expect(half).toBeLessThan(16_000);
    expect(await database('migrations').pluck('name')).not.toContain(fill);

    // A product changes its status on a server of the older version in between.
    const [first] = await database('products').whereNotNull('position').limit(1);
    await database('products')
      .where({ id: first.id })
      .update({ status: first.status === 'draft' ? 'active' : 'draft' });
    const opened = await Promise.all([openDatabase(address), openDatabase(address)]);
    await Promise.all(opened.map((each) => each.destroy()));
    expect(await database('migrations').orderBy('id').pluck('name')).toEqual(migrationNames);
    expect(await expectRightCounts(database)).toBe(16_000);
    await expectFound(database);
    const order = await database('products').orderBy(['tenant_id', 'position']).pluck('id');
    expect(order).toEqual(await database('products').orderBy(['tenant_id', 'id']).pluck('id'));
  }, 300_000);
});
