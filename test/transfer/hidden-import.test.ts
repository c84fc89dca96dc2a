import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { TenantImport } from '../../server/src/transfer/import.ts';
import { runHere } from '../support/command.ts';
import { ending } from '../support/ending.ts';
import { filledDatabase } from '../support/filled-database.ts';
import { type DatabaseKind, databaseKinds, newMigratedDatabase, startService } from '../support/service.ts';
import { contentOf } from '../support/tables.ts';

/** An export of 900 products with keys, in which the product with a GTIN is in the first half. */
async function exported(): Promise<{ address: string; key: string; halves: [Buffer, Buffer] }> {
  const folder = await mkdtemp(join(tmpdir(), 'passport-hidden-'));
  ending.defer(() => rm(folder, { recursive: true }));
  const { address, key } = await filledDatabase('SQLite');
  await runHere(`product-passport demo fill --tenant shop --products 886 --database ${address}`);
  const file = join(folder, 'shop.jsonl');
  await runHere(`product-passport export --with-secrets --tenant shop --database ${address} ${file}`);
  const bytes = await readFile(file);
  // Everything but the end is stored, keys too.
  const middle = bytes.lastIndexOf('{"type":"trailer"');
  return { address, key, halves: [bytes.subarray(0, middle), bytes.subarray(middle)] };
}

async function* one(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}

async function* both(...chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

describe.each(databaseKinds)('an import on %s that ended in the middle', (kind: DatabaseKind) => {
  test('shows nothing of the tenant, continues with the same file, and can be discarded', async () => {
    const { address: source, key, halves } = await exported();
    const address = await newMigratedDatabase(kind);
    const service = await startService(kind, { on: address });
    const other = await service.newTenant({ slug: 'other' });
    const begin = () => new TenantImport({ database: service.database, shareGtin: false, now: () => new Date() });
    await expect(begin().run(one(halves[0]))).rejects.toThrow('It was cut');

    const visible = async () => ({
      key: (await other.call({ path: '/api/v1/me', key })).status,
      page: (await other.call({ path: '/p/shop/lampe-ss-9', key: null })).status,
      link: (await other.call({ path: '/01/04006381333931', key: null })).status,
      command: (await runHere(`product-passport product list --tenant shop --database ${address}`)).code,
    });
    expect(await visible()).toEqual({ key: 401, page: 404, link: 404, command: 1 });
    expect((await runHere(`product-passport tenant list --database ${address}`)).stdout).toContain('importing:shop');
    const rows = await service.database('products').count({ count: '*' }).first();
    expect(Number(rows?.count)).toBe(900);
    const continued = begin();
    expect(await continued.run(both(...halves))).toEqual({ products: 900, isOld: false });
    expect(await visible()).toEqual({ key: 200, page: 200, link: 307, command: 0 });
    const repeated = begin();
    expect(await repeated.run(both(...halves))).toEqual({ products: 900, isOld: true });

    const moved = await contentOf(address, [
      'secrets',
      'audit_entries',
      'scans',
      'tenants',
      'api_keys',
      'product_counts',
      'scan_counts',
      'scan_days',
      'passport_versions.replaced',
    ]);
    const before = await contentOf(source, [
      'secrets',
      'audit_entries',
      'scans',
      'tenants',
      'api_keys',
      'product_counts',
      'scan_counts',
      'scan_days',
      'passport_versions.replaced',
    ]);
    expect(moved).toEqual(before);

    const fresh = await newMigratedDatabase(kind);
    const target = await startService(kind, { on: fresh });
    // The audit trail keeps the entry of the discard.
    const empty = await contentOf(fresh, ['audit_entries']);
    const cut = new TenantImport({ database: target.database, shareGtin: false, now: () => new Date() });
    await expect(cut.run(one(halves[0]))).rejects.toThrow('It was cut');
    const discarded = await runHere(`product-passport import --discard shop --json --database ${fresh}`);
    expect(JSON.parse(discarded.stdout)).toEqual({ tenant: 'shop', removed_products: 900 });
    expect(await contentOf(fresh, ['audit_entries'])).toEqual(empty);
    const again = await runHere(`product-passport import --discard shop --database ${fresh}`);
    expect(again.stderr).toBe('product-passport: no import of a tenant shop is unfinished.\n');
  });

  test('does not continue with another file, or beside another process', async () => {
    const { halves } = await exported();
    const address = await newMigratedDatabase(kind);
    const service = await startService(kind, { on: address });
    const begin = () => new TenantImport({ database: service.database, shareGtin: false, now: () => new Date() });
    await expect(begin().run(one(halves[0].subarray(0, halves[0].length - 2000)))).rejects.toThrow('line');
    const text = halves[0].toString().replace('Tasse rot 3', 'Tasse rot 4');
    await expect(begin().run(both(Buffer.from(text), halves[1]))).rejects.toThrow(
      'the lines up to here are not those that were stored before',
    );

    const isStored = Promise.withResolvers<void>();
    const isReleased = Promise.withResolvers<void>();
    async function* slow(): AsyncGenerator<Buffer> {
      yield halves[0];
      isStored.resolve();
      await isReleased.promise;
      yield halves[1];
    }
    const first = begin().run(slow());
    await isStored.promise;
    expect(await begin().run(both(...halves))).toEqual({ products: 900, isOld: false });
    isReleased.resolve();
    await expect(first).rejects.toThrow('another process imports the tenant shop');
  });
});
