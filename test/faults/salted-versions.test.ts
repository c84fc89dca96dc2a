import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import { verifyContentHash } from '../../sdk/src/verify.ts';
import { connect } from '../../server/src/database/connection.ts';
import { migrationNames } from '../../server/src/database/migrations/index.ts';
import { openDatabase } from '../../server/src/index.ts';
import { createProduct, insertTenant } from '../../server/src/internal.ts';
import type { Passport } from '../support/client.ts';
import { runHere } from '../support/command.ts';
import { ending } from '../support/ending.ts';
import {
  type Database,
  type DatabaseKind,
  databaseKinds,
  newMigratedDatabase,
  startService,
} from '../support/service.ts';

const older = migrationNames.slice(0, 3);
const program = fileURLToPath(new URL('../../server/src/cli/main.ts', import.meta.url));
const products = 2000;

/** Reverts a database to the schema of the first version of this program. */
async function takeBack(database: Database): Promise<void> {
  for (const _ of migrationNames.slice(older.length)) await database.migrate.down();
}

/** The hash as the first version of this program computed it. */
function unsaltedHash({ template_version, values }: Passport): string {
  const hashed = values.map(({ updated_at: _, ...members }) => members);
  return createHash('sha256')
    .update(String(canonicalize({ template_version, values: hashed })))
    .digest('hex');
}

/** A database of the first version of this program, with so many products that the migration takes ten steps. */
async function manyProducts(kind: DatabaseKind): Promise<string> {
  const address = await newMigratedDatabase(kind);
  const database = await openDatabase(address);
  const named = { slug: 'shop', name: 'Shop', country: 'DE', plan: 'starter' as const };
  const tenant = await insertTenant(database, named, new Date());
  if (!tenant) throw new Error('The tenant already exists.');
  const services = { database, now: () => new Date(), urnNamespace: 'dpp' };
  const { id } = await createProduct(services, tenant, { name: 'Tasse' });
  await takeBack(database);
  const [product] = await database('products').where({ id });
  const [version] = await database('passport_versions').where({ product_id: id });
  const ids = Array.from({ length: products - 1 }, (_, index) => `${id}-${index}`);
  await database.batchInsert(
    'products',
    ids.map((each) => ({ ...product, id: each, slug: each })),
    200,
  );
  await database.batchInsert(
    'passport_versions',
    ids.map((each) => ({ ...version, product_id: each })),
    200,
  );
  const value = { locale: 'de', value: '"x"', source: 'import', access_level: 'public', updated_at: '' };
  const rows = ids.map((each) => ({ tenant_id: tenant.id, product_id: each, field_key: 'a', ...value }));
  await database.batchInsert(
    'passport_values',
    rows.map((row) => ({ ...row, is_unknown: false, needs_review: false })),
    200,
  );
  await database.destroy();
  return address;
}

describe.each(databaseKinds)('the versions of an older database on %s', (kind) => {
  test('keep their hash, and each product gets a version with a salt', async () => {
    const address = await newMigratedDatabase(kind);
    const before = await startService(kind, { on: address });
    const client = await before.newTenant();
    await client.create('Leer');
    const { id } = await client.create('Pulli');
    await client.write('pulli', [
      { field_key: 'b', value: { z: [1e21, null], ä: '\u2028' }, unit: 'kg', access_level: 'authority' },
      { field_key: '～', value: 'x', source: 'supplier', access_level: 'restricted', needs_review: true },
      { field_key: '𝄞', value: null, is_unknown: true },
    ]);
    await before.activate(client, 'pulli');
    const product = await client.product('pulli');
    const passport = await client.passport('pulli');
    const public_ = unsaltedHash(passport);
    const { database } = before;
    await database('passport_versions').where({ product_id: id, version: 2 }).update({ content_hash: public_ });
    await takeBack(database);
    const rows = () => database('passport_versions').where({ product_id: id }).orderBy('version');
    const versions = await rows();

    const after = await startService(kind, { on: address });
    const owner = after.clientOf(client);
    expect(await owner.product('pulli')).toEqual(product);
    const migrated = await owner.passport('pulli');
    expect(migrated).toEqual({ ...passport, latest_version: migrated.latest_version });
    expect(migrated.latest_version.created_at > passport.latest_version.created_at).toBe(true);
    expect(await verifyContentHash(migrated)).toMatchObject({ ok: true });
    const { content_hash, salt, created_at } = migrated.latest_version;
    const ids = { tenant_id: client.tenant.id, product_id: id, version: 3, template_version: 2, replaced: null };
    expect(await rows()).toEqual([
      ...versions.map((version) => ({ ...version, salt: null, public_hash: null, replaced: null })),
      { ...ids, content_hash, salt, created_at, public_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(await verifyContentHash(await owner.passport('leer'))).toMatchObject({ ok: true });

    const path = `/p/${client.tenant.slug}/pulli`;
    for (const each of [path, `${path}/jsonld`]) {
      const { text } = await owner.call({ path: each, key: null });
      expect(text).toContain(content_hash);
      expect(text).not.toContain(public_);
      expect(text).not.toContain(salt);
    }
  });

  test('are never shown if an older server wrote them, because their hash would reveal hidden values', async () => {
    const service = await startService(kind);
    const client = await service.newTenant();
    const { id } = await client.create('Pulli');
    await service.activate(client, 'pulli');
    const content_hash = unsaltedHash(await client.passport('pulli'));
    const row = { tenant_id: client.tenant.id, product_id: id, version: 2, template_version: 1, content_hash };
    await service.database('passport_versions').insert({ ...row, created_at: new Date().toISOString() });
    expect((await client.passport('pulli')).latest_version).toMatchObject({ content_hash, salt: null });
    for (const path of [`/p/${client.tenant.slug}/pulli`, `/p/${client.tenant.slug}/pulli/jsonld`]) {
      const { status, text } = await client.call({ path, key: null });
      expect(status).toBe(500);
      expect(text).not.toContain(content_hash);
    }
    expect(service.logLines.join('')).toContain('an older server writes to this database');
    await client.write('pulli', [{ field_key: 'a', value: 1 }]);
    expect((await client.call({ path: `/p/${client.tenant.slug}/pulli`, key: null })).status).toBe(200);
  });

  test('are salted once each, even if the migration is killed and two processes resume it', async () => {
    const address = await manyProducts(kind);
    const database = connect(address);
    ending.defer(() => database.destroy());
    const salted = async (): Promise<number> => {
      const [row] = await database('passport_versions').count({ count: 'salt' });
      return Number(row?.count);
    };
    const child = spawn(process.execPath, [program, 'migrate', '--database', address], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    const hasBegun = async (): Promise<boolean> =>
      (await database.schema.hasColumn('passport_versions', 'salt')) && (await salted()) > 0;
    while (!(await hasBegun())) await setTimeout(5);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);

    const half = await salted();
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(products);
    expect(await database('migrations').pluck('name')).not.toContain('0005_salted_versions');
    const refused = await runHere(`product-passport tenant list --database ${address}`);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('or its migration was interrupted. Back it up, then run');

    const opened = await Promise.all([openDatabase(address), openDatabase(address)]);
    await Promise.all(opened.map((each) => each.destroy()));
    expect(await database('migrations').orderBy('id').pluck('name')).toEqual(migrationNames);
    const versions = await database('passport_versions').select('version', 'content_hash', 'salt');
    expect(versions.filter(({ version, salt }) => version === 1 && salt === null)).toHaveLength(products);
    expect(versions.filter(({ version, salt }) => version === 2 && salt !== null)).toHaveLength(products);
    expect(new Set(versions.map(({ salt }) => salt)).size).toBe(products + 1);
  });
});
