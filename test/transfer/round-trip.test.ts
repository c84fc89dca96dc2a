import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../server/src/index.ts';
import { runHere } from '../support/command.ts';
import { ending } from '../support/ending.ts';
import { filledDatabase } from '../support/filled-database.ts';
import { type DatabaseKind, newMigratedDatabase } from '../support/service.ts';
import { contentOf, expectRightCounts } from '../support/tables.ts';

const directions: [DatabaseKind, DatabaseKind][] = [
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
  ['SQLite', 'SQLite'],
];

/**
 * What stays behind: raw scans, what versions replaced, and what belongs to the installation. The audit trail is
 * the operator's: its entries have no tenant, and may name others.
 */
const notMoved = [
  ...['scans', 'secrets', 'token_secrets', 'audit_entries', 'access_tokens', 'api_keys'],
  'passport_versions.replaced',
];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'passport-transfer-'));
  ending.defer(() => rm(folder, { recursive: true }));
});

describe.each(directions)('from %s to %s', (from, to) => {
  test('a tenant moves with the same ids, hashes, versions, positions and counts', async () => {
    const { address, key } = await filledDatabase(from);
    const file = join(folder, `${from}-${to}.jsonl`);
    const exported = await runHere(`product-passport export --tenant shop --database ${address} ${file}`);
    expect(exported).toMatchObject({ code: 0, stderr: '' });

    const target = await newMigratedDatabase(to);
    const imported = await runHere(`product-passport import --database ${target} ${file}`);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(file, 'utf8')).not.toContain(key);

    const onlyShop = (content: Record<string, Record<string, unknown>[]>, id: unknown) =>
      Object.fromEntries(
        Object.entries(content).map(([table, rows]) => [
          table,
          rows.filter((row) => row[table === 'tenants' ? 'id' : 'tenant_id'] === id),
        ]),
      );
    const before = await contentOf(address, notMoved);
    const id = before.tenants?.find(({ slug }) => slug === 'shop')?.id;
    expect(onlyShop(await contentOf(target, notMoved), id)).toEqual(onlyShop(before, id));
    const database = await openDatabase(target);
    ending.defer(() => database.destroy());
    expect(await expectRightCounts(database)).toBe(14);
    expect((await runHere(`product-passport product list --tenant shop --database ${target}`)).stdout).toContain(
      'lampe-ss-9',
    );
  });
});
