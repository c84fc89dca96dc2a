import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { fileWith } from '../../support/files.ts';
import { startService } from '../../support/service.ts';
import { checkStatements, faultOf, lookups, statementsIn } from '../../support/tenant-statements.ts';
import { rejection } from '../../support/thrown.ts';

const from = 'products/store.ts';

test.each([
  ['products', 'select name from products where id = ?'],
  ['products', 'select name from products where tenant_id = ? or id = ?'],
  ['products', 'select name from products where tenant_id <> ?'],
  ['carriers', 'select 1 from products p join carriers c on c.product_id = p.id where p.tenant_id = ?'],
  [
    'scans',
    'select 1 from products where tenant_id = ? and exists (select 1 from scans where scans.product_id = products.id)',
  ],
  ['scans', 'delete from scans where tenant_id = ? and id in (select id from scans where scanned_at < ?)'],
  ['scans', 'insert into scans (id) values (?)'],
  ['scans', 'insert into scan_counts (tenant_id, count) select ?, count(*) from scans'],
  ['passport_values', 'select value from api_keys, passport_values where api_keys.hash = ?'],
  ['tenants', 'select count(*) from tenants'],
])('finds %s of every tenant in %s', (table, sql) => {
  expect(faultOf({ from, sql })).toMatch(
    new RegExp(`reads or writes .*\\b${table}\\b.*: \\d of \\d tables are bound to a tenant`),
  );
});

test('finds a statement that reads more than the tenant by its slug', () => {
  const sql = 'select p.name from tenants join products p on p.tenant_id = tenants.id where tenants.slug = ?';
  expect(faultOf({ from, sql })).toBe('looks up more than the tenant by its slug');
});

test('a run records what the server sends, and not what a test sends', async () => {
  const service = await startService('PostgreSQL');
  const client = await service.newTenant();
  await client.create('Tasse');
  await client.list();
  await service.database('products').where({ name: 'Tasse' }).select('updated_at');
  const sent = await statementsIn(process.env.STATEMENTS ?? '');
  const of = (file: string): string[] => sent.filter((one) => one.from === file).map(({ sql }) => sql);
  expect(of('products/store.ts').join('\n')).toMatch(/insert into "products"/);
  expect(of('products/list.ts').join('\n')).toMatch(/from "product_counts" as "counts"/);
  expect(of('tenants/keys.ts').join('\n')).toMatch(/"api_keys"."hash" = \?/);
  expect(sent.filter(({ sql }) => sql.startsWith('select "updated_at" from'))).toEqual([]);
});

test('the end of a run fails with the file and the statement', async () => {
  const sql = 'select name from products';
  const file = fileWith(`${JSON.stringify({ from, sql })}\n`, 'one.jsonl');
  const failure = await rejection(() => checkStatements(file.replace(/\/[^/]+$/, '')));
  expect(String(failure)).toContain(
    `server/src/${from} reads or writes products: 0 of 1 tables are bound to a tenant:\n  ${sql}`,
  );
});

test('docs/explanation/scale.md names the three look-ups, and every file with an exception', async () => {
  const page = await readFile(new URL('../../../docs/explanation/scale.md', import.meta.url), 'utf8');
  for (const name of Object.keys(lookups)) expect(page.toLowerCase()).toContain(name.toLowerCase());
  for (const { tables } of Object.values(lookups)) for (const table of tables) expect(page).toContain(`\`${table}\``);
});
