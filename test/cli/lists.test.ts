/** Lists of the command line that are longer than a page. */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../server/src/index.ts';
import { runHere } from '../support/command.ts';
import { databaseKinds, newMigratedDatabase } from '../support/service.ts';

test.each(databaseKinds)('tenants, keys and tokens on %s are listed whole, in the order of their ids', async (kind) => {
  const address = await newMigratedDatabase(kind);
  const count = 1001;
  const database = await openDatabase(address);
  const created_at = new Date().toISOString();
  const newIds = (): string[] => Array.from({ length: count }, () => randomUUID()).toSorted();
  const ids = newIds();
  const [tenant_id = ''] = ids;
  const rows = {
    tenants: ids.map((id) => ({ id, slug: id, name: id, country: 'DE', plan: 'starter' })),
    api_keys: newIds().map((id) => ({ tenant_id, id, hash: id, label: '' })),
    access_tokens: newIds().map((id) => ({ tenant_id, id, role: 'inspector', kid: 'x', expires_at: created_at })),
  };
  for (const [table, all] of Object.entries(rows)) {
    const complete = all.map((row) => ({ ...row, created_at }));
    await database.batchInsert(table, complete, 100);
  }
  await database.destroy();

  const list = async (line: string): Promise<{ id: string }[]> => {
    const { code, stdout } = await runHere(`product-passport ${line} --json`, { PRODUCT_PASSPORT_DATABASE: address });
    expect(code).toBe(0);
    return JSON.parse(stdout).items;
  };
  const listed = {
    tenants: 'tenant list',
    api_keys: `key list --tenant ${tenant_id}`,
    access_tokens: `token list --tenant ${tenant_id}`,
  };
  for (const [table, line] of Object.entries(listed)) {
    expect((await list(line)).map(({ id }) => id)).toEqual(rows[table as keyof typeof rows].map(({ id }) => id));
  }
  const table = await runHere('product-passport tenant list', { PRODUCT_PASSPORT_DATABASE: address });
  expect(table.stdout.trim().split('\n')).toHaveLength(count + 1);
});
