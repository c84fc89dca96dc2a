/** What `stats` counts, and that it does not read whole tables. */

import { describe, expect, test } from '@jest/globals';
import { connect } from '../../../server/src/database/connection.ts';
import { runHere } from '../../support/command.ts';
import { databaseKinds, newMigratedDatabase } from '../../support/database.ts';

describe.each(databaseKinds)('stats on %s', (kind) => {
  test('counts what is there, estimates a large table unless --exact is given, and prints no secret', async () => {
    const address = await newMigratedDatabase(kind);
    const run = (line: string) => runHere(`product-passport ${line} --database ${address}`);
    await run('demo fill --products 10 --scan-counts 20');
    const { key } = JSON.parse((await run('key create --json')).stdout);
    const used = JSON.parse((await run('key create --json')).stdout).id;
    await run(`key revoke ${JSON.parse((await run('key create --json')).stdout).id}`);
    await run('token create --all --role inspector');
    // 200,000 rows may take longer than a request.
    const database = connect(address, { unlimited: true });
    const series =
      kind === 'SQLite'
        ? 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200500)'
        : 'WITH n(i) AS (SELECT generate_series(1, 200500))';
    await database.raw(`INSERT INTO passport_versions (tenant_id, product_id, version, template_version, salt, content_hash, public_hash, created_at)
      ${series} SELECT tenant_id, id, i + 1, 1, 's', 'x', 'p', 'y' FROM products JOIN n ON position = 1`);
    if (kind === 'PostgreSQL') await database.raw('ANALYZE passport_versions');
    const last_used_at = '2026-06-07T08:09:10.111Z';
    await database('api_keys').where({ id: used }).update({ last_used_at });
    const created = await database('products').min({ first: 'created_at' }).max({ last: 'created_at' }).first();
    const { sum: views } = (await database('scan_counts').sum({ sum: 'count' }).first()) ?? {};
    await database.destroy();

    const { stdout } = await run('stats --json');
    const { versions, database_bytes, ...shown } = JSON.parse(stdout);
    expect(shown).toMatchObject({
      tenants: 1,
      products: { draft: 3, active: 5, archived: 2, created },
      passports: 10,
      values: { count: 0, is_estimate: false },
      scans: { total: Number(views), stored: { count: 0 } },
      keys: {
        valid: 2,
        revoked: 1,
        never_used: 1,
        items: [{ tenant: 'many', id: used, last_used_at }, { last_used_at: null }],
      },
      valid_tokens: 1,
    });
    expect(database_bytes).toBeGreaterThan(100_000);
    expect(versions.is_estimate).toBe(true);
    expect(Math.abs(versions.count - 200_510)).toBeLessThan(2_000);
    expect(JSON.parse((await run('stats --json --exact')).stdout).versions).toEqual({
      count: 200_510,
      is_estimate: false,
    });
    const text = (await run('stats')).stdout;
    expect(text).toContain('5 active, 2 archived\n');
    expect(text).toMatch(/^2026-06-07T08:09:10Z +many .*\nnever +many /m);
    expect(text).toContain(`Scan days  ${shown.scans.days.first} to ${shown.scans.days.last}\n`);
    expect(stdout + text).not.toContain(key);
    if (kind === 'PostgreSQL') expect(stdout + text).not.toContain(new URL(address).password);
  });
});
