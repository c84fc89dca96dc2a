import { describe, expect, test } from '@jest/globals';
import { migrationNames } from '../../server/src/database/migrations/index.ts';
import { publicContentHash } from '../../server/src/passports/rules.ts';
import { databaseKinds, newMigratedDatabase, startService } from '../support/service.ts';

describe.each(databaseKinds)('the public hashes of an older database on %s', (kind) => {
  test('are those that a write stores, for the latest version of each product', async () => {
    const address = await newMigratedDatabase(kind);
    const service = await startService(kind, { on: address });
    const client = await service.newTenant();
    const other = await service.newTenant();
    await client.create('Leer');
    await other.create('Leer');
    await client.create('Pulli');
    await client.write('pulli', [{ field_key: 'a', value: 'old' }]);
    await client.write('pulli', [
      { field_key: 'a', value: { z: [1e21, null], ä: '\u2028', é: 'é' }, unit: 'kg' },
      { field_key: '～', value: 'x', access_level: 'restricted' },
      { field_key: '𝄞', value: 'hidden', is_unknown: true },
      { field_key: 'z', value: -0.5 },
    ]);
    await other.create('Tasse');
    await other.write('tasse', [{ field_key: 'b', value: false }]);
    const { database } = service;
    const rows = () => database('passport_versions').orderBy(['tenant_id', 'product_id', 'version']);
    const written = await rows();
    expect(written.map(({ public_hash }) => public_hash)).toContain(
      publicContentHash((await client.passport('pulli')).values),
    );

    for (const _ of migrationNames.slice(migrationNames.indexOf('0010_public_hash'))) await database.migrate.down();
    await service.stop();
    const later = await startService(kind, { on: address });
    const filled = await later.database('passport_versions').orderBy(['tenant_id', 'product_id', 'version']);
    const latest = new Map(written.map(({ product_id, version }) => [product_id, version]));
    expect(filled).toEqual(
      written.map((row) => ({
        ...row,
        // A migration back forgets what the versions replaced.
        replaced: null,
        public_hash: latest.get(row.product_id) === row.version ? row.public_hash : null,
      })),
    );
  });

  test('are computed for a version that an older server writes', async () => {
    const service = await startService(kind);
    const client = await service.newTenant();
    await client.create('Tasse');
    await client.write('tasse', [{ field_key: 'a', value: 1 }]);
    await service.activate(client, 'tasse');
    const path = `/p/${client.tenant.slug}/tasse/jsonld`;
    const { text } = await client.call({ path, key: null });
    await service.database('passport_versions').update({ public_hash: null });
    expect((await client.call({ path, key: null })).text).toBe(text);
  });
});
