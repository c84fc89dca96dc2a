import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { readContract } from '@product-passport/openapi';
import type { Ask } from '../../../contracts/conformance/case.ts';
import { variationsOf } from '../../../contracts/conformance/valid-requests.ts';
import { findInTenant } from '../../../server/src/tenants/slugs.ts';
import { onStatement } from '../../support/database.ts';
import { fileWith } from '../../support/files.ts';
import { startService } from '../../support/service.ts';
import { checkStatements, faultOf, lookups, placeOf, statementsIn } from '../../support/tenant-statements.ts';
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
  // A SELECT of no table goes through the coordinator, which commits in two phases.
  [
    'scans',
    'insert into scans (tenant_id, id) select tenant_id, id from json_populate_recordset(NULL::scans, ?::json)',
  ],
  [
    'scans',
    'insert into scans (tenant_id, id) select ?, id from json_populate_recordset(NULL::scans, ?::json) as given',
  ],
  [
    'products',
    'select p.id from products p left join carriers c on c.tenant_id = p.tenant_id and c.product_id = (select m.id from products m where m.tenant_id = p.tenant_id) where p.tenant_id = ?',
  ],
  ['products', 'select p.name from tenants join products p on p.tenant_id = tenants.id where tenants.slug = ?'],
  ['gtin_tenants', 'select tenant_id from gtin_tenants where tenant_id = ?'],
  ['passport_values', 'select value from api_keys, passport_values where api_keys.hash = ?'],
  ['tenants', 'select count(*) from tenants'],
])('finds %s of every tenant in %s', (table, sql) => {
  expect(faultOf({ from, sql })).toMatch(
    new RegExp(`reads or writes .*\\b${table}\\b.*: \\d of \\d tables are bound to a (?:tenant|gtin)`),
  );
});

test('finds a lock of a row that every node has', () => {
  const sql = 'select language from tenants where id = ? for key share';
  expect(faultOf({ from, sql })).toBe('locks a row of tenants, which every node has');
});

test('scans of several tenants share an INSERT, and no other statement of their file is an exception', () => {
  const file = 'scans/insertion.ts';
  const sql = 'INSERT INTO "scans" ("tenant_id","id") SELECT "tenant_id","id" FROM json_populate_recordset(?)';
  expect(faultOf({ from: file, sql })).toBeUndefined();
  expect(faultOf({ from, sql })).toContain('0 of 1 tables');
  expect(faultOf({ from: file, sql: 'INSERT INTO "scans" ("id") SELECT "id" FROM x' })).toContain('0 of 1 tables');
});

test('finds a statement of a tenant and of a GTIN', () => {
  const sql =
    'select 1 from products where tenant_id = ? and gtin14 in (select gtin14 from gtin_tenants where gtin14 = ?)';
  expect(faultOf({ from, sql })).toContain('they are on different nodes');
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

/** The use of a key is stored after the response, and old scans are deleted after the start. */
const isLeftOut =
  /^(?:begin|commit|update "api_keys"|delete from "scans"|select max\("scanned_at"\))|"installation"|from "tenants" order by "id"/i;

/** The statements of a successful request when the process knows the tenant, and the shards that they ask. */
const link = '2: gtin and tenant';
const linkOfItem = '3: gtin and tenant';
const costs: Record<string, string> = {
  createProduct: '4: tenant',
  getMe: '2: tenant',
  getPassport: '2: tenant',
  getPassportJsonld: '1: tenant',
  // With its view.
  getPassportPage: '6: tenant',
  getProduct: '2: tenant',
  getResolverDescription: '0: none',
  getScanStatistics: '3: tenant',
  listCarriers: '3: tenant',
  listProducts: '2: tenant',
  putPassport: '6: tenant',
  readDataElement: '1: tenant',
  readDppById: '1: tenant',
  readDppByProductId: '1: tenant',
  // Of any tenants. Where tables are spread, each tenant has a statement of its own.
  readDppIdsByProductIds: '3: all',
  readDppVersionByIdAndDate: '2: tenant',
  resolveGtin: link,
  resolveGtinBatch: link,
  resolveGtinBatchSerial: linkOfItem,
  resolveGtinCpv: link,
  resolveGtinCpvBatch: link,
  resolveGtinCpvBatchSerial: linkOfItem,
  resolveGtinCpvSerial: linkOfItem,
  resolveGtinSerial: linkOfItem,
  resolveGtinTpx: link,
  setProductStatus: '16: gtin and tenant',
};

test('each operation asks the shard of its tenant, a link also that of its GTIN, and a change of a status both', async () => {
  const siteUrl = 'https://passport.example.com';
  const service = await startService('PostgreSQL', { siteUrl });
  const owner = await service.publisherOf(await service.newTenant());
  const productId = `${siteUrl}/p/${owner.tenant.slug}/lampe`;
  const ofDpp = { productId, dppId: `${productId}/jsonld`, elementIdPath: "$['note']" };
  const named = { tenant: owner.tenant.slug, gtin: '9520001000010' };
  await service.database('tenants').update({ economic_operator_id: 'https://id.example/operator' });
  await owner.publish({ name: 'Lampe', slug: 'lampe', gtin: named.gtin }, [{ field_key: 'note', value: 'A' }]);
  const found: Record<string, string> = {};
  for (const operation of readContract().operations) {
    const [plain] = variationsOf(
      operation,
      {
        ...(await owner.product('lampe')),
        ...named,
        ...(operation.side.root === '/dpp/v1' && ofDpp),
      },
      {},
    );
    const { query = '', json, ...ask } = plain as Ask;
    const isMove = operation.operationId === 'setProductStatus';
    const body = isMove ? { status: 'active', accept_findings: true } : json;
    const key = operation.side.secured ? owner.key : null;
    const send = () => owner.call({ ...ask, query: query as Record<string, string>, body, key });
    // A read remembers the tenant, and the first batch asks whether the tables are spread.
    if (operation.method === 'GET' || operation.side.root === '/dpp/v1') await send();
    if (isMove) await service.archive(owner, 'lampe');
    const sent: string[] = [];
    const stop = onStatement(service.database, ({ sql }) => isLeftOut.test(sql) || sent.push(sql));
    const { status } = await send();
    stop();
    expect([operation.operationId, status < 400]).toEqual([operation.operationId, true]);
    const places = [...new Set(sent.map((sql) => placeOf(sql).place ?? 'none'))]
      .filter((place) => place !== 'none')
      .sort();
    found[operation.operationId] = `${sent.length}: ${places.join(' and ') || 'none'}`;
  }
  expect(found).toEqual(costs);
});

test('an error in the look-up without a tenant ends the request, unless a node of many is down', async () => {
  const { database } = await startService('PostgreSQL');
  const client = Object.assign(Object.create(database.client), { isSpread: true });
  const spread = new Proxy(database, {
    get: (target, name) => (name === 'client' ? client : Reflect.get(target, name)),
  });
  const outcomeOf = async (from: typeof database, error: object) => {
    let lookups = 0;
    const find = async () => {
      lookups += 1;
      if (lookups === 1) throw error;
      return 'found';
    };
    const outcome = await findInTenant(from, 'new', find).catch((thrown) => (thrown === error ? 'failed' : thrown));
    return `${outcome} after ${lookups}`;
  };
  const lost = { code: '08006' };
  const refused = { ...lost, severity: 'ERROR' };
  expect(await outcomeOf(database, lost)).toBe('failed after 1');
  expect(await outcomeOf(database, refused)).toBe('failed after 1');
  expect(await outcomeOf(spread, lost)).toBe('failed after 1');
  expect(await outcomeOf(spread, { ...refused, code: '57014' })).toBe('failed after 1');
  expect(await outcomeOf(spread, refused)).toBe('found after 2');
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
