/** What `stats` counts, and that it does not read whole tables. */

import { describe, expect, test } from '@jest/globals';
import { connect } from '../../../server/src/database/connection.ts';
import { runHere, serveHere } from '../../support/command.ts';
import { databaseKinds, newDatabase, newMigratedDatabase } from '../../support/database.ts';

const stats = async (address: string, line = '') => {
  const { code, stdout, stderr } = await runHere(`product-passport stats --json ${line}`, {
    PRODUCT_PASSPORT_DATABASE: address,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

describe.each(databaseKinds)('stats on %s', (kind) => {
  test('of the demo agrees with its rows, and prints no secret', async () => {
    const address = await newDatabase(kind);
    const server = await serveHere(`product-passport serve --demo --json --port 0 --database ${address}`, /\}\n/);
    const { base_url, tenants } = JSON.parse(server.said());
    const [{ api_key }] = tenants;
    await fetch(`${base_url}/me`, { headers: { authorization: `Bearer ${api_key}` } });
    await server.stop();
    const shown = await stats(address);
    const database = connect(address);
    const count = async (table: string, where = {}) =>
      Number((await database(table).where(where).count({ n: '*' }).first())?.n);
    const created = await database('products').min({ first: 'created_at' }).max({ last: 'created_at' }).first();
    const expected = {
      tenants: await count('tenants'),
      products: {
        draft: await count('products', { status: 'draft' }),
        active: await count('products', { status: 'active' }),
        archived: await count('products', { status: 'archived' }),
        created,
      },
      passports: await count('products'),
      values: { count: await count('passport_values'), is_estimate: false },
      versions: { count: await count('passport_versions'), is_estimate: false },
      scans: { stored: { count: await count('scans') } },
      keys: {
        ...{ revoked: 1, valid: 3, never_used: 2 },
        items: [{ tenant: tenants[0].slug }, { last_used_at: null }, { last_used_at: null }],
      },
    };
    await database.destroy();
    expect(shown).toMatchObject(expected);
    expect(shown.scans.total).toBeGreaterThanOrEqual(expected.scans.stored.count);
    expect(shown.database_bytes).toBeGreaterThan(100_000);
    expect(shown.keys.items[0].last_used_at).toMatch(/Z$/);
    const text = await runHere('product-passport stats', { PRODUCT_PASSPORT_DATABASE: address });
    expect(text.stdout).toContain(`${expected.products.active} active, ${expected.products.archived} archived\n`);
    const { first, last } = shown.scans.days;
    expect(text.stdout).toContain(`Scan days  ${first} to ${last}\n`);
    expect(text.stdout).not.toMatch(/ppk_/);
    if (kind === 'PostgreSQL') expect(text.stdout + JSON.stringify(shown)).not.toContain(new URL(address).password);
  });

  test('of a large table estimates, and --exact counts', async () => {
    const address = await newMigratedDatabase(kind);
    await runHere(`product-passport demo fill --products 10 --database ${address}`);
    // 200,000 rows may take longer than a request.
    const database = connect(address, { unlimited: true });
    const series =
      kind === 'SQLite'
        ? 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200500)'
        : 'WITH n(i) AS (SELECT generate_series(1, 200500))';
    await database.raw(`INSERT INTO passport_versions (tenant_id, product_id, version, template_version, salt, content_hash, public_hash, created_at)
      ${series} SELECT tenant_id, id, i + 1, 1, 's', 'x', 'p', 'y' FROM products JOIN n ON position = 1`);
    if (kind === 'PostgreSQL') await database.raw('ANALYZE passport_versions');
    await database.destroy();
    const { versions } = await stats(address);
    expect(versions.is_estimate).toBe(true);
    expect(Math.abs(versions.count - 200_510)).toBeLessThan(2_000);
    expect((await stats(address, '--exact')).versions).toEqual({ count: 200_510, is_estimate: false });
  });
});
