import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from '../../server/src/database/connection.ts';
import { runHere } from '../support/command.ts';
import { ending } from '../support/ending.ts';
import { type AnyLine, readLines, writeLines } from '../support/export-file.ts';
import { filledDatabase } from '../support/filled-database.ts';
import {
  type DatabaseKind,
  databaseKinds,
  newDatabase,
  newMigratedDatabase,
  startService,
} from '../support/service.ts';
import { contentOf } from '../support/tables.ts';

let folder: string;

/** Filled databases that the tests only read. */
const filled = {} as Record<DatabaseKind, { address: string; key: string }>;

beforeAll(async () => {
  for (const kind of databaseKinds) filled[kind] = await filledDatabase(kind);
  folder = await mkdtemp(join(tmpdir(), 'passport-backup-'));
  ending.defer(() => rm(folder, { recursive: true }));
});

const pairs: [DatabaseKind, DatabaseKind][] = databaseKinds.flatMap((from) =>
  databaseKinds.map((to): [DatabaseKind, DatabaseKind] => [from, to]),
);

describe.each(pairs)('a backup of %s', (from, to) => {
  test(`is restored into ${to} with every row of every table`, async () => {
    const { address, key } = filled[from];
    const file = join(folder, `${from}-${to}.backup`);
    const token = await runHere(
      `product-passport token create --all --tenant shop --role inspector --json --database ${address}`,
    );
    expect(await runHere(`product-passport backup ${file} --database ${address}`)).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const target = await newDatabase(to);
    const restored = await runHere(`product-passport restore ${file} --json --database ${target}`);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(restored.stdout)).toMatchObject({ tenants: 2, products: 14 });
    const { audit_entries: trail = [], ...content } = await contentOf(target);
    const { audit_entries: oldTrail = [], ...oldContent } = await contentOf(address);
    expect(content).toEqual(oldContent);
    // The restore itself is the only new entry.
    const isRestore = ({ command }: Record<string, unknown>) => command === 'restore';
    expect(trail.filter((entry) => !isRestore(entry))).toEqual(oldTrail);
    expect(trail.filter(isRestore)).toHaveLength(1);
    if (to === 'SQLite') expect((await stat(target)).mode & 0o777).toBe(0o600);

    const hashes = await runHere(`product-passport check-hashes --json --database ${target}`);
    expect(hashes.code).toBe(0);
    expect(JSON.parse(hashes.stdout)).toEqual({
      products: 14,
      older_versions: 14,
      images: 1,
      problems: [],
    });

    const service = await startService(to, { on: target });
    const [tenant] = await service.database('tenants').where({ slug: 'shop' });
    const client = service.clientOf({ ...(await service.newTenant({ slug: 'other' })), tenant, key } as never);
    expect((await client.me()).products_total).toBe(14);
    const view = await client.call({
      path: '/p/shop/lampe-ss-9',
      query: { zugang: JSON.parse(token.stdout).token },
      key: null,
    });
    expect(view.text).toContain('colour');
  });
});

describe('a backup', () => {
  test('does not replace a file', async () => {
    const { address } = filled.SQLite;
    const file = join(folder, 'taken');
    await writeFile(file, 'mine');
    const { code, stderr } = await runHere(`product-passport backup ${file} --database ${address}`);
    expect([code, stderr]).toEqual([
      1,
      `product-passport: the file ${file} already exists, and was not replaced. Choose another name.\n`,
    ]);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  test('of a damaged file fails, and leaves nothing', async () => {
    const { address } = filled.SQLite;
    const damaged = join(folder, 'damaged.sqlite');
    await copyFile(address, damaged);
    const bytes = await readFile(damaged);
    bytes.fill(0xaa, 8192, bytes.length);
    await writeFile(damaged, bytes);
    const into = await mkdtemp(join(folder, 'none-'));
    const { code, stderr } = await runHere(`product-passport backup ${into}/a --database ${damaged}`);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /is damaged or is not a SQLite database: .* No backup was made\. Keep your older backups\.\n$/,
    );
    expect(await readdir(into)).toEqual([]);
  });

  test('into a folder that does not exist or is not writable says so', async () => {
    const { address } = filled.SQLite;
    const missing = await runHere(`product-passport backup ${folder}/none/a --database ${address}`);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('does not exist. Create the folder first');
  });
});

describe('restore', () => {
  test.each(databaseKinds)('of an audit trail on %s refuses an entry twice, and keeps long arguments', async (kind) => {
    const address = await newMigratedDatabase('PostgreSQL');
    const create = `product-passport tenant create many --country DE --database ${address}`;
    // The cut after 500 characters would go through a surrogate pair.
    await runHere(`${create} --name '${'x'.repeat(499)}😀'`);
    const file = join(folder, `trail-${kind}`);
    expect(await runHere(`product-passport backup ${file} --database ${address}`)).toMatchObject({ code: 0 });
    const lines = await readLines(file);
    const trail = lines.find(({ type }) => type === 'audit_entries') as AnyLine;
    expect(trail.items).toMatchObject([{ command: 'tenant create', os_user: expect.any(String), changes: 1 }]);
    await writeLines(file, lines.toSpliced(lines.indexOf(trail), 0, trail));
    const target = await newDatabase(kind);
    const { code, stderr } = await runHere(`product-passport restore ${file} --database ${target}`);
    expect([code, stderr]).toEqual([
      1,
      `product-passport: line ${lines.indexOf(trail) + 2}: an audit entry before this one has the same id. Nothing was restored.\n`,
    ]);
  });

  test.each(['-wal', '-shm', '-journal'])('refuses a name whose %s file another database left', async (ending) => {
    const file = join(folder, `left${ending}`);
    await runHere(`product-passport backup ${file} --database ${filled.SQLite.address}`);
    const target = join(folder, `target${ending}.sqlite`);
    await writeFile(`${target}${ending}`, 'left');
    const { code, stdout, stderr } = await runHere(`product-passport restore ${file} --database ${target}`);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`the file ${target}${ending} belongs to another database`);
    expect(await readFile(`${target}${ending}`, 'utf8')).toBe('left');
    await expect(stat(target)).rejects.toThrow('ENOENT');
  });

  test.each(databaseKinds)('refuses a database on %s that has tenants, and does not change it', async (kind) => {
    const { address } = filled.PostgreSQL;
    const file = join(folder, `refused-${kind}`);
    await runHere(`product-passport backup ${file} --database ${address}`);
    const { address: target } = filled[kind];
    const before = await contentOf(target);
    const { code, stderr } = await runHere(`product-passport restore ${file} --database ${target}`);
    expect(code).toBe(1);
    expect(stderr).toMatch(/already/);
    expect(await contentOf(target)).toEqual(before);
  });

  test.each(databaseKinds)('of a file that was cut or changed leaves nothing on %s', async (kind) => {
    const { address } = filled.PostgreSQL;
    const file = join(folder, `whole-${kind}`);
    await runHere(`product-passport backup ${file} --database ${address}`);
    const { size } = await stat(file);
    const target = await newDatabase(kind);
    await truncate(file, size - 120);
    const cut = await runHere(`product-passport restore ${file} --database ${target}`);
    expect(cut.code).toBe(1);
    expect(cut.stderr).toMatch(/^product-passport: line \d+: .* Nothing was restored\.\n$/);
    if (kind === 'PostgreSQL') expect((await contentOf(target)).tenants).toEqual([]);
    else await expect(stat(target)).rejects.toThrow('ENOENT');
  });

  test('of a damaged copy of a SQLite database leaves nothing', async () => {
    const { address } = filled.SQLite;
    const file = join(folder, 'copy.sqlite');
    await runHere(`product-passport backup ${file} --database ${address}`);
    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, bytes.length - 20_000));
    await chmod(file, 0o600);
    const target = await newDatabase('SQLite');
    const { code, stderr } = await runHere(`product-passport restore ${file} --database ${target}`);
    expect(code).toBe(1);
    expect(stderr).toContain('Nothing was restored. Use another backup.');
    await expect(stat(target)).rejects.toThrow('ENOENT');
  });

  test('of a file that is something else, or of one tenant, says so', async () => {
    const { address } = filled.SQLite;
    const text = join(folder, 'text');
    await writeFile(text, 'hello\n');
    const target = await newDatabase('SQLite');
    const other = await runHere(`product-passport restore ${text} --database ${target}`);
    expect(other.stderr).toBe('product-passport: line 1: it is not JSON. Nothing was restored.\n');
    const one = join(folder, 'one.jsonl');
    await runHere(`product-passport export ${one} --tenant shop --database ${address}`);
    const refused = await runHere(`product-passport restore ${one} --database ${target}`);
    expect(refused.stderr).toBe(
      'product-passport: line 1: the file has one tenant. Use `import`. Nothing was restored.\n',
    );
    const missing = await runHere(`product-passport restore ${folder}/none --database ${target}`);
    expect(missing.stderr).toMatch(/does not exist\. Name an existing file\.\n$/);
  });

  test('to or from - is refused, because a backup is a file', async () => {
    const { address } = filled.SQLite;
    for (const line of [`backup - --database ${address}`, `restore - --database ${folder}/new.sqlite`]) {
      const { code, stderr } = await runHere(`product-passport ${line}`);
      expect([line, code, stderr]).toEqual([line, 2, expect.stringContaining('Name a file.')]);
    }
    expect(existsSync('-')).toBe(false);
  });
});

test.each(databaseKinds)(
  'check-hashes on %s names a product whose values were changed by other means',
  async (kind) => {
    const { address } = await filledDatabase(kind);
    const database = connect(address);
    ending.defer(() => database.destroy());
    const { id } = await database('products').where({ slug: 'lampe-ss-9' }).first('id');
    await database('passport_values').where({ product_id: id, field_key: 'note' }).update({ value: '"X"' });
    const { code, stdout } = await runHere(`product-passport check-hashes --tenant shop --database ${address}`);
    expect(code).toBe(1);
    expect(stdout).toContain('shop/lampe-ss-9: the content hash of version 3 does not fit its values.\n');
    expect(stdout).toContain('shop/lampe-ss-9: the public hash of version 3 does not fit its public values.\n');
    await database('passport_versions').where({ product_id: id, version: 2 }).delete();
    const gap = await runHere(`product-passport check-hashes --json --database ${address}`);
    expect(JSON.parse(gap.stdout).problems).toHaveLength(3);
    expect(gap.stdout).toContain('of 3 versions only 2 are stored');
    await database('product_images')
      .where({ product_id: id })
      .update({ sha256: '0'.repeat(64) });
    const image = await runHere(`product-passport check-hashes --database ${address}`);
    expect(image.stdout).toContain('Recomputed the hashes of 1 images.\n');
    expect(image.stdout).toContain('shop/lampe-ss-9: the hash of its image does not fit the bytes.\n');
  },
);
